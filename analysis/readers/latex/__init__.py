"""LaTeX: what a piece of it prints, its macros, and tables in it."""
