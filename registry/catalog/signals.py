"""What apps above the catalog are told of."""

from django.dispatch import Signal

#: The results of leaderboards change (``leaderboard_ids``), in the transaction that the receiver is called in.
leaderboards_changed = Signal()
