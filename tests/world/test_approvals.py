"""Each kind of page, file and API answer says of one small world what was approved.

``./test --approve`` writes what changed; the diff is reviewed like code.
"""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

from registry import gone
from registry.accounts.models import User
from registry.catalog.models import Leaderboard
from tests.registry.accounts.people import browser_of
from tests.registry.api.shapes import assert_conforms, operations
from tests.registry.keeping import forget_kept_answers
from tests.world.addresses import ADDRESSES, EXEMPT, GIVEN_UP
from tests.world.approving import Approvals, name_of
from tests.world.building import fixed_world, things, world_on_record
from tests.world.reading import read_answer
from tests.world.stories import STORIES

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

#: What is asked otherwise, with what is answered.
SHORT = Path(__file__).with_name("short_answers.txt")
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


def client_of(person: str) -> Client:
    """Return a browser of somebody who is signed in, or of anybody."""
    return Client() if person == "anybody" else browser_of(User.objects.get(username=person))


#: An id that is drawn at random, of which files have the beginning in their names.
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def random_names(world: dict[str, str]) -> dict[str, str]:
    """Return what is random in the world, and what it is called here."""
    names = {value: key for key, value in world.items() if not value.isdecimal()}
    return names | {value.split("-")[0]: f"{key} in short" for value, key in names.items() if _ID.fullmatch(value)}


@pytest.mark.parametrize(
    ("person", "address"), ADDRESSES, ids=[name_of(address, person) for person, address in ADDRESSES]
)
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


#: What a page says before all else, what it refuses, and what it leads to instead.
_SAID = re.compile(
    r'<h1>.*?</h1>(?:\s*<p>.*?</p>)?|<li><code>.*?</li>|-help"><strong>.*?</strong>|<(\w+) class="notice".*?</\1>',
    re.DOTALL,
)
_LEADS = re.compile(r'<li>[^<]*<a href="((?!/methods/)[^"]+)"')


def short_answer(response: HttpResponse) -> str:
    """Return the status, where the answer leads, and what it says of what was asked."""
    parts = [str(response.status_code), response.get("Location", "")]
    if response["Content-Type"].startswith("application/json"):
        for error in response.json()["errors"]:
            parts += [f"{error['field']} {error['code']}: {error['message']}", *map(str, error.get("candidates", ()))]
    elif response.content:
        main = response.text.partition("<main")[2].partition("</main>")[0]
        parts += [
            unescape(re.sub(r"<[^>]+>|-help\">", "", match[0])) for match in _SAID.finditer(main)
        ] + _LEADS.findall(main)
    return " ".join(" ".join(parts).split())


def test_what_is_asked_in_other_words_leads_on_or_is_refused_as_approved(world, approvals):
    """Addresses by other names of things, of what is not there, and with what cannot be asked: a line for each."""
    asked = [line.partition(" | ")[0].removesuffix(" |") for line in SHORT.read_text(encoding="utf-8").splitlines()]
    answers = [short_answer(Client().get(address.format_map(world))) for address in asked]
    for value, name in random_names(world).items():
        answers = [answer.replace(value, f"<{name}>") for answer in answers]
    text = "".join(f"{address} | {answer}\n" for address, answer in zip(asked, answers, strict=True))
    if approvals.rewrites:
        SHORT.write_text(text, encoding="utf-8")
    assert text == SHORT.read_text(encoding="utf-8")


def test_programs_are_answered_as_the_api_is_described(world):
    """At every address that is approved, and of all leaderboards and their collections."""
    names = {path: name for name, (path, _) in operations("get").items()}
    asked = [(person, address.format_map(world)) for person, address in ADDRESSES if address.startswith("/api/v1/")]
    for board in Leaderboard.objects.with_names():
        of_board = [f"{board.get_absolute_url()}{end}" for end in ("", "results/", "pairs/", "topics/")]
        parts = ("", "baselines/", "resolution/", "standardized/")
        of_collection = [f"/collections/{board.collection.slug}/{part}" for part in parts]
        asked += [("anybody", f"/api/v1{address}") for address in (*of_board, *of_collection)]
    seen = {"get_schema"}
    for person, address in asked:
        name = names[re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{resolve(address.partition('?')[0]).route}")]
        response = client_of(person).get(address)
        assert_conforms(response, name)
        assert not re.search(rb"\b(NaN|Infinity)\b", response.content), address
        seen.add(name)
    public = {name for name, (_, described) in operations("get").items() if not described.get("security")}
    assert public <= seen


def test_each_approval_belongs_to_an_address(approvals):
    names = [name_of(address, person) for person, address in ADDRESSES] + [f"stories/{story[0]}" for story in STORIES]
    assert len(names) == len({*names}), "two addresses are called the same"
    assert approvals.unused({*names}) == [], "answers of no address: ./test --approve removes them"


def patterns(resolver: URLResolver | None = None, before: str = "") -> Iterator[str]:
    """Yield every address of the site as the URL conf writes it, one for each suffix it may have; none gone."""
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
    """Return one route for each suffix that stands in one."""
    suffixes = _SUFFIXES.search(route)
    if not suffixes or "|" not in suffixes[1]:
        return [route]
    return [route.replace(suffixes[0], suffix) for suffix in suffixes[1].split("|")]


def route_of(address: str) -> str:
    """Return the route of an address, as ``patterns`` has it."""
    match = resolve(address)
    suffixes = _SUFFIXES.search(match.route)
    if not suffixes or "|" not in suffixes[1]:
        return match.route
    suffix = match.kwargs["suffix" if "P<suffix>" in suffixes[0] else "name"]
    return match.route.replace(suffixes[0], suffix.replace(".", r"\."))


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
