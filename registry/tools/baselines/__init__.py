"""Results of papers over the years, and the baselines that they compared with."""
