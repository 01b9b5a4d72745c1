"""The shapes of answers, for the OpenAPI description. The apps' ``documents`` make them; tests compare the two."""
