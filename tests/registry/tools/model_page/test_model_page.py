"""The page of a model: all its names, its days, where it stands, who ran it."""

from dataclasses import replace
from xml.etree import ElementTree

import feedparser
import pytest
from django.test import Client
from django.utils import timezone

from analysis.boards import Caution, read_snapshot
from registry.curation.lineage.models import PaperLink, SystemFacts, TrainingDeclaration
from registry.leaderboards.models import Analysis, Snapshot
from registry.results.models import Model, Result
from registry.results.services.corrections import decline_correction, request_correction
from registry.tools.model_page.drawings import SuiteStrip, fold
from tests.registry.curation.lineage.world import load_paper_links
from tests.registry.curation.suites.world import make_boards, make_suite
from tests.registry.factory import make_measure, make_model, make_paper, make_result, make_system, make_user
from tests.registry.leaderboards.boards import analyse, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

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
        for board, value in zip(boards, ("0.70", "0.90", "0.00"), strict=True):
            make_result(board, make_system(), f"{float(value) + place / 100:.4f}")
    return model, boards


def test_it_says_who_made_it_since_when_and_all_its_names(client: Client, world):
    page = read(client, ADDRESS)
    assert (page.status, page.headings[0]) == (200, (1, "SPLADE-v3"))
    assert "Known since March 2024" in page.text
    assert "Released 21 September 2024" in page.text
    assert page.link("Lassance et al. (2024)") == world[0].paper.get_absolute_url()
    assert page.link("Anserini splade-v3.onnx")
    assert "5 results on record, of 2 systems, from 3 sources. None is recorded as its maker’s own report." in page.text


def test_its_place_is_among_the_results_of_others(client: Client, world):
    boards = {one["collection"]: one for one in client.get("/models/splade-v3.json").json()["boards"]}
    places = {name: (one["n_beaten"], one["n_others"], one["suite"]) for name, one in boards.items()}
    assert places == {"scifact": (1, 4, "beir"), "nfcorpus": (0, 4, "beir"), "alone": (4, 4, "")}
    assert [one["may_be_best"] for one in boards.values()] == [None] * 3


def test_printed_stands_beside_reproduced(client: Client, world):
    page = read(client, ADDRESS)
    assert "On 1 leaderboard several sources have a score of it" in page.text
    scores = client.get("/models/splade-v3.json").json()["boards"]
    (scifact,) = [one for one in scores if one["collection"] == "scifact"]
    assert [(one["by"], one["printed"]) for one in scifact["scores"]] == [
        ("toolkit", "0.7100"),
        ("toolkit", "0.7100"),
        ("paper", "0.6900"),
    ]


def test_only_what_differs_is_listed(client: Client, world):
    make_result(world[1][2], source="a paper", printed="0.1000", system=world[0].systems.all()[0])
    page = read(client, ADDRESS)
    assert (
        "On 2 leaderboards several sources have a score of it; their best scores agree within rounding on 1."
        in page.text
    )
    table = page.source.split('aria-label="Printed and run again"')[1].split("</table>")[0]
    assert ("scifact" in table, "alone" in table) == (True, False)


def test_a_checkpoint_that_is_older_than_its_paper_is_named_and_does_not_lead(client: Client):
    make_model("LaBSE", "labse", published="2020-07", released="2019-11-01", source="mteb, a card")
    text = read(client, "/models/labse/").text
    assert "Known since July 2020" in text
    assert "Released 1 November 2019, its checkpoint as the mteb package dates it: more than half a year before" in text


@pytest.mark.parametrize(("n_boards", "is_told"), [(2, False), (3, True)])
def test_scores_that_linked_leaderboards_contradict_more_than_once_are_said(client: Client, world, n_boards, is_told):
    model, boards = world
    for board in boards[:n_boards]:
        analyse(board)
        said_to_contradict(board, board.results.filter(system__model=model).first().pk)
    page = read(client, ADDRESS)
    assert ("Its scores on 3 leaderboards do not go with the same system’s on" in page.text) is is_told
    counts = [one["n_contradicted"] for one in client.get("/models/splade-v3.json").json()["boards"]]
    assert sorted(counts) == [0] * (3 - n_boards) + [1] * n_boards


def said_to_contradict(board, result: int) -> None:
    """A snapshot of the board that says so of a result takes the place of its own."""
    analysis = Analysis.objects.select_related("snapshot").get(leaderboard=board)
    stored = read_snapshot(analysis.snapshot.content)
    caution = Caution(code="contradicts-linked", message="m", results=(result,), withholds=True)
    verdict = replace(stored.findings.verdict, cautions=(caution,))
    text = replace(stored, findings=replace(stored.findings, verdict=verdict)).text
    analysis.snapshot = Snapshot.objects.create(pk=f"{board.pk:020}", leaderboard=board, content=text)
    analysis.save()


def test_whether_it_may_be_the_best_is_what_the_standing_snapshot_says(client: Client, world):
    _, boards = world
    assert "none with a best set" in read(client, ADDRESS).text
    for board in boards[1:]:
        analyse(board)
    found = {one["collection"]: one["may_be_best"] for one in client.get("/models/splade-v3.json").json()["boards"]}
    assert found == {"scifact": None, "nfcorpus": False, "alone": True}
    assert "May be the best on 1 of 2 leaderboards" in read(client, ADDRESS).text


def test_what_sources_say_of_its_training_parts_the_leaderboards(client: Client, world):
    model, boards = world
    system = model.systems.first()
    declared = {"system": system, "source": "a card", "recorded_at": system.results.first().recorded_at}
    TrainingDeclaration.objects.create(
        **declared, collection=boards[0].collection, declared="yes", dataset="SciFact", quotation="we train on SciFact"
    )
    page = read(client, ADDRESS)
    assert "we train on SciFact" in page.text
    assert "declares training on it: 1" in page.text
    assert "says nothing about training: 2" in page.text
    training = {one["collection"]: one["training"] for one in client.get("/models/splade-v3.json").json()["boards"]}
    assert training == {"scifact": "declares", "nfcorpus": "says_nothing", "alone": "says_nothing"}


def test_base_and_models_made_from_it_lead_to_each_other(client: Client, world):
    derived = make_model("somebody/splade-v3-fr", "splade-v3-fr", base="SPLADE-v3")
    assert read(client, ADDRESS).link("somebody/splade-v3-fr") == "/models/splade-v3-fr/"
    assert read(client, derived.get_absolute_url()).link("SPLADE-v3") == ADDRESS


def test_a_model_without_anything_has_a_page(client: Client):
    make_model("lonely", "lonely")
    page = read(client, "/models/lonely/")
    assert (page.status, "No comparable result of it is on record" in page.text) == (200, True)


def test_what_is_not_there_is_404_and_letters_lead_to_the_address(client: Client, world):
    assert client.get("/models/nothing/").status_code == 404
    answer = client.get("/models/SPLADE-v3/")
    assert (answer.status_code, answer["Location"]) == (301, ADDRESS)


def test_a_system_leads_to_its_model(client: Client, world):
    system = world[0].systems.first()
    assert read(client, system.get_absolute_url()).link("SPLADE-v3") == ADDRESS


def test_the_leaderboards_are_a_file_and_an_answer_of_the_api(client: Client, world):
    result = Result.objects.get(printed="0.3500")
    Result.objects.filter(pk=result.pk).update(printed="35.00", unit="percent")
    lines = client.get("/models/splade-v3.csv").content.decode().splitlines()
    assert lines == [
        "collection,measure,suite,printed,unit,value,source,n_others,n_beaten,may_be_best,training,url",
        "alone,nDCG@10,,0.1000,,0.1,pyserini,4,4,,says_nothing,/leaderboards/alone/nDCG@10/",
        "nfcorpus,nDCG@10,beir,35.00,percent,0.35,anserini,4,0,,says_nothing,/leaderboards/nfcorpus/nDCG@10/",
        "scifact,nDCG@10,beir,0.7100,,0.71,pyserini,4,1,,says_nothing,/leaderboards/scifact/nDCG@10/",
    ]
    assert client.get("/api/v1/models/splade-v3/").json() == client.get("/models/splade-v3.json").json()


def test_its_document_has_its_systems_sources_and_counts(client: Client, world):
    model, boards = world
    first, second = model.systems.order_by("pk")
    Result.objects.filter(source="a paper").update(is_self_reported=True)
    # What is left out of a ranking counts as a result, and not as a score of its leaderboard.
    make_result(boards[1], second, "0.9900", source="pyserini", comparability="oracle")
    found = client.get("/models/splade-v3.json").json()
    assert [(one["name"], one["team"], one["n_results"]) for one in found["systems"]] == [
        (first.name, "castorini", 3),
        (second.name, "castorini", 3),
    ]
    assert found["n_results"] == 6
    counts = [(one["source"], one["n_results"], one["n_self_reported"], one["n_systems"]) for one in found["run_by"]]
    assert counts == [("pyserini", 3, 0, 1), ("anserini", 2, 0, 1), ("a paper", 1, 1, 1)]
    assert [(one["name"], one["suite_name"], len(one["scores"])) for one in found["boards"]] == [
        ("alone", "", 1),
        ("nfcorpus", "BEIR", 1),
        ("scifact", "BEIR", 3),
    ]
    said = {name: found[name] for name in ("maker", "base", "published", "released", "known_since", "known_from")}
    assert said == {
        "maker": "naver",
        "base": "",
        "published": "2024-03",
        "released": "2024-09-21",
        "known_since": "2024-03",
        "known_from": "mteb, a card",
    }
    assert (found["base_model"], found["facts"], found["papers"], found["derived"]) == (None, None, [], [])


def test_papers_on_most_of_its_systems_come_first_and_its_own_is_not_among_them(client: Client, world):
    model, _ = world
    first, second = model.systems.order_by("pk")
    said = {"source": "test", "recorded_at": first.results.first().recorded_at}
    once, twice, used, other = (make_paper(f"paper {name}", title=name) for name in ("once", "twice", "used", "other"))
    for system, paper, relation in (
        (first, once, "introduces"),
        (first, twice, "introduces"),
        (second, twice, "introduces"),
        (second, used, "uses"),
        (first, model.paper, "introduces"),
        (first, other, "overview"),
    ):
        PaperLink.objects.create(system=system, paper=paper, relation=relation, **said)
    found = client.get("/models/splade-v3.json").json()["papers"]
    assert [(one["title"], one["n_systems"]) for one in found] == [("twice", 2), ("once", 1), ("used", 1)]


def test_where_lower_is_better_it_beats_what_is_higher(client: Client):
    model = make_model()
    system, again = make_systems(model, "one", "two")
    (board,) = make_boards("costly", measure=make_measure("cost", higher_is_better=False))
    for of, value in ((system, "0.30"), (again, "0.20"), (make_system("a"), "0.10"), (make_system("b"), "0.20")):
        make_result(board, of, value, source=f"source of {of}")
    make_result(board, make_system("c"), "0.25")
    (found,) = client.get("/models/splade-v3.json").json()["boards"]
    assert (found["n_others"], found["n_beaten"]) == (3, 1)
    assert [one["printed"] for one in found["scores"]] == ["0.20", "0.30"]


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


def badge_of(client: Client) -> list[str]:
    response = client.get(f"{ADDRESS}badge.svg")
    assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
    return [one.text for one in ElementTree.fromstring(response.content).iter("{http://www.w3.org/2000/svg}text")]


def test_its_badge_says_where_it_may_be_the_best_and_where_in_domain(client: Client, world):
    model, boards = world
    assert badge_of(client) == ["SPLADE-v3", "on 3 leaderboards, none with a best set"]
    for board in boards:
        analyse(board)
    shown = client.get("/models/splade-v3.json").json()["boards"]
    best = [one["may_be_best"] for one in shown]
    said = f"SPLADE-v3: may be the best on {sum(map(bool, best))} of {len(best)} leaderboards"
    assert badge_of(client) == [said, "none known to be in-domain"]
    system = model.systems.first()
    declared = {"system": system, "source": "a card", "recorded_at": system.results.first().recorded_at}
    TrainingDeclaration.objects.create(**declared, collection=boards[2].collection, declared="yes")
    assert badge_of(client)[1].startswith(f"{int(best[2])} of 1 in-domain, ")
    page = read(client, ADDRESS)
    assert "badge.svg" in page.source
    assert said in page.source


def test_its_feed_has_the_results_of_all_its_systems(client: Client, world):
    feed = feedparser.parse(client.get("/models/splade-v3.atom").content)
    assert not feed.bozo
    assert feed.feed.title == "SPLADE-v3"
    assert len(feed.entries) == 5


@pytest.mark.parametrize(("n", "n_shown"), [(1, 1), (9, 9), (10, 8), (17, 8)])
def test_more_suites_than_a_screen_holds_fold_behind_what_they_come_to(n, n_shown):
    strips = [SuiteStrip(f"{k}", k, 10, 10, 0, None) for k in range(n)]
    found = fold(strips)
    assert [one.name for one in found.shown] == [f"{k}" for k in [*range(n_shown - 1), n - 1]]
    assert sorted((*found.shown, *found.folded), key=lambda one: one.n_best) == strips
    assert (found.n_best, found.n_judged) == (sum(range(n_shown - 1, n - 1)), 10 * (n - n_shown))


def test_a_small_open_model_is_offered_beside_it_where_there_is_one(client: Client, world):
    _, boards = world
    assert "1B parameters" not in read(client, ADDRESS).text
    other = make_system("small", model=make_model("small", "small"))
    make_result(boards[0], other, "0.7")
    SystemFacts.objects.create(
        system=other, source="test", recorded_at=timezone.now(), has_open_weights=True, n_parameters=10, model="small"
    )
    mark_changed(boards[0])
    page = read(client, ADDRESS)
    assert client.get(page.link("set it beside the best open model of at most 1B parameters")).status_code == 302
    assert "at most 1B parameters, the one that leads all such on as many of its leaderboards as any" in page.text


def test_a_dispute_is_told_at_once_and_so_is_how_it_ends(client: Client, world):
    _, boards = world

    def n_disputed() -> int:
        return sum(one["n_disputed"] for one in client.get(f"{ADDRESS[:-1]}.json").json()["boards"])

    assert n_disputed() == 0
    result = Result.objects.get(leaderboard=boards[1], system__name="Anserini splade-v3.onnx")
    request = request_correction(result=result, requester=make_user(), kind="dispute", reason="table 3 has another")
    assert n_disputed() == 1
    decline_correction(request=request, actor=make_user(), reason="it has not")
    assert n_disputed() == 0


def test_papers_that_a_file_names_are_told_at_once(client: Client, world, tmp_path):
    make_paper("Lin (2024)", title="A toolkit")
    assert client.get(f"{ADDRESS[:-1]}.json").json()["papers"] == []
    load_paper_links(tmp_path, "Pyserini splade-v3,castorini,,Lin (2024),,uses,its card")
    assert [one["title"] for one in client.get(f"{ADDRESS[:-1]}.json").json()["papers"]] == ["A toolkit"]
