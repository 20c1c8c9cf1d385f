"""Subtree views: histories without a subtree are refused."""

from __future__ import annotations

import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.extensive.subtree_view import SubtreeView
from liarsdice_cli.formats import efg

NEVER_DEALT = (
    b'EFG 2 R "" { "A" } c "" 1 "" { "x" 0 "y" 1 } 0 p "" 1 1 "" { "a" "b" } 0 p "" 1 2 "" { "c" "d" } 0 '
    b't "" 1 "" { 1 } t "" 1 t "" 1 t "" 1'
)


def test_histories_of_zero_chance_probability_have_no_subtree() -> None:
    tree = efg.parse(NEVER_DEALT)
    for profile in (None, from_sets(tree, {})):
        with pytest.raises(LiarsDiceError, match=r"chance never leads to 'a': give another history"):
            SubtreeView.whole(tree, profile).after(["a"])
