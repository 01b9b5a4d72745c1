"""The record of changes."""
