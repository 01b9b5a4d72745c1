"""Comparing systems on every leaderboard that they share. Nothing is stored."""
