"""Retries, lost responses, two at once, broker and workers that are down: one effect, and nothing that is lost."""

import json
from collections import Counter

import pytest
from django.db import OperationalError
from psycopg.errors import LockNotAvailable

from registry.core.limits import LIMITS
from registry.submissions.models import IdempotencyKey, Submission
from tests.registry.api.programs import LIST, errors, messages
from tests.registry.submissions.world import row

KEY = {"Idempotency-Key": "table-2"}


def test_the_same_request_again_has_the_first_answer(program):
    first = program.create(headers=KEY)
    # As if the answer had been lost, and the draft been changed since.
    program.change("update_row", first.json(), "rows/1/", {"value": "0.4"})
    again = program.create(headers=KEY)
    assert (again.status_code, again.content) == (201, first.content)
    assert (again["Idempotent-Replayed"], "Idempotent-Replayed" in first) == ("true", False)
    assert (again["Location"], again["ETag"]) == (first["Location"], first["ETag"])
    assert Submission.objects.count() == 1


def test_a_key_is_used_for_one_request(program):
    program.create(headers=KEY)
    for response in (
        program.create([row(value="0.4")], headers=KEY),
        program.create(query="?submit=true", headers=KEY),
    ):
        assert errors(response, 422) == [("Idempotency-Key", "reused")]
        assert "take a new one" in messages(response)
    assert Submission.objects.count() == 1


@pytest.mark.parametrize("key", ["", "a b", "ü", "x" * 256])
def test_keys_that_are_none(program, key):
    assert errors(program.create(headers={"Idempotency-Key": key}), 400) == [("Idempotency-Key", "malformed")]
    assert not Submission.objects.exists()


def test_a_request_that_failed_may_be_sent_again_with_its_key(program):
    bad = program.create([row(value="nan")], headers=KEY, submit=True)
    assert bad.status_code == 422
    assert not IdempotencyKey.objects.exists()
    assert program.create(headers=KEY).status_code == 201


def test_every_change_can_be_retried(program):
    draft = program.create().json()
    more = {"results": [row(system="B")]}
    added = program.change("add_rows", draft, "rows/", more, headers=KEY)
    again = program.change("add_rows", draft, "rows/", more, headers=KEY)
    assert (again.status_code, again.content) == (200, added.content)
    other = program.change("add_rows", {**draft, "version": 2}, "rows/", more, headers=KEY)
    assert other.status_code == 422
    done = program.change("submit_submission", added.json(), "submit/", headers={"Idempotency-Key": "b"})
    again = program.change("submit_submission", added.json(), "submit/", headers={"Idempotency-Key": "b"})
    assert (again.status_code, again.content) == (200, done.content)
    without = program.change("submit_submission", added.json(), "submit/")
    assert without.status_code == 412
    assert "submission submitted" in messages(without)


def test_a_request_that_is_still_being_answered(program, monkeypatch):
    def times_out(*_, **__):
        raise OperationalError from LockNotAvailable()

    monkeypatch.setattr(IdempotencyKey.objects, "bulk_create", times_out)
    response = program.create(headers=KEY)
    assert errors(response, 409) == [("Idempotency-Key", "in_progress")]
    assert response["Retry-After"] == "1"


def test_a_new_account_is_told_when_there_is_room_again(program):
    limit, _ = LIMITS["submission: new account"]
    for number in range(limit):
        assert program.create([row(system=f"S{number}")], submit=True).status_code == 201
    response = program.create([row(system="one more")], submit=True)
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 3600
    assert "A new account may submit 5 times an hour" in response.json()["error"]
    assert Submission.objects.count() == limit
    draft = program.create([row(system="one more")])
    assert draft.status_code == 201
    late = program.change("submit_submission", draft.json(), "submit/")
    assert late.status_code == 429
    assert Submission.objects.filter(state="draft").count() == 1


def test_a_program_that_sends_too_many_rows_is_told_before_they_are_read(program, monkeypatch):
    monkeypatch.setitem(LIMITS, "check rows: account", (10, 300))
    rows = [row(system=f"S{number}") for number in range(10)]
    assert program.create(rows).status_code == 201
    monkeypatch.setattr("registry.api.views.submissions.read_rows", None)
    for query in ("", "?dry_run=true"):
        assert program.create(rows, query=query).status_code == 429


PREPARE = """
from tests.registry.accounts.people import make_person
from tests.registry.submissions.world import make_robust04
from registry.accounts.services import create_token
make_robust04()
print(create_token(user=make_person(), name="test", scopes=["read", "submit"], days=9).secret)
"""


ASK = """
import json
from concurrent.futures import ThreadPoolExecutor
from django.conf import settings
from django.test import Client
from registry.core.limits import LIMITS
from tests.registry.submissions.world import row

settings.ALLOWED_HOSTS.append("testserver")
LIMITS.update({name: (10_000, 3600) for name in LIMITS})

def ask(request):
    method, address, body, headers = request
    answer = Client().generic(method, address, json.dumps(body), content_type="application/json", headers=headers)
    told = json.loads(answer.content)
    return [answer.status_code, told.get("id"), told.get("version"), answer.content.decode()]

with ThreadPoolExecutor(5) as pool:
    print(json.dumps(list(pool.map(ask, [REQUEST] * 7))))
"""


def test_simultaneous_requests_have_one_effect(lab, at_once):
    """From two processes with five threads each. No worker runs meanwhile, and the broker has nobody to wake up."""
    (token,) = at_once(PREPARE)
    headers = {"Authorization": f"Bearer {token.strip()}"}

    def ask_at_once(*request) -> list:
        program = f"REQUEST = {request!r}{ASK}"
        return [answer for printed in at_once(program, program) for answer in json.loads(printed)]

    body = {"results": [row()], "submit": True}
    answers = ask_at_once("POST", LIST, body, headers | KEY)
    assert {(status, version) for status, _, version, _ in answers} == {(201, 2)}
    assert len({text for *_, text in answers}) == 1
    assert lab.query("SELECT count(*) FROM submissions_submission") == [(1,)]

    answers = ask_at_once("POST", LIST, {"results": [row(system="B")]}, headers)
    assert {status for status, *_ in answers} <= {200, 201}
    assert len({pk for _, pk, *_ in answers}) == 1
    assert lab.query("SELECT count(*) FROM submissions_submission") == [(2,)]

    address = f"{LIST}{answers[0][1]}/rows/1/"
    answers = ask_at_once("PATCH", address, {"value": "0.4"}, headers | {"If-Match": '"1"'})
    assert Counter(status for status, *_ in answers) == {200: 1, 412: len(answers) - 1}
    assert {version for status, _, version, _ in answers if status == 200} == {2}
