"""What is drawn of leaderboards, suites and snapshots."""
