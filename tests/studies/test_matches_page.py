"""Check the pictures of whole matches in docs against the kept rounds."""

from __future__ import annotations

import pytest

from benchmarks import matches


@pytest.mark.parametrize("whole", matches.MATCHES, ids=lambda whole: whole.preset)
def test_the_picture_matches_the_kept_rounds(whole: matches.Whole) -> None:
    found = matches.solved(whole)
    assert matches.svg.dumps(matches.heat_map(found)) == whole.picture.read_bytes()
    for own in range(1, whole.dice + 1):
        for other in range(1, whole.dice + 1):
            chance = found.won_by_first(own, other, 1)
            assert chance.upper - chance.lower <= (0.016 if (whole.preset, own, other) == ("joker", 4, 4) else 0.01)
            assert (own > other) == (chance.lower > 0.51)
