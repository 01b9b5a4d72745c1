"""From search, lists and pages of things every link leads on: none ends at a page that is not there."""

import re
from collections import Counter, deque
from pathlib import Path
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

import pytest
from django.test import Client

from analysis.readers.identifiers import paper_facts
from registry.catalog.models import Leaderboard
from registry.results.models import System
from registry.results.services.merging import merge_papers, merge_systems
from registry.search.services import index_registry
from tests.registry.factory import make_leaderboard, make_paper, make_system
from tests.registry.leaderboards.boards import analyse, make_board, make_run
from tests.registry.pages import page_of
from tests.thoroughness import is_thorough

STARTS = ["/", "/search/?q=run", "/leaderboards/", "/systems/", "/papers/", "/measures/", "/collections/", "/log/"]
#: What belongs to no thing on record, and what has tests of its own.
_ELSEWHERE = ("/static/", "/docs/", "/methods/", "/accounts/", "/submit/", "/data/", "/api/")
_CITATION, _ADDRESS = "Rau (TREC 2022)", "https://trec.nist.gov/pubs/trec31/papers/UAmsterdam.D.pdf"


@pytest.fixture
def world() -> Leaderboard:
    """A leaderboard with papers at addresses with capitals, and with what was merged."""
    board = make_board()
    identity = paper_facts(_CITATION, _ADDRESS).identity
    paper = make_paper(_CITATION, url=_ADDRESS, identity=identity)
    make_run(board, "0.28", paper=paper)
    preprint = make_paper()
    make_run(board, "0.27", paper=preprint)
    again = make_system("run 0, again")
    make_run(make_leaderboard(), "0.4", system=again)
    merge_systems(
        source=again, target=System.objects.order_by("pk")[0], actor=None, reason="one system", confirmed_rows=1
    )
    merge_papers(source=preprint, target=paper, actor=None, reason="one paper", confirmed_rows=1)
    analyse(board)
    index_registry(is_forced=True)
    return board


def kinds_of(address: str) -> set[str]:
    """Return what addresses share that differ only in numbers, in systems and in what each parameter asks for."""
    path = re.sub(r"\d+", "1", re.sub("^/systems/[^/.]+", "/systems/1", urlsplit(address).path))
    return {f"{path}?{name}" for name, _ in parse_qsl(urlsplit(address).query)} or {path}


def test_no_link_ends_nowhere(world):
    """Of a kind of addresses one is asked for, where time matters."""
    seen, most = Counter(), 10_000 if is_thorough(Path(__file__)) else 1
    client, starts = Client(), [*STARTS, *(system.get_absolute_url() for system in System.objects.all())]
    came_from, waiting, lost = dict.fromkeys(starts, ""), deque(starts), []
    while waiting:
        path = waiting.popleft()
        response = client.get(path, follow=True)
        if response.status_code == 404:
            lost.append((path, came_from.get(path)))
        if response.status_code != 200 or not response["Content-Type"].startswith("text/html"):
            continue
        for link in page_of(response).of("a"):
            target = urldefrag(urljoin(path, link.get("href", ""))).url
            if target.startswith("/") and not target.startswith(_ELSEWHERE) and target not in came_from:
                came_from[target] = path
                if any(seen[kind] < most for kind in kinds_of(target)):
                    waiting.append(target)
                seen.update(kinds_of(target))
    assert lost == []
    assert len([path for path in came_from if path.startswith("/lineages/")]) >= 2
