"""How much somebody may submit, store and have checked."""

from datetime import timedelta

import pytest
from django.test import RequestFactory
from django.utils import timezone

from registry.accounts.services import create_token
from registry.core.limits import LIMITS, Limited, spend
from registry.submissions.limits import give_place_back, handing_in
from tests.registry.accounts.people import make_person


def from_address(address="192.0.2.1"):
    return RequestFactory().post("/submit/", REMOTE_ADDR=address)


def n_taken(*users, attempts=50, address="192.0.2.1", token=None):
    taken = 0
    for number in range(attempts):
        try:
            with handing_in(from_address(address), users[number % len(users)], token) as take_place:
                take_place()
        except Limited:
            continue
        taken += 1
    return taken


def fail(user):
    with handing_in(from_address(), user) as take_place:
        take_place()
        raise Conflict


class Conflict(Exception):
    pass


def old(username):
    return make_person(username, date_joined=timezone.now() - timedelta(days=8))


def test_new_accounts_have_little_room():
    assert n_taken(make_person()) == 5


def test_tokens_have_a_budget_of_their_own_that_no_address_shares():
    people = [old(f"student{number}") for number in range(5)]
    assert n_taken(*people, attempts=100) == 40
    token = create_token(user=people[0], name="nightly", scopes=["submit"], days=30).token
    assert n_taken(people[0], attempts=100, token=token) == 60
    ada = make_person()
    assert n_taken(ada, token=create_token(user=ada, name="nightly", scopes=["submit"], days=30).token) == 5


def test_what_fails_takes_no_place():
    ada = make_person()
    for _ in range(30):
        with pytest.raises(Conflict):
            fail(ada)
    assert n_taken(ada) == 5


def test_what_is_taken_back_takes_no_place():
    ada = make_person()
    for _ in range(30):
        assert n_taken(ada, attempts=1) == 1
        give_place_back(from_address(), ada)
    assert n_taken(ada) == 5


def test_rows_that_are_stored_count_by_the_day(monkeypatch):
    monkeypatch.setitem(LIMITS, "draft rows: account", (100, 86_400))
    ada = make_person()
    spend("draft rows: account", ada.pk, 100)
    with pytest.raises(Limited, match="100 rows a day"):
        spend("draft rows: account", ada.pk, 10)
