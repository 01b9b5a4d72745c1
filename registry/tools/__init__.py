"""What readers ask of the record beyond one leaderboard: each question is a part with a page of its own."""
