"""Check the lock files: exact versions and hashes of all packages, within the bounds of pyproject.toml."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from requirements import make
from requirements.differing import differing, pins
from tests.support.command_line import ROOT
from tests.test_publication import PYTHONS

PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
RUN = [*PROJECT["dependencies"], *PYPROJECT["dependency-groups"]["editable"]]
SETS = {path.stem: path.read_text("utf-8") for path in (ROOT / "requirements").glob("*.txt")}
SYSTEMS = ("linux", "darwin", "win32")


def place(python: str, system: str) -> dict[str, str]:
    """Return the environment in which requirement markers are evaluated."""
    names = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}
    return {
        "python_version": python,
        "python_full_version": f"{python}.7",
        "sys_platform": system,
        "platform_system": names[system],
        "platform_machine": "x86_64",
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
    }


def installed(name: str, python: str, system: str) -> dict[str, Version]:
    """Return the version of every package that a set installs, and check that there is only one."""
    here = place(python, system)
    found = [(package, version) for package, version, marker in pins(SETS[name]) if marker is None or marker.evaluate(here)]
    assert len(found) == len(dict(found)), name
    return {package: Version(version) for package, version in found}


def wanted(name: str, python: str, system: str) -> list[Requirement]:
    """Return the requirements of pyproject.toml for a set."""
    asked = RUN + EXTRAS["dev" if name == "lowest" else name] if name != "run" else RUN
    requirements = [Requirement(text) for text in asked]
    return [one for one in requirements if one.marker is None or one.marker.evaluate(place(python, system))]


def test_the_sets_are_run_lowest_and_one_for_each_installed_extra() -> None:
    assert set(SETS) == {"run", "lowest", *make.EXTRAS}
    assert list(make.PYTHONS) == PYTHONS


@pytest.mark.parametrize("name", sorted(SETS))
def test_every_package_has_one_version_and_hashes(name: str) -> None:
    packages = re.split(r"^(?=[^\s#])", SETS[name], flags=re.MULTILINE)[1:]
    assert len(packages) == len(pins(SETS[name])) > 5
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}$", package.rstrip()) for package in packages)
    assert not re.search("://|--index|--extra-index|--find-links|--trusted", SETS[name])  # each machine has its own index


@pytest.mark.parametrize("name", sorted(SETS))
def test_locked_versions_satisfy_pyproject(name: str) -> None:
    for python in PYTHONS[:1] if name == "lowest" else PYTHONS:
        for system in SYSTEMS:
            locked = installed(name, python, system)
            for one in wanted(name, python, system):
                assert one.specifier.contains(locked[canonicalize_name(one.name)], prereleases=True), (one, python, system)


def test_the_lowest_set_equals_the_lower_bounds() -> None:
    locked = installed("lowest", PYTHONS[0], "linux")
    for one in wanted("lowest", PYTHONS[0], "linux"):
        (bound,) = [part.version for part in one.specifier if part.operator == ">="]
        assert locked[canonicalize_name(one.name)] == Version(bound), one


def test_sets_that_share_an_environment_agree() -> None:
    for python in PYTHONS:
        for system in SYSTEMS:
            everything: dict[str, Version] = {}
            for name in sorted(set(SETS) - {"lowest"}):
                for package, version in installed(name, python, system).items():
                    assert everything.setdefault(package, version) == version, (name, package)


def test_the_run_set_has_no_development_tools() -> None:
    tools = {canonicalize_name(Requirement(text).name) for text in EXTRAS["dev"]}
    tools -= {"hatchling", "scipy"}  # pygambit needs SciPy
    for python in PYTHONS:
        assert not tools & set(installed("run", python, "linux"))


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize(("target", "sets"), [("run", ["run"]), ("test", ["run", "dev"]), ("site", ["run", "site"])])
def test_make_installs_from_the_lock_alone(target: str, sets: list[str], tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    done = subprocess.run(["make", "--dry-run", target], cwd=tmp_path, capture_output=True, text=True, check=True)
    installs = [line for line in done.stdout.splitlines() if re.search(r"\bpip\b.*\binstall\b", line)]
    locked = [line for line in installs if "--require-hashes" in line]
    assert [line.rpartition("/")[2] for line in locked] == [f"{name}.txt" for name in sets]
    assert all("--no-index --editable ." in line for line in set(installs) - set(locked))


def test_releases_that_differ_from_the_lock_are_reported() -> None:
    locked = [
        "click==8.4.0",
        "numpy==2.4.6 ; python_version >= '3'",
        "numpy==1.0 ; python_version < '3'",
        "jaraco-classes==3.4.0",
    ]
    text = "".join(f"{pin} \\\n    --hash=sha256:0\n    # via other==1.0\n" for pin in locked)
    newest = {"Click": "8.5.1", "numpy": "2.4.6", "jaraco.classes": "3.4.0", "newcomer": "1.0", "liarsdice-cli": "0.1.0"}
    report = {"install": [{"metadata": {"name": name, "version": version}} for name, version in newest.items()]}
    assert differing(text, report) == ["click 8.5.1 (the lock has 8.4.0)", "newcomer 1.0 (not in the lock)"]
    assert differing(text, {"install": []}) == []
