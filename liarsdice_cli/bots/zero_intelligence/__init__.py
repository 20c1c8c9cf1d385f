"""The statistical player of the wiki page "Zero Intelligence": docs/zero-intelligence.md derives what these files compute."""
