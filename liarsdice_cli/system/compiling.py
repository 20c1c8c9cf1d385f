"""Functions that numba compiles on their first call and caches on disk.

Compiling takes seconds, so the cache matters. But a function must run whatever is wrong with the cache, and numba fails in two
cases. It reads a cached index before checking that it belongs to the source, and fails if a name in it is gone. It also
numbers the cache files of a function, so two processes that compile at once can load each other's code. So here a file is
named by its content.
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
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUTargetOptions
from numba.core.options import DefaultOptions, TargetOptions

from liarsdice_cli.system import compilation

_compiling_for_short_loops = False
"""Whether LLVM has the options of `_for_short_loops` now; read and written under numba's lock."""

_Function = TypeVar("_Function", bound=Callable[..., Any])
_LLVM = range(15, 23)
"""The major versions of LLVM that know the options set here; other versions would end the process."""
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "fastmath": {"reassoc", "contract", "nsz", "arcp"},  # keeps infinities and NaN
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
}


def _in_place() -> dict[str, Any]:
    """Return the options of kernels that create no arrays. If numba drops one, the kernels are slower but still correct.

    _nrt    : do not count references to arrays. Passing an array to an inlined function would count up and down with locked
              instructions; in the traversal of the public tree this took three quarters of the time
    noalias : no two arrays share memory, so values need not be read again after each write. numba has this flag internally;
              here it becomes an option
    """
    known = {name: False for name in ("_nrt",) if hasattr(DefaultOptions, name)}
    if hasattr(Flags, "noalias") and not hasattr(CPUTargetOptions, "noalias"):
        mapping: Any = TargetOptions.Mapping
        CPUTargetOptions.noalias = mapping("noalias")
    return known | {"noalias": True} if hasattr(CPUTargetOptions, "noalias") else known


_IN_PLACE = _in_place()
_FROM_COMPILED: dict[str, Any] = {"no_cpython_wrapper": True}
"""Only compiled functions call the function. A wrapper for Python would take a third of the time to compile it."""


class _Announcer(event.Listener):
    """Announces that a function is compiled. numba sends no event for code that it loads from the cache."""

    def on_start(self, event: event.Event) -> None:
        compilation.started()

    def on_end(self, event: event.Event) -> None:
        """Do nothing; numba needs the method."""


event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]


def compiled(function: _Function) -> _Function:
    """Compile a function for every kind of argument that it is called with; it runs without Python's global lock.

    The code is cached beside the source or in the user's cache folder. If neither can be written or the cache cannot be used,
    the function is compiled again.
    """
    return _compiled(function, _OPTIONS)


def compiled_in_place(*parts: ModuleType) -> Callable[[_Function], _Function]:
    """Compile as `compiled` does, for a function that creates and copies no arrays.

    Its arrays must not share memory. Its loops should be short.

    parts : the other modules whose inlined functions it uses; a change in one of them invalidates the cache
    """

    def compiled_so(function: _Function) -> _Function:
        dispatcher: Any = _compiled(function, _OPTIONS | _IN_PLACE, parts)
        dispatcher.compile = _for_short_loops(dispatcher.compile)
        result: _Function = dispatcher
        return result

    return compiled_so


def inlined(function: _Function) -> _Function:
    """Inline a function wherever a compiled function calls it."""
    result: _Function = njit(inline="always", **_OPTIONS)(function)
    return result


def inlined_in_place(function: _Function) -> _Function:
    """Inline as `inlined` does, into a function that is `compiled_in_place`."""
    result: _Function = njit(inline="always", **_OPTIONS, **_IN_PLACE)(function)
    return result


def part_in_place(function: _Function) -> _Function:
    """Compile a part of functions that are `compiled_in_place` by itself, for LLVM to inline.

    Its arguments should be few arrays and numbers, since the compiler handles every field of a tuple at each call. This takes
    a fraction of the time of `inlined`: numba copies a whole function for every function that it inlines.
    """
    dispatcher: Any = njit(forceinline=True, **_FROM_COMPILED, **_OPTIONS, **_IN_PLACE)(function)
    dispatcher.compile = _with_library(_PartLibrary, dispatcher)
    result: _Function = dispatcher
    return result


def _compiled(function: _Function, options: dict[str, Any], parts: Sequence[ModuleType] = ()) -> _Function:
    try:
        dispatcher: Any = njit(cache=True, **options)(function)
    except RuntimeError:  # no folder for the cache
        dispatcher = njit(**options)(function)
    else:
        _stamp(dispatcher, parts)
        _name_by_content(dispatcher)
        _forget_the_unreadable(dispatcher)
    dispatcher.compile = _with_library(JITCodeLibrary, dispatcher)  # a part can call it
    result: _Function = dispatcher
    return result


class _PartLibrary(JITCodeLibrary):
    """The code of a part, which runs only where LLVM has inlined it: numba's library without machine code."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, which stands for no function."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0


def _with_library(library: type[JITCodeLibrary], dispatcher: Any) -> Callable[..., Any]:
    """Return the compiling of a function into a kind of library, as far as this release of numba allows to choose it.

    A part makes no machine code, so it has no place for the environment that numba keeps for each function. It needs none.
    """
    compile_it, codegen = dispatcher.compile, dispatcher.targetctx.codegen()
    if not all(hasattr(codegen, name) for name in ("_library_class", "set_env")):
        return compile_it  # type: ignore[no-any-return]
    set_env = type(codegen).set_env.__get__(codegen)
    placed = (lambda name, environment: None) if library is _PartLibrary else set_env

    def compiling(signature: Any) -> Any:
        with global_compiler_lock:
            before = codegen._library_class, codegen.set_env
            codegen._library_class, codegen.set_env = library, placed
            try:
                return compile_it(signature)
            finally:
                codegen._library_class, codegen.set_env = before

    return compiling


def _for_short_loops(compile_it: Callable[..., Any]) -> Callable[..., Any]:
    """Compile without LLVM's optimisations for long loops, which cost time here: a player's rolls are only a few vectors.

    By default LLVM unrolls a loop to four vectors, and handles the rest, which is most often everything, in half vectors. It
    unrolls a loop over eight numbers completely before it looks for vectors, and often finds none afterwards. It also calls the
    C library to copy or clear a vector. The options apply to the whole process, so they are set only while this compiles.
    numba's own lock keeps other threads from compiling meanwhile. Functions that this one calls get the options too.
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
    llvm.set_option("", f"-unroll-full-max-count={7 if short else 2**32 - 1}")


def _stamp(dispatcher: Any, parts: Sequence[ModuleType]) -> None:
    """Let the cache depend on the sources of all parts; numba itself checks only the file of the function."""
    with suppress(AttributeError, OSError):  # numba has another cache
        cached = dispatcher._cache._cache_file
        stats = [Path(str(part.__file__)).stat() for part in parts]
        cached._source_stamp = (cached._source_stamp, *((stat.st_mtime, stat.st_size) for stat in stats))


def _name_by_content(dispatcher: Any) -> None:
    """Name cache files by the kinds of arguments and the sources, and write each before the index that names it."""
    with suppress(AttributeError):  # numba has another cache
        cached = dispatcher._cache._cache_file
        stem, load, keep, point = cached._index_name, cached._load_index, cached._save_data, cached._save_index

        def save(key: Any, data: Any) -> None:
            own = sha256(repr((key, cached._source_stamp)).encode()).hexdigest()[:16]
            name = f"{stem.removesuffix('.nbi')}.{own}.nbc"
            keep(name, data)
            point(load() | {key: name})

        cached.save = save


def _forget_the_unreadable(dispatcher: Any) -> None:
    """Delete the cached index if it cannot be read, as after a change of the names in it."""
    cache = dispatcher._cache
    try:
        cache._cache_file._load_index()
    except Exception:
        with suppress(Exception):
            cache.flush()
