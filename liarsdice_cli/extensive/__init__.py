"""What is true of any game tree, whatever game it unfolds."""
