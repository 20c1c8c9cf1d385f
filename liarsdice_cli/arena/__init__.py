"""Rounds and matches between bots: many at once, on any number of processes, with the same result for the same seed."""
