"""Where a printed number was run again: how far reproductions lie from prints."""
