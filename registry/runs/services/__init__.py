"""Putting judgements in, handing runs in, scoring and studying them, recording what they confirm."""
