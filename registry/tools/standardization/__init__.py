"""Scores on the scale of a collection's reference systems, topic by topic."""
