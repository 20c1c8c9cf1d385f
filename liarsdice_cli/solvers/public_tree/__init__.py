"""Regret minimisation on the public tree of a game with private rolls: flat arrays, no nodes."""
