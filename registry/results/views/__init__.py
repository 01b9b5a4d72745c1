"""Pages of systems, papers and results; the public log; corrections."""
