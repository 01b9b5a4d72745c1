"""Each kind of page, file and API answer says of one small world what was approved.

``./test --approve`` writes what changed; the diff is reviewed like code.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

from registry import gone
from registry.accounts.models import User
from tests.registry.accounts.people import browser_of
from tests.registry.keeping import forget_kept_answers
from tests.world.addresses import ADDRESSES, EXEMPT, GIVEN_UP
from tests.world.approving import Approvals, name_of
from tests.world.building import fixed_world, things, world_on_record
from tests.world.reading import read_answer
from tests.world.stories import STORIES

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

#: Pages that are read with all that stands around their main part.
WHOLE = {"/"}


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, str]]:
    """What stands in addresses for names in braces, in a world that stays as it is to the last test."""
    with fixed_world() as clock, world_on_record(django_db_blocker, clock):
        forget_kept_answers()
        with django_db_blocker.unblock():
            known = things()
        yield known


@pytest.fixture
def approvals(request: pytest.FixtureRequest) -> Approvals:
    return Approvals(rewrites=request.config.getoption("--approve"))


def ids_of(addresses: Any) -> list[str]:
    return [name_of(address, person) for person, address in addresses]


def client_of(person: str) -> Client:
    """A browser of somebody who is signed in, or of anybody."""
    return Client() if person == "anybody" else browser_of(User.objects.get(username=person))


#: An id that is drawn at random, of which files have the beginning in their names.
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def random_names(world: dict[str, str]) -> dict[str, str]:
    """Return what is random in the world, and what it is called here."""
    names = {value: key for key, value in world.items() if not value.isdecimal()}
    return names | {value.split("-")[0]: f"{key} in short" for value, key in names.items() if _ID.fullmatch(value)}


@pytest.mark.parametrize(("person", "address"), ADDRESSES, ids=ids_of(ADDRESSES))
def test_it_answers_as_approved(world, approvals, person, address):
    response = client_of(person).get(address.format_map(world))
    texts = read_answer(response, random_names(world), is_whole=address in WHOLE)
    difference = approvals.check(name_of(address, person), texts)
    assert not difference, f"{difference}\nIf it is to be so: ./test --approve"


@pytest.mark.parametrize(("name", "person", "address", "sent"), STORIES, ids=[story[0] for story in STORIES])
def test_what_is_sent_is_answered_as_approved(world, approvals, name, person, address, sent):
    forget_kept_answers()
    client = client_of(person)
    where = address.format_map(world)
    if address.startswith("/api/"):
        response = client.post(where, sent, content_type="application/json")
    else:
        response = client.post(where, sent, follow=True)
    texts = read_answer(response, random_names(world))
    difference = approvals.check(f"stories/{name}", texts)
    forget_kept_answers()
    assert not difference, f"{difference}\nIf it is to be so: ./test --approve"


def test_each_approval_belongs_to_an_address(approvals):
    names = [name_of(address, person) for person, address in ADDRESSES] + [f"stories/{story[0]}" for story in STORIES]
    assert len(names) == len({*names}), "two addresses are called the same"
    assert approvals.unused({*names}) == [], "answers of no address: ./test --approve removes them"


def patterns(resolver: URLResolver | None = None, before: str = "") -> Iterator[str]:
    """Every address of the site as the URL conf writes it, one for each suffix that it may have; none that is gone."""
    for part in (resolver or get_resolver()).url_patterns:
        if part in gone.urlpatterns:
            continue
        route = before + str(part.pattern)
        if isinstance(part, URLPattern):
            yield from expanded(route)
        else:
            yield from patterns(part, route)


_SUFFIXES = re.compile(r"\(\?P<(?:suffix|name)>([^()]+)\)")


def expanded(route: str) -> list[str]:
    """One route for each suffix that stands in one."""
    found = _SUFFIXES.search(route)
    if not found or "|" not in found[1]:
        return [route]
    return [route.replace(found[0], suffix) for suffix in found[1].split("|")]


def route_of(address: str) -> str:
    """The route of an address, as ``patterns`` has it."""
    match = resolve(address)
    found = _SUFFIXES.search(match.route)
    if not found or "|" not in found[1]:
        return match.route
    suffix = match.kwargs["suffix" if "P<suffix>" in found[0] else "name"]
    return match.route.replace(found[0], suffix.replace(".", r"\."))


def test_each_kind_of_address_is_approved_or_exempt(world):
    approved: set[str] = set()
    for _, address in ADDRESSES:
        path = address.format_map(world).partition("?")[0]
        try:
            approved.add(route_of(path))
        except Resolver404:
            pytest.fail(f"{address} is no address any more: take it out of tests/world/addresses.txt")
    known = {*patterns()}
    exempt = {route for route in known for start in EXEMPT if route.startswith(start)}
    assert known - approved - exempt == set(), "name them in addresses.txt, or say why not in exempt.txt"
    needed = {start for start, reason in EXEMPT.items() if reason != GIVEN_UP}
    unneeded = {start for start in needed if not any(route.startswith(start) for route in known - approved)}
    assert not unneeded, "exempt, and approved or gone"
