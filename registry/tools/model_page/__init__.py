"""The page of a model: its names, its maker, where it stands and who ran it."""
