"""The tables in docs/resolving.md are those of docs/resolving.csv."""

from __future__ import annotations

from benchmarks import resolving as page


def test_the_page_is_what_the_file_says() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.made(text, list(page.kept().values())) == text
    assert "| 5,5 | resolving | zero-intelligence:robust |" in text
    assert "| 2,2 | resolving:rational | 0.49" in text


def test_every_line_is_of_an_entry_and_none_claims_more_than_there_is() -> None:
    keys = [entry.key for entry in page.ENTRIES]
    kept = page.kept()
    assert [key for key in keys if key in kept] == list(kept)
    for one in kept.values():
        assert 0 < float(one["won"]) < 1
        if one["opponent"] == page.EXACT:
            assert float(one["won"]) <= 0.5
        else:
            assert float(one["low"]) <= float(one["won"]) <= float(one["high"])
            assert int(one["games"]) % (one["dice"].count(",") + 1) == 0
