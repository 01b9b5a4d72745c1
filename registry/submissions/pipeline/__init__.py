"""From what was handed in to checked rows with signals for reviewers."""
