"""`liarsdice impartial grundy`: Grundy values of heap games with their period, and sums of games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.impartial.options import LINE, output_option, period_json, play
from liarsdice_cli.cli.options import WholeRange, json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_lines
from liarsdice_cli.errors import UsageError

if TYPE_CHECKING:
    from liarsdice_cli.games.impartial.heaps import HeapGame
    from liarsdice_cli.games.impartial.sums import Component, Move

_EXAMPLE = """
liarsdice impartial grundy kayles
liarsdice impartial grundy 1,2,3 --values 20
liarsdice impartial grundy --sum "nim 3" --sum "kayles 7"
"""

_SHOWN = 20
"""Winning moves that a person sees without --full."""


@click.command(cls=CommandWithExample, example=_EXAMPLE, short_help="Grundy values, their period, and sums of games.")
@click.argument("game", required=False)
@click.option(
    "--values", "count", type=WholeRange(1, 1_000_000), default=LINE, show_default=True, metavar="N", help="Show N values."
)
@click.option(
    "--limit", type=WholeRange(64, 1_000_000), metavar="N", help="Look at N values for a period.  [default: the game's]"
)
@click.option(
    "--sum", "parts", multiple=True, metavar='"GAME HEAP..."', help="A game with its heaps; again for a sum of games."
)
@click.option("--full", is_flag=True, help="Show all winning moves.")
@output_option
@json_option
@quiet_option
def command(
    game: str | None,
    count: int,
    limit: int | None,
    parts: tuple[str, ...],
    full: bool,
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Grundy values of GAME and their period; or who wins a sum of games (--sum), and how.

    GAME is nim, kayles, dawson (Dawson's Kayles), grundy (Grundy's game), an octal code such as 0.137, or a take set such
    as 1,2,3.
    """
    from liarsdice_cli.games.impartial import sums

    if (game is None) == (not parts):
        raise UsageError(
            "give a game, such as kayles, or a position of games, such as --sum 'nim 3' --sum 'kayles 7'; not both"
        )
    if game is not None:
        if output is not None:
            raise UsageError("a game without heaps has no tree: name a position, such as --sum 'kayles 7', to write one")
        one = sums.game(game, limit)
        print_json("grundy", _values_json(one, count)) if as_json else print_lines(_values(one, count))
        return
    components = [sums.component(part, limit) for part in parts]
    if output is not None:
        _write(components, output, quiet)
    print_json("sum", _sum_json(components)) if as_json else print_lines(_sum(components, full))


def _values_json(game: HeapGame, count: int) -> dict[str, Any]:
    values = list(game.values(count)[:count])
    return {"game": game.name, "values": values, "period": period_json(game.period()), "limit": game.limit}


def _values(game: HeapGame, count: int) -> Iterator[str]:
    values = game.values(count)[:count]
    yield f"{game.name}: Grundy values of the heaps 0 to {count - 1}"
    for start in range(0, count, LINE // 3):
        yield f"{start:>6}: {' '.join(map(str, values[start : start + LINE // 3]))}"
    period = game.period()
    if period:
        yield f"period {period.length} from heap {period.start} on"
        yield f"proved: {period.argument}"
    elif game.name == "Nim":
        yield "no period: a heap is its own value"
    else:
        yield f"the first {game.limit:,} values prove no period"


def _sum_json(components: Sequence[Component]) -> dict[str, Any]:
    from liarsdice_cli.games.impartial import sums

    value = sums.value(components)
    return {
        "components": [{"game": one.game.name, "heaps": list(one.heaps), "value": one.value} for one in components],
        "value": value,
        "result": "W" if value else "L",
        "winning_moves": [
            {
                "component": move.component + 1,
                "heap": move.heap + 1,
                "from": components[move.component].heaps[move.heap],
                "to": list(move.left),
            }
            for move in sums.winning_moves(components)
        ],
    }


def _sum(components: Sequence[Component], full: bool) -> Iterator[str]:
    from liarsdice_cli.games.impartial import sums

    values = [one.value for one in components]
    width = max(map(int.bit_length, values)) or 1
    names = [f"{one.game.name}, {' and '.join(map(str, one.heaps))}" for one in components]
    left = max(map(len, (*names, "sum without carry")))
    for name, value in zip(names, values, strict=True):
        yield f"{name:{left}}  {value:0{width}b} = {value}"
    total = sums.value(components)
    yield f"{'sum without carry':{left}}  {total:0{width}b} = {total}"
    yield f"{'W: the player to move wins' if total else 'L: the player to move loses'}; {play(False)}"
    moves = sums.winning_moves(components)
    shown = moves if full else moves[:_SHOWN]
    yield from (f"  {_move(components, move)}" for move in shown)
    if len(shown) < len(moves):
        yield f"  ... {len(moves) - len(shown):,} more; --full shows all"


def _move(components: Sequence[Component], move: Move) -> str:
    from liarsdice_cli.games.impartial.sums import shown

    one = components[move.component]
    return f"{one.game.name}: {shown(one.heaps[move.heap], move.left)}"


def _write(components: Sequence[Component], output: str, quiet: bool) -> None:
    from liarsdice_cli.cli.writing import write_game
    from liarsdice_cli.games.impartial import sums
    from liarsdice_cli.games.perfect_information import unfold

    title = " + ".join(f"{one.game.name}: {', '.join(map(str, one.heaps))}" for one in components)
    start = tuple(one.heaps for one in components)
    tree = unfold(title, play(False), start, lambda position, player: sums.moves(components, position))
    write_game(tree.stream(), output, "auto", quiet)
