"""Impartial games: both players have the same moves; who cannot move has lost (in misere play: won)."""
