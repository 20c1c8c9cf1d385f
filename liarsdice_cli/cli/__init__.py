"""One file a command: parse, call, render."""
