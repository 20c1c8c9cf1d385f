"""Information sets of Liar's Dice by their written names."""

from __future__ import annotations

import pytest

from liarsdice_cli.formats import belief_lines
from liarsdice_cli.games.liarsdice.dice import MOST_PLAYERS
from liarsdice_cli.games.liarsdice.locks import infoset_key
from liarsdice_cli.games.liarsdice.rules import rules


@pytest.mark.parametrize("player", range(1, MOST_PLAYERS + 1))
def test_every_player_has_a_name(player, tmp_path):
    game = rules("common", 2, (1,) * MOST_PLAYERS)
    before = " ".join(f"{quantity}x1" for quantity in range(1, player))
    key = infoset_key(game, f"P{player} roll 2 {f'after {before}' if before else 'opening'}")
    assert (len(key.history), key.roll) == (player - 1, 1)
    file = tmp_path / "beliefs.txt"
    file.write_text(f"P{player} roll 2: 1\n")
    assert belief_lines.read(str(file), game) == {player: {(2,): 1.0}}
