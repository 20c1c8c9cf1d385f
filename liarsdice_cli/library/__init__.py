"""The functions that Python users and the commands call."""

from __future__ import annotations

from liarsdice_cli.extensive import renderable
from liarsdice_cli.formats import register_writers


def _displays() -> renderable.Displays:
    from liarsdice_cli.library import displays

    return displays


def _writers() -> object:
    from liarsdice_cli.library import judging

    return judging


renderable.register(_displays)
register_writers(_writers)
