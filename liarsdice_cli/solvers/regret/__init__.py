"""Regret minimisation: the minimisers, their stopping rules, and an implementation for any tree."""
