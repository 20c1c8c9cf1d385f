"""Find the figures of a page, and those that the tested output on the page shows."""

from __future__ import annotations

import re

_OUTPUT = re.compile(r"```.*?```|<!-- begin:.*?<!-- end:[^>]*-->", re.DOTALL)
"""Code that tests run, and tables that benchmarks write."""
_NO_PROSE = re.compile(r"<!--.*?-->|`[^`]*`|\]\([^)]*\)|https?://\S+|\d(?:,\d)+ dice|dice \d(?:,\d)+", re.DOTALL)
_NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?(?:/\d+)?"
_FIGURE = re.compile(rf"(?<![\w.,/^-]){_NUMBER}(?![\w^]|\.\d)")
_PLAIN = re.compile(r"-?\d{1,2}|100|\d(?:,\d)+|(?:19|20)\d\d|\d/\d|\d{4}\.\d{5}")
"""Counts that a reader checks at a glance, numbers of dice, years, short fractions, and arXiv numbers."""


def figures(text: str) -> list[str]:
    """Return the figures in the prose and the handwritten tables of a page, without output, code, links and plain numbers."""
    prose = _NO_PROSE.sub(" ", _OUTPUT.sub("", text))
    return [found for found in (one.rstrip(",") for one in _FIGURE.findall(prose)) if not _PLAIN.fullmatch(found)]


def outputs(text: str) -> list[float]:
    """Return the numbers in the output on a page."""
    return numbers(" ".join(_OUTPUT.findall(text)))


def numbers(text: str) -> list[float]:
    """Return all numbers of a text, fractions as their values."""
    return [value(one) for one in re.findall(_NUMBER, text) if not re.search(r"/0+$", one)]


def value(figure: str) -> float:
    """Return the value of a figure."""
    over, _, under = figure.replace(",", "").partition("/")
    return float(over) / float(under or 1)


def shows(found: list[float], figure: str) -> bool:
    """Return whether one of some numbers is the figure, rounded as it is printed.

    >>> shows([0.12345], "0.123"), shows([0.12345], "0.124"), shows([1.23e-5], "1.2e-5"), shows([0.5], "1/2")
    (True, False, True, True)
    """
    digits, _, power = figure.replace(",", "").partition("e")
    half = 0.5 * 10.0 ** (int(power or 0) - len(digits.partition(".")[2])) if "/" not in figure else 1e-9
    return any(abs(one - value(figure)) <= half * (1 + 1e-9) for one in found)
