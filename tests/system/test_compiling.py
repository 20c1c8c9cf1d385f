"""Test compiled functions with any content of the cache on disk, and without a cache."""

from __future__ import annotations

import importlib
import io
import os
import pickle
import subprocess
import sys
import threading
from contextlib import redirect_stdout, suppress
from pathlib import Path
from unittest import mock

import numba
import pytest
from numba.core.compiler_lock import global_compiler_lock

from liarsdice_cli.system import compiling
from tests.support.properties import mostly_slow

SOURCE = """
from liarsdice_cli.system.compiling import compiled, inlined

@inlined
def twice(number):
    return 2 * number

@compiled
def more(number):
    return twice(number) + 1

print(more(20))
"""


def _in_a_process(folder: Path, cache: Path) -> str:
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join([str(folder), str(Path(__file__).parents[2])]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run([sys.executable, "-c", "import work"], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout


def _here(folder: Path, cache: Path) -> str:
    """Import the modules again, so that their functions use only the cache on disk."""
    with (
        mock.patch.object(numba.config, "CACHE_DIR", str(cache)),
        mock.patch("sys.path", [str(folder), *sys.path]),
        mock.patch("sys.dont_write_bytecode", True),
        redirect_stdout(io.StringIO()) as said,
    ):
        for name in ("work", "part"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        importlib.import_module("work")
    return said.getvalue()


@pytest.fixture(params=[_here, pytest.param(_in_a_process, marks=pytest.mark.slow)], ids=["here", "process"])
def import_work(request):
    """Return a function that imports `work` from a folder with the cache in another, and returns its output."""
    return request.param


@pytest.mark.parametrize("content", mostly_slow([b"c__main__\nGone\n.", b"rubbish"]))
def test_cached_code_that_cannot_be_read_is_compiled_again(content, import_work, tmp_path):
    (tmp_path / "work.py").write_text(SOURCE)
    cache = tmp_path / "cache"
    assert import_work(tmp_path, cache) == "41\n"
    (index,) = cache.rglob("work.more*.nbi")
    version = index.read_bytes()[: len(pickle.dumps(numba.__version__, protocol=-1))]
    index.write_bytes(content if content == b"rubbish" else version + content)
    assert import_work(tmp_path, cache) == "41\n"
    whole = index.stat().st_size
    assert whole > 100  # cached again
    if content == b"rubbish":
        assert import_work(tmp_path, cache) == "41\n"


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there is no place where nothing can be kept")
def test_functions_run_if_nothing_can_be_cached(import_work, tmp_path, monkeypatch):
    """Neither the given folder, nor the folder of the source, nor the home folder can be written."""
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    (tmp_path / "work.py").write_text(f"exec(compile({SOURCE!r}, '/dev/null/work.py', 'exec'))")
    assert import_work(tmp_path, Path("/dev/null/cache")) == "41\n"


def test_code_is_compiled_again_if_a_part_has_changed(import_work, tmp_path):
    """numba itself checks only the file of the compiled function."""
    part = "from liarsdice_cli.system.compiling import inlined_in_place\n@inlined_in_place\ndef twice(n):\n    return {} * n\n"
    whole = "import part\nfrom part import twice\nfrom liarsdice_cli.system.compiling import compiled_in_place\n"
    whole += "@compiled_in_place(part)\ndef more(n):\n    return twice(n) + 1\nprint(more(20), len(more.stats.cache_hits))\n"
    (tmp_path / "work.py").write_text(whole)
    cache, said = tmp_path / "cache", []
    for factor in (2, 2, 30):
        (tmp_path / "part.py").write_text(part.format(factor))
        os.utime(tmp_path / "part.py", (factor, factor))
        said.append(import_work(tmp_path, cache))
    assert said == ["41 0\n", "41 1\n", "601 0\n"]


def test_a_part_can_call_a_function_that_is_compiled_and_cached_separately(import_work, tmp_path):
    """A part has no machine code of its own, but the function that it calls has, even after the part is compiled."""
    (tmp_path / "work.py").write_text(
        "from liarsdice_cli.system.compiling import compiled_in_place, part_in_place\n"
        "@compiled_in_place()\ndef twice(n):\n    return 2 * n\n"
        "@part_in_place\ndef more(n):\n    return twice(n) + 1\n"
        "@compiled_in_place()\ndef most(n):\n    return more(n) + 1\n"
        "print(most(20), twice(3), len(twice.stats.cache_hits), len(most.stats.cache_hits))\n"
    )
    said = [import_work(tmp_path, tmp_path / "cache") for _ in range(2)]
    assert said == ["42 6 0 0\n", "42 6 1 1\n"]


def test_two_processes_cache_code_in_different_files(import_work, tmp_path):
    """Each starts before the other has cached anything, so numba would give both files the same name."""
    source = SOURCE.replace("print(more(20))", "kept = more._cache._cache_file\nkept._load_index = dict\n")
    cache = tmp_path / "cache"
    for number, said in ((20, "41\n"), (2.5, "6.0\n")):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "work.py").write_text(f"{source}print(more({number}))\n")
        os.utime(folder / "work.py", (7, 7))
        assert import_work(folder, cache) == said
    assert len({file.name.split(".")[-2] for file in cache.rglob("work.more*.nbc")}) == 2


@pytest.fixture
def options(monkeypatch):
    """Record the process-wide option of LLVM for short loops instead of setting it."""
    now = {"short": False}
    # LLVM's options cannot be read, so the test records how they are set
    monkeypatch.setattr(compiling, "_set_for_short_loops", lambda short: now.update(short=short))
    return now


def test_no_other_thread_compiles_while_llvm_has_options_for_short_loops(options):
    """A function compiled in place would reset the options, and any other function would be compiled with them."""
    began, seen, tried = threading.Event(), [], []

    def compile_slowly(signature):
        began.set()
        other.join(0.2)
        seen.append(options["short"])

    def compile_others():
        began.wait()
        with global_compiler_lock:  # numba holds this lock while it compiles
            tried.append(options["short"])
        compiling._for_short_loops(lambda signature: seen.append(options["short"]))(None)

    other = threading.Thread(target=compile_others)
    other.start()
    compiling._for_short_loops(compile_slowly)(None)
    other.join()
    assert (seen, tried) == ([True, True], [False])
    assert not options["short"]


@pytest.mark.parametrize("fails", [False, True])
def test_options_for_short_loops_stay_until_the_calling_function_is_compiled(options, fails):
    seen = []

    def compile_called(signature):
        seen.append(options["short"])
        if fails:
            raise ValueError

    def compile_calling(signature):
        with suppress(ValueError):
            compiling._for_short_loops(compile_called)(signature)
        seen.append(options["short"])

    compiling._for_short_loops(compile_calling)(None)
    assert seen == [True, True]
    assert not options["short"]
