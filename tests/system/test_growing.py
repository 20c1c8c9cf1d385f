"""Test arrays that grow: their contents, impossible sizes, and the memory that earlier, smaller ones leave behind."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from liarsdice_cli.system.growing import longer

GROWN = """
import random, resource
import numpy as np
from liarsdice_cli.system.growing import longer

random.seed(1)
arrays = [np.ones(150_000, np.float32) for _ in range(30)]
for _ in range(180):
    place = random.randrange(30)
    before = len(arrays[place])
    arrays[place] = longer(arrays[place], 3 * before // 2)
    arrays[place][before:] = 1
pages = int(open("/proc/self/statm").read().split()[1])
print(pages * resource.getpagesize() / sum(array.nbytes for array in arrays))
"""


@pytest.mark.parametrize("length", [5, 1_000_000, 3_000_000])
def test_the_numbers_stay_and_zeros_follow(length: int) -> None:
    before = np.arange(8, dtype=np.float32).reshape(4, 2)
    after = longer(before, length)
    assert (after[:4] == before).all()
    assert (after.shape, after.dtype) == ((length, 2), before.dtype)
    assert not after[4:].any()
    after[-1] = 7
    assert after.sum() == before.sum() + 14


def test_an_array_with_enough_room_is_the_same() -> None:
    array = np.zeros(4)
    assert longer(array, 4) is array


def test_too_much_memory_is_a_memory_error() -> None:
    with pytest.raises(MemoryError):
        longer(np.zeros((1, 8)), 1 << 58)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_earlier_arrays_leave_no_memory_behind() -> None:
    ran = subprocess.run([sys.executable, "-c", GROWN], capture_output=True, text=True, check=True)
    assert float(ran.stdout) < 1.2, "340 MB in arrays, and 30 MB for the process; with numpy's own zeros 1.4"
