"""One's own submissions, with their states."""

import pytest

from registry.submissions.models import Submission
from registry.submissions.queries.progress import with_row_counts
from tests.registry.factory import make_result, make_system, make_user
from tests.registry.pages import read
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import make_published, make_robust04, make_submission, row

pytestmark = pytest.mark.django_db


def test_it_lists_ones_own_and_nobody_elses():
    make_robust04()
    ada = make_user("ada")
    own = make_submission(ada)
    make_submission(make_user("eve"))
    page = read(signed_in(ada), "/submissions/")
    (row,) = [row for row in page.rows if "draft" in row]
    assert row[2:4] == ["draft", "1"]
    assert row[1] == f"{own.rows.get().cells['system']} on {own.rows.get().cells['collection']}"
    assert own.get_absolute_url() in {address for address, _ in page.links}


def test_it_says_so_where_there_is_none():
    assert "submitted nothing yet" in read(signed_in(), "/submissions/").text


def test_strangers_sign_in_first(client):
    assert client.get("/submissions/").url == "/accounts/login/?next=/submissions/"


def test_rows_are_counted_by_what_would_become_of_them():
    board = make_robust04()
    make_published(rows=[row(system="Model A"), row(system="Model B")])
    make_result(board, make_system("Contested"), "0.2")
    changed = [row(system="Model B", value=value) for value in ("0.33",)]
    bad = [row(system=f"Bad {number}", value="23.4") for number in range(4)]
    contested = [row(system="Contested", value=value, source=value) for value in ("0.3", "0.4")]
    make_submission(rows=[row(), *contested, row(system="Model A"), *changed, *bad], way="table")
    make_submission(rows=[row()])
    names = ("n_rows", "n_new", "n_same", "n_differs", "n_refused", "n_unchecked")
    first, second, _ = Submission.objects.order_by("-created_at")
    counts = {one.pk: [getattr(one, name) for name in (*names, "n_warned")] for one in with_row_counts([first, second])}
    assert counts == {second.pk: [9, 3, 1, 1, 4, 0, 2], first.pk: [1, 1, 0, 0, 0, 0, 0]}
    for one in Submission.objects.with_counts().filter(pk__in=counts):
        assert [getattr(one, name) for name in names] == counts[one.pk][:-1]
