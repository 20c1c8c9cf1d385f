"""The rows of docs/strength.csv are plausible, and the verdicts on them are corrected."""

from __future__ import annotations

from benchmarks import strength as page


def test_every_row_is_plausible() -> None:
    for one in page.RESULTS.read().values():
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
