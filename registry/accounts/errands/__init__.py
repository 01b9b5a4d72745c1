"""Large requests of anybody, which a worker answers."""
