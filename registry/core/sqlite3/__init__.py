"""The engine of SQLite databases, as ``DATABASES`` names it."""
