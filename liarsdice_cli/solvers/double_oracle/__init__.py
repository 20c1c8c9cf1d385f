"""Exact equilibria of two-player Liar's Dice without a tree: the double oracle method on the public tree."""
