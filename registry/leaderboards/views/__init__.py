"""Pages of collections, leaderboards, suites and snapshots."""
