"""What a person calls: one function for each question, on top of all rooms below; the command line reads options for it."""

from __future__ import annotations

from liarsdice_cli.extensive import renderable


def _displays() -> renderable.Displays:
    from liarsdice_cli.library import displays

    return displays


renderable.register(_displays)
