"""What looks wrong in the record, and what curators decide on it."""
