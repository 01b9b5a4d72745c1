"""Finding everything that has a page by what people type."""
