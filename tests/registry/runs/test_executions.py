"""Columns of an uploaded table as executions of one system: as leaderboards have them."""

from itertools import combinations

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from analysis.comparisons import adjust_pvalues
from analysis.instances import AlgorithmComparison, compare_algorithms
from analysis.scores import InstanceScores, ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.runs.models import Upload
from registry.runs.pipeline.packing import unpack_cells
from registry.runs.services.judging import put_judgements
from registry.runs.services.uploading import hand_in
from tests.registry.api.programs import Program
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_user
from tests.registry.pages import Page, page_of, read
from tests.registry.runs.rows import later
from tests.registry.runs.world import QRELS, make_judged, run_of, score, signed_in, work
from tests.registry.runs.world import TOPICS as TOPICS_OF_RUNS

RNG = np.random.default_rng(7)
TOPICS = [f"t{number}" for number in range(30)]
BASE = RNG.uniform(0.1, 0.8, len(TOPICS))
COLUMNS = {f"seed {n}": np.clip(BASE + 0.05 + RNG.normal(0, 0.04, len(TOPICS)), 0, 1) for n in range(4)}
COLUMNS |= {"bm25": BASE, "rm3": np.clip(BASE + RNG.normal(0.01, 0.05, len(TOPICS)), 0, 1)}
EXECUTED = [name for name in COLUMNS if name.startswith("seed")]


def table() -> bytes:
    rows = [
        ["topic", *COLUMNS],
        *([topic, *(f"{column[n]:.4f}" for column in COLUMNS.values())] for n, topic in enumerate(TOPICS)),
    ]
    return "\n".join(",".join(row) for row in rows).encode()


@pytest.fixture
def sent() -> tuple[Client, str]:
    """A table that somebody sent, and the browser in which they are signed in."""
    board = make_leaderboard(make_collection(n_topics=30), make_measure("AP"))
    upload = score(table(), board.collection, make_user(), measure=board.measure)
    return signed_in(upload.owner), upload.get_absolute_url()


def declared(client: Client, address: str, systems: str, margin: str = "") -> Page:
    """Say which executions are of which system, and return the page after it."""
    answer = client.post(f"{address}systems/", {"systems": systems, "margin": margin})
    assert answer.status_code == 302, page_of(answer).text
    return read(client, answer["Location"].partition("#")[0])


def expected(systems: dict[str, list[str]], first: str, second: str) -> AlgorithmComparison:
    """Return what the library says of two systems by their columns."""
    fixed = [name for name in (first, second) if len(systems[name]) == 1]
    matrices = {
        name: ScoreMatrix(systems[name], TOPICS, [np.round(COLUMNS[column], 4).tolist() for column in systems[name]])
        for name in (first, second)
    }
    return compare_algorithms(InstanceScores.from_matrices(matrices, deterministic=fixed), first, second)


def test_executions_of_several_systems_have_the_answer_of_the_library_and_are_kept_until_they_are_undone(sent):
    client, address = sent
    systems = {"one": EXECUTED[:2], "two": EXECUTED[2:], "bm25": ["bm25"], "rm3": ["rm3"]}
    lines = "\n".join(f"{name}: {', '.join(columns)}" for name, columns in systems.items())
    page = declared(client, address, lines, "0.02")
    compared = client.get(address).context["compared"]
    comparisons = [pair.found for pair in compared.pairs]
    assert [(pair.first, pair.second) for pair in comparisons] == [*combinations(systems, 2)]
    wanted = [expected(systems, pair.first, pair.second) for pair in comparisons]
    assert [pair.estimate for pair in comparisons] == pytest.approx([pair.estimate for pair in wanted])
    pvalues = adjust_pvalues([pair.pvalue for pair in wanted])
    assert [pair.pvalue for pair in compared.pairs] == pytest.approx(pvalues)
    (system, *_) = compared.systems
    assert system.sd == pytest.approx(np.std([np.round(COLUMNS[name], 4).mean() for name in EXECUTED[:2]], ddof=1))
    assert system.highest == pytest.approx(max(np.round(COLUMNS[name], 4).mean() for name in EXECUTED[:2]))
    copied = [button["data-copied"] for button in page.of("button") if "data-copied" in button]
    assert copied[0].startswith("On 30 topics (AP), one scores ")
    assert "As good within ±0.02" in page.text
    assert "Executions alone" in page.text
    # Two drawings, each in three widths.
    assert len([drawing for drawing in page.of("svg") if drawing["class"].startswith("chart ")]) == 6
    assert "1: one execution of each, the first" in page.text
    assert "To find a true difference of 0.02 four times in five" in page.text
    # Whoever has the address reads the answer and can't change it.
    other = Client().get(address)
    assert other.context["compared"].claim == compared.claim
    assert "executions_form" not in other.context
    assert Client().post(f"{address}systems/", {"systems": ""}).status_code == 403
    declared(client, address, "")
    assert client.get(address).context["compared"] is None


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ("mine: seed 0, seed 9", "No run or column “seed 9”."),
        ("mine: seed 0, seed 1\nother: seed 1", "“seed 1” is named twice."),
        ("bm25: seed 0, seed 1", "“bm25” is a run or column itself."),
        ("seed 0\nseed 1", "Name two executions or more of one system"),
    ],
)
def test_what_names_no_executions_says_what_to_do_and_keeps_what_was_typed(sent, systems, message):
    client, address = sent
    response = client.post(f"{address}systems/", {"systems": systems})
    assert response.status_code == 400
    assert message in page_of(response).text
    assert systems.splitlines()[0] in page_of(response).source


def test_executions_of_a_system_are_one_row_of_its_study(sent):
    client, address = sent
    declared(client, address, f"mine: {', '.join(EXECUTED)}")
    asked = client.post(f"{address}studies/", {"measure": "AP", "alone": "yes"})
    work()
    document = client.get(f"{asked['Location'].rstrip('/')}.json").json()
    rows = {row["system"]: row["value"] for row in document["content"]["inputs"]["rows"]}
    assert rows["mine"] == pytest.approx(np.mean([np.round(COLUMNS[name], 4) for name in EXECUTED]))
    assert [*rows] == sorted(rows, key=rows.get, reverse=True)
    assert rows.keys() == {"mine", "bm25", "rm3"}
    assert [row["system"] for row in document["compared"]["systems"]] == ["mine", "bm25", "rm3"]


def test_a_cell_that_is_absent_stays_absent_and_its_topic_is_kept():
    collection, measure = make_collection(n_topics=30), make_measure("AP")
    lines = table().decode().splitlines()
    lines[3] = lines[3].rpartition(",")[0] + ","
    client = signed_in(make_user())
    file = SimpleUploadedFile("mine.csv", "\n".join(lines).encode())
    form = {"file": file, "kind": "matrix", "collection": collection.slug, "measure": measure.name}
    response = client.post("/runs/", form)
    assert response.status_code == 302, response.context["form"].errors
    work()
    address = response["Location"]
    page = page_of(client.get(address))
    assert "Topics with a blank cell: 1 Means are without them" in page.text
    assert TOPICS[2] in page.text
    assert "seed: seed 0, seed 1, seed 2, seed 3" in page.source  # What names propose.
    lines_of_file = client.get(f"{address}topic-scores.csv").content.decode().splitlines()
    assert next(line for line in lines_of_file if line.startswith(f"{TOPICS[2]},")).endswith(",")
    declared(client, address, f"seed: {', '.join(EXECUTED)}\nrm3\nbm25")
    by_pair = {(row.found.first, row.found.second): row.found for row in client.get(address).context["compared"].pairs}
    # rm3 lacks a topic: it is absent there, and for no other pair.
    assert by_pair["seed", "rm3"].n_absent == 1
    assert (by_pair["seed", "rm3"].n_topics, by_pair["seed", "bm25"].n_topics) == (30, 30)
    assert (by_pair["seed", "rm3"].method, by_pair["seed", "bm25"].method) == ("reml", "anova")
    assert by_pair["bm25", "rm3"].n_topics == 29


def test_runs_on_one_collection_are_executions_too():
    collection, owner = make_judged(), make_user()
    orders = {"a.1": ("good", "fair"), "a.2": ("fair", "good"), "b": ("bad", "good", "fair")}
    client = signed_in(owner)
    # The second execution answers otherwise on half of the topics.
    contents = {name: run_of(*order, topics=TOPICS_OF_RUNS[:6]) for name, order in orders.items()}
    contents = {name: text + run_of("good", "bad", topics=TOPICS_OF_RUNS[6:]) for name, text in contents.items()}
    until = later(days=2)
    for name, content in contents.items():
        hand_in(owner=owner, name=name, collection=collection, content=content, kept_until=until)
    work()
    address = Upload.objects.get(name="a.1").get_absolute_url()
    assert "a: a.1, a.2" in read(client, address).source
    declared(client, address, "a: a.1, a.2\nb")
    compared = client.get(address, {"measure": "nDCG@10"}).context["compared"]
    assert (compared.measure, [*compared.systems[0].executions]) == ("nDCG@10", ["a.1", "a.2"])
    (pair,) = compared.pairs
    assert pair.found.estimate == pytest.approx(compared.systems[0].mean - compared.systems[1].mean)
    assert pair.found.n_instances == (2, 1)


@pytest.fixture
def own() -> tuple[Program, str]:
    """A collection of somebody's own under AP with five executions of three systems on thirty topics."""
    program = Program()
    collection = program.ask("create_own_collection", "/api/v1/runs/own/", {"name": "Mine", "measures": ["AP"]}).json()
    rng = np.random.default_rng(3)
    effects = dict(zip("ABC", rng.normal(0, 0.05, (3, 30)), strict=True))
    rows = {
        f"{name}.{n}": np.clip(BASE + effects[name] + 0.02 * rng.normal() + rng.normal(0, 0.05, 30), 0, 1).round(4)
        for name in effects
        for n in range(1, 6)
    }
    lines = [["topic", *rows], *([topic, *(str(row[n]) for row in rows.values())] for n, topic in enumerate(TOPICS))]
    content = "\n".join(",".join(line) for line in lines)
    key = collection["url"].split("/")[-2]
    program.ask(
        "create_run", f"/api/v1/runs/?own={key}&kind=matrix&measure=AP&name=t", content, content_type="text/csv"
    )
    work()
    work()
    return program, collection["url"]


def test_five_executions_of_three_systems_are_three_rows_with_the_answer_of_the_library(own):
    program, address = own
    client = signed_in(program.user)
    cells = unpack_cells(bytes(Upload.objects.get().work.scores))
    systems = {name: [f"{name}.{n}" for n in range(1, 6)] for name in "ABC"}
    assert "A: A.1, A.2, A.3, A.4, A.5\nB: B.1" in read(client, address).source  # What names propose.
    answer = program.ask("update_own_collection", f"/api/v1{address}", {"executions": systems, "margin": 0.03}).json()
    assert (answer["executions"], answer["margin"]) == (systems, 0.03)
    matrices = {
        name: ScoreMatrix(columns, TOPICS, [[*cells[column].values()] for column in columns])
        for name, columns in systems.items()
    }
    library = InstanceScores.from_matrices(matrices)
    wanted = [compare_algorithms(library, *pair) for pair in (("A", "B"), ("A", "C"), ("B", "C"))]
    (compared,) = answer["compared"]
    for pair, comparison in zip(compared["pairs"], wanted, strict=True):
        model = pair["models"]["3"]
        assert (model["estimate"], model["pvalue"]) == pytest.approx((comparison.estimate, comparison.pvalue))
        assert [model["interval"]["low"], model["interval"]["high"]] == pytest.approx(
            [comparison.interval.low, comparison.interval.high]
        )
    work()
    board = read(client, address).link("The verdict")
    assert len(client.get(f"{board.rstrip('/')}.json").json()["content"]["inputs"]["rows"]) == 3
    assert read(client, board).row("A − B")[2] == f"{wanted[0].estimate:+.4f}".replace("-", "−")
    # A system against one other, by another margin, has the three models and the tests of the means.
    pair = client.get(board, {"first": "B", "second": "C", "margin": "0.2"}).context
    assert (pair["compared"].margin, [*pair["compared"].pairs[0].models]) == (0.2, [1, 2, 3])
    assert pair["compared"].pairs[0].as_good < 0.05
    assert len(pair["tests"]) == 5
    # Undone, each is a system of its own.
    assert client.post(f"{address}systems/", {"systems": ""}).status_code == 302
    work()
    assert len(client.get(f"{board.rstrip('/')}.json").json()["content"]["inputs"]["rows"]) == 15
    assert client.get(board).context["compared"] is None


def test_executions_that_are_not_there_are_refused_and_nothing_changes(own):
    program, address = own
    client = signed_in(program.user)
    refused = program.ask(
        "update_own_collection", f"/api/v1{address}", {"name": "x", "executions": {"A": ["A.1", "A.9"]}}
    )
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "executions")
    assert "No run or column “A.9”" in refused.json()["errors"][0]["message"]
    answer = client.post(f"{address}systems/", {"systems": "A: A.1, A.9"})
    assert (answer.status_code, "A: A.1, A.9" in page_of(answer).source) == (400, True)
    assert read(client, address).headings[0][1] == "Mine"


def test_where_no_measure_of_its_leaderboards_can_be_computed_a_run_is_scored_under_the_usual_ones():
    collection = make_collection(n_topics=12)
    make_leaderboard(collection, make_measure("Clicks"))
    put_judgements(collection=collection, content=QRELS, source="the track")
    upload = score(run_of("good"), collection)
    assert set(upload.work.means) == {"AP", "P@10", "R@1000", "RR", "nDCG@10"}
    page = read(signed_in(upload.owner), upload.get_absolute_url())
    assert "Not computed, because ir-measures can’t here: Clicks." in page.text


def test_a_table_without_a_leaderboard_has_the_whole_verdict():
    collection, measure, owner = make_collection(n_topics=30), make_measure("AP"), make_user()
    upload = score(table(), collection, owner, measure=measure)
    client = signed_in(owner)
    assert page_of(client.post(f"{upload.get_absolute_url()}studies/", {"measure": "AP", "alone": "no"})).text
    response = client.post(f"{upload.get_absolute_url()}studies/", {"measure": "AP", "alone": "yes"})
    assert response.status_code == 302, response.context["form"].errors
    work()
    answer = client.get(response["Location"])
    best = max(np.round(column, 4).mean() for column in COLUMNS.values())
    page = page_of(answer)
    assert f"{best:.4f}" in page.text
    assert answer.context["document"].verdict.set.n_members >= 1
    document = client.get(f"{response['Location'].rstrip('/')}.json").json()
    assert document["leaderboard"] == ""
    assert len(document["content"]["inputs"]["rows"]) == len(COLUMNS)
    assert not Leaderboard.objects.exists()
    assert "AP, among each other" in page_of(client.get(upload.get_absolute_url())).text
