"""GET /-/style/"""

import pytest

from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_it_shows_a_real_verdict_of_each_kind_of_evidence_that_there_is(client):
    board = make_board()
    found = analyse(board)
    page = read(client, "/-/style/")
    assert found.headline["sentence"] in page.text
    assert f"Evidence: {found.headline['evidence']}: {board.collection.name}" in page.text
    assert page.text.count("Evidence: ") == 1
    assert page.source.count('class="plumb ') == 3
    assert 'name="robots" content="noindex"' in page.source


def test_it_stands_without_any_leaderboard(client):
    assert "No leaderboard is analysed yet." in read(client, "/-/style/").text


def test_every_label_has_its_field_and_no_id_is_there_twice(client):
    analyse(make_board())
    page = read(client, "/-/style/")
    fields = [one for tag in ("input", "select", "textarea", "ul", "span", "h1") for one in page.of(tag)]
    ids = [one["id"] for one in fields if "id" in one]
    assert len(ids) == len(set(ids))
    assert {attributes["for"] for attributes in page.of("label") if "for" in attributes} <= set(ids)


def test_an_unknown_parameter_is_refused(client):
    assert client.get("/-/style/?dark=1").status_code == 400
