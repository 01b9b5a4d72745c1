"""What apps above the results are told of."""

from django.dispatch import Signal

#: Topic scores of leaderboards change (``leaderboard_ids``), in the transaction that the receiver is called in.
topic_scores_changed = Signal()
