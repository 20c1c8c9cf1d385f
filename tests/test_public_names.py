"""What `import liarsdice_cli` offers: few names, found when they are asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import liarsdice_cli as ld
from tests.support.command_line import environment


def test_every_public_name_is_there_and_is_what_its_home_calls_so() -> None:
    assert sorted(ld.__all__) == sorted(dir(ld))
    for name in ld.__all__:
        assert getattr(ld, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        ld.nonsense  # noqa: B018


def test_importing_imports_nothing_heavy() -> None:
    code = "import sys, liarsdice_cli; print([m for m in ('numpy', 'rich', 'numba', 'highspy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=True, text=True)
    assert done.stdout.strip() == "[]"
