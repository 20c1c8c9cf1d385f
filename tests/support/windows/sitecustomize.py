"""Simulate Windows for the project's modules, in processes that have this folder on their PYTHONPATH.

Only the project's modules see the changes, so Python and its libraries still run on this system. For the project's modules,
`sys.platform` is win32. Names that only POSIX systems have are missing from `os` and `signal`, and modules that only POSIX
systems have cannot be imported. A file that is open cannot be moved or removed. The same holds in every child process.
"""

from __future__ import annotations

import builtins
import ctypes
import os
import pathlib
import signal
import sys
import types
import warnings
from collections.abc import Iterable, Mapping
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from typing import Any

PACKAGE = "liarsdice_cli"
MISSING_MODULES = {"crypt", "curses", "fcntl", "grp", "nis", "posix", "pty", "pwd", "readline", "resource", "spwd", "syslog"}
MISSING_MODULES |= {"termios", "tty"}
FREE = 8 << 30
"""Bytes of free memory."""
_WINDOWS_SIGNALS = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN", "Signals"}
_MISSING: dict[str, set[str]] = {"os": set(), "signal": {name for name in dir(signal) if name.startswith(("SIG", "ITIMER"))}}
_MISSING["signal"] -= _WINDOWS_SIGNALS
for _line in pathlib.Path(__file__).with_name("missing.txt").read_text(encoding="ascii").splitlines():
    _module, *_names = _line.split()
    _MISSING[_module].update(_names)


class _Seen(types.ModuleType):
    """A module as the project's modules see it: some names of the real one are missing, and others are replaced."""

    def __init__(self, real: types.ModuleType, missing: Iterable[str] = (), **otherwise: Any) -> None:
        super().__init__(real.__name__)
        self.__dict__.update(_real=real, _missing=frozenset(missing), _otherwise=otherwise)

    def __getattr__(self, name: str) -> Any:
        if name in self._missing:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} on Windows")
        return self._otherwise[name] if name in self._otherwise else getattr(self._real, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._real, name, value)


def _is_open(path: str | os.PathLike[str]) -> bool:
    """Return whether this process has a file open."""
    found = os.path.realpath(path)
    for number in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{number}") == found:
                return True
        except OSError:
            continue
    return False


def _refuse(path: Any) -> None:
    if _is_open(path):
        raise PermissionError(13, "The process cannot access the file because it is being used by another process", str(path))


class _Path(pathlib.PosixPath):
    """A path as the project's modules see it."""

    def replace(self, target: Any) -> Any:
        _refuse(self)
        _refuse(target)
        return super().replace(target)

    rename = replace

    def unlink(self, missing_ok: bool = False) -> None:
        _refuse(self)
        super().unlink(missing_ok)

    def chmod(self, mode: int, *, follow_symlinks: bool = True) -> None:
        """Do nothing, because Windows has no modes."""


def _moved(source: Any, target: Any) -> None:
    _refuse(source)
    _refuse(target)
    os.replace(source, target)


def _removed(path: Any) -> None:
    _refuse(path)
    os.unlink(path)


def _status(numbers: Any) -> int:
    """Replace GlobalMemoryStatusEx: fill in eight 64-bit numbers, the first of which gives their length in bytes."""
    assert (len(numbers), numbers[0]) == (8, 64)
    numbers[1:3] = [2 * FREE, FREE]
    return 1


def _standard_output_of_windows() -> None:
    """End printed lines as Windows does, unless the program sets something else."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(newline="\r\n")  # type: ignore[union-attr]


_kernel = types.SimpleNamespace(GlobalMemoryStatusEx=_status)
_SEEN = {
    "ctypes": _Seen(ctypes, ["CDLL"], windll=types.SimpleNamespace(kernel32=_kernel)),
    "os": _Seen(os, _MISSING["os"], name="nt", replace=_moved, rename=_moved, unlink=_removed, remove=_removed),
    "pathlib": _Seen(pathlib, Path=_Path),
    "signal": _Seen(signal, _MISSING["signal"]),
    "sys": _Seen(sys, platform="win32"),
}


def _import(
    name: str, globals: Mapping[str, Any] | None = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> types.ModuleType:
    if level == 0 and name in MISSING_MODULES:
        raise ModuleNotFoundError(f"No module named {name!r} on Windows", name=name)
    found = builtins.__import__(name, globals, locals, fromlist, level)
    return _SEEN.get(found.__name__, found)


_BUILTINS = {**builtins.__dict__, "__import__": _import}


class _Loader(SourceFileLoader):
    def exec_module(self, module: types.ModuleType) -> None:
        module.__dict__["__builtins__"] = _BUILTINS
        super().exec_module(module)


class _Finder:
    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name.partition(".")[0] != PACKAGE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, _Finder)  # type: ignore[arg-type]
warnings.filterwarnings("ignore", category=EncodingWarning)
warnings.filterwarnings("error", category=EncodingWarning, module=PACKAGE)
_standard_output_of_windows()
