"""What is known of a model: all its names, whose it is, where it stands, who ran it."""
