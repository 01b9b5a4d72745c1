"""Systems of a leaderboard compared topic by topic, where their topic scores are on record."""
