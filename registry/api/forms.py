"""What may be asked of one leaderboard."""

from registry.api.paging import PagedForm
from registry.leaderboards.forms import SelectionForm


class LeaderboardForm(PagedForm, SelectionForm):
    """The choices of the page of a leaderboard, and the page of its results."""

    default_page_size = 200
