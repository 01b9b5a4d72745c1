"""A table of results that somebody reads, against the record: what of it is beyond luck. Nothing of it is kept."""
