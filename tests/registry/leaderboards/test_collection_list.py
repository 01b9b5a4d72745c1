"""GET /collections/"""

import pytest
from scipy import stats

from registry.catalog.models import Collection, Leaderboard
from registry.search.services import index_registry
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_question, make_variance
from tests.registry.leaderboards.boards import VALUES, analyse, analyse_again, make_board, make_run
from tests.registry.pages import read


def make_listed(slug: str = "", **fields):
    """Make a collection with one leaderboard that has results."""
    collection = make_collection(slug, **fields)
    make_leaderboard(collection, make_measure())
    Leaderboard.objects.filter(collection=collection).mark_changed()
    return collection


def listed(page) -> list[str]:
    return [row[0] for row in page.rows[1:]]


def test_what_goes_by_the_words_stands_first_in_any_spelling(client):
    passage, document = make_listed("p", name="Passages", suite="Z"), make_listed("d", name="Documents", suite="Z")
    make_listed("a", name="About DL 19", suite="A")
    make_listed("other", suite="A")
    make_question("Passage or document ranking?", ["DL19"], [passage, document])
    assert listed(read(client, "/collections/?q=dl 19")) == ["Passages", "Documents", "About DL 19"]
    assert listed(read(client, "/collections/?q=DL'19")) == ["Passages", "Documents"]
    assert [row["slug"] for row in client.get("/api/v1/collections/?q=DL_19").json()["results"]] == ["p", "d"]


@pytest.mark.parametrize("n", [1, 30])
def test_its_queries_do_not_grow(client, django_assert_num_queries, n):
    for _ in range(n):
        make_listed()
    with django_assert_num_queries(7):
        read(client, "/collections/")
    with django_assert_num_queries(1):
        read(client, "/collections/")


def make_resolving(name: str, variance: float, *, measure=None, n_runs: int = 8):
    """Make a collection whose leaderboard has this variance: on 50 topics, with ten degrees of freedom."""
    board = make_board(VALUES[:n_runs], residual_variance=variance, measure=measure)
    Collection.objects.filter(pk=board.collection_id).update(name=name)
    analyse(board)
    return board


def needed(variance: float) -> float:
    return float(stats.t.ppf(0.975, 10)) * (2 * variance / 50) ** 0.5


def test_it_finds_those_that_resolve_a_difference(client):
    fine, coarse = make_resolving("Fine", 0.0004), make_resolving("Coarse", 0.04)
    make_listed("silent", name="Silent")
    assert needed(0.0004) < 0.01 < needed(0.04)
    page = read(client, "/collections/")
    assert page.row("Fine")[-2:] == [f"0.0089 {fine.measure.name}", "measured"]
    assert page.row("Silent")[-2:] == ["–", ""]
    assert listed(read(client, "/collections/?resolves=0.01")) == ["Fine"]
    assert listed(read(client, "/collections/?resolves=1")) == ["Fine", "Coarse"]
    assert page.link("0.089") == f"/collections/{coarse.collection.slug}/resolution/"


def test_it_is_under_the_measure_of_most_results_or_the_one_asked_for(client):
    first = make_resolving("Both", 0.0004, measure=make_measure("AP"))
    other = make_leaderboard(first.collection, make_measure("RR"))
    make_variance(other.measure, 0.04, first.collection, n_systems=11, n_topics=2)
    for value in VALUES[:3]:
        make_run(other, value)
    analyse_again(other)
    assert read(client, "/collections/").row("Both")[-2] == "0.0089 AP"
    assert read(client, "/collections/?measure=rr").row("Both")[-2] == "0.089 RR"
    assert "No collection matches all of these choices." in read(client, "/collections/?measure=rr&resolves=0.01").text
    assert "No collection has “rx” as its measure" in client.get("/collections.json?measure=rx").text


def test_every_column_sorts_both_ways_what_is_not_known_last(client):
    make_resolving("B", 0.0004)
    make_resolving("A", 0.04)
    make_listed("c", name="C", year=2004, n_topics=7)
    page = read(client, "/collections/?sort=resolves")
    assert listed(page) == ["B", "A", "C"]
    assert [heading.get("aria-sort") for heading in page.of("th")][7:10] == [None, "ascending", None]
    assert listed(read(client, "/collections/" + page.link("Smallest significant difference"))) == ["A", "B", "C"]
    assert listed(read(client, "/collections/?sort=-name")) == ["C", "B", "A"]
    assert listed(read(client, "/collections/?sort=topics"))[0] == "C"
    assert client.get("/collections/?sort=suite").status_code == 400


def test_files_say_what_is_resolved_and_how_it_is_known(client):
    board = make_resolving("Fine", 0.0004)
    index_registry()
    (collection,) = client.get("/collections.json?resolves=0.01").json()["results"]
    assert collection["resolves"] == pytest.approx(needed(0.0004))
    assert (collection["measure"], collection["evidence"]) == (board.measure.name, "own-variance")
    head, row = client.get("/collections.csv").text.splitlines()
    assert dict(zip(head.split(","), row.split(","), strict=True))["evidence"] == "own-variance"
    (listed_board,) = client.get("/leaderboards.json").json()["results"]
    assert listed_board["resolves"] == pytest.approx(needed(0.0004))
    document = client.get(f"{board.get_absolute_url()[:-1]}.json").json()
    assert listed_board["margin"] == pytest.approx(document["verdict"]["set"]["margin"])
