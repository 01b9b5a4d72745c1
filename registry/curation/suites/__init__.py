"""Suites of collections: what people average over, and what the same systems score on the other members."""
