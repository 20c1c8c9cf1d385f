"""What the machine gives: compiled functions, processes, memory."""
