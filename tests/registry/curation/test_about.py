"""The first page about the data, and what commands say of joins."""

from collections import Counter

import pytest

from registry.curation.about import views
from registry.curation.lineage.join_rates import RATE_COLUMNS, JoinRates
from registry.curation.management.commands.join_rates import _all, _lines
from registry.results.models import Source
from tests.registry.factory import make_result
from tests.registry.pages import read


def test_twenty_sources_are_shown_at_once_and_the_others_folded(client, db):
    names = [f"s{number:02}" for number in range(21)]
    sources = [Source.objects.create(name=name, what="x", address="https://example.org/") for name in names]
    make_result(source="s03")
    first, others = views._with_rates(sources)
    assert [one.name for one, _ in first] == names[:20]
    assert [one.name for one, _ in others] == ["s20"]
    assert [rates.n_results for _, rates in first[:5]] == [0, 0, 0, 1, 0]
    assert [rates.source for _, rates in first[:2]] == ["s00", "s01"]
    assert len(views._with_rates(sources[:20])) == 1
    assert views._with_rates([]) == []
    assert "s03" in read(client, "/sources/").text
    body = client.get("/sources.json").json()
    assert body["count"] == 21


def rates(source: str, **counts: int) -> JoinRates:
    papers = Counter({name: counts.pop(name) for name in ("named", "cited", "uses") if name in counts})
    return JoinRates(source, papers=papers, **counts)


def test_rates_are_a_row_in_the_order_of_the_columns():
    one = rates(
        "mteb", named=3, cited=2, uses=1, n_results=10, n_page=4, n_linked=5, n_linked_titled=2, n_openable=9,
        n_at_line=8, n_family=7, n_alone=6, n_trained=5, n_declared=4, n_papers=3, n_papers_titled=2, n_papers_doi=1,
    )  # fmt: skip
    found = dict(zip(RATE_COLUMNS, one.cells(), strict=True))
    assert {name: n for name, n in found.items() if n} == {
        "source": "mteb", "n_results": 10, "n_paper_named": 3, "n_paper_cited": 2, "n_paper_uses": 1, "n_page": 4,
        "n_linked": 5, "n_linked_titled": 2, "n_openable": 9, "n_at_line": 8, "n_family": 7, "n_alone": 6,
        "n_trained": 5, "n_declared": 4, "n_papers": 3, "n_papers_titled": 2, "n_papers_doi": 1,
    }  # fmt: skip
    assert (one.n_titled, one.n_about_it) == (6, 5)


def test_all_sources_come_to_the_sum_of_each():
    counts = [name for name in RATE_COLUMNS if name.startswith("n_") and not name.startswith("n_paper_")]
    one = rates("a", named=1, cited=2, **dict.fromkeys(counts, 3))
    other = rates("b", cited=4, **dict.fromkeys(counts, 5))
    both = _all([one, other])
    assert (both.source, both.papers) == ("All sources", {"named": 1, "cited": 6})
    assert {getattr(both, name) for name in counts} == {8}


def test_shares_are_said_with_what_they_consist_of():
    one = rates(
        "mteb", named=3, cited=2, n_results=10, n_page=4, n_linked=5, n_linked_titled=2, n_openable=9, n_at_line=8,
        n_family=7, n_alone=6, n_trained=5, n_declared=4, n_papers=3, n_papers_titled=2, n_papers_doi=1,
    )  # fmt: skip
    assert _lines(one) == [
        "titled paper     5 of 10 (50.0 %): 3 named, 2 cited, 4 of the others name a page on their model, of systems "
        "with a paper 2 of 5 (40.0 %)",
        "papers           3 named, 2 titled, 1 with a DOI",
        "openable source  9 of 10 (90.0 %), 8 of them at the line",
        "family           7 of 10 (70.0 %), 6 of them alone in it",
        "training data    4 of 5 (80.0 %)",
    ]
    bare = _lines(rates("none", n_results=2))
    assert bare[0] == "titled paper     0 of 2 (0.0 %)"
    assert bare[-1] == "training data    of no trained model"


@pytest.mark.django_db
def test_counts_of_oddities_that_wait_stand_on_the_page(client):
    assert client.get("/sources/").context["n_waiting"] == []
