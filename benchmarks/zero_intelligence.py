"""`make zero-intelligence`: write the table in docs/zero-intelligence.md and docs/zero-intelligence.svg; minutes of simulation.

Beside each number of the table stands its simulation. The simulations play the page's game with seeded random numbers and use
none of its formulas. The uncertainty of a number is the standard error over the batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np

from benchmarks.results import DOCS, Page, parser
from liarsdice_cli.bots.zero_intelligence import continuous, randomised
from liarsdice_cli.draw.model import Case, worst_cases
from liarsdice_cli.extensive.stream import Bools, Floats

PICTURE = DOCS / "zero-intelligence.svg"
COMMAND = "make zero-intelligence"
SIGMA2 = (1, 2, 3, 5)
BATCHES, BATCH, STEPS, SEED = 64, 1_000_000, 160, 2026

Estimate = tuple[float, float]
best_levels = cache(randomised.best_levels)


def estimate(batch: Callable[[np.random.Generator], float], batches: int = BATCHES, stream: int = 0) -> Estimate:
    """Return the mean over the batches and its standard error; each stream has its own random numbers."""
    values = [batch(np.random.default_rng([SEED, stream, number])) for number in range(batches)]
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(batches))


def indifference(generator: np.random.Generator, sigma2: float, size: int = BATCH) -> float:
    """Return the bid y0 at which A, with roll 0, loses as often by a call as by an infinitesimal raise.

    B has the roll X and calls the raise if X <= 0, A's own roll. The root is found by bisection on the same random numbers.
    """
    x, others = generator.standard_normal(size), generator.normal(0, np.sqrt(sigma2), size)
    total = np.sort(x + others)
    called = np.sort((x + others)[x <= 0])
    return continuous.root(
        lambda bid: float(np.searchsorted(called, bid) - (size - np.searchsorted(total, bid))) + 0.5, -9.0, 9.0
    )


def won(x: Floats, y: Floats, a_calls: Floats, b_calls: Floats) -> Bools:
    """Return whether A wins: the player with the lower threshold calls, and wins iff that bid is above the sum of the rolls."""
    bid = np.minimum(a_calls, b_calls)
    right: Bools = (a_calls < b_calls) == (bid > x + y)
    return right


def against_all(sigma2: float, levels: randomised.Levels, size: int = BATCH) -> Callable[[np.random.Generator], float]:
    """Return a function that draws a batch: how often A wins against others that share their rolls and know the levels."""
    sigma = float(np.sqrt(sigma2))
    replies = _replies(levels, sigma)

    def batch(generator: np.random.Generator) -> float:
        x, y = generator.standard_normal(size), generator.normal(0, sigma, size)
        level = generator.choice(levels.level, size, p=levels.weight)
        return float(won(x, y, x + level * sigma, replies(y)).mean())

    return batch


def _replies(levels: randomised.Levels, sigma: float) -> Callable[[Floats], Floats]:
    """Return the function from B's holding to its best bid to call at: a formula for one level, a grid for several."""
    if len(levels.level) == 1:
        reach = levels.level[0] * sigma
        return lambda y: np.where(y < reach, (y + reach) / 2, np.inf)
    grid = np.unique(np.concatenate([np.linspace(-7, 7, 1401), levels.level + 1e-9, levels.level - 1e-9])) * sigma
    replies = randomised.response(levels, sigma**2, grid)[0]
    return lambda y: replies[np.clip(np.searchsorted(grid, y), 1, len(grid) - 1) - 1]


def best_level(generator: np.random.Generator, sigma2: float, size: int = BATCH) -> float:
    """Return the level at which the slope of A's payoff is 0, as a mean over random rolls of A.

    Given |X|, A wins iff lambda sigma - 2 |X| < Y < lambda sigma, so the slope is a difference of densities of Y.
    """
    rolls = 2 * np.abs(generator.standard_normal(size)) / np.sqrt(sigma2)
    return continuous.root(
        lambda level: float(np.mean(continuous.density(level - rolls)) - continuous.density(np.array(level))), 0, 4, 1e-7
    )


def table() -> Iterator[str]:
    """Yield the lines of the table: a row for each quantity by sigma^2, and below it a row with its simulation."""
    columns = [column(sigma2) for sigma2 in SIGMA2]
    yield "| | " + " | ".join(f"σ² = {sigma2}" for sigma2 in SIGMA2) + " |"
    yield "|---|" + "---|" * len(SIGMA2)
    for name in columns[0]:
        yield f"| {name} | " + " | ".join(cells[name] for cells in columns) + " |"


def column(sigma2: int) -> dict[str, str]:
    """Return the column of a sigma^2: cells by the names of their rows."""
    y0 = continuous.indifference(sigma2)
    own, best = continuous.indifference_level(sigma2, y0), continuous.best_level(sigma2)
    mixed = best_levels(sigma2, STEPS)
    fixed = randomised.Levels(np.array([best]), np.ones(1))
    worst = continuous.worst_of_level(best, sigma2)
    deviation = np.sqrt(sigma2 + 1)

    def tail(generator: np.random.Generator) -> float:
        return float(np.mean(generator.normal(0, deviation, BATCH) >= y0))

    return {
        "y0, where calling and raising cost the same": _digits(y0),
        "y0, simulated": _shown(estimate(lambda draws: indifference(draws, sigma2), stream=sigma2)),
        "its level, P(Y ≥ y0)": _digits(own),
        "its level, simulated": _shown(estimate(tail, stream=sigma2)),
        "the page's level for it, P(X ≥ y0)": _digits(continuous.probability_level(y0)),
        "best fixed level, a z-score": _digits(best),
        "best fixed level, simulated": _shown(estimate(lambda draws: best_level(draws, sigma2), BATCHES // 4, sigma2)),
        "best fixed level, a probability": _digits(continuous.probability_level(best)),
        "best ω_A of a fixed level": _digits(worst),
        "best ω_A, simulated": _shown(estimate(against_all(sigma2, fixed), stream=sigma2)),
        "best randomised level, ω_A": _digits(mixed.value),
        "best randomised level, simulated": _shown(estimate(against_all(sigma2, mixed.levels), stream=sigma2)),
        "no randomised level has more than": f"{mixed.ceiling:.5f}",
        "gain by randomising": _digits(mixed.value - worst),
    }


def _digits(number: float) -> str:
    return f"{number:.4f}"


def _shown(found: Estimate) -> str:
    return f"{found[0]:.4f} ± {found[1]:.4f}"


def picture() -> str:
    """Return an SVG chart of omega_A by level for each sigma^2, with the best fixed level and the best randomised value."""
    cases = [
        Case(
            sigma2,
            partial(continuous.worst_of_level, sigma2=sigma2),
            continuous.best_level(sigma2),
            best_levels(sigma2, 50).value,
            continuous.indifference(sigma2 - 1),
        )
        for sigma2 in SIGMA2
    ]
    return worst_cases(cases, continuous.probability_level).svg()


PAGE = Page("zero-intelligence.md", {COMMAND: table})

if __name__ == "__main__":
    parser(__doc__).parse_args()
    PICTURE.write_text(picture(), encoding="utf-8")
    PAGE.write()
