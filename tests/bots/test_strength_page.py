"""The tables in docs/strength.md agree with docs/strength.csv."""

from __future__ import annotations

from benchmarks import strength as page


def test_the_page_agrees_with_the_file() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.made(text, list(page.kept().values())) == text
    assert "| ones-low | 5,5,5,5,5,5 | rollout | honest |" in text
    assert "| 2,2 | resolving | 0.49" in text


def test_every_row_belongs_to_an_entry_and_is_plausible() -> None:
    keys = [entry.key for entry in page.ENTRIES]
    kept = page.kept()
    assert [key for key in keys if key in kept] == list(kept)
    for one in kept.values():
        assert 0 < float(one["won"]) <= 1
        if one["opponent"] == page.EXACT:
            assert float(one["won"]) <= 0.5
        else:
            assert float(one["low"]) <= float(one["won"]) <= float(one["high"])
            assert int(one["games"]) % (one["dice"].count(",") + 1) == 0


def test_the_verdict_on_a_row_is_corrected_for_the_number_of_rows() -> None:
    def row(won: float) -> dict[str, str]:
        return {"dice": "5,5", "match": "", "won": str(won), "low": str(won - 0.1), "high": str(won + 0.1)}

    assert page.verdicts([row(0.605)]) == ["above"]  # 2.06 standard errors
    assert page.verdicts([row(0.605), row(0.5)]) == ["not decided"] * 2
    assert page.verdicts([row(0.605), row(0.2), row(0.5)]) == ["not decided", "below", "not decided"]
