"""Papers: BibTeX, identifiers and the names of authors."""
