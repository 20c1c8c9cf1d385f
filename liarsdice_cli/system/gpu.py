"""Functions that numba compiles for an NVIDIA GPU on their first call.

Import this module only where a GPU is used: it takes numba's part for GPUs with it. Without the package numba-cuda and a driver
there is numba's simulator, which runs a kernel in Python (NUMBA_ENABLE_CUDASIM=1); the tests do so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import config, cuda

_CONFIG: Any = config
_CONFIG.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a tree begins small

_Function = TypeVar("_Function", bound=Callable[..., Any])
SIMULATED = bool(_CONFIG.ENABLE_CUDASIM)
"""Whether there is the simulator only."""
WARP = 1 if SIMULATED else 32
"""The threads that run together. In the simulator each runs by itself, since it lacks the instructions of a warp."""
_REGISTERS = 64
"""The registers of a thread. With fewer it often waits for memory; with more there is room for fewer threads, and they wait."""


def is_available() -> bool:
    """Return whether there is a GPU that can be used, or the simulator."""
    return bool(cuda.is_available())


def kernel(function: _Function) -> _Function:
    """Compile a function that this process starts on the GPU: `function[blocks, threads](...)`."""
    result: _Function = cuda.jit(**({} if SIMULATED else {"max_registers": _REGISTERS}))(function)
    return result


def part(function: _Function) -> _Function:
    """Compile a function that kernels call."""
    result: _Function = cuda.jit(device=True)(function)
    return result


def most_blocks(function: Any, threads: int) -> int:
    """Return how many blocks of a kernel run at once, by what it needs once it has been started, and before that a few."""
    if SIMULATED:
        return 1
    compiled = next(iter(function.overloads.values()), None)
    at_least: int = cuda.get_current_device().MULTIPROCESSOR_COUNT
    return at_least if compiled is None else int(compiled.max_cooperative_grid_blocks(threads))


def copied(array: Any) -> Any:
    """Return a copy of an array on the GPU."""
    return cuda.to_device(array)


def empty(shape: Any, kind: Any = np.float64) -> Any:
    """Return an array on the GPU without a content."""
    return cuda.device_array(shape, kind)


def wait() -> None:
    """Wait until the GPU is done."""
    cuda.synchronize()


def free_memory() -> float:
    """Return the free bytes of the GPU's memory."""
    found: float = cuda.current_context().get_memory_info()[0]
    return found


def release() -> None:
    """Free the memory of arrays that are no longer used; numba waits with that."""
    if not SIMULATED:
        cuda.current_context().deallocations.clear()
