"""The explorer: one page that shows the actions of a strategy after any betting history, in a file or on a server."""
