"""The layout of the rows against a count history by history."""

from __future__ import annotations

import pytest

from liarsdice_cli.games.liarsdice.layout import Layout
from liarsdice_cli.games.liarsdice.weights import prefix_order


@pytest.mark.parametrize("bids", range(1, 9))
def test_rows_are_those_of_the_histories_in_prefix_order(bids):
    layout, rows, counted = Layout(bids), ([], []), [0, 0]
    for history in prefix_order(bids):
        player, last = len(history) % 2, history[-1] if history else -1
        assert layout.first_rows(history) == tuple(counted)
        count = layout.actions(last)
        if count:
            rows[player].append(counted[player])
        counted[player] += count
    assert layout.rows == tuple(counted)
    assert [layout.history_rows(player).tolist() for player in (0, 1)] == list(rows)
