"""Runs and topic scores that people hand in: scored by workers, perhaps against sealed judgements; private studies."""
