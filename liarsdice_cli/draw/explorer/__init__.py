"""The explorer: one page that shows what a strategy does after any betting history, kept in a file or served."""
