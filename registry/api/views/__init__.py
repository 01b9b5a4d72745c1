"""What programs can ask for."""
