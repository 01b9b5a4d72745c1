"""Documents of leaderboards: one object each that the page, its JSON and CSV twins and the API all show."""
