"""The pages of reviewers: what waits, a submission beside what stands, decisions, comments."""

import pytest
from django.test import Client

from registry.catalog.models import Collection
from registry.journal.models import Entry
from registry.results.models import Result
from registry.submissions.models import Submission
from registry.submissions.services.reviewing import start_review
from tests.registry.factory import make_collection, make_result, make_system, make_user
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in
from tests.registry.submissions.world import make_submitted, row

pytestmark = pytest.mark.usefixtures("board")


QUEUE = "/moderation/"


def page_of(submission: Submission) -> str:
    return f"/moderation/{submission.pk}/"


def in_review(contributor=None, **fields) -> Submission:
    submission = make_submitted(contributor, **fields)
    return start_review(submission=submission, version=submission.version, actor=make_user(is_editor=True))


def decide(client: Client, submission: Submission, decision: str = "publish", **fields):
    typed = {"decision": decision, "version": submission.version, "reason": ""} | fields
    return client.post(page_of(submission), typed)


# --- what waits


def test_the_queue_is_for_reviewers():
    assert Client().get(QUEUE)["Location"] == f"/accounts/login/?next={QUEUE}"
    assert signed_in().get(QUEUE).status_code == 403
    assert signed_in().post(QUEUE, {"decision": "publish"}).status_code == 403


def test_a_curator_sees_the_own_collections():
    curator = make_user()
    Collection.objects.get().curators.create(user=curator)
    make_collection("trec-8")
    make_submitted(make_user("ada"))
    make_submitted(make_user("grace"), rows=[row(collection="trec-8")])
    page = read(signed_in(curator), QUEUE)
    assert "ada" in page.text
    assert "grace" not in page.text
    page = read(signed_in(editor()), f"{QUEUE}?collection=TREC-8")
    assert "grace" in page.text
    assert "ada" not in page.text
    assert signed_in(editor()).get(f"{QUEUE}?collection=nothing").status_code == 400


# --- one submission


def test_the_review_is_started_once():
    submission = make_submitted(make_user())
    client = signed_in(editor())
    for _ in range(2):
        assert client.post(f"{page_of(submission)}start/", {"version": submission.version}).status_code == 302
    assert Entry.objects.filter(action="submissions.submission.review_started").count() == 1
    page = read(client, page_of(submission))
    assert "Nothing was done" not in page.text
    offered = [tag["value"] for tag in page.of("input") if tag.get("name") == "decision"]
    assert offered == ["publish", "return", "refuse"]


def test_hostile_cells_are_shown_as_they_are():
    name = "<script>alert(1)</script>\u202eevil"
    submission = in_review(rows=[row(), row(system="Model Y")])
    submission.rows.filter(line=2).update(cells=row(system=name, value="<b>0.3</b>"), outcome="refused")
    source = read(signed_in(editor()), page_of(submission)).source
    assert "&lt;script&gt;" in source
    assert "<script>alert" not in source


def test_a_row_stands_beside_the_results_that_its_signals_speak_of(board):
    for score, name in (("0.2", row()["system"]), ("0.25", "another system")):
        make_result(board, make_system(name), score)
    page = read(signed_in(editor()), page_of(in_review(rows=[row(), row(system="new")])))
    assert [cells[:2] for cells in page.rows if cells[0] == "Stands"] == [["Stands", "0.2"]]


def test_what_was_published_is_undone_in_one_action():
    submission = in_review(rows=[row(), row(system="Model Y", value="0.31")])
    client = signed_in(editor())
    decide(client, submission)
    undo = read(client, page_of(submission)).link("undo all of it")
    assert Result.objects.standing().count() == 2
    assert client.post(undo, {"reason": "not from the paper"}).status_code == 302
    assert not Result.objects.standing().exists()
    log = read(client, "/log/").text
    assert "submission published: Model X 0.3012 on trec-2004-robust, AP and 1 other" in log
    assert "batch undone: submission published: Model X 0.3012 on trec-2004-robust, AP and 1 other" in log
    assert str(submission.pk) not in log


def test_the_second_of_two_reviewers_is_told_and_keeps_what_was_typed():
    submission = in_review()
    decide(signed_in(make_user("grace", is_editor=True)), submission, "return", reason="which table?")
    answer = decide(signed_in(editor()), submission, "refuse", reason="a long explanation")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Nothing was done." in text
    assert "grace: submission returned" in text
    submission.refresh_from_db()
    assert submission.state == "returned"
