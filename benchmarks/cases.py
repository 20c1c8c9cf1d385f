"""The cases of `make bench` that are timed without imports: files and rounds of bots."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from liarsdice_cli.games.liarsdice.rules import Rules, rules

SIDES = 4  # 2,097,137 nodes
SECTION = 262_144


def write(path: str) -> int:
    from liarsdice_cli.formats import efg
    from liarsdice_cli.games.liarsdice.tree import stream

    tree = stream(rules("classic", SIDES))
    with Path(path).open("wb") as out:
        efg.write(tree, out)
    return tree.nodes


def _sections(path: str) -> int:
    """Write every 64th section of a game that does not fit in memory; return the number of nodes."""
    from liarsdice_cli.formats import efg, files
    from liarsdice_cli.games.liarsdice.tree import stream

    tree = stream(rules("classic", 5))
    chosen = range(0, efg.sections(tree), 64)
    with files.output(path) as out:
        for index in chosen:
            out.write(efg.section(tree, "none", index))
    return len(chosen) * SECTION


def sections(path: str) -> int:
    return _sections(os.devnull)


def packed_sections(path: str) -> int:
    return _sections(f"{path}.gz")


def plain_write(path: str) -> int:
    """Write the game by plain recursion, with one formatted write for each node."""
    game = rules("classic", SIDES)
    numbers: dict[tuple[int, int, tuple[int, ...]], int] = {}
    with Path(path).open("w") as out:
        out.write('EFG 2 R "plain" { "P1" "P2" }\n\n')
        rolls = [(one, two) for one in range(1, SIDES + 1) for two in range(1, SIDES + 1)]
        chances = " ".join(f'"{one}|{two}" 1/{len(rolls)}' for one, two in rolls)
        out.write(f'c "" 1 "" {{ {chances} }} 0\n')
        return 1 + sum(_plain(out, game, roll, (), numbers) for roll in rolls)


def _plain(
    out: IO[str],
    game: Rules,
    roll: tuple[int, int],
    history: tuple[int, ...],
    numbers: dict[tuple[int, int, tuple[int, ...]], int],
) -> int:
    mover = len(history) % 2
    key = (mover, roll[mover], history)
    first = key not in numbers
    number = numbers.setdefault(key, len(numbers) + 1)
    later = range(history[-1] + 1 if history else 0, len(game.bids))
    if first:
        labels = " ".join([*(['"call"'] if history else []), *(f'"{game.bids[bid]}"' for bid in later)])
        out.write(f'p "" {mover + 1} {number} "" {{ {labels} }} 0\n')
    else:
        out.write(f'p "" {mover + 1} {number} 0\n')
    nodes = 1
    if history:
        winner = 1 - mover if game.holds(game.bids[history[-1]], [(die,) for die in roll]) else mover
        out.write(f't "" {winner + 1} "P{winner + 1} wins" {{ {1 - winner}, {winner} }}\n')
        nodes += 1
    for bid in later:
        nodes += _plain(out, game, roll, (*history, bid), numbers)
    return nodes


def read(path: str) -> int:
    from liarsdice_cli.formats import efg

    return efg.read(path).nodes


def gambit_read(path: str) -> int:
    import pygambit

    pygambit.read_efg(path)
    return 0


def _arena(bots: tuple[str, str], name: str, dice: tuple[int, int], deals: int, match: bool = False) -> Callable[[str], int]:
    """Return a case that plays rounds between two bots in this process; starting the bots and solving are part of the work."""

    def case(path: str) -> int:
        from liarsdice_cli.arena.tournament import Tournament, run
        from liarsdice_cli.bots.specs import bot

        players = tuple(bot(spec, 5.0) for spec in bots)
        result = run(Tournament(rules(name, 6, dice), players, deals, match, seed=1))
        return sum(tally.rounds for tally in result.tallies)

    return case


ARENA = {
    "random, random": _arena(("random", "random"), "common", (1, 1), 500_000),
    "honest, random": _arena(("honest", "random"), "common", (1, 1), 500_000),
    "zero-intelligence, honest": _arena(("zero-intelligence", "honest"), "common", (1, 1), 500_000),
    "equilibrium, honest": _arena(("equilibrium", "honest"), "common", (1, 1), 500_000),
    "equilibrium, random (classic)": _arena(("equilibrium", "random"), "classic", (1, 1), 500_000),
    "zero-intelligence, honest (dudo, 5,5, matches)": _arena(("zero-intelligence", "honest"), "dudo", (5, 5), 10_000, True),
    "a bot of one's own, honest": _arena(("benchmarks.cases:Lowest", "honest"), "common", (1, 1), 2_000),
}


class Lowest:
    """A bot as a user would write it."""

    def act(self, view: Any, generator: Any) -> Any:
        return view.legal[0] if view.legal and view.probability(view.legal[0]) > 0.1 else "call"


CASES: dict[str, Callable[[str], int]] = {
    "write": write,
    "sections": sections,
    "packed-sections": packed_sections,
    "plain-write": plain_write,
    "read": read,
    "gambit-read": gambit_read,
} | ARENA


def timed(name: str, path: str) -> tuple[int, float]:
    """Run a case with a file; return its nodes or rounds, and its seconds without imports."""
    import liarsdice_cli.arena.tournament
    import liarsdice_cli.bots.specs
    import liarsdice_cli.formats.efg
    import liarsdice_cli.games.liarsdice.tree  # noqa: F401

    if name in ("sections", "packed-sections"):
        from liarsdice_cli.formats.efg.filling import Filling

        Filling(["text"])  # compiles or loads the loop
    if name == "gambit-read":
        import pygambit  # noqa: F401
    begun = time.perf_counter()
    count = CASES[name](path)
    return count, time.perf_counter() - begun
