"""Files of a leaderboard that people and programs take away, and its citations."""
