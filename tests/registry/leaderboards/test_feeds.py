"""/suites/<suite>/<measure>.atom and /feed.atom, as feedparser reads them."""

from datetime import UTC, datetime

import feedparser
import pytest

from registry.leaderboards.exports import metadata
from registry.leaderboards.models import Snapshot
from registry.results.services.endings import withdraw_result
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import make_result, make_system
from tests.registry.leaderboards.boards import make_board
from tests.registry.leaderboards.earlier_methods import OLD
from tests.registry.leaderboards.suites import analyse_all, make_members

pytestmark = pytest.mark.django_db


def entries(client, address: str) -> list[dict[str, str]]:
    response = client.get(address)
    assert response.status_code == 200
    feed = feedparser.parse(response.content)
    assert not feed.bozo
    assert feed.feed.links[0].href.startswith("http://testserver/")
    return [{"title": one.title, "link": one.link} for one in feed.entries]


def test_of_a_suite_what_happened_on_its_members_and_its_analyses(client):
    members = make_members()
    analyse_all(members)
    elsewhere = make_board()
    result = make_result(members[0], make_system("newcomer"), "0.9000")
    withdraw_result(result=result, actor=None, reason="misread")
    found = entries(client, "/suites/beir/nDCG@10.atom")
    where = f"newcomer, 0.9000, on {members[0]}"
    assert {f"Recorded: {where}", f"Withdrawn: {where}"} <= {one["title"] for one in found}
    assert any(one["title"].startswith("Analysed: snapshot") for one in found)
    assert not any(str(elsewhere) in one["title"] for one in found)
    assert "/suites/beir/nDCG@10.atom" in client.get("/suites/beir/nDCG@10/").content.decode()


def test_of_many_analyses_the_last_are_told(monkeypatch):
    board, other, suite = make_board([]), make_board([]), make_suite("few", [])
    monkeypatch.setattr(metadata, "MAX_ENTRIES", 2)
    for month in (3, 1, 2):
        moment = datetime(2020, month, 1, tzinfo=UTC)
        monkeypatch.setattr("django.utils.timezone.now", lambda moment=moment: moment)
        for key, of in (("a", {"leaderboard": board}), ("b", {"leaderboard": other}), ("c", {"suite": suite})):
            Snapshot.objects.create(pk=f"{key}{month}" * 10, content=OLD, **of)
    for key, events in (("a", metadata.leaderboard_events(board)), ("c", metadata.suite_events(suite))):
        kept = [f"{key}{month}" * 10 for month in (3, 2)]
        assert [one.title for one in events] == [f"Analysed: snapshot {pk}" for pk in kept]
        assert [one.path for one in events] == [f"/snapshots/{pk}/" for pk in kept]
        assert [(one.at.month, one.author, one.text) for one in events] == [(3, "registry", ""), (2, "registry", "")]
