"""Checking a score that is not on a leaderboard. Nothing that readers send is stored."""
