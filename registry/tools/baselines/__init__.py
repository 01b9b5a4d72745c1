"""What papers on a collection compared with, against what was known by then."""
