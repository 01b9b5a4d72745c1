"""Decisions of editors and curators: whose systems are, which collections go together, which results are refuted."""
