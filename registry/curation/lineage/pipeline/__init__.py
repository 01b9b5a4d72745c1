"""From what is recorded and what files say to the lineages of systems."""
