"""Names that may mean several things, in what programs ask and hand in: the code ``ambiguous``, with the candidates."""

import pytest

from registry.submissions.models import Submission
from tests.registry.api.programs import Program
from tests.registry.submissions.world import make_deep_learning, row

CANDIDATES = [
    {"value": "dl-passage", "label": "DL 2019 passage ranking", "detail": "passages"},
    {"value": "dl-doc", "label": "DL 2019 document ranking", "detail": "documents"},
]


@pytest.fixture
def program():
    make_deep_learning()
    return Program()


def assert_asks(error, message="'DL19' may be dl-passage or dl-doc. Passage or document ranking?"):
    assert (error["field"], error["code"]) == ("collection", "ambiguous")
    assert message in error["message"]
    assert error["candidates"] == CANDIDATES


def test_a_row_that_is_handed_in_for_review_is_refused_with_the_choice(program):
    response = program.create([row(collection="DL19"), row(collection="dl-doc")], submit=True)
    assert response.status_code == 422
    (error,) = response.json()["errors"]
    assert_asks(error, "row 1: 'DL19' may be")


def test_a_dry_run_says_it_of_the_row(program):
    rows = [row(collection="DL19"), row(collection="dl-doc")]
    first, second = program.create(rows, query="?dry_run=true").json()["results"]
    (rejection,) = first["rejections"]
    assert_asks(rejection)
    assert second["outcome"] == "new"
    assert not Submission.objects.exists()


def test_a_draft_keeps_it_until_one_of_them_is_written(program):
    created = program.create([row(collection="DL19")]).json()
    (rejection,) = created["results"][0]["rejections"]
    assert_asks(rejection)
    chosen = {"collection": rejection["candidates"][0]["value"]}
    changed = program.change("update_row", created, "rows/1/", chosen)
    assert changed.json()["results"][0]["outcome"] == "new"
