"""The page of a model: all its names, its days, where it stands, who ran it."""

import feedparser
import pytest
from django.test import Client

from registry.curation.lineage.models import PaperLink, SystemFacts, TrainingDeclaration
from registry.results.models import Model, Result
from registry.results.services.corrections import decline_correction, request_correction, show_dispute
from tests.registry.curation.suites.world import make_boards, make_suite
from tests.registry.factory import make_measure, make_model, make_paper, make_result, make_system, make_user
from tests.registry.leaderboards.boards import analyse
from tests.registry.pages import read

ADDRESS = "/models/splade-v3/"


def make_systems(model: Model, *names: str):
    return [make_system(name, "castorini", model=model) for name in names]


@pytest.fixture
def world():
    """A model on two leaderboards of a suite, with two runs by toolkits and a printed score, among four others."""
    paper = make_paper("Lassance et al. (2024)", title="SPLADE-v3: New baselines", identity="arxiv:2403.06789")
    model = make_model(maker="naver", paper=paper, published="2024-03", released="2024-09-21", source="mteb, a card")
    first, second = make_systems(model, "Anserini splade-v3.onnx", "Pyserini splade-v3")
    boards = make_boards("scifact", "nfcorpus", "alone")
    make_suite("beir", boards[:2])
    role = Result.Role.REFERENCE_IMPLEMENTATION
    make_result(boards[0], first, "0.7100", source="anserini", role=role)
    make_result(boards[0], second, "0.7100", source="pyserini", role=role)
    make_result(boards[0], first, "0.6900", source="a paper", role=Result.Role.PROPOSED)
    make_result(boards[1], first, "0.3500", source="anserini", role=role)
    make_result(boards[2], second, "0.1000", source="pyserini", role=role)
    for place in range(4):
        for board, value in zip(boards, ("0.70", "0.90", "0.01"), strict=True):
            make_result(board, make_system(), f"{float(value) + place / 100:.4f}")
    return model, boards


def test_whether_it_may_be_the_best_is_what_the_standing_snapshot_says(client: Client, world):
    _, boards = world
    assert "none with a ranking" in read(client, ADDRESS).text
    for board in boards[1:]:
        analyse(board)
    verdicts = {row["collection"]: row["may_be_best"] for row in client.get("/models/splade-v3.json").json()["boards"]}
    assert verdicts == {"scifact": None, "nfcorpus": False, "alone": True}
    assert " ties for first on 1 of 2 leaderboards; its training is undisclosed." in read(client, ADDRESS).text


def test_what_sources_say_of_its_training_parts_the_leaderboards(client: Client, world):
    model, boards = world
    system = model.systems.first()
    declared = {"system": system, "source": "a card", "recorded_at": system.results.first().recorded_at}
    TrainingDeclaration.objects.create(
        **declared, collection=boards[0].collection, declared="yes", dataset="SciFact", quotation="we train on SciFact"
    )
    page = read(client, ADDRESS)
    assert "we train on SciFact" in page.text
    assert "trained on it: 1" in page.text
    assert "undisclosed: 2" in page.text
    training = {row["collection"]: row["training"] for row in client.get("/models/splade-v3.json").json()["boards"]}
    assert training == {"scifact": "declares", "nfcorpus": "says_nothing", "alone": "says_nothing"}


def test_where_lower_is_better_it_beats_what_is_higher(client: Client):
    model = make_model()
    system, again = make_systems(model, "one", "two")
    (board,) = make_boards("costly", measure=make_measure("cost", higher_is_better=False))
    for of, value in ((system, "0.30"), (again, "0.20"), (make_system("a"), "0.10"), (make_system("b"), "0.20")):
        make_result(board, of, value, source=f"source of {of}")
    make_result(board, make_system("c"), "0.25")
    (row,) = client.get("/models/splade-v3.json").json()["boards"]
    assert (row["n_others"], row["n_beaten"]) == (3, 1)
    assert [score["printed"] for score in row["scores"]] == ["0.20", "0.30"]


def test_more_systems_and_leaderboards_take_no_more_queries(client: Client, world, django_assert_max_num_queries):
    model, boards = world
    with django_assert_max_num_queries(16):
        client.get(ADDRESS)
    for n, board in enumerate(make_boards("a", "b", "c", "d", measure=boards[0].measure)):
        (system,) = make_systems(model, f"Anserini {n} splade-v3-onnx")
        result = make_result(board, system, "0.5", paper=make_paper(f"paper {n}"))
        PaperLink.objects.create(
            system=system, paper=result.paper, relation="introduces", source="test", recorded_at=result.recorded_at
        )
        SystemFacts.objects.create(system=system, model=f"m{n}", source="a card", recorded_at=result.recorded_at)
    with django_assert_max_num_queries(16):
        assert "of 6 systems" in client.get(ADDRESS).content.decode()


def test_its_feed_has_the_results_of_all_its_systems(client: Client, world):
    feed = feedparser.parse(client.get("/models/splade-v3.atom").content)
    assert not feed.bozo
    assert feed.feed.title == "SPLADE-v3"
    assert len(feed.entries) == 5


def test_a_dispute_is_told_at_once_and_so_is_how_it_ends(client: Client, world):
    _, boards = world

    def n_disputed() -> int:
        return sum(row["n_disputed"] for row in client.get(f"{ADDRESS[:-1]}.json").json()["boards"])

    assert n_disputed() == 0
    result = Result.objects.get(leaderboard=boards[1], system__name="Anserini splade-v3.onnx")
    request = request_correction(result=result, requester=make_user(), kind="dispute", reason="table 3 has another")
    show_dispute(request)
    assert n_disputed() == 1
    decline_correction(request=request, actor=make_user(), reason="it has not")
    assert n_disputed() == 0


def test_a_system_that_becomes_one_of_the_model_is_on_its_page_at_once(client: Client):
    model, system = make_model(), make_system("newcomer")
    assert "newcomer" not in client.get(ADDRESS).text
    type(system).objects.filter(pk=system.pk).update(model=model)
    assert "newcomer" in client.get(ADDRESS).text
