"""The public log: all changes of the record, and nothing that is not public."""

from datetime import UTC, datetime
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.results.services.endings import withdraw_result
from tests.registry.factory import make_entry, make_result

pytestmark = pytest.mark.django_db


def withdraw(reason: str, actor=None, result=None):
    return withdraw_result(result=result or make_result(), actor=actor, reason=reason)


def shown(client, path: str = "/log/") -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize(
    "action", ["submissions.row.changed", "submissions.submission.refused", "accounts.user.deleted"]
)
def test_what_is_not_public_is_not_there(client, action):
    entry = make_entry(action, subject_type="submission", reason="between us")
    for path in ("/log/", "/log.atom"):
        assert "between us" not in shown(client, path)
    assert client.get(f"/log/{entry.pk}/").status_code == 404


def test_days_begin_and_end_at_midnight_utc(client):
    for hour, reason in (("2026-01-31T23:59:59.999999", "late"), ("2026-02-01T00:00:00", "early")):
        with patch("django.utils.timezone.now", return_value=datetime.fromisoformat(hour).replace(tzinfo=UTC)):
            make_entry("results.result.withdrawn", subject_type="result", subject_id=1, reason=reason)
    assert "late" in shown(client, "/log/?until=2026-01-31")
    assert "early" not in shown(client, "/log/?until=2026-01-31")
    assert "early" in shown(client, "/log/?since=2026-02-01")
    assert "late" not in shown(client, "/log/?since=2026-02-01")


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


def test_the_feed_of_a_log_is_as_narrow_as_the_log(client):
    slug = withdraw("an erratum").leaderboard.collection.slug
    for log in ("/log", f"/collections/{slug}/log"):
        assert f'href="{log}.atom?action=results.result' in shown(client, f"{log}/?action=results.result&page=1")
        assert f'href="{log}.atom"' in shown(client, f"{log}/")
        assert "an erratum" not in shown(client, f"{log}.atom?action=results.file")


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
