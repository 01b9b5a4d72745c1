"""Hearing of what changes."""
