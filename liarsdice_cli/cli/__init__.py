"""One file for each command, which parses its options, calls the library and prints the result."""
