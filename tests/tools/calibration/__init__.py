"""How often verdicts hold where the truth is known, measured."""
