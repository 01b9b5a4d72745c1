"""How much a program may have checked, stored and handed in: what counts, and what does not."""

import json

import pytest

from registry.core.limits import LIMITS
from registry.submissions.models import Submission
from registry.submissions.services.reviewing import return_submission
from tests.registry.api.programs import LIST, Program
from tests.registry.factory import make_user
from tests.registry.results.people import editor
from tests.registry.submissions.world import make_robust04, row

pytestmark = pytest.mark.django_db


@pytest.fixture
def program():
    make_robust04()
    return Program()


def short(*systems: str) -> str:
    """Rows that say little, so that many stand in few characters."""
    return json.dumps({"results": [{"system": name, "value": "0.2"} for name in systems]})


FOR_ALL = "?collection=robust04&measure=MAP&role=baseline&source=s"


def send(program, text: str, query: str = "") -> int:
    return program.ask("create_submission", f"{LIST}{FOR_ALL}{query}", text).status_code


def test_rows_are_counted_as_they_turn_out_to_be(program, monkeypatch):
    """Thirty that are worth eleven by their text."""
    rows = short(*(f"a{number}" for number in range(30)))
    monkeypatch.setitem(LIMITS, "check rows: account", (40, 300))
    assert send(program, rows) == 201
    monkeypatch.setitem(LIMITS, "check rows: account", (20, 300))
    assert send(Program(make_user()), rows) == 429
    assert send(Program(make_user()), rows, "&dry_run=true") == 429


def test_rows_that_turn_out_to_be_fewer_cost_what_their_text_is_worth(program, monkeypatch):
    monkeypatch.setitem(LIMITS, "check rows: account", (50, 300))
    note = {"note": "n" * 4_000}
    assert program.create([row(system="a")], **note).status_code == 201
    assert program.create([row(system="b")], **note).status_code == 429


def test_dry_runs_count_as_rows_and_not_as_drafts(program, monkeypatch):
    monkeypatch.setitem(LIMITS, "draft rows: account", (3, 3600))
    for number in range(5):
        assert send(program, short(f"a{number}", f"b{number}"), "&dry_run=true") == 200
    assert send(program, short("a", "b")) == 201
    draft = program.get({"id": Submission.objects.get().pk})
    more = {"results": [row(system="d")]}
    assert program.change("add_rows", draft, "rows/", more).status_code == 200
    assert send(program, short("f")) == 429
    assert program.change("add_rows", program.get(draft), "rows/", more).status_code == 429
    assert Submission.objects.get().rows.count() == 3


def test_a_place_is_free_again_once_a_submission_is_taken_back(program, monkeypatch):
    monkeypatch.setitem(LIMITS, "submission: new account", (1, 3600))
    first = program.create([row(system="a")], submit=True).json()
    assert program.create([row(system="b")], submit=True).status_code == 429
    taken = program.change("take_back_submission", first, "take-back/").json()
    assert taken["state"] == "draft"
    assert program.create([row(system="b")], submit=True).status_code == 201
    assert program.change("submit_submission", taken, "submit/").status_code == 429


def test_what_a_reviewer_asked_for_takes_no_place(program, monkeypatch):
    monkeypatch.setitem(LIMITS, "submission: new account", (1, 3600))
    first = program.create([row(system="a")], submit=True).json()
    submission = Submission.objects.get()
    return_submission(submission=submission, version=submission.version, actor=editor(), reason="Which?")
    returned = program.get(first)
    assert returned["state"] == "returned"
    assert program.change("submit_submission", returned, "submit/").json()["state"] == "submitted"
    draft = program.create([row(system="b")]).json()
    assert program.change("submit_submission", draft, "submit/").status_code == 429


def test_refused_rows_are_dropped_where_that_is_wished(program):
    draft = program.create([row(system="a"), row(system="b", value="nan")]).json()
    kept_back = program.change("submit_submission", draft, "submit/")
    assert kept_back.status_code == 422
    assert [one["field"] for one in kept_back.json()["errors"]] == ["value"]
    assert program.change("submit_submission", draft, "submit/?drop_refused=false").status_code == 422
    done = program.change("submit_submission", draft, "submit/?drop_refused=true").json()
    assert (done["state"], [one["line"] for one in done["results"]]) == ("submitted", [1])


def test_rows_are_checked_at_once_up_to_the_most(program, monkeypatch):
    monkeypatch.setattr("registry.submissions.services.drafting.MAX_ROWS_AT_ONCE", 2)
    two = program.create([row(system="a"), row(system="b")], submit=True)
    assert (two.status_code, two.json()["counts"]["unchecked"], two.json()["state"]) == (201, 0, "submitted")
    three = [row(system=name) for name in "cde"]
    refused = program.create(three, submit=True)
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (400, "too_many_rows")
    waiting = program.create(three)
    assert (waiting.status_code, waiting.json()["counts"]["unchecked"], waiting["Retry-After"]) == (201, 3, "2")


def test_rows_that_are_added_count_with_those_that_are_there(program, monkeypatch):
    draft = program.create([row(system=name) for name in "abc"]).json()
    monkeypatch.setitem(LIMITS, "check rows: account", (20, 300))
    statuses = []
    for name in "def":
        # Five by its text, with three, four and five that are there.
        more = {"results": [row(system=name, source="s" * 300)]}
        statuses.append(program.change("add_rows", program.get(draft), "rows/", more).status_code)
    assert statuses == [200, 200, 429]
    assert program.change("remove_row", program.get(draft), "rows/1/").status_code == 429
