"""Liar's Dice: its rules, its betting tree in closed form, and its unfolding into nodes."""
