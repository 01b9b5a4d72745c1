"""What is taken away from a leaderboard, and how it is cited, by people and by programs."""
