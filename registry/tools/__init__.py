"""Questions of readers beyond one leaderboard: each is a part with a page of its own."""
