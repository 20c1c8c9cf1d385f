"""One number: exact where everything that it comes from is, else a float; arrays of them are `tree.Numbers`."""

from __future__ import annotations

from fractions import Fraction

Number = Fraction | float
