"""From what was submitted to checked rows with signals for reviewers."""
