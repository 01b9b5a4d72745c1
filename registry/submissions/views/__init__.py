"""Pages of those who hand results in, and of those who check them."""
