"""Players of Liar's Dice behind one small protocol, for the arena and for play at the terminal."""
