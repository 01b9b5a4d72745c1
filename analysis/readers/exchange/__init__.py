"""Formats in which programs exchange results: read and written."""
