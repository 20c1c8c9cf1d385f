"""The coach's page: seats, dice and bids to tap, and the advice."""
