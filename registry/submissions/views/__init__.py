"""Pages of those who submit results, and of those who check them."""
