"""Editors decide by programs: what waits, and what becomes of it, with a token of the scope review."""

import pytest

from registry.results.models import Result
from registry.submissions.models import Submission
from tests.registry.accounts.people import make_person
from tests.registry.api.programs import LIST, Program, errors, messages
from tests.registry.submissions.world import make_robust04, make_submitted, row

SCOPES = ("read", "submit", "review")


@pytest.fixture(autouse=True)
def board() -> None:
    make_robust04()


def waiting(program: Program) -> list[dict]:
    return program.ask("list_submissions", f"{LIST}?waiting=true").json()["results"]


def test_what_waits_is_published_and_returned():
    make_submitted(rows=[row(system="A")])
    make_submitted(rows=[row(system="B")])
    program = Program(make_person("grace", is_editor=True), scopes=SCOPES)
    first, second = waiting(program)
    done = program.change("decide_submission", first, "decision/", {"decision": "publish", "reason": "as in Table 2"})
    assert done.json()["state"] == "published"
    assert Result.objects.standing().get().system.name == "A"
    refused = program.change("decide_submission", second, "decision/", {"decision": "return"})
    assert errors(refused, 400) == [("", "reason")]
    sent = {"decision": "return", "reason": "which table?"}
    done = program.change("decide_submission", second, "decision/", sent).json()
    assert (done["state"], done["decision_reason"]) == ("returned", "which table?")
    assert waiting(program) == []
    assert errors(program.change("decide_submission", done, "decision/", sent), 409) == [("", "wrong_state")]


def test_it_takes_the_scope_the_version_and_somebody_elses():
    theirs, person = make_submitted(), make_person("grace", is_editor=True)
    own = make_submitted(person, rows=[row(system="Own")])
    sent, seen = {"decision": "publish"}, {"id": str(theirs.pk), "version": theirs.version}
    without = Program(person)
    assert "needs a token with the scope" in messages(without.change("decide_submission", seen, "decision/", sent))
    asked = {"list_submissions": "?waiting=true", "get_submission": f"{theirs.pk}/"}
    assert [without.ask(name, LIST + rest).status_code for name, rest in asked.items()] == [403, 403]
    program = Program(person, scopes=SCOPES)
    assert program.ask("decide_submission", f"{LIST}{theirs.pk}/decision/", sent).status_code == 428
    mine = {"id": str(own.pk), "version": own.version}
    assert program.change("decide_submission", mine, "decision/", sent).status_code == 403
    for wrong in ({"decision": "keep"}, sent | {"confirmed_rows": 0}):
        assert program.change("decide_submission", seen, "decision/", wrong).status_code == 400
    assert set(Submission.objects.values_list("state", flat=True)) == {"submitted"}
    stranger = Program(make_person("eve"), scopes=SCOPES)
    assert stranger.change("decide_submission", seen, "decision/", sent).status_code == 404


def test_a_part_is_published_and_the_rest_stays_in_review():
    make_submitted(rows=[row(system="A"), row(system="B")])
    program = Program(make_person("grace", is_editor=True), scopes=SCOPES)
    (seen,) = waiting(program)
    assert program.change("decide_submission", seen, "decision/", {"decision": "part"}).status_code == 400
    sent = {"decision": "part", "lines": [2], "reason": "which table?"}
    rest = program.change("decide_submission", seen, "decision/", sent).json()
    assert (rest["state"], [row["line"] for row in rest["results"]]) == ("in_review", [1])
    assert Result.objects.standing().get().system.name == "B"
