"""Exact equilibria of Liar's Dice for two without a tree: the double oracle method on the public tree."""
