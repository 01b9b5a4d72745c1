"""Published results."""
