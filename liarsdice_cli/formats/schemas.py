"""The kinds of JSON documents and their versions, which docs/json.md explains and docs/schemas describes key by key."""

from __future__ import annotations

VERSIONS = {
    "info": 1,
    "rules": 1,
    "solve": 2,
    "verify": 2,
    "show": 1,
    "resolve": 1,
    "profile": 1,
    "written": 1,
    "values": 1,
    "match": 1,
    "outcomes": 1,
    "takeaway": 1,
    "bachet": 1,
    "nim": 1,
    "grundy": 1,
    "sum": 1,
    "positions": 1,
    "probability": 1,
    "model": 1,
    "play": 1,
    "coach": 1,
    "arena": 1,
    "exploit": 2,
    "regrets": 1,
    "collusion": 1,
    "safe": 1,
}
"""The version of each kind; it rises when a key changes its meaning or goes."""


def schema(kind: str) -> str:
    """The name of a document's schema, under the key `schema`.

    >>> schema("info")
    'liarsdice/info/1'
    """
    return f"liarsdice/{kind}/{VERSIONS[kind]}"
