"""Check that JavaScript modules are joined into one script, or refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from liarsdice_cli.draw import scripts
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.explorer import explore

FIXTURE = Path(__file__).parents[1] / "pages" / "two-sides.json"


@pytest.mark.parametrize("entry", ["page.js", "explorer/dice_page.js", "explorer/game_page.js", "coach/coach.js"])
def test_the_modules_of_a_page_are_joined_after_their_imports(entry: str) -> None:
    script = scripts.joined(entry)
    assert not re.search(r"^\s*(import|export)\b", script, re.MULTILINE)
    text = (Path(scripts.__file__).parent / entry).read_text("utf-8")
    assert script.endswith(scripts.parsed(entry, text).script)


def test_the_script_of_game_pages_is_less_than_half_as_long() -> None:
    assert len(scripts.joined("explorer/game_page.js")) < len(scripts.joined("explorer/dice_page.js")) / 2


@pytest.mark.parametrize(
    ("modules", "words"),
    [
        ({"a.js": 'import { x } from "./b.js";\n', "b.js": "const x = 1;\n"}, "does not export"),
        (
            {"a.js": 'import { x } from "./b.js";\nconst y = 1;\n', "b.js": "export const x = 1;\nconst y = 2;\n"},
            "both declare y",
        ),
        ({"a.js": 'import { x } from "./b.js";\n', "b.js": 'import { y } from "./a.js";\n'}, "a.js -> b.js -> a.js"),
        ({"a.js": 'import x from "./b.js";\n'}, "cannot be joined"),
        ({"a.js": "export default 1;\n"}, "cannot be joined"),
        ({"a.js": "const x = 1;\nexport { x };\n"}, "cannot be joined"),
        ({"a.js": 'import "./b.js";\n'}, "cannot be joined"),
    ],
)
def test_modules_that_cannot_be_joined_are_refused(
    modules: dict[str, str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in modules.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(scripts, "files", lambda package: tmp_path)
    with pytest.raises(ValueError, match=re.escape(words)):
        scripts.joined.__wrapped__("a.js")


def test_the_data_of_the_unit_tests_match_a_page() -> None:
    page = explore(rules("common", 2)).dumps().decode()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert json.loads(data[1]) == json.loads(FIXTURE.read_text()), "write the page's data to the file again"
