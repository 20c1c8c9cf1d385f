"""Strategies that are stored, and strategies made of others."""
