"""What a person calls: one function for each question, on top of all rooms below; the command line reads options for it."""
