"""What people say to the cautions that leaderboards give, and what curators decide on them."""
