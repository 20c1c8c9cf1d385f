"""Regret minimisation on the public tree of a two-player game with private rolls: flat arrays, no nodes."""
