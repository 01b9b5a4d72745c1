"""Measures how often verdicts hold where the truth is known, and writes the tables that ``analysis.boards`` reads."""
