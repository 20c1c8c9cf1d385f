"""Programs that play Liar's Dice, with one small protocol, for the arena and for play at the terminal."""
