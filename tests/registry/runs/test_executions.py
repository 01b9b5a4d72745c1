"""Columns of an uploaded table as executions of one system: as leaderboards have them."""

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from analysis.instances import compare_algorithms
from analysis.scores import InstanceScores, ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.runs.services.judging import put_judgements
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_user
from tests.registry.pages import page_of, read
from tests.registry.runs.world import QRELS, run_of, score, signed_in, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

RNG = np.random.default_rng(7)
TOPICS = [f"t{number}" for number in range(30)]
BASE = RNG.uniform(0.1, 0.8, len(TOPICS))
COLUMNS = {f"seed {n}": np.clip(BASE + 0.05 + RNG.normal(0, 0.04, len(TOPICS)), 0, 1) for n in range(4)}
COLUMNS |= {"bm25": BASE, "rm3": np.clip(BASE + RNG.normal(0.01, 0.05, len(TOPICS)), 0, 1)}
EXECUTED = [name for name in COLUMNS if name.startswith("seed")]


def table() -> bytes:
    rows = [
        ["topic", *COLUMNS],
        *([topic, *(f"{one[n]:.4f}" for one in COLUMNS.values())] for n, topic in enumerate(TOPICS)),
    ]
    return "\n".join(",".join(row) for row in rows).encode()


@pytest.fixture
def address() -> str:
    board = make_leaderboard(make_collection(n_topics=30), make_measure("AP"))
    upload = score(table(), board.collection, make_user(), measure=board.measure)
    return upload.get_absolute_url()


def test_the_answer_is_that_of_the_statistics(address):
    chosen = {"systems": f"mine: {', '.join(EXECUTED)}\nbm25\nrm3: rm3", "margin": "0.02"}
    response = Client().get(address, chosen)
    page, one = page_of(response), response.context["executed"]["mine"]
    scores = {name: np.round(column, 4) for name, column in COLUMNS.items()}
    own = ScoreMatrix(EXECUTED, TOPICS, [scores[name].tolist() for name in EXECUTED])
    assert one.mean == pytest.approx(np.mean([scores[name] for name in EXECUTED]))
    assert one.sd == pytest.approx(np.std([scores[name].mean() for name in EXECUTED], ddof=1))
    for rival in one.rivals:
        other = ScoreMatrix([rival.system.system], TOPICS, [scores[rival.system.system].tolist()])
        both = InstanceScores.from_matrices({"a": own, "b": other}, deterministic=["b"])
        assert rival.found.estimate == pytest.approx(compare_algorithms(both, "a", "b").estimate)
    # By hand: what whoever runs it four times reports is the best of the four.
    assert one.bests[-1] == (4, pytest.approx(max(scores[name].mean() for name in EXECUTED)))
    assert "What reporting the best of them adds" in page.text
    assert "How many executions are needed?" in page.text
    assert "None" not in page.text.replace("None was asked for.", "")


def test_executions_of_several_systems_are_compared_as_the_statistics_do(address):
    systems = {"one": EXECUTED[:2], "two": EXECUTED[2:], "rm3": ["rm3"]}
    told = "\n".join(f"{name}: {', '.join(columns)}" for name, columns in systems.items())
    response = Client().get(address, {"systems": told, "margin": "0.02"})
    found = response.context["executed"]
    assert [*found] == ["one", "two"]
    matrices = {name: ScoreMatrix(columns, TOPICS, [np.round(COLUMNS[one], 4).tolist() for one in columns])
                for name, columns in systems.items()}  # fmt: skip
    both = InstanceScores.from_matrices(matrices, deterministic=["rm3"])
    for name, of_name in found.items():
        for rival in of_name.rivals:
            expected = compare_algorithms(both, name, rival.system.system)
            assert (rival.found.estimate, rival.found.pvalue) == pytest.approx((expected.estimate, expected.pvalue))
            assert rival.equivalence is not None


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        ("", "This field is required"),
        ("mine: seed 0, seed 9", "No column “seed 9”."),
        ("mine: seed 0, seed 1\nother: seed 1", "“seed 1” is named twice."),
        ("seed 0\nseed 1", "Name two executions or more of one system"),
    ],
)
def test_what_names_no_executions_says_what_to_do(address, systems, said):
    response = Client().get(address, {"systems": systems})
    assert response.status_code == 400
    assert said in page_of(response).text


def test_a_table_needs_no_leaderboard_and_may_have_blank_cells():
    collection, measure = make_collection(n_topics=30), make_measure("AP")
    lines = table().decode().splitlines()
    lines[3] = lines[3].rpartition(",")[0] + ","
    client = signed_in(make_user())
    file = SimpleUploadedFile("mine.csv", "\n".join(lines).encode())
    given = {"file": file, "kind": "matrix", "collection": collection.slug, "measure": measure.name}
    response = client.post("/runs/", given)
    assert response.status_code == 302, response.context["form"].errors
    work()
    page = page_of(client.get(response["Location"]))
    assert "Topics with a blank cell: 1 They are left out, for every system" in page.text
    assert TOPICS[2] in page.text
    assert "seed: seed 0, seed 1, seed 2, seed 3" in page.source  # What names propose.
    found = client.get(response["Location"], {"systems": f"seed: {', '.join(EXECUTED)}\nbm25"})
    assert found.context["n_topics"] == 29
    assert found.context["executed"]["seed"].n_left_out == 0


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
    found = client.get(response["Location"])
    best = max(np.round(column, 4).mean() for column in COLUMNS.values())
    page = page_of(found)
    assert f"{best:.4f}" in page.text
    assert found.context["document"].verdict.set.n_members >= 1
    document = client.get(f"{response['Location'].rstrip('/')}.json").json()
    assert document["leaderboard"] == ""
    assert len(document["content"]["inputs"]["rows"]) == len(COLUMNS)
    assert not Leaderboard.objects.exists()
    assert "AP, among each other" in page_of(client.get(upload.get_absolute_url())).text
