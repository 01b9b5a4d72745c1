"""Runs as people have them: reading them and scoring them against judgements, as the site and the command do.

``reading`` reads a run as a stream; ``layouts`` brings other layouts into that of a run; ``scoring`` has the scores by
topic of ir-measures and counts how a run departs from what a run should be; ``reports`` puts these counts into
sentences and finds the interval of average precision on other documents. Nothing here knows a site.
"""
