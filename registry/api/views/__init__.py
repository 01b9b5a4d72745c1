"""What programs can ask for: ``reading``, ``submissions`` and ``exports``."""
