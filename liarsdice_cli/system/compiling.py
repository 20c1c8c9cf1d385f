"""Functions compiled by numba when they are first called, and kept on disk for the next time.

Compiling takes seconds, so what is kept matters; but whatever is wrong with the place or with what is kept there, a function
must run. numba looks at a kept index before it sees whether it belongs to the source, and fails at names that are gone. It
numbers the files of a function's kinds of arguments, so that of two processes that compile at once each may take the other's
code for its own: here a file is named by what it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import llvmlite.binding as llvm
from numba import njit
from numba.core.compiler import Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUTargetOptions
from numba.core.options import DefaultOptions, TargetOptions

_compiling_for_short_loops = False
"""Whether LLVM has the options of `_for_short_loops` now; read and written under numba's lock."""

_Function = TypeVar("_Function", bound=Callable[..., Any])
_LLVM = range(15, 23)
"""Major versions of LLVM that are given options of its own: one that does not know them would end the process."""
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "fastmath": {"reassoc", "contract", "nsz", "arcp"},  # nothing that forgets infinities and what is no number
    "error_model": "numpy",
}


def _in_place() -> dict[str, Any]:
    """The options of kernels that make no arrays; a numba that no longer knows one of them is slower, and as correct.

    _nrt    : no references to arrays are counted. Each array that is handed to an inlined part is one reference more and then
              one less, by locked instructions; in the walk of the public tree they took three quarters of the time
    noalias : no two arrays lie in the same memory, so that what was read need not be read again after every number written.
              numba keeps this flag to itself; here it becomes an option
    """
    known = {name: False for name in ("_nrt",) if hasattr(DefaultOptions, name)}
    if hasattr(Flags, "noalias") and not hasattr(CPUTargetOptions, "noalias"):
        mapping: Any = TargetOptions.Mapping
        CPUTargetOptions.noalias = mapping("noalias")
    return known | {"noalias": True} if hasattr(CPUTargetOptions, "noalias") else known


_IN_PLACE = _in_place()


def compiled(function: _Function) -> _Function:
    """The function, compiled for every kind of argument that it meets; other threads run meanwhile.

    What was compiled is kept beside the source or in the user's cache folder; where neither can be written, or what is
    there cannot be used, it is compiled anew.
    """
    return _compiled(function, _OPTIONS)


def compiled_in_place(*parts: ModuleType) -> Callable[[_Function], _Function]:
    """As `compiled`, for a function that works in the arrays that it is given and makes none, nor copies one whole.

    None of the arrays that it works in may share memory with another; its loops are expected to be short.

    parts : other modules with inlined functions that it is made of; what was compiled before one of them changed is not used
    """

    def compiled_so(function: _Function) -> _Function:
        dispatcher: Any = _compiled(function, _OPTIONS | _IN_PLACE, parts)
        dispatcher.compile = _for_short_loops(dispatcher.compile)
        result: _Function = dispatcher
        return result

    return compiled_so


def inlined(function: _Function) -> _Function:
    """A function that becomes part of each place in compiled functions that calls it."""
    result: _Function = njit(inline="always", **_OPTIONS)(function)
    return result


def inlined_in_place(function: _Function) -> _Function:
    """As `inlined`, for the parts of a function that is `compiled_in_place`."""
    result: _Function = njit(inline="always", **_OPTIONS, **_IN_PLACE)(function)
    return result


def _compiled(function: _Function, options: dict[str, Any], parts: Sequence[ModuleType] = ()) -> _Function:
    try:
        dispatcher: Any = njit(cache=True, **options)(function)
    except RuntimeError:  # nowhere to keep it
        dispatcher = njit(**options)(function)
    else:
        _stamp(dispatcher, parts)
        _name_by_content(dispatcher)
        _forget_the_unreadable(dispatcher)
    result: _Function = dispatcher
    return result


def _for_short_loops(compile_it: Callable[..., Any]) -> Callable[..., Any]:
    """Compile without what LLVM does for long loops, where it loses more than it wins: a player's rolls are a few vectors.

    By itself it would make four vectors at once of a loop, and half vectors of what is left over, most often all; and calls
    of the C library to copy or clear a vector. The options are of the whole process, hence only while this compiles. No other
    thread compiles meanwhile: numba's own lock is held. A function that is compiled because this one calls it has them too.
    """

    def compiling(signature: Any) -> Any:
        global _compiling_for_short_loops
        with global_compiler_lock:
            outermost = not _compiling_for_short_loops
            if outermost:
                _compiling_for_short_loops = True
                _set_for_short_loops(True)
            try:
                return compile_it(signature)
            finally:
                if outermost:
                    _set_for_short_loops(False)
                    _compiling_for_short_loops = False

    return compiling


def _set_for_short_loops(short: bool) -> None:
    if llvm.llvm_version_info[0] not in _LLVM:
        return
    for option in ("-force-vector-interleave", "-disable-loop-idiom-all"):
        llvm.set_option("", f"{option}={int(short)}")


def _stamp(dispatcher: Any, parts: Sequence[ModuleType]) -> None:
    """Let kept code belong to the sources of all parts: numba itself looks only at the file of the function."""
    with suppress(AttributeError, OSError):  # a numba that keeps them otherwise
        kept = dispatcher._cache._cache_file
        stats = [Path(str(part.__file__)).stat() for part in parts]
        kept._source_stamp = (kept._source_stamp, *((stat.st_mtime, stat.st_size) for stat in stats))


def _name_by_content(dispatcher: Any) -> None:
    """Let the file of kept code be named by the kind of arguments and the sources, and be there before the index says so."""
    with suppress(AttributeError):  # a numba that keeps them otherwise
        kept = dispatcher._cache._cache_file
        stem, load, keep, point = kept._index_name, kept._load_index, kept._save_data, kept._save_index

        def save(key: Any, data: Any) -> None:
            own = sha256(repr((key, kept._source_stamp)).encode()).hexdigest()[:16]
            name = f"{stem.removesuffix('.nbi')}.{own}.nbc"
            keep(name, data)
            point(load() | {key: name})

        kept.save = save


def _forget_the_unreadable(dispatcher: Any) -> None:
    """Drop the index of kept code if it cannot be read, as after a change of the names in it."""
    cache = dispatcher._cache
    try:
        cache._cache_file._load_index()
    except Exception:
        with suppress(Exception):
            cache.flush()
