"""Run the page on the library and the notebooks as a reader would."""

from __future__ import annotations

import csv
import doctest
import json
import os
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

import liarsdice_cli as ld

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
_SECONDS = 600


@pytest.mark.slow
def test_the_examples_on_the_library_page_are_true() -> None:
    found = doctest.testfile(str(ROOT / "docs" / "library.md"), module_relative=False)
    assert found.attempted > 20
    assert found.failed == 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # warnings of Jupyter's own packages
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat", reason="the notebooks need the extra [notebooks]")
    client = pytest.importorskip("nbclient", reason="the notebooks need the extra [notebooks]")
    pytest.importorskip("ipykernel", reason="the notebooks need the extra [notebooks]")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))))
    book = nbformat.read(path, 4)
    kept = kinds(book)
    client.NotebookClient(book, timeout=_SECONDS, resources={"metadata": {"path": str(path.parent)}}).execute()
    assert kinds(book) == kept, "run `make notebooks`"
    shown = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("text/html" in output.get("data", {}) for output in shown)
    assert not [output for output in shown if output.get("output_type") == "error" or output.get("name") == "stderr"]


def kinds(book: Any) -> list[list[str]]:
    """Return the kinds of output of each code cell (text, tables or pictures), whatever their numbers."""
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    return [[kind for kind, _ in groupby(map(_kind, cell["outputs"]))] for cell in cells]  # a stream may be split anywhere


def _kind(output: Any) -> str:
    return ",".join(sorted(output.get("data", ()))) or str(output["output_type"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_keeps_its_outputs_without_facts_about_the_machine(path: Path) -> None:
    text = path.read_text("utf-8")
    assert any(kinds(json.loads(text)))
    assert str(ROOT) not in text
    assert '"execution"' not in text  # execution times


def test_the_claims_of_the_exercise_on_backward_induction_are_true(tmp_path: Path) -> None:
    """Ann gets her highest payoff and Bob does not. Whatever Bob does, Right is never worse for Ann than Left."""
    cells = json.loads((ROOT / "notebooks" / "from-nim-to-liars-dice.ipynb").read_text("utf-8"))["cells"]
    place = next(at for at, cell in enumerate(cells) if "## 4. Backward induction" in "".join(cell["source"]))
    question, code = ("".join(cell["source"]) for cell in cells[place : place + 2])
    table = tmp_path / "game.csv"
    table.write_text(code.split('write_text("')[1].split('")')[0].replace("\\n", "\n"))
    plays = {tuple(row[:2]): tuple(map(int, row[2:])) for row in csv.reader(table.read_text().splitlines()[1:])}
    judgement = ld.outcomes(str(table)).solution.best.judgement
    assert judgement.payoffs == plays["Right", "Up"]
    assert judgement.payoffs[0] == max(ann for ann, _ in plays.values())
    assert plays["Left", "Up"][1] == max(bob for _, bob in plays.values()) > judgement.payoffs[1]
    assert "Bob would rather have Left and Up" in question
    assert "both" not in question
    ann = {move: [pays[0] for (first, _), pays in plays.items() if first == move] for move in ("Left", "Right")}
    assert max(ann["Left"]) <= min(ann["Right"])


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3


def write_again(path: Path) -> None:
    """Run a notebook and keep its outputs, without times and without facts about the machine."""
    import nbclient
    import nbformat

    book = nbformat.read(path, 4)
    metadata = book.metadata
    nbclient.NotebookClient(
        book, timeout=_SECONDS, record_timing=False, resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    book.metadata = {"kernelspec": metadata["kernelspec"], "language_info": {"name": "python"}}
    nbformat.write(book, path)


if __name__ == "__main__":
    for each in NOTEBOOKS:
        write_again(each)
