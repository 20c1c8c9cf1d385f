"""What a notebook or a terminal asks of an object to show it, answered by the room above that can draw and tabulate."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

_ANSWERS = "liarsdice_cli.library.displays"
"""The module that knows how everything is shown; named, not imported, for it stands above all that is shown."""


class Displayed:
    """An object that shows itself in a notebook (as a picture, a page or tables) and, by rich, in a terminal.

    The methods are those that IPython and rich look for; None says that there is no such form.
    """

    def _repr_svg_(self) -> str | None:
        found: str | None = _answers().svg(self)
        return found

    def _repr_html_(self) -> str | None:
        found: str | None = _answers().html(self)
        return found

    def _repr_markdown_(self) -> str | None:
        found: str | None = _answers().markdown(self)
        return found

    def __rich__(self) -> RenderableType:
        found: RenderableType = _answers().rich(self)
        return found


def _answers() -> Any:
    return import_module(_ANSWERS)
