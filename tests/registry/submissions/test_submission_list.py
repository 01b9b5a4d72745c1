"""One's own submissions, with their states."""

import pytest

from tests.registry.factory import make_user
from tests.registry.pages import read
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import make_robust04, make_submission

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
