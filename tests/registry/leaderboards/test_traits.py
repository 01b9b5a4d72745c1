"""Who may be the best, narrowed down by what makers say: weights, size, maker, year."""

import pytest
from django.utils import timezone

from registry.core.kept import kept_answers
from registry.curation.lineage.models import SystemFacts, TrainingDeclaration
from registry.results.models import System
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_model,
    make_system,
    make_variance,
)
from tests.registry.leaderboards.boards import analyse_again, make_run
from tests.registry.pages import read

#: Score, open weights, parameters, maker, year. Of the fourth nothing is said; its model has the facts of the third.
SYSTEMS = {
    "closed": ("0.80", False, None, "Acme", 2025),
    "large": ("0.70", True, 7 * 10**9, "Acme", 2024),
    "small": ("0.60", True, 10**8, "Beta", 2023),
    "small.onnx": ("0.59", None, None, "", 2022),
    "nobody": ("0.50", None, None, "", None),
}


@pytest.fixture
def board():
    board, model = make_leaderboard(make_collection(n_topics=50), make_measure()), make_model()
    for name, (value, is_open, n_parameters, maker, year) in SYSTEMS.items():
        system = make_system(name, model=model if name.startswith("small") else None)
        make_run(board, value, system=system, role="leaderboard", year=year)
        if maker:
            facts = {"has_open_weights": is_open, "n_parameters": n_parameters, "organisation": maker, "model": name}
            told = make_system("as it was called", merged_into=system) if name == "large" else system
            SystemFacts.objects.create(system=told, source="test", recorded_at=timezone.now(), **facts)
    make_variance(board.measure, 0.0144, board.collection, n_systems=11, n_topics=2)
    analyse_again(board)
    return board


@pytest.mark.parametrize(
    ("query", "best", "sentence"),
    [
        ("weights=open", "large", "open weights"),
        ("weights=closed", "closed", "closed weights"),
        ("weights=open&size=1B", "small", "open weights, at most 1B parameters"),
        ("maker=BETA", "small", "made by BETA"),
        ("since=2024", "closed", "published in 2024 or later"),
        ("size=8B&since=2024", "large", "at most 8B parameters, published in 2024 or later"),
    ],
)
def test_only_systems_that_are_known_to_be_so_may_be_the_best(client, board, query, best, sentence):
    document = client.get(f"{board.get_absolute_url()[:-1]}.json?{query}").json()
    names = {row["id"]: row["system"] for row in document["results"]}
    assert names[document["verdict"]["best"]["result"]] == best
    assert document["verdict"]["tries"]["n_results"] == len(SYSTEMS)
    page = read(client, f"{board.get_absolute_url()}?{query}")
    assert f"Ranked: {sentence}. The others were tried too, so they still count." in page.text
    assert "Systems of which nobody says this are among the others." in page.text


def test_what_is_said_of_a_system_holds_for_others_of_its_model(client, board):
    document = client.get(f"{board.get_absolute_url()[:-1]}.json?size=1B").json()
    names = {row["id"]: row["system"] for row in document["results"]}
    verdict = document["verdict"]
    chosen = {verdict["best"]["result"], *(pair["result"] for pair in verdict["pairs"])}
    assert {names[result] for result in chosen} == {"small", "small.onnx"}


def test_a_page_that_offers_it_takes_eight_queries_where_nothing_is_kept(client, board, django_assert_max_num_queries):
    TrainingDeclaration.objects.create(
        system=System.objects.get(name="small"), collection=board.collection, declared="yes", source="card",
        recorded_at=timezone.now(),
    )  # fmt: skip
    analyse_again(board)
    read(client, board.get_absolute_url())  # Names are read once a process.
    kept_answers.clear()
    with django_assert_max_num_queries(8):
        page = read(client, board.get_absolute_url())
    assert "compare it with the best of all" in page.text
