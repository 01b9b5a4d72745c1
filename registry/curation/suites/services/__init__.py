"""Loading suites, and freezing what systems score on their members."""
