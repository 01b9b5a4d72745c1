"""Suites of collections: their members, which people average over, and the scores of systems on them."""
