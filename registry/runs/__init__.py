"""Runs and topic scores that people submit: scored by workers, perhaps against sealed judgements; private studies."""
