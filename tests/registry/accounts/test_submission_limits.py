"""How much somebody may submit in an hour."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.test import RequestFactory
from django.utils import timezone

from registry.accounts.limits import LIMITS, take_submission
from registry.core.limits import Limited
from tests.registry.accounts.people import make_person

pytestmark = pytest.mark.django_db


def n_taken(*users, attempts=50, address="192.0.2.1"):
    request = RequestFactory().post("/submit/", REMOTE_ADDR=address)
    taken = 0
    for number in range(attempts):
        try:
            take_submission(request, users[number % len(users)])
        except Limited:
            continue
        taken += 1
    return taken


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


def test_a_limit_is_what_the_page_says():
    page = (settings.BASE_DIR / "docs" / "accounts.md").read_text()
    for name, (limit, seconds) in LIMITS.items():
        time = {300: "5 minutes", 3600: "hour", 86_400: "day"}[seconds]
        assert f"| {name} | {limit:,} per {time} |" in page
