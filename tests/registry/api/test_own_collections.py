"""/api/v1/runs/own/: collections of one's own, their measures and judgements, and what is sent to them."""

import pytest
from django.test import Client

from registry.core.limits import LIMITS
from registry.runs.models import OwnCollection, Upload
from tests.registry.api.programs import Program, errors, messages
from tests.registry.api.shapes import assert_conforms
from tests.registry.factory import make_user
from tests.registry.runs.world import QRELS, run_of

pytestmark = pytest.mark.django_db

OWN, RUNS = "/api/v1/runs/own/", "/api/v1/runs/"
TABLE = "topic,mine,yours\n" + "".join(f"t{number},0.{number},0.5\n" for number in range(1, 10))


@pytest.fixture
def program():
    return Program()


def begin(program, **said) -> str:
    """The key of a new collection."""
    response = program.ask("create_own_collection", OWN, {"name": "Mine"} | said)
    assert response.status_code == 201, response.content
    return response["Location"].removeprefix(OWN).strip("/")


def send(program, content: bytes | str, **said):
    query = "&".join(f"{name}={value}" for name, value in said.items())
    return program.ask("create_run", f"{RUNS}?{query}", content, content_type="application/octet-stream")


def test_a_collection_is_begun_changed_listed_and_deleted(program):
    first = begin(program, measures=["AP", "P@10"], topics=["t1", "t2"])
    second = begin(program, name="Other", visibility="public")
    address = f"{OWN}{first}/"
    listed = program.ask("list_own_collections", OWN)
    assert [one["name"] for one in listed.json()["collections"]] == ["Other", "Mine"]
    assert listed["X-Robots-Tag"] == "noindex, nofollow"
    found = program.ask("get_own_collection", address).json()
    assert (found["name"], found["visibility"], found["topics"]) == ("Mine", "private", ["t1", "t2"])
    assert [board["measure"] for board in found["boards"]] == ["AP", "P@10"]
    changed = program.ask("update_own_collection", address, {"name": "Ours", "visibility": "unlisted"})
    assert changed.status_code == 200
    assert (changed.json()["name"], changed.json()["visibility"]) == ("Ours", "unlisted")
    assert changed["X-Robots-Tag"] == "noindex, nofollow"
    assert program.ask("delete_own_collection", address).status_code == 204
    assert list(OwnCollection.objects.values_list("pk", flat=True)) == [second]
    assert program.ask("get_own_collection", address).status_code == 404


def test_what_a_body_says_wrongly_begins_and_changes_nothing(program, monkeypatch):
    key = begin(program)
    for body in ({"name": ""}, {"name": "x", "topics": ["a", "a"]}, {"name": "x", "measures": [""] * 3 + ["AP", "ap"]}):
        response = program.ask("create_own_collection", OWN, body)
        assert response.status_code == 400, body
        assert response.json()["error"] == "The body asks for something that cannot be done."
    assert program.ask("update_own_collection", f"{OWN}{key}/", {"name": ""}).status_code == 400
    assert program.ask("create_own_measure", f"{OWN}{key}/measures/", {"name": ""}).status_code == 400
    (one,) = OwnCollection.objects.all()
    assert (one.name, list(one.measures.all())) == ("Mine", [])
    monkeypatch.setitem(LIMITS, "own collection: account", (1, 3600))
    other = Program(make_user())
    begin(other)
    assert other.ask("create_own_collection", OWN, {"name": "Third"}).status_code == 429


def test_the_public_ones_are_listed_in_pages_for_everybody(program):
    for number in range(3):
        begin(program, name=f"Shown {number}", visibility="public", measures=["AP"])
    begin(program, name="Unlisted", visibility="unlisted")
    address = f"{OWN}public/"
    response = Client().get(f"{address}?page_size=2")
    assert_conforms(response, "list_public_own_collections")
    body = response.json()
    assert (body["count"], [one["name"] for one in body["results"]]) == (3, ["Shown 2", "Shown 1"])
    assert (body["results"][0]["owner"], body["results"][0]["measures"]) == (program.user.public_name, ["AP"])
    assert [one["name"] for one in Client().get(body["next"]).json()["results"]] == ["Shown 0"]
    assert Client().get(f"{address}?page_size=0").status_code == 400


def test_a_private_one_is_its_owners_alone_and_asks_for_a_token_that_reads(program):
    private, unlisted = begin(program), begin(program, visibility="unlisted")
    sender, other = Program(program.user, scopes=["submit"]), Program(make_user())
    statuses = {
        "private": [one.ask("get_own_collection", f"{OWN}{private}/").status_code for one in (program, sender, other)],
        "unlisted": [
            one.ask("get_own_collection", f"{OWN}{unlisted}/").status_code for one in (program, sender, other)
        ],
    }
    assert statuses == {"private": [200, 403, 404], "unlisted": [200, 200, 200]}
    assert Client().get(f"{OWN}{private}/").status_code == 404
    assert Client().get(f"{OWN}{unlisted}/").status_code == 200
    assert Client().patch(f"{OWN}{unlisted}/", "{}", content_type="application/json").status_code == 401
    for operation in ("update_own_collection", "delete_own_collection"):
        assert other.ask(operation, f"{OWN}{unlisted}/", {"name": "Theirs"}).status_code == 403
        reader = Program(program.user, scopes=["read"])
        assert reader.ask(operation, f"{OWN}{unlisted}/", {"name": "Mine still"}).status_code == 403
    program.ask("create_own_measure", f"{OWN}{private}/measures/", {"name": "Clicks"})
    sent = send(program, TABLE, own=private, kind="matrix", measure="Clicks")["Location"]
    assert [one.ask("get_run", sent).status_code for one in (program, sender, other)] == [200, 403, 404]


def test_measures_come_and_go_by_their_names(program):
    key = begin(program)
    address = f"{OWN}{key}/measures/"
    for name in ("Clicks", "Dwell"):
        added = program.ask("create_own_measure", address, {"name": name, "low": 0, "high": 9})
        assert added.status_code == 200
    assert [board["measure"] for board in added.json()["boards"]] == ["Clicks", "Dwell"]
    twice = program.ask("create_own_measure", address, {"name": "clicks"})
    assert twice.status_code == 400
    assert program.ask("delete_own_measure", f"{address}Seconds/").status_code == 404
    assert program.ask("delete_own_measure", f"{address}DWELL/").status_code == 204
    assert [one.name for one in OwnCollection.objects.get().measures.all()] == ["Clicks"]
    assert Program(make_user()).ask("delete_own_measure", f"{address}Clicks/").status_code == 404


def test_judgements_are_put_in_as_a_file(program):
    key = begin(program)
    address = f"{OWN}{key}/judgements/"

    def put(content: bytes):
        return program.ask("create_own_judgements", address, content, content_type="application/octet-stream")

    assert errors(put(b""), 400) == [("", "empty")]
    ((field, _),) = errors(put(b"no judgements"), 400)
    assert field == ""
    assert not program.ask("get_own_collection", f"{OWN}{key}/").json()["is_judged"]
    done = put(QRELS)
    assert (done.status_code, done.json()["is_judged"]) == (200, True)


def test_what_is_sent_to_it_is_a_run_or_a_table_under_one_of_its_measures(program):
    key = begin(program, measures=["AP"])
    program.ask("create_own_measure", f"{OWN}{key}/measures/", {"name": "Clicks"})
    program.ask("create_own_judgements", f"{OWN}{key}/judgements/", QRELS, content_type="application/octet-stream")
    run = send(program, run_of("good"), own=key, name="Mine+first")
    assert (run.status_code, run.json()["name"], run["Retry-After"]) == (201, "Mine first", "2")
    table = send(program, TABLE, own=key, kind="matrix", measure="CLICKS", name="Table")
    assert (table.status_code, table.json()["name"]) == (201, "Table")
    first, second = Upload.objects.order_by("created_at")
    assert (first.own_collection_id, first.own_measure, first.name) == (key, None, "Mine first")
    assert (second.own_collection_id, second.own_measure.name) == (key, "Clicks")
    unknown = send(program, TABLE, own=key, kind="matrix", measure="Dwell")
    assert errors(unknown, 400) == [("measure", "unknown_measure")]
    assert send(Program(make_user()), TABLE, own=key, kind="matrix", measure="Clicks").status_code == 404
    unjudged = send(program, run_of("good"), own=begin(program))
    assert unjudged.status_code == 400
    assert messages(unjudged)
    assert Upload.objects.count() == 2
