"""Regret minimisation: what a minimiser does, when it stops, and how it works on any tree."""
