"""Print the table at the end of docs/subgames.md: the cost of safe re-solving.

    python -m benchmarks.subgames

A rough strategy of `common` with two dice each is improved for player 2, in the subgame of one opening bid after another. The
first row re-solves each subgame safely. The second row solves it for the beliefs under the strategy, as if player 1 played it.
Some minutes; it writes no files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import liarsdice_cli as ld
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.library.exploitation import exploitability
from liarsdice_cli.strategies.combined import Spliced
from liarsdice_cli.strategies.expansion import expanded

ITERATIONS, TARGET = 12, 5e-4
SECOND = 1


def trusting(strategy: Strategy, opening: str) -> Strategy:
    """Return the strategy with a solution of the subgame for the beliefs under the strategy."""
    rest = ld.subgame(strategy.rules, opening, strategy)
    better = ld.solve(rest, target=TARGET, iterations=10_000).strategy()
    return expanded(Spliced(strategy.rules, strategy, better, rest.history, (SECOND,)))


def safely(strategy: Strategy, opening: str) -> Strategy:
    """Return the strategy after safe re-solving."""
    return ld.resolve(strategy, opening, SECOND + 1, target=TARGET).strategy


def openings(strategy: Strategy) -> list[str]:
    """Return the bids with which player 1 opens for some roll."""
    shares = strategy.at(())
    return [str(bid) for bid, row in zip(strategy.rules.bids, shares, strict=True) if row.max() > 0]


def sure(strategy: Strategy) -> float:
    """Return the worst-case payoff of player 2."""
    return float(exploitability(strategy.rules, strategy).payoffs[SECOND])


def steps(strategy: Strategy, better: Callable[[Strategy, str], Strategy]) -> Iterator[float]:
    """Yield the worst-case payoff of player 2 at the start and after each step."""
    yield sure(strategy)
    for opening in openings(strategy):
        strategy = better(strategy, opening)
        yield sure(strategy)


def main() -> None:
    """Print the table."""
    rough = ld.solve(ld.rules("common", 6, (2, 2)), method="dcfr+", iterations=ITERATIONS).strategy()
    print(len(openings(rough)), "opening bids")
    for name, better in (("safely", safely), ("trusting the beliefs", trusting)):
        found = list(steps(rough, better))
        loss = max(before - after for before, after in pairwise(found))
        print(f"| {name} | {found[0]:.4f} | {found[-1]:.4f} | {max(loss, 0):.5f} |", flush=True)


if __name__ == "__main__":
    main()
