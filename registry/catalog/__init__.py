"""Collections, measures, leaderboards."""
