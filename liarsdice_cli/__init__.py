"""Liar's Dice as a game of game theory: build the tree, write it, solve it, judge the answer."""

__version__ = "0.1.0"
