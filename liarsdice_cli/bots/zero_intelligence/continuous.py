"""The page's continuous model: normal rolls, the level at which calling and raising cost the same, and the worst case.

A rolls X ~ N(0, 1), and the others together roll N(0, sigma2). A level has two forms. As a probability, A calls a bid that is
less likely to be true; this is the page's lambda up to its section on the worst case. As a z-score, A calls a bid that is more
deviations above the mean; this is the page's lambda from that section on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.tail_probabilities import normal_cdf

_FAR = 9.0
"""Standard deviations beyond which the normal distribution is cut off; this omits less than 3e-19."""
_POINTS = 120
_TABLE = 1000


def probability_level(z: float) -> float:
    """Return the level z as a probability: the tail 1 - Phi(z) of the standard normal distribution.

    >>> round(probability_level(0.6277), 4)
    0.2651
    """
    return normal_cdf(-z)


def z_level(probability: float) -> float:
    """Return the level of a probability, strictly between 0 and 1, as a z-score: the inverse of `probability_level`.

    >>> round(z_level(0.2651), 4)
    0.6277
    """
    return -NormalDist().inv_cdf(probability)


def density(x: Floats) -> Floats:
    """Return the standard normal density exp(-x^2 / 2) / sqrt(2 pi)."""
    answer: Floats = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return answer


def cdf(x: Floats) -> Floats:
    """Return `normal_cdf` of every number of an array, to 1e-15: four terms of the Taylor series at the nearest table entry.

    >>> cdf(np.array([-1.0, 0.0])).round(6).tolist()
    [0.158655, 0.5]
    """
    place = np.clip(x, -_FAR, _FAR)
    node = np.rint(place * _TABLE)
    base = _cdf_table()[node.astype(np.int64) + round(_FAR * _TABLE)]
    t = node / _TABLE
    h = place - t
    answer: Floats = base + density(t) * h * (1 - h / 2 * (t - h / 3 * (t * t - 1) + h * h / 12 * t * (t * t - 3)))
    return answer


@cache
def _cdf_table() -> Floats:
    last = round(_FAR * _TABLE)
    return np.array([normal_cdf(place / _TABLE) for place in range(-last, last + 1)])


def indifference(sigma2: float, s: float = 0.0) -> float:
    """Return y0, the point at which a call and an infinitesimal raise cost A the same: the root of

        integral from -inf to s of F_Z(y0 - x) f_X(x) dx + F_Y(y0) = 1,   Z ~ N(0, sigma2), Y ~ N(0, sigma2 + 1).

    Section "Some theoretical thoughts". The bid is r = y0 + s. A call loses a die with probability P(Y >= y0). After the raise,
    B uses the same y0 and calls iff X <= r - y0 = s. A then loses if Z < y0 - X.

    sigma2 : the number of players other than A and B: 0, or at least 0.05 for an error of less than 1e-10
    s      : A's own roll, from -8 to 8

    >>> round(indifference(3), 4), abs(indifference(0)) < 1e-12
    (0.5775, True)
    """
    deviation, whole = math.sqrt(sigma2), math.sqrt(sigma2 + 1)
    x, weight = gauss(np.linspace(-_FAR - 3, s, 6), _POINTS // 4)  # below, the density is 1e-17 of that at -8
    weight = weight * density(x)

    def bad(y0: float) -> float:
        return float(weight @ cdf((y0 - x) / deviation)) if sigma2 else normal_cdf(min(s, y0))

    def excess(y0: float) -> float:
        return bad(y0) - normal_cdf(-y0 / whole)

    return root(excess, -_FAR * whole, _FAR * whole)


def indifference_level(sigma2: float, y0: float) -> float:
    """Return lambda = P(Y >= y0) with Y ~ N(0, sigma2 + 1), the probability at y0; sqrt(2) - 1 for sigma2 = 1, s = 0.

    The page's 0.2818 for sigma2 = 3 is P(X >= y0) with X ~ N(0, 1): the tail with deviation 1 instead of 2.

    >>> round(indifference_level(3, indifference(3)), 4), round(probability_level(indifference(3)), 4)
    (0.3864, 0.2818)
    """
    return normal_cdf(-y0 / math.sqrt(sigma2 + 1))


def worst_of_level(level: float, sigma2: float) -> float:
    """Return omega_A, the probability that A wins if all others know the level and each other's rolls:

        omega_A(lambda) = 2 integral from 0 to inf of f_X(x) P(lambda sigma - 2 x < Y < lambda sigma) dx,   Y ~ N(0, sigma2).

    Section "Worst-case scenario", where a win is 1 and a loss 0; a fair share would be 1/2.

    level  : lambda as a z-score: A calls at z = X + lambda sigma
    sigma2 : the number of others, above 0

    >>> round(worst_of_level(0.6277, 3), 4)
    0.3191
    """
    x, weight = gauss(np.linspace(0, _FAR, 7), _POINTS // 4)
    below = cdf(level - 2 * x / math.sqrt(sigma2))
    return float(2 * (weight * density(x)) @ (normal_cdf(level) - below))


def best_level(sigma2: float) -> float:
    """Return the level, as a z-score, that maximises `worst_of_level`: the root of

        1 + erf(lambda sqrt(2 / (sigma2 + 4))) = sqrt(1 + 4 / sigma2) exp(-2 lambda^2 / (sigma2 + 4)).

    Section "Further thoughts": this follows from the derivative 2 integral of f_X(x) sigma [f_Y(lambda sigma)
    - f_Y(lambda sigma - 2 x)] dx = 0 by completing the square. The page has
    erf(-2 lambda / (sigma2 + 4)) on the left, which is an error.

    >>> round(best_level(3), 4)
    0.6277
    """
    spread = sigma2 + 4

    def slope(level: float) -> float:
        right = math.sqrt(1 + 4 / sigma2) * math.exp(-2 * level**2 / spread)
        return 1 + math.erf(level * math.sqrt(2 / spread)) - right

    return root(slope, 0.0, _FAR)


def gauss(edges: Floats, points: int) -> tuple[Floats, Floats]:
    """Return the nodes and weights of Gauss-Legendre quadrature, with `points` nodes between neighbouring edges."""
    place, weight = np.polynomial.legendre.leggauss(points)
    middle, half = (edges[:-1] + edges[1:]) / 2, np.diff(edges) / 2
    return (middle[:, None] + half[:, None] * place).ravel(), (half[:, None] * weight).ravel()


def root(function: Callable[[float], float], low: float, high: float, within: float = 0.0) -> float:
    """Return the root of a function that is negative at `low` and positive at `high`, by bisection; by default to the last bit.

    >>> round(root(lambda x: x * x - 2, 0, 2), 9)
    1.414213562
    """
    while low < (middle := (low + high) / 2) < high and high - low > within:
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return middle
