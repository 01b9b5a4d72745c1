"""A submission's page: what is new against what is recorded, and everything its contributor can do with it."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.core.limits import LIMITS
from registry.submissions.models import Submission
from registry.submissions.services.drafting import update_row
from registry.submissions.services.reviewing import return_submission
from tests.registry.factory import make_user
from tests.registry.pages import read
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import (
    make_deep_learning,
    make_robust04,
    make_submission,
    make_submitted,
    outcomes,
    row,
)
from tests.thoroughness import every


@pytest.fixture
def ada():
    make_robust04()
    return make_user("ada")


@pytest.fixture
def hers(ada) -> Client:
    return signed_in(ada)


def act(hers: Client, submission: Submission, action: str, **data: object) -> str:
    """Return what the page says after the action."""
    version = data.pop("version", None) or Submission.objects.get(pk=submission.pk).version
    response = hers.post(f"{submission.get_absolute_url()}{action}/", {"version": version, **data}, follow=True)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def state_of(submission: Submission) -> str:
    return Submission.objects.get(pk=submission.pk).state


def test_somebody_elses_is_not_there(ada, subtests):
    own = make_submission(ada).get_absolute_url()
    eve = signed_in(make_user("eve"))
    editor = signed_in(make_user("edith", is_editor=True))
    for part in ("", "rows/1/", "rows/add/", "rows/remove/", "rows/percent/", "submit/", "take-back/", "delete/"):
        with subtests.test(part):
            for theirs in (eve, editor):
                answers = {theirs.get(own + part).status_code, theirs.post(own + part, {"version": 1}).status_code}
                assert answers <= {404, 405}
                assert 404 in answers
            assert Client().get(own + part).status_code in {302, 405}


def test_the_number_of_queries_does_not_grow_with_the_rows(ada, hers):
    few, many = (
        make_submission(ada, [row(system=f"Model {number}") for number in range(1000, 1000 + n)], way="table")
        for n in (2, 30)
    )
    counts = []
    for submission in (few, many):
        with CaptureQueriesContext(connection) as captured:
            hers.get(submission.get_absolute_url())
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 19


def test_an_ambiguous_name_in_a_row_is_answered_with_a_click(ada):
    make_deep_learning()
    hers = make_submission(ada, rows=[row(collection="DL19")])
    address = f"{hers.get_absolute_url()}rows/1/"
    client = signed_in(ada)
    assert "Passage or document ranking?" in read(client, hers.get_absolute_url()).text
    posted = row(collection="DL19") | {"version": hers.version}
    page = client.post(address, posted).content.decode()
    assert 'name="use" value="collection:dl-passage"' in page
    assert client.post(address, posted | {"use": "collection:dl-passage"}).status_code == 302
    assert (hers.rows.get().cells["collection"], outcomes(hers)) == ("dl-passage", ["new"])


def test_the_second_of_two_editors_is_told_and_overwrites_nothing(ada, hers):
    submission = make_submission(ada)
    update_row(submission=submission, line=1, cells=row(value="0.3555"), version=1, actor=ada)
    address = f"{submission.get_absolute_url()}rows/1/"
    response = hers.post(address, {**row(value="0.3111"), "version": 1})
    text = response.content.decode()
    assert response.status_code == 409
    assert "Nothing was saved: another person was faster." in text
    assert "ada: row changed 1" in text
    assert "<code>value</code> <bdi>0.3555</bdi>" in text
    assert 'value="0.3111"' in text
    assert submission.rows.get().cells["value"] == "0.3555"
    assert 'name="version" value="2"' in text
    assert hers.post(address, {**row(value="0.3111"), "version": 2}).status_code == 302
    assert submission.rows.get().cells["value"] == "0.3111"


def test_what_is_refused_keeps_it_back_or_stays_behind(ada, hers):
    submission = make_submission(ada, [row(), row(system="Model Z", value="23.4")])
    page = read(hers, submission.get_absolute_url())
    assert "Submit without the 1 refused" in page.text
    assert len(read(hers, f"{submission.get_absolute_url()}?outcome=refused").rows) == len(page.rows) - 1
    assert "1 row is refused" in act(hers, submission, "submit")
    assert state_of(submission) == "draft"
    act(hers, submission, "submit", drop_refused="on")
    assert (state_of(submission), outcomes(submission)) == ("submitted", ["new"])


def test_the_second_of_two_clicks_finds_its_work_done(ada, hers):
    submission = make_submission(ada)
    fields = {**row(value="0.3555"), "comparability": "standard", "version": 1}
    answers = [hers.post(f"{submission.get_absolute_url()}rows/1/", fields).status_code for _ in range(2)]
    assert answers == [302, 302]
    assert Submission.objects.get().version == 2
    for _ in range(2):
        text = act(hers, submission, "submit", version=2)
        assert "waits for a curator" in text
        assert "Changed in the meantime" not in text
    assert Submission.objects.get().version == 3


def test_what_came_back_says_why_and_takes_no_place_when_it_is_submitted_again(ada, hers, monkeypatch):
    monkeypatch.setitem(LIMITS, "submission: new account", (2, 3600))
    submission = make_submitted(ada)
    editor = make_user(is_editor=True)
    submission = return_submission(submission=submission, version=2, actor=editor, reason="Table 3 says 0.3021.")
    page = read(hers, submission.get_absolute_url())
    assert "Table 3 says 0.3021." in page.text
    assert "Please change what the reviewer asks for" in page.text
    for _ in range(3):
        assert "Thank you" in act(hers, submission, "submit")
        Submission.objects.filter(pk=submission.pk).update(state="returned")


@pytest.mark.parametrize(
    "name",
    every(2, ["<script>alert(1)</script>", "x" * 20_000, '"><img src=x>', "a\u200bb", "=1+1", "\u202eevil"], __file__),
)
def test_any_cell_can_be_shown_and_edited(ada, hers, name):
    submission = make_submission(ada, [row(system=name, collection=name, value=name[:50])])
    page = read(hers, submission.get_absolute_url())
    assert "<script>alert" not in page.source
    assert "<img src=x>" not in page.source
    assert read(hers, f"{submission.get_absolute_url()}rows/1/").status == 200
