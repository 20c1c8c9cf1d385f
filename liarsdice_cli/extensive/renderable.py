"""The methods that a notebook or a terminal calls to show an object. A higher room registers the functions that draw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from rich.console import RenderableType

    class Displays(Protocol):
        """The functions that show an object; a module is one."""

        def svg(self, thing: object) -> str | None:
            """Return a picture, or None if the object has none."""

        def html(self, thing: object) -> str | None:
            """Return a picture, a page or tables."""

        def markdown(self, thing: object) -> str | None:
            """Return tables."""

        def rich(self, thing: object) -> RenderableType:
            """Return tables for a terminal."""


_loaders: list[Callable[[], Displays]] = []


def register(load: Callable[[], Displays]) -> None:
    """Register a function that loads the displays of all objects. It is called when an object is shown, not before."""
    _loaders.append(load)


class Renderable:
    """An object that shows itself in a notebook (as a picture, a page or tables) and, by rich, in a terminal.

    The methods are those that IPython and rich look for; None says that there is no such form.
    """

    def _repr_svg_(self) -> str | None:
        return _displays().svg(self)

    def _repr_html_(self) -> str | None:
        return _displays().html(self)

    def _repr_markdown_(self) -> str | None:
        return _displays().markdown(self)

    def __rich__(self) -> RenderableType:
        return _displays().rich(self)


def _displays() -> Displays:
    return _loaders[-1]()
