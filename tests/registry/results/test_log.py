"""The public log: all changes of the record, and nothing that is not public."""

from datetime import UTC, datetime
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.results.queries import entries_of_collection, entries_of_versions
from registry.results.services.endings import withdraw_result
from tests.registry.factory import make_entry, make_result, make_user
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db


def withdraw(reason: str, actor=None, result=None):
    return withdraw_result(result=result or make_result(), actor=actor, reason=reason)


def shown(client, path: str = "/log/") -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def test_it_says_who_did_what_and_why(client):
    result = withdraw("an erratum", make_user("ada"))
    page = shown(client)
    assert f'result withdrawn: <a href="/results/{result.pk}/">result {result.pk}</a>' in page
    assert "<bdi>ada</bdi>" in page
    assert "an erratum" in page


@pytest.mark.parametrize(
    "action", ["submissions.row.changed", "submissions.submission.refused", "accounts.user.deleted"]
)
def test_what_is_not_public_is_not_there(client, action):
    entry = make_entry(action, subject_type="submission", reason="between us")
    for path in ("/log/", "/log.atom"):
        assert "between us" not in shown(client, path)
    assert client.get(f"/log/{entry.pk}/").status_code == 404


def test_it_is_narrowed_down_by_action_and_actor(client):
    withdraw("by ada", make_user("ada"))
    withdraw("by bob", make_user("bob"))
    assert "by bob" not in shown(client, "/log/?actor=ADA")
    assert "by ada" in shown(client, "/log/?action=results.result&actor=ada")
    assert "by ada" not in shown(client, "/log/?action=results.file")
    assert "by ada" not in shown(client, "/log/?actor=registry")


def test_days_begin_and_end_at_midnight_utc(client):
    for hour, reason in (("2026-01-31T23:59:59.999999", "late"), ("2026-02-01T00:00:00", "early")):
        with patch("django.utils.timezone.now", return_value=datetime.fromisoformat(hour).replace(tzinfo=UTC)):
            make_entry("results.result.withdrawn", subject_type="result", subject_id=1, reason=reason)
    assert "late" in shown(client, "/log/?until=2026-01-31")
    assert "early" not in shown(client, "/log/?until=2026-01-31")
    assert "early" in shown(client, "/log/?since=2026-02-01")
    assert "late" not in shown(client, "/log/?since=2026-02-01")


@pytest.mark.parametrize("query", ["since=yesterday", "until=2026-13-01", "who=ada", "page=0", "actor=a&actor=b"])
def test_what_cannot_be_read_is_refused(client, query):
    assert client.get(f"/log/?{query}").status_code == 400
    assert client.get(f"/log.atom?{query}").json()["ok"] is False


def test_the_last_day_of_all_is_a_day(client):
    assert client.get("/log/?until=9999-12-31&since=0001-01-01").status_code == 200


def test_a_collection_has_a_log_of_its_own(client):
    result = withdraw("of this collection")
    withdraw("of another collection")
    result.leaderboard.collection.aliases.create(alias="short")
    page = shown(client, f"/collections/{result.leaderboard.collection.slug}/log/")
    assert "of this collection" in page
    assert "of another collection" not in page
    assert client.get("/collections/short/log/").status_code == 301
    assert client.get("/collections/none/log/").status_code == 404


def test_a_collection_has_what_was_said_of_itself_in_its_log(client):
    collection = make_result().leaderboard.collection
    for slug, reason in ((collection.slug, "about this one"), (f"{collection.slug}-2", "about another")):
        make_entry("catalog.collection.changed", subject_type="collection", subject_id=slug, reason=reason)
    make_entry("results.file.changed", subject_type="file", subject_id=collection.slug, reason="about a file")
    page = shown(client, f"/collections/{collection.slug}/log/")
    assert "about this one" in page
    assert "about another" not in page
    assert "about a file" not in page


def test_a_file_of_the_log_comes_in_pages(client):
    for reason in ("first", "second", "third"):
        make_entry("results.result.withdrawn", subject_type="result", subject_id=1, reason=reason)
    with patch("registry.results.views.log.ENTRIES_PER_FILE", 2):
        pages = [shown(client, f"/log.csv?page={number}").splitlines()[1:] for number in (1, 2, 3)]
    assert [[row.split(",")[5] for row in page] for page in pages] == [["third", "second"], ["first"], []]
    assert len(shown(client, "/log.csv?action=results.file").splitlines()) == 1


def test_the_feed_of_a_log_is_as_narrow_as_the_log(client):
    slug = withdraw("an erratum").leaderboard.collection.slug
    for log in ("/log", f"/collections/{slug}/log"):
        assert f'href="{log}.atom?action=results.result' in shown(client, f"{log}/?action=results.result&page=1")
        assert f'href="{log}.atom"' in shown(client, f"{log}/")
        assert "an erratum" not in shown(client, f"{log}.atom?action=results.file")


def test_only_editors_are_offered_to_undo(client):
    result = make_result()
    path = f"/log/{result.recorded_by_id}/"
    undo = f"{path}undo/"
    assert undo in shown(signed_in(editor()), path)
    for browser in (client, signed_in()):
        assert undo not in shown(browser, path)


def test_an_entry_shows_what_it_recorded(client):
    entry = make_entry("results.file.loaded", subject_id="robust.csv", after={"added": 2})
    make_result(printed="0.1234", recorded_by=entry)
    page = shown(client, f"/log/{entry.pk}/")
    assert "0.1234" in page
    assert "robust.csv" in page


def test_it_comes_in_pages_with_the_same_number_of_queries(client):
    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            shown(client)
        return len(captured)

    withdraw("first of all")
    few = count()
    for _ in range(26):
        make_entry("results.result.withdrawn", subject_type="result", subject_id=1, actor=None)
    assert count() == few <= 2
    assert "first of all" not in shown(client)
    assert "first of all" in shown(client, "/log/?page=2")


def test_the_log_is_only_read(client):
    result = make_result()
    collection = f"/collections/{result.leaderboard.collection.slug}/log"
    entry = f"/log/{result.recorded_by_id}/"
    for path in ("/log/", "/log.atom", "/log.csv", f"{collection}/", f"{collection}.atom", entry):
        assert client.post(path).status_code == 405, path


def test_entries_of_a_collection_are_about_it_or_its_results_and_public():
    collection = (result := make_result()).leaderboard.collection
    about = {"subject_type": "collection", "subject_id": collection.slug}
    changed = make_entry("catalog.collection.changed", **about)
    make_entry("submissions.row.changed", **about)
    make_entry("catalog.collection.changed", subject_type="file", subject_id=collection.slug)
    make_entry("results.file.loaded", subject_type="file", subject_id=str(result.pk))
    withdrawn = withdraw("an erratum", result=result).ended_by
    assert list(entries_of_collection(collection)) == [withdrawn, changed, result.recorded_by]
    of_many = make_entry("results.batch.undone", subject_type="entry", subject_id="1")
    ended = {"ended_at": result.recorded_at, "ended_by": of_many, "ending": "withdrawn"}
    assert of_many in entries_of_versions([make_result(**ended)])
    looked_at = make_entry("results.result.looked_at_again", subject_type="result", subject_id=str(result.pk))
    assert entries_of_versions([result]).first() == looked_at
