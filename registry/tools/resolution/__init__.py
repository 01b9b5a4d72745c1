"""The resolution of collections, found from matrices of topic scores and kept by their content."""
