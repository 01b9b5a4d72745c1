"""Changing what is on the record: recording, superseding, withdrawing; per-topic scores."""
