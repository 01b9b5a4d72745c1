"""One door for runs: recognized, read in any layout, scored, placed; nobody needs an account, and visitors have a
budget."""

import csv
from datetime import timedelta
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from analysis.papers.shipped import JUDGEMENTS_MANIFEST, list_runs, read_judgements, read_run
from analysis.scores import parse_judgements, parse_run
from registry.catalog.models import Collection, Leaderboard
from registry.core.loading import SHIPPED
from registry.core.models import Job
from registry.core.services import enqueue_jobs, run_next_job
from registry.runs.models import Upload, Work
from registry.runs.pipeline.spawning import do_in_child
from registry.runs.queries import recognize
from registry.runs.services.judging import put_judgements
from registry.runs.services.uploading import prune_uploads
from registry.runs.verdicts import boards_of, run_verdict
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_results, make_variance
from tests.registry.leaderboards.boards import analyse
from tests.registry.pages import page_of
from tests.registry.runs.world import make_judged, make_sealed, run_of, work
from tests.thoroughness import every, is_thorough, runs_slow_tests

pytestmark = pytest.mark.usefixtures("read_here")

DL = "trec-dl-2019-passage"


def send(content: bytes, client: Client | None = None, name: str = "mine.run", **fields):
    return (client or Client()).post("/runs/", {"file": SimpleUploadedFile(name, content), **fields})


def sent(content: bytes, **options) -> Upload:
    """Return what a visitor sends, scored."""
    response = send(content, **options)
    assert response.status_code == 302, response.context["form"].errors
    work()
    return Upload.objects.get(pk=response["Location"].split("/")[2])


def test_a_run_is_scored_before_what_nobody_waits_for():
    """As on a new site, whose leaderboards are studied while people read it."""
    collection = make_judged()
    board = collection.leaderboards.first()
    enqueue_jobs(kind="leaderboards.analyse_leaderboard", args=[{"leaderboard_id": board.pk}])
    address = send(run_of("good", "fair"))["Location"]
    assert run_next_job()
    assert Upload.objects.get(pk=address.split("/")[2]).work.state == Work.State.DONE
    assert Job.objects.get(kind="leaderboards.analyse_leaderboard").state == Job.State.QUEUED


def test_a_visitor_drops_a_file_and_it_is_recognized_scored_and_gone_after_an_hour():
    collection = make_judged()
    other = make_collection(n_topics=3)
    make_leaderboard(other, make_measure("R@9"))
    put_judgements(collection=other, content=b"t1 0 elsewhere 1\nt2 0 elsewhere 1\n", source="others")
    upload = sent(run_of("good", "fair", "bad"))
    assert (upload.collection, upload.owner, upload.name) == (collection, None, "mine")
    assert upload.work.means["AP"] == 1.0
    assert upload.forgotten_at <= timezone.now() + timedelta(hours=1)
    page = page_of(Client().get(upload.get_absolute_url()))
    assert "12 of 12 judged topics answered" in page.text
    Upload.objects.update(forgotten_at=timezone.now(), created_at=timezone.now() - timedelta(hours=1))
    assert prune_uploads() == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (run_of("nothing", "known"), "fit no collection"),
        (run_of("good", topics=["elsewhere"]), "fit no collection"),
        (b"junk\n", "has 1 fields where a run has 6"),
        (run_of("good", "good"), "line 2: document good, a duplicate of line 1"),
    ],
)  # fmt: skip
def test_what_is_no_run_of_a_collection_here_is_said_at_once(content, message):
    make_judged()
    response = send(content)
    if response.status_code == 302:  # It is found while it is scored.
        work()
        response = Client().get(response["Location"])
    else:
        assert response.status_code == 400
        assert not Upload.objects.exists()
    assert message in page_of(response).text


def test_sealed_judgements_recognize_nothing_and_answer_no_visitor():
    collection = make_sealed()
    assert recognize(run_of("judged-1", "judged-2"))[0] == []
    refused = send(run_of("judged-1"), collection=collection.slug)
    assert refused.status_code == 400
    assert "for people who sign in" in page_of(refused).text


@pytest.fixture
def charged(monkeypatch) -> list[tuple[str, float]]:
    """Who is charged, and for how many seconds."""
    charges: list[tuple[str, float]] = []
    monkeypatch.setattr("registry.runs.services.scoring.charge_visitor", lambda who, n: charges.append((who, n)))
    return charges


@pytest.mark.slow
def test_what_the_process_that_reads_it_takes_is_charged(monkeypatch, charged):
    monkeypatch.setattr("registry.runs.services.scoring.do_in_child", do_in_child)
    make_judged()
    upload = sent(run_of("good"))
    ((visitor, seconds),) = charged
    assert visitor == upload.visitor != ""
    assert seconds > 0.01


def test_the_verdict_places_the_run_among_what_is_published():
    collection = make_judged()
    # The boards of means ask for more topics than these judgements have.
    Collection.objects.update(n_topics=50)
    board = collection.leaderboards.get(measure__name="nDCG@10")
    values = sorted((0.30 + 0.04 * number for number in range(12)), reverse=True)
    make_results(board, values)
    make_variance(board.measure, 0.02, collection)
    Leaderboard.objects.filter(pk=board.pk).mark_changed()
    analyse(board)
    upload = sent(run_of("bad", "good", "fair"))
    assert list(boards_of(upload)) == ["nDCG@10"]
    verdict = run_verdict(upload, board)
    checked = verdict.check.checked
    mean = upload.work.means["nDCG@10"]
    assert verdict.n_better == sum(value > mean for value in values) == checked.n_better
    # By hand: nobody better by the margin can be behind it, nobody worse by it before it.
    low = 1 + sum(value > mean + checked.margin for value in values)
    high = 13 - sum(value < mean - checked.margin for value in values)
    assert (checked.ranks.low, checked.ranks.high) == (low, high)
    assert verdict.besides[0].row.value == max(values)
    page = page_of(Client().get(upload.get_absolute_url()))
    assert verdict.check.sentence in page.text
    assert "Beside other results" in page.text
    assert "nan" not in page.text.casefold().split()


def shipped(collection: str, name: str) -> tuple[bytes, bytes]:
    """Return a run that ships, and the judgements of its collection."""
    run = next(run for run in list_runs(SHIPPED) if (run.collection, run.name) == (collection, name))
    with (SHIPPED / JUDGEMENTS_MANIFEST).open(encoding="utf-8", newline="") as stream:
        row = next(row for row in csv.DictReader(stream) if row["collection"] == collection)
    return read_run(SHIPPED, run), read_judgements(SHIPPED / "judgements" / row["file"], row["sha256"])


@pytest.mark.parametrize(
    "name", every(3, ["RepLLaMA", "BM25", "SPLADE--ED", "BM25-RankVicuna7B", "SPLADE--ED-RankVicuna7B"], __file__)
)
def test_shipped_runs_through_the_door_equal_ir_measures(name):
    content, lines = shipped(DL, name)
    collection = make_collection(n_topics=43)
    measures = {
        "AP(rel=2)": "AP(rel=2)",
        "nDCG@10": "nDCG@10",
        "RR(rel=2)@10": "RR(rel=2)@10",
        "R(rel=2)@100": "R(rel=2)@100",
    }
    for measure, spelled in measures.items():
        make_leaderboard(collection, make_measure(measure, ir_measures=spelled))
    put_judgements(collection=collection, content=lines, source="NIST")
    upload = sent(content)
    qrels = list(ir_measures.read_trec_qrels(lines.decode()))
    run = list(ir_measures.read_trec_run(content.decode()))
    parsed = [ir_measures.parse_measure(text) for text in measures.values()]
    expected = ir_measures.calc_aggregate(parsed, qrels, run)
    # Ties go by trec_eval's rule under this measure, too, whose own evaluator has another.
    ranks = [metric.value for metric in ir_measures.iter_calc([ir_measures.parse_measure("RR(rel=2)")], qrels, run)]
    expected[parsed[2]] = sum(rank for rank in ranks if rank >= 0.1) / len(ranks)
    assert upload.work.means == pytest.approx({str(key): value for key, value in expected.items()}, abs=1e-12)
    if name == "RepLLaMA" and runs_slow_tests(Path(__file__)):
        _holds_against_a_direct_bootstrap(upload, content, lines)


def _holds_against_a_direct_bootstrap(upload: Upload, content: bytes, lines: bytes) -> None:
    """Repeat each document a Poisson(1) number of times, in thousands of collections; by the definition of AP."""
    run, grades = parse_run(content), parse_judgements(lines).grades
    rng = np.random.default_rng(20261124)
    n = 10_000 if is_thorough(Path(__file__)) else 2_000
    total, n_topics = np.zeros(n), 0
    for topic, of_topic in grades.items():
        relevant = {document for document, grade in of_topic.items() if grade >= 2}
        if not relevant:
            continue
        n_topics += 1
        ranking = run.rankings[topic]
        is_relevant = np.array([document in relevant for document in ranking])
        n_missed = len(relevant) - int(is_relevant.sum())
        total += _resampled(is_relevant, n_missed, rng, n)
    means = total / n_topics
    found_interval = upload.work.report["precision"]["AP(rel=2)"]
    center, spread = found_interval["estimate"], means.std(ddof=1)
    assert found_interval["n_topics"] == n_topics
    assert found_interval["low"] == pytest.approx(center - 1.96 * spread, abs=0.003)
    assert found_interval["high"] == pytest.approx(center + 1.96 * spread, abs=0.003)


def _resampled(is_relevant: np.ndarray, n_missed: int, rng: np.random.Generator, n: int) -> np.ndarray:
    """Return AP of one topic in each of the resampled collections that have a relevant document."""
    values: list[float] = []
    while len(values) < n:
        counts = rng.poisson(1.0, (1000, len(is_relevant)))
        hits = counts * is_relevant
        n_relevant = hits.sum(axis=1) + rng.poisson(float(n_missed), 1000)
        before, seen = np.cumsum(counts, axis=1) - counts, np.cumsum(hits, axis=1) - hits
        gained = np.zeros(1000)
        # Copies of a document stand one after the other: each with its own precision.
        for copy in range(1, int(counts.max()) + 1):
            gained += ((hits >= copy) * (seen + copy) / (before + copy)).sum(axis=1)
        values += (gained[n_relevant > 0] / n_relevant[n_relevant > 0]).tolist()
    return np.array(values[:n])
