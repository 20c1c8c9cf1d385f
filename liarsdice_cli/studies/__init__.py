"""Questions that take many solutions to answer."""
