"""Signals to the apps above the results."""

from django.dispatch import Signal

#: Results ended on these leaderboards (``leaderboard_ids``) at this ``moment``, in the transaction of that.
results_ended = Signal()
#: Topic scores of leaderboards change (``leaderboard_ids``), in the transaction that the receiver is called in.
topic_scores_changed = Signal()
