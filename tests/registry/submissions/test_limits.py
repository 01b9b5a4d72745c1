"""How much somebody may submit, store and have checked."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.utils import timezone

from registry.accounts.services import create_token
from registry.core.limits import LIMITS, Limited, spend
from registry.submissions.limits import charge, charge_more, give_place_back, handing_in
from tests.registry.accounts.people import make_person

pytestmark = pytest.mark.django_db


def from_address(address="192.0.2.1"):
    return RequestFactory().post("/submit/", REMOTE_ADDR=address)


def sent_by(user):
    request = from_address()
    request.user = user
    return request


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


def test_others_have_more():
    assert n_taken(old("ada")) == 20


def test_accounts_behind_one_address_share():
    people = [old(f"student{number}") for number in range(5)]
    assert n_taken(*people, attempts=100) == 40
    assert n_taken(people[0], address="192.0.2.2") == 20 - 8


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


def test_rows_count_where_few_tables_hold_many(monkeypatch):
    monkeypatch.setitem(LIMITS, "check rows: account", (10_000, 300))
    ada = make_person()
    charge(sent_by(ada), 9_000)
    with pytest.raises(Limited, match=r"10,000 rows checked in five minutes.*Try again in 2 minutes"):
        charge(sent_by(ada), 5_000)
    charge(sent_by(ada), 900)
    charge(sent_by(make_person("bob")), 9_000)


def test_rows_that_are_stored_count_by_the_day(monkeypatch):
    monkeypatch.setitem(LIMITS, "draft rows: account", (100, 86_400))
    ada = make_person()
    spend("draft rows: account", ada.pk, 100)
    with pytest.raises(Limited, match="100 rows a day"):
        spend("draft rows: account", ada.pk, 10)


def test_each_check_counts_once_and_with_its_rows(monkeypatch):
    monkeypatch.setitem(LIMITS, "check: account", (2, 300))
    monkeypatch.setitem(LIMITS, "check rows: account", (100, 300))
    monkeypatch.setitem(LIMITS, "check rows: address", (10, 300))
    ada, bob = sent_by(make_person()), sent_by(make_person("bob"))
    for _ in range(2):
        charge(bob, 1)
    with pytest.raises(Limited, match="An account may have results checked 2 times in five minutes"):
        charge(bob, 1)
    charge_more(ada, -5)
    charge_more(ada, 0)
    charge_more(ada, 100)
    with pytest.raises(Limited, match="An account may have 100 rows checked in five minutes"):
        charge_more(ada, 1)
    visitor = sent_by(AnonymousUser())
    charge(visitor, 10)
    with pytest.raises(Limited, match="Without signing in, 10 rows are read in five minutes for one network"):
        charge_more(visitor, 1)


@pytest.mark.parametrize("is_new", [True, False])
def test_a_place_of_a_program_is_given_back_to_where_it_was_taken_from(monkeypatch, is_new):
    for name in ("submission: account", "submission: new account", "submission: address", "submission: token"):
        monkeypatch.setitem(LIMITS, name, (2, 3600))
    ada = make_person() if is_new else old("ada")
    token = create_token(user=ada, name="nightly", scopes=["submit"], days=30).token
    for used in (token, None):
        for _ in range(3):
            assert n_taken(ada, attempts=1, token=used) == 1
            give_place_back(from_address(), ada, used)
    bob = old("bob")
    for _ in range(3):
        with pytest.raises(Conflict):
            fail(bob)
    assert n_taken(bob, attempts=3) == 2


def test_what_was_refused_for_the_account_takes_nothing_from_its_network(monkeypatch):
    monkeypatch.setitem(LIMITS, "submission: new account", (1, 3600))
    monkeypatch.setitem(LIMITS, "submission: address", (3, 3600))
    assert n_taken(make_person(), attempts=10) == 1
    assert n_taken(make_person("bob"), attempts=10) == 1
    assert n_taken(make_person("cyd"), attempts=10) == 1
    assert n_taken(make_person("dan"), attempts=10) == 0
