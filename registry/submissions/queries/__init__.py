"""What forms ask of the record while they are filled in."""
