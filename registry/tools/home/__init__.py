"""The first page: one leaderboard, what gains added up to, what to do here, what changed."""
