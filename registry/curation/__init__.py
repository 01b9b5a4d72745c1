"""What editors and curators decide: whose systems are, what goes together, what to make of doubts."""
