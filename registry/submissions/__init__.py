"""Getting results in: drafts, their checks, review, publication."""
