"""Changes of submissions, each atomic and with a journal entry."""
