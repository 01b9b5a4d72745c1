"""What can be done with a submission; each atomic, with an entry in the journal."""
