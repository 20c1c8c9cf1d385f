"""Build the source distribution and the wheel, and install each of them beside only the runtime dependencies."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from liarsdice_cli import __version__
from tests.support.command_line import ROOT, environment

pytestmark = pytest.mark.slow
KEPT = os.environ.get("LIARSDICE_DIST")
"""Folder in which to keep the distributions; `make dist` sets it."""
FIVE_LINES = """
import liarsdice_cli as ld
game = ld.build(ld.rules("joker", 3, payoffs="zero-sum"))
solution = ld.solve(game)
print(solution.method, solution.best.judgement.bounds[0], ld.__version__)
"""


def done(*command: object, cwd: Path, input: str = "", seconds: float = 600) -> str:
    """Run a command without the checkout on its path, check that it succeeds, and return its output."""
    kept = {name: value for name, value in environment(PIP_DISABLE_PIP_VERSION_CHECK="1").items() if name != "PYTHONPATH"}
    ended = subprocess.run(
        list(map(str, command)), cwd=cwd, env=kept, input=input, capture_output=True, text=True, timeout=seconds, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the distributions."""
    made = Path(KEPT) if KEPT else tmp_path_factory.mktemp("dist")
    return made.absolute()


@pytest.fixture(scope="session")
def sdist(folder: Path) -> Path:
    """Build the source distribution from the checkout."""
    done(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    return folder / f"liarsdice_cli-{__version__}.tar.gz"


@pytest.fixture(scope="session")
def source(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the source distribution."""
    place = tmp_path_factory.mktemp("source")
    with tarfile.open(sdist) as packed:
        packed.extractall(place, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))  # Python before 3.11.4
    return place / f"liarsdice_cli-{__version__}"


@pytest.fixture(scope="session")
def wheel(source: Path, folder: Path) -> Path:
    """Build the wheel from the source distribution alone."""
    done(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=source)
    return folder / f"liarsdice_cli-{__version__}-py3-none-any.whl"


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create an environment with only the locked runtime dependencies, and return its folder of programs."""
    place = tmp_path_factory.mktemp("empty")
    done(sys.executable, "-m", "venv", place, cwd=place)
    programs = place / ("Scripts" if sys.platform == "win32" else "bin")
    locked = ROOT / "requirements" / "run.txt"
    done(programs / "python", "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", locked, cwd=place)
    return programs


def test_twine_accepts_the_metadata(sdist: Path, wheel: Path) -> None:
    if find_spec("twine") is None:
        pytest.skip("twine is not installed")
    done(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel, cwd=ROOT)


def test_the_wheel_holds_only_the_package_its_metadata_and_the_schemas(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    tracked = {str(path.relative_to(ROOT).as_posix()) for path in (ROOT / "liarsdice_cli").rglob("*") if path.is_file()}
    tracked = {name for name in tracked if "__pycache__" not in name and not name.endswith(".d.ts")}
    assert {name for name in names if name.startswith("liarsdice_cli/")} == tracked
    facts = f"liarsdice_cli-{__version__}.dist-info"
    others = {name for name in names if not name.startswith("liarsdice_cli/")}
    schemas = {path.name for path in (ROOT / "docs" / "schemas").iterdir()}
    assert others == {
        *(f"{facts}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")),
        *(f"liarsdice_cli-{__version__}.data/data/share/liarsdice-cli/schemas/{name}" for name in schemas),
    }
    assert {"liarsdice_cli/py.typed", "liarsdice_cli/draw/explorer/explorer.html"} <= names


def test_the_source_distribution_has_no_caches_and_can_collect_the_tests(source: Path) -> None:
    found = {path.relative_to(source) for path in source.rglob("*")}
    assert not [path for path in found if "__pycache__" in path.parts or path.suffix in (".pyc", ".nbi", ".nbc", ".part")]
    assert {path.parent for path in found if path.suffix == ".ldz"} == {Path("tests/golden/stored")}
    wanted = [
        "README.md",
        "LICENSE",
        "CITATION.cff",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Makefile",
        "requirements/run.txt",
        "docs/schemas/solve.json",
    ]
    assert {Path(name) for name in wanted} <= found
    done(sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests", cwd=source)


def test_installed_distributions_build_solve_draw_and_explore(wheel: Path, sdist: Path, empty: Path, tmp_path: Path) -> None:
    for distribution, more in ((wheel, ("--no-index",)), (sdist, ("--no-deps", "--force-reinstall", "--no-build-isolation"))):
        done(empty / "python", "-m", "pip", "install", "--quiet", *more, distribution, cwd=tmp_path)
        liarsdice = empty / "liarsdice"
        assert done(liarsdice, "--version", cwd=tmp_path).split()[-1] == __version__
        done(liarsdice, "build", "--sides", "3", "-o", "game.efg", cwd=tmp_path)
        assert "the value for Player 1 is 4/9" in done(liarsdice, "solve", "game.efg", cwd=tmp_path)
        piped = done(liarsdice, "build", "--sides", "2", cwd=tmp_path)
        assert "the value for Player 1 is 1/2" in done(liarsdice, "solve", "-", cwd=tmp_path, input=piped)
        done(liarsdice, "draw", "--sides", "2", "-o", "tree.svg", cwd=tmp_path)
        done(liarsdice, "explore", "--sides", "2", "-o", "page.html", cwd=tmp_path)
        assert (tmp_path / "page.html").read_bytes().lower().startswith(b"<!doctype html>")
        assert done(empty / "python", "-c", FIVE_LINES, cwd=tmp_path).split() == ["quasi-perfect", "1/3", __version__]
    assert (empty.parent / "share" / "liarsdice-cli" / "schemas" / "solve.json").exists()
