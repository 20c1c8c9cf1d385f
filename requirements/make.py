"""Write the files in this folder: exact versions with hashes, one file for each set of packages.

    make lock

uv resolves the versions for all systems and Pythons at once. Each set takes its versions from the set of all extras, so one
environment can hold several sets. pip installs from the files.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
EXTRAS = ("dev", "site", "compare", "cluster", "notebooks")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = {
    "Linux": "x86_64-manylinux_2_28",
    "Linux on ARM": "aarch64-manylinux_2_28",
    "macOS": "aarch64-apple-darwin",
    "macOS on Intel": "x86_64-apple-darwin",
    "Windows": "x86_64-pc-windows-msvc",
}


def main() -> None:
    """Write all files, then print which sets cannot be installed from wheels alone on which systems."""
    uv, everything = sys.argv[1], str(ROOT / "build" / "everything.txt")
    extras: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    write(uv, everything, [f"--extra={extra}" for extra in extras])
    within = ["--constraint", everything]
    write(uv, f"{HERE}/run.txt", within)
    for extra in EXTRAS:
        write(uv, f"{HERE}/{extra}.txt", [f"--extra={extra}", *within])
    write(uv, f"{HERE}/lowest.txt", ["--extra=dev", "--resolution=lowest-direct"])
    for name in ("run", *EXTRAS):
        for system, platform in SYSTEMS.items():
            reasons = [without_wheels(uv, f"{HERE}/{name}.txt", platform, python) for python in PYTHONS]
            for reason in sorted({reason for reason in reasons if reason}):
                pythons = [python for python, other in zip(PYTHONS, reasons, strict=True) if other == reason]
                print(f"{name}.txt, {system}, Python {', '.join(pythons)}: {reason}")


def write(uv: str, path: str, options: list[str]) -> None:
    """Write one file, with the newest versions that have wheels unless the options say otherwise."""
    how = [
        "--universal",
        f"--python-version={PYTHONS[0]}",
        "--only-binary=:all:",
        "--upgrade",
        "--no-annotate",
        "--generate-hashes",
    ]
    what = ["pyproject.toml", "--group=editable", *options, f"--output-file={path}", "--custom-compile-command=make lock"]
    subprocess.run([uv, "pip", "compile", "--quiet", *how, *what], cwd=ROOT, check=True)


def without_wheels(uv: str, path: str, platform: str, python: str) -> str:
    """Return the reason, with a package, why a set cannot be installed from wheels alone; "" if it can."""
    where = [f"--python-platform={platform}", f"--python-version={python}", f"--target={ROOT}/build/nowhere"]
    how = ["--dry-run", "--no-deps", "--only-binary=:all:", "--require-hashes", "--requirement", path]
    ended = subprocess.run([uv, "pip", "install", *how, *where], capture_output=True, text=True, check=False)
    reason = re.search(r"Because (.*?) and ", " ".join(ended.stderr.split()))
    return "" if ended.returncode == 0 else reason[1] if reason else ended.stderr


if __name__ == "__main__":
    main()
