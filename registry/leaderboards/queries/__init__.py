"""What leaderboards and suites are read by: questions to the record, and what they answer."""
