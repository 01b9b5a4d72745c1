"""What a leaderboard says: one object that the page, its JSON and CSV twins and the API all show."""
