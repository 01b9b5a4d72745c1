"""The origin of systems, and the data they were trained on."""
