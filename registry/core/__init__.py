"""The ground of every app: settings helpers, background jobs, formatting."""
