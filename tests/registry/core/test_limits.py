"""Buckets of tokens: what passes, what waits, and that simultaneous attempts cannot pass together."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.test import RequestFactory

from registry.core import limits
from registry.core.http import client_address
from registry.core.limits import Limited, take
from registry.core.models import Bucket

pytestmark = pytest.mark.django_db


def n_taken(limit: int, seconds: float, *, attempts: int) -> int:
    taken = 0
    for _ in range(attempts):
        try:
            take("test", "somebody", limit, seconds)
        except Limited:
            continue
        taken += 1
    return taken


def let_pass(seconds: float) -> None:
    """Make it as if so much time went by."""
    Bucket.objects.update(full_at=F("full_at") - timedelta(seconds=seconds))


def test_tokens_come_back_evenly():
    assert n_taken(2, 3600, attempts=4) == 2
    let_pass(1700)
    assert n_taken(2, 3600, attempts=1) == 0
    let_pass(150)
    assert n_taken(2, 3600, attempts=4) == 1


def test_a_clock_that_is_set_back_refuses_nobody_for_longer():
    assert n_taken(2, 3600, attempts=4) == 2
    let_pass(-86_400)
    assert n_taken(2, 3600, attempts=4) == 2


def test_refused_attempts_take_nothing():
    n_taken(1, 3600, attempts=50)
    let_pass(3600)
    assert n_taken(1, 3600, attempts=1) == 1


def test_keys_are_not_stored():
    take("test", "192.0.2.77", 1, 3600)
    assert "192.0.2.77" not in Bucket.objects.get().name


def test_only_a_first_attempt_costs_more_than_one_query(django_assert_num_queries):
    with django_assert_num_queries(4):
        take("test", "somebody", 10, 3600)
    with django_assert_num_queries(1):
        take("test", "somebody", 10, 3600)


ATTEMPTS = """
from concurrent.futures import ThreadPoolExecutor
from registry.core.limits import Limited, take

def attempt(number):
    try:
        take("login", "somebody", 10, 3600)
    except Limited:
        return 0
    return 1

with ThreadPoolExecutor(10) as pool:
    print(sum(pool.map(attempt, range(100))))
"""


def test_of_200_simultaneous_attempts_ten_pass(at_once):
    """Two processes with ten threads each, on the database of an installation of its own."""
    assert sum(map(int, at_once(ATTEMPTS, ATTEMPTS))) == 10


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, None, "10.0.0.9"),
        (0, "192.0.2.1", "10.0.0.9"),
        (1, "192.0.2.1", "192.0.2.1"),
        (1, "203.0.113.5, 192.0.2.1", "192.0.2.1"),
        (2, "203.0.113.5, 192.0.2.1, 10.1.1.1", "192.0.2.1"),
        (2, "192.0.2.1", "10.0.0.9"),
        (1, None, "10.0.0.9"),
        (1, "not an address", "10.0.0.9"),
        (1, "::ffff:192.0.2.1", "192.0.2.1"),
        (1, "2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
    ],
)
def test_only_configured_proxies_are_believed(settings, proxies, forwarded, expected):
    settings.TRUSTED_PROXIES = proxies
    headers = {} if forwarded is None else {"x-forwarded-for": forwarded}
    assert client_address(RequestFactory().get("/", headers=headers, REMOTE_ADDR="10.0.0.9")) == expected


def test_what_is_declared_is_spent_by_its_name_with_its_own_words(monkeypatch):
    monkeypatch.setattr(limits, "LIMITS", {})
    monkeypatch.setattr(limits, "WHY", {})
    limits.declare({"tried": (1000, 3600, "It was tried {n} times, {no_room}")})
    for _ in range(2):
        limits.spend("tried", "ada", 500)
    for ask in (limits.spend, limits.require_room):
        with pytest.raises(Limited, match=r"^It was tried 1,000 times, and there is no room for more just now\."):
            ask("tried", "ada")
    limits.require_room("tried", "grace")
    limits.refund("tried", "ada")
    limits.spend("tried", "ada")
    with pytest.raises(Limited):
        limits.spend("tried", "ada")


def test_what_something_cost_is_taken_afterwards_also_where_less_is_left(monkeypatch):
    monkeypatch.setattr(limits, "LIMITS", {"cost": (10, 1000)})
    monkeypatch.setattr(limits, "WHY", {"cost": "Too much."})
    limits.charge("cost", "ada", 4)
    limits.spend("cost", "ada", 6)
    limits.charge("cost", "grace", 25)
    with pytest.raises(Limited) as caught:
        limits.spend("cost", "grace")
    # 16 of 10 too many, each of which takes 100 s to come back.
    assert 1590 <= caught.value.retry_after <= 1600
