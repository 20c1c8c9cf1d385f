"""Players of Liar's Dice."""
