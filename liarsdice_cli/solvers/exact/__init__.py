"""Exact equilibria of two-player constant-sum games."""
