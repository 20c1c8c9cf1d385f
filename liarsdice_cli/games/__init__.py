"""What the rules of each game are; knows no file, no screen and no solver."""
