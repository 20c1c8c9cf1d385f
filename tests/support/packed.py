"""Read gzip files member by member."""

from __future__ import annotations

import zlib


def members(data: bytes) -> list[bytes]:
    """Return the content of each member of a gzip file."""
    found = []
    while data:
        unpacking = zlib.decompressobj(wbits=31)
        found.append(unpacking.decompress(data))
        assert unpacking.eof
        data = unpacking.unused_data
    return found
