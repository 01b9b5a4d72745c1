"""Analyses of leaderboards and the pages that show them."""
