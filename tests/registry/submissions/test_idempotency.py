"""A request that is sent again: one effect, one answer; and nothing at all where the first one crashed."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone
from psycopg.errors import LockNotAvailable

from registry.journal.models import Entry
from registry.submissions.models import IdempotencyKey
from registry.submissions.services.changing import KEPT, Answer, KeyRefused, answer_once, prune_keys
from tests.registry.factory import make_entry, make_user

BODY = {"zebra": 1, "a": [1.0, "0.30", None], "Ä": {"long name": True, "id": "x"}}


def act() -> Answer:
    """Leave an entry in the journal."""
    make_entry("test.done")
    return Answer(201, BODY)


def ask(user, *, key: str = "key-1", digest: str = "d" * 64, act=act) -> Answer:
    return answer_once(user=user, key=key, digest=digest, act=act)


def n_effects() -> int:
    return Entry.objects.filter(action="test.done").count()


def test_a_request_that_is_sent_again_gets_the_same_answer_and_has_no_second_effect():
    user = make_user()
    first, *others = [ask(user) for _ in range(3)]
    assert (first.status, first.body, first.is_replayed) == (201, BODY, False)
    assert [(answer.status, answer.body, answer.is_replayed) for answer in others] == [(201, BODY, True)] * 2
    assert n_effects() == 1


def test_a_refusal_that_was_answered_is_answered_again():
    user = make_user()
    answers = [ask(user, act=lambda: Answer(422, {"code": "invalid"})) for _ in range(2)]
    assert [(answer.status, answer.is_replayed) for answer in answers] == [(422, False), (422, True)]


def test_a_key_that_is_used_for_another_request_is_refused():
    user = make_user()
    ask(user)
    with pytest.raises(KeyRefused, match="take a new one for a new request"):
        ask(user, digest="e" * 64)
    assert n_effects() == 1


def test_keys_are_each_persons_own():
    assert not ask(make_user()).is_replayed
    assert not ask(make_user(), digest="e" * 64).is_replayed
    assert n_effects() == 2


class Crash(Exception):
    """Whatever may happen in the middle of a request."""


def test_a_crash_leaves_nothing_and_the_request_can_be_sent_again():
    user = make_user()

    def crash() -> Answer:
        act()
        raise Crash

    with pytest.raises(Crash):
        ask(user, act=crash)
    assert (n_effects(), IdempotencyKey.objects.count()) == (0, 0)
    assert not ask(user).is_replayed
    assert n_effects() == 1


def test_an_answer_that_cannot_be_kept_leaves_nothing():
    with pytest.raises(TypeError, match="not JSON serializable"):
        ask(make_user(), act=lambda: Answer(201, {"at": act()}))
    assert (n_effects(), IdempotencyKey.objects.count()) == (0, 0)


def test_who_cannot_wait_any_longer_is_told_that_it_is_in_progress(monkeypatch):
    def times_out(*args, **options):
        raise OperationalError("canceling statement due to lock timeout") from LockNotAvailable()

    monkeypatch.setattr(type(IdempotencyKey.objects.all()), "bulk_create", times_out)
    with pytest.raises(KeyRefused, match="ask again in a moment"):
        ask(make_user())
    assert n_effects() == 0


def test_keys_are_forgotten_after_two_days():
    user = make_user()
    for key in ("old", "young"):
        ask(user, key=key)
    moment = timezone.now() - KEPT
    IdempotencyKey.objects.filter(key="old").update(created_at=moment - timedelta(seconds=1))
    IdempotencyKey.objects.filter(key="young").update(created_at=moment + timedelta(minutes=1))
    assert prune_keys() == 1
    assert (ask(user, key="old").is_replayed, ask(user, key="young").is_replayed) == (False, True)


REQUESTS = """
import json
from concurrent.futures import ThreadPoolExecutor
from registry.accounts.models import User
from registry.journal.services import record
from registry.submissions.services.changing import Answer, answer_once

person = User.objects.get(username="program")

def act():
    entry = record(action="test.done", subject=("test", 1))
    return Answer(201, {"zebra": entry.pk, "a": 1})

def ask(_):
    return answer_once(user=person, key="k", digest="d", act=act)

with ThreadPoolExecutor(10) as pool:
    answers = list(pool.map(ask, range(50)))
told = {json.dumps([one.status, one.body], sort_keys=True) for one in answers}
print(sum(not one.is_replayed for one in answers), *told)
"""
PERSON = "from registry.accounts.models import User; User.objects.create_user('program')"


def test_a_hundred_simultaneous_requests_have_one_effect_and_one_answer(lab, at_once):
    """Two processes with ten threads each, on the database of an installation of its own."""
    at_once(PERSON)
    first, second = (output.split(maxsplit=1) for output in at_once(REQUESTS, REQUESTS))
    assert sorted([first[0], second[0]]) == ["0", "1"]
    assert first[1] == second[1]
    assert lab.query("SELECT count(*) FROM journal_entry WHERE action = 'test.done'") == [(1,)]
