"""What a leaderboard says of a score that is not on it. Nothing that is asked is kept."""
