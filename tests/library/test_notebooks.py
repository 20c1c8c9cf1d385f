"""The page on the library and the notebooks are run, as somebody who reads them would."""

from __future__ import annotations

import doctest
import os
from pathlib import Path

import pytest

from tests.support.properties import spared

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
_SECONDS = 600


@spared
def test_the_page_on_the_library_is_true() -> None:
    found = doctest.testfile(str(ROOT / "docs" / "library.md"), module_relative=False)
    assert found.attempted > 20
    assert found.failed == 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # what Jupyter's own packages warn of is theirs
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat", reason="the notebooks need the extra [notebooks]")
    client = pytest.importorskip("nbclient", reason="the notebooks need the extra [notebooks]")
    pytest.importorskip("ipykernel", reason="the notebooks need the extra [notebooks]")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))))
    book = nbformat.read(path, 4)
    assert all(not cell.get("outputs") for cell in book.cells), "outputs are kept out of the repository"
    client.NotebookClient(book, timeout=_SECONDS, resources={"metadata": {"path": str(path.parent)}}).execute()
    shown = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("text/html" in output.get("data", {}) for output in shown)
    assert not [output for output in shown if output.get("output_type") == "error" or output.get("name") == "stderr"]


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3
