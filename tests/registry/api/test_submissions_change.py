"""Changing what was submitted: of the version that was seen, by whom it belongs to."""

import pytest

from registry.submissions.services.reviewing import start_review
from tests.registry.api.programs import LIST, Program, errors, messages
from tests.registry.factory import make_user
from tests.registry.submissions.world import make_submitted, row
from tests.thoroughness import every

ABSENT = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def draft(program):
    return program.create([row(), row(system="B", value="30.12"), row(system="C")]).json()


def test_a_row_is_removed_and_the_last_one_stays(program, draft):
    for line in (2, 3):
        draft = program.change("remove_row", draft, f"rows/{line}/").json()
    assert [row["line"] for row in draft["results"]] == [1]
    response = program.change("remove_row", draft, "rows/1/")
    assert errors(response, 400) == [("", "empty")]
    assert "delete the draft instead" in messages(response)


def test_who_changes_an_earlier_version_is_told_what_changed(program, draft):
    program.change("update_row", draft, "rows/2/", {"value": "0.3010"})
    response = program.change("update_row", draft, "rows/2/", {"value": "0.4000"})
    assert errors(response, 412) == [("If-Match", "conflict")]
    assert f"{program.user.username}: row changed 2" in messages(response)
    assert response["ETag"] == '"2"'
    assert program.get(draft)["results"][1]["cells"]["value"] == "0.3010"


CHANGES = (
    ("update_row", "rows/2/", {"value": "0.1"}),
    ("add_rows", "rows/", {"results": [row()]}),
    ("remove_row", "rows/2/", None),
    ("submit_submission", "submit/", None),
    ("take_back_submission", "take-back/", None),
    ("delete_submission", "", None),
)


@pytest.mark.parametrize(("number", "operation", "path", "body"), [(n, *change) for n, change in enumerate(CHANGES)])
def test_every_change_names_its_version(program, draft, number, operation, path, body):
    address = f"{LIST}{draft['id']}/{path}"
    response = program.ask(operation, address, body)
    assert errors(response, 428) == [("If-Match", "required")]
    assert 'the present one is If-Match: "1"' in messages(response)
    for any_version in every(2, ("*", "W/*"), __file__, start=number):
        response = program.ask(operation, address, body, headers={"If-Match": any_version})
        assert response.status_code in {400, 428}
    for wrong in every(3, ('W/"1"', '"one"', '"1", "2"', "-1", '"1', '"99999999999999999999"'), __file__, start=number):
        response = program.ask(operation, address, body, headers={"If-Match": wrong})
        assert errors(response, 400) == [("If-Match", "malformed")]
    response = program.change(operation, {**draft, "version": 7}, path, body)
    assert errors(response, 412) == [("If-Match", "conflict")]
    assert "No version 7; the current one is 1." in messages(response)
    assert program.get(draft)["version"] == 1


def test_what_is_somebody_elses_is_not_there(program, draft, subtests):
    other = Program()
    assert other.ask("get_submission", f"{LIST}{draft['id']}/").status_code == 404
    for operation, path, body in CHANGES:
        with subtests.test(operation):
            assert other.change(operation, draft, path, body).status_code == 404
            assert other.change(operation, {**draft, "id": ABSENT}, path, body).status_code == 404
            assert program.get(draft)["version"] == 1


def test_what_is_decided_on_is_not_changed(program, subtests):
    submission = make_submitted(program.user, rows=[row(), row(system="B")])
    submission = start_review(submission=submission, version=2, actor=make_user(is_editor=True))
    seen = {"id": submission.pk, "version": submission.version}
    for operation, path, body in CHANGES:
        if operation != "take_back_submission":
            with subtests.test(operation):
                assert program.change(operation, seen, path, body).status_code in {403, 409}
                assert program.get(seen)["version"] == submission.version
    assert errors(program.change("submit_submission", seen, "submit/"), 409) == [("", "wrong_state")]


def test_reviewers_change_rows_with_a_token_for_it(program):
    submission = make_submitted(program.user, rows=[row()])
    seen = {"id": submission.pk, "version": 2}
    editor = make_user(is_editor=True)
    without = Program(editor).change("update_row", seen, "rows/1/", {"value": "0.3000"})
    assert errors(without, 403) == [("Authorization", "wrong_scope")]
    assert "“review”" in without.json()["error"]
    reviewer = Program(editor, scopes=["read", "submit", "review"])
    assert reviewer.change("update_row", seen, "rows/1/", {"value": "0.3000"}).json()["version"] == 3
    assert reviewer.change("submit_submission", {**seen, "version": 3}, "submit/").status_code == 403


def test_the_number_of_queries_does_not_grow_with_the_rows(program, django_assert_max_num_queries):
    many = program.create([row(system=f"S{n}") for n in range(40)]).json()
    with django_assert_max_num_queries(8):
        program.get(many)
