"""A position of Nim: every heap as its powers of two, which are aligned in columns and cancel in pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from liarsdice_cli.draw.colours import GREY, INK
from liarsdice_cli.draw.positions import RESULTS
from liarsdice_cli.draw.scene import LARGE, SMALL, Dot, Mark, Scene, Text, text_width
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.convention import convention
from liarsdice_cli.games.impartial.nim import is_lost, nim_sum, winning_moves
from liarsdice_cli.games.positions import LOST, WON

MOST_HEAPS, MOST = 20, 127
"""The most heaps in a picture, and the most objects in a heap."""
_LEFT, _TOP, _STEP, _ROWS = 16.0, 96.0, 13.0, 4


def scene(heaps: Sequence[int], misere: bool) -> Scene:
    """Return a scene of the heaps, the nim-sum and the winning moves. Raises LiarsDiceError for too many heaps or objects.

    >>> sum(isinstance(mark, Dot) for mark in scene((3, 4, 5), False).marks)
    12
    """
    if len(heaps) > MOST_HEAPS or max(heaps) > MOST:
        raise LiarsDiceError(f"a picture shows at most {MOST_HEAPS} heaps of up to {MOST}: draw a smaller position")
    marks = tuple(_marks(heaps, misere))
    right = max(
        mark.x + sum(text_width(words, mark.size) for words, _ in mark.runs) for mark in marks if isinstance(mark, Text)
    )
    title = f"Nim: heaps {', '.join(map(str, heaps))}"
    described = (
        f"{title}; the nim-sum is {nim_sum(heaps)}, and the player to move {'loses' if is_lost(heaps, misere) else 'wins'}."
    )
    return Scene(title, described, right + _LEFT, _TOP + len(heaps) * (_ROWS * _STEP + 12) + 24 + _LEFT, marks)


def _marks(heaps: Sequence[int], misere: bool) -> Iterator[Mark]:
    total, lost = nim_sum(heaps), is_lost(heaps, misere)
    bits = range(max(max(heaps).bit_length(), 1))[::-1]
    result = LOST if lost else WON
    yield Text(_LEFT, 26, ((f"Nim: heaps {', '.join(map(str, heaps))}", INK),), size=LARGE)
    outcome = f"{result}: the player to move {'loses' if lost else 'wins'}"
    yield Text(_LEFT, 46, ((outcome, RESULTS[result]), (f"; {convention(misere)}", GREY)), size=SMALL)
    words = "each heap in powers of two: grey columns hold an even number of them and cancel, the others make the nim-sum"
    yield Text(_LEFT, 62, ((words, GREY),), size=SMALL)
    x, columns = _LEFT + 44, {}
    for bit in bits:
        columns[bit] = x
        odd = bool(total >> bit & 1)
        yield Text(x, _TOP - 10, ((f"{1 << bit}", RESULTS[WON] if odd else GREY),), size=SMALL)
        x += max(30.0, -(-(1 << bit) // _ROWS) * _STEP + 16)
    moves = winning_moves(heaps, misere)
    height = _ROWS * _STEP + 12
    for row, heap in enumerate(heaps):
        y = _TOP + row * height
        yield Text(_LEFT, y + 16, ((str(heap), INK),))
        for bit in bits:
            if heap >> bit & 1:
                colour = RESULTS[WON] if total >> bit & 1 else GREY
                for place in range(1 << bit):
                    across, down = divmod(place, _ROWS)
                    yield Dot(
                        columns[bit] + 5 + across * _STEP, y + 7 + down * _STEP, 4.5, colour, False, f"{1 << bit} of {heap}"
                    )
        told = next((f"wins: take {heap - left} of {heap}, leave {left}" for place, left in moves if place == row), "")
        if told:
            yield Text(x + 8, y + 16, ((told, RESULTS[WON]),))
    y = _TOP + len(heaps) * height
    yield Text(_LEFT, y + 16, ((f"nim-sum {total}" if total else "nim-sum 0: every column cancels", INK),))
