"""The public registry as files, to take home and to load elsewhere."""
