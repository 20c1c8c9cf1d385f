"""Answers as text and tables for a person, and as JSON for a program."""
