"""What forms and programs ask of the record about what is not recorded yet."""
