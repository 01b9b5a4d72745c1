"""Turns a folder of gathered figures into the product's own import format; see ``data/README.md``."""
