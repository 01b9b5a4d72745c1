"""Reviewing somebody's table of results: which gains are beyond luck. Nothing of the table is stored."""
