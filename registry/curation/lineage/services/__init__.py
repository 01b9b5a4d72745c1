"""Changing what is known of lineages, with an entry in the journal."""
