"""Rounds and matches between bots, and the table of a person. A seed gives the same games on any number of processes."""
