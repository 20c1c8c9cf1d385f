"""The rules of each game. This package reads no file, prints nothing and imports no solver."""
