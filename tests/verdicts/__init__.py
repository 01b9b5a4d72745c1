"""Whether verdicts contradict themselves: checks over all leaderboards of a site."""
