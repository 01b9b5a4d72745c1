"""How much a collection can resolve: what its matrices of topic scores say, kept by their content."""
