"""One file a format: games and profiles as files."""
