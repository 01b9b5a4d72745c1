"""What every app stands on: settings helpers, background jobs, formatting."""
