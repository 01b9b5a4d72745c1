"""/benchmarks/<suite>/<measure>.atom and /feed.atom, as feedparser reads them."""

import feedparser

from registry.results.services.endings import withdraw_result
from tests.registry.factory import make_result, make_system
from tests.registry.leaderboards.boards import make_board
from tests.registry.leaderboards.suites import analyse_all, make_members


def entries(client, address: str) -> list[dict[str, str]]:
    response = client.get(address)
    assert response.status_code == 200
    feed = feedparser.parse(response.content)
    assert not feed.bozo
    assert feed.feed.links[0].href.startswith("http://testserver/")
    return [{"title": entry.title, "link": entry.link} for entry in feed.entries]


def test_of_a_suite_what_happened_on_its_members_and_its_analyses(client):
    members = make_members()
    analyse_all(members)
    elsewhere = make_board()
    result = make_result(members[0], make_system("newcomer"), "0.9000")
    withdraw_result(result=result, actor=None, reason="misread")
    feed_entries = entries(client, "/benchmarks/beir/nDCG@10.atom")
    where = f"newcomer, 0.9000, on {members[0]}"
    assert {f"Recorded: {where}", f"Withdrawn: {where}"} <= {entry["title"] for entry in feed_entries}
    assert any(entry["title"].startswith("On ") for entry in feed_entries)
    assert not any(str(elsewhere) in entry["title"] for entry in feed_entries)
    assert "/benchmarks/beir/nDCG@10.atom" in client.get("/benchmarks/beir/nDCG@10/").content.decode()
