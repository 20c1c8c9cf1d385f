"""One number: exact where everything that it comes from is, else a float; arrays of them are `tree.Numbers`."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from liarsdice_cli.extensive.stream import Floats

Number = Fraction | float


def real(numbers: object) -> Floats:
    """Return an array of float64; TypeError for text and for complex numbers, whose imaginary part NumPy would drop.

    >>> real([[1, Fraction(1, 2)]]).tolist()
    [[1.0, 0.5]]
    """
    found = np.asarray(numbers)
    if found.dtype.kind not in "biufO" or any(isinstance(one, complex | np.complexfloating | str) for one in _objects(found)):
        raise TypeError("only real numbers can be floats")
    floats: Floats = found.astype(np.float64, copy=False)
    return floats


def _objects(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> list[object]:
    return array.ravel().tolist() if array.dtype.kind == "O" else []
