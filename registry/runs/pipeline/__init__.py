"""From the bytes of a run to its scores: in a process of its own, which knows neither Django nor the database."""
