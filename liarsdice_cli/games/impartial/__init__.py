"""Impartial games: positions from which both players have the same moves."""
