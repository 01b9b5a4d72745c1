"""Drawings of leaderboards, suites and snapshots."""
