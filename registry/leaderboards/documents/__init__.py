"""What a leaderboard says: one object that the page, its JSON and CSV twins and the API all show.

Frozen and typed. What was found stands in it as :mod:`analysis.boards` names it; a name that only the site has, such
as the state of an analysis, stands here.
"""
