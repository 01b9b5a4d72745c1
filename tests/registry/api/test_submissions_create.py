"""POST /api/v1/submissions/: handing results in by a program."""

import json

import pytest
from django.test import Client

from registry.journal.models import Entry
from registry.results.models import Result
from registry.submissions.models import Submission
from tests.registry.api.programs import LIST, Program
from tests.registry.factory import make_result, make_system, make_user
from tests.registry.submissions.world import make_deep_learning, make_robust04, row


@pytest.fixture
def board():
    return make_robust04()


def test_one_result_becomes_a_draft(board):
    response = Program().create(note="From the camera-ready version.")
    body = response.json()
    assert (response.status_code, body["state"], body["way"], body["version"]) == (201, "draft", "api", 1)
    assert (response["Location"], response["ETag"]) == (f"{LIST}{body['id']}/", '"1"')
    assert body["counts"] == {"rows": 1, "new": 1, "same": 0, "differs": 0, "refused": 0}
    (shown,) = body["results"]
    assert (shown["line"], shown["cells"], shown["outcome"], shown["rejections"]) == (1, row(), "new", [])
    assert (body["count"], body["next_page"], body["note"]) == (1, None, "From the camera-ready version.")
    assert Submission.objects.get().contributor.username == body["contributor"]
    assert Entry.objects.get().action == "submissions.submission.created"


def test_the_same_rows_a_moment_later_are_the_same_submission(board):
    program = Program()
    first, second = program.create(), program.create()
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"]
    third = program.create(submit=True)
    assert (third.status_code, third.json()["state"]) == (200, "submitted")
    assert program.create(submit=True).json()["version"] == third.json()["version"]
    assert Program().create().json()["id"] != first.json()["id"]


def test_a_browser_needs_a_csrf_token(board):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(make_user())
    body = json.dumps({"results": [row()]})
    refused = browser.post(LIST, body, content_type="application/json")
    assert refused.status_code == 403
    assert "CSRF" in refused.json()["error"]
    browser.get("/accounts/login/")
    browser.cookies["csrftoken"] = "a" * 32
    headers = {"X-CSRFToken": "a" * 32}
    assert browser.post(LIST, body, content_type="application/json", headers=headers).status_code == 201


def test_a_name_that_may_mean_several_is_asked_about_until_one_is_written():
    make_deep_learning()
    program, rows = Program(), [row(collection="DL19"), row(collection="dl-doc")]
    refused = program.create(rows, submit=True)
    assert refused.status_code == 422
    first, second = program.create(rows, query="?dry_run=true").json()["results"]
    assert second["outcome"] == "new"
    assert not Submission.objects.exists()
    draft = program.create(rows[:1]).json()
    message = "'DL19' may be dl-passage or dl-doc. Passage or document ranking?"
    for part, start in (
        (refused.json()["errors"], "row 1: "),
        (first["rejections"], ""),
        (draft["results"][0]["rejections"], ""),
    ):
        (error,) = part
        assert (error["field"], error["code"]) == ("collection", "ambiguous")
        assert start + message in error["message"]
        assert error["candidates"] == [
            {"value": "dl-passage", "label": "DL 2019 passage ranking", "detail": "passages"},
            {"value": "dl-doc", "label": "DL 2019 document ranking", "detail": "documents"},
        ]
    changed = program.change("update_row", draft, "rows/1/", {"collection": "dl-passage"})
    assert changed.json()["results"][0]["outcome"] == "new"


# --- dry runs


def test_a_dry_run_tells_everything_and_stores_nothing(board):
    for number in range(10):
        make_result(board, make_system(f"S{number}"), f"0.2{number}00", role=Result.Role.TREC_RUN)
    old = make_result(board, make_system("Old"), "0.2950", role=Result.Role.TREC_RUN, source="there")
    rows = [
        row(value="0.2550"),
        row(system="Old", value="0.9000", role="trec_run", paper="", source="there"),
        row(system="Old", value="0.2950", role="trec_run", paper="", source="there", locator=""),
        row(system="C", measure="mapp"),
        row(system="D", value="0.2100", comparability="oracle"),
    ]
    response = Program().create(rows[:2] + rows[3:], query="?dry_run=true")
    body = response.json()
    assert (response.status_code, body["dry_run"]) == (200, True)
    assert body["counts"] == {"rows": 4, "new": 2, "same": 0, "differs": 1, "refused": 1}
    new, differs, refused, apart = body["results"]
    assert new["place"] == {"rank": 6, "n_results": 12}
    assert (differs["existing"]["id"], differs["place"]["rank"]) == (old.pk, 1)
    assert {signal["code"] for signal in differs["signals"]} >= {"far_outside"}
    assert (refused["outcome"], refused["place"]) == ("refused", None)
    assert refused["rejections"][0]["field"] == "measure"
    assert (apart["outcome"], apart["place"]) == ("new", None)
    assert not Submission.objects.exists()
    same = Program().create([rows[2]], query="?dry_run=true").json()["results"][0]
    assert (same["outcome"], same["place"]) == ("same", {"rank": 1, "n_results": 11})
