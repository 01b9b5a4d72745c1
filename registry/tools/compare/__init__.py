"""Systems beside each other on every leaderboard that they share, and two vectors of topic scores. Nothing is kept."""
