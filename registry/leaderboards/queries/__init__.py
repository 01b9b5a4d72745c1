"""Queries that read leaderboards and suites from the record."""
