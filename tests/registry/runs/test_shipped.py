"""Judgements and runs that ship: runs are scored out of the box, as ir-measures scores them; what manifests refuse."""

import csv
import shutil
from pathlib import Path

import ir_measures
import pytest
from django.conf import settings

from analysis.papers.shipped import FileChanged, list_runs, read_judgements, read_run
from registry.runs.models import Judgements
from registry.runs.pipeline.packing import unpack_scores
from registry.runs.queries import lines_of
from registry.runs.services.judging import COLUMNS, load_judgements, load_shipped_judgements, put_judgements
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_user
from tests.registry.pages import page_of
from tests.registry.runs.world import score, signed_in
from tests.thoroughness import every

DATA = settings.BASE_DIR / "data"
#: What ir-measures 0.4.3 prints for these files: collection, system, grade from which on, AP, nDCG@10, P@10, RR.
MEANS = [
    ("trec-dl-2019-passage", "BM25", 2, 0.2476, 0.5058, 0.4116, 0.7036),
    ("trec-dl-2019-passage", "RepLLaMA", 2, 0.5298, 0.7384, 0.6535, 0.9138),
    ("trec-dl-2021-passage", "SPLADE++ED", 2, 0.3328, 0.6846, 0.6189, 0.8289),
    ("beir-trec-covid", "BM25", 1, 0.0734, 0.5947, 0.6440, 0.8529),
    ("trec-2014-web", "initial ranking (CEDR)", 1, 0.2488, 0.2577, 0.4380, 0.4849),
]


def folder_with(tmp_path: Path, *slugs: str) -> Path:
    """Return a folder that ships the judgements of these collections alone."""
    folder = tmp_path / "judgements"
    folder.mkdir()
    with (DATA / "judgements" / "manifest.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["collection"] in slugs]
    with (folder / "manifest.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    for row in rows:
        shutil.copy(DATA / "judgements" / row["file"], folder)
    return tmp_path


def load(folder: Path) -> str:
    return " ".join(report.summary() for report in load_shipped_judgements(directory=folder))


@pytest.mark.parametrize(("slug", "system", "grade", "ap", "ndcg", "p", "rr"), every(2, MEANS, __file__))
def test_what_ships_scores_as_ir_measures_does(tmp_path, slug, system, grade, ap, ndcg, p, rr):
    collection = make_collection(slug=slug)
    names = [f"AP(rel={grade})", "nDCG@10", f"P(rel={grade})@10", f"RR(rel={grade})"]
    for name in names:
        make_leaderboard(collection, make_measure(name))
    assert "1 added" in load(folder_with(tmp_path, slug))
    run = next(run for run in list_runs(DATA) if (run.collection, run.system) == (slug, system))
    content = read_run(DATA, run)
    work = score(content, collection).work
    assert work.state == "done", work.refusal
    assert [round(work.means[name], 4) for name in names] == [ap, ndcg, p, rr]
    table = unpack_scores(bytes(work.scores))
    qrels = list(ir_measures.read_trec_qrels(lines_of(Judgements.objects.get()).decode()))
    measures = {ir_measures.parse_measure(name): name for name in names}
    theirs = ir_measures.iter_calc(list(measures), qrels, list(ir_measures.read_trec_run(content.decode())))
    expected = {(measures[metric.measure], metric.query_id): metric.value for metric in theirs}
    ours = {
        (name, topic): value for name in names for topic, value in zip(table.topics, table.scores[name], strict=True)
    }
    assert ours == expected


def test_what_people_put_in_stands(tmp_path):
    collection = make_collection(slug="trec-dl-2019-passage")
    mine = put_judgements(collection=collection, content=b"19335 0 d 1\n", source="mine")
    assert "0 added, 1 unchanged" in load(folder_with(tmp_path, collection.slug))
    assert Judgements.objects.filter(ended_at=None).get() == mine


def test_a_file_that_was_changed_scores_nothing(tmp_path):
    collection = make_collection(slug="trec-dl-2019-passage")
    folder = folder_with(tmp_path, collection.slug, "beir-trec-covid")
    assert "0 added, 0 unchanged, 0 superseded, 1 refused" in load(folder)  # a collection is not here
    make_collection(slug="beir-trec-covid")
    assert "2 added" in load(folder)
    shutil.copy(folder / "judgements" / "beir-trec-covid.xz", folder / "judgements" / "trec-dl-2019-passage.xz")
    judgements = Judgements.objects.get(collection=collection)
    with pytest.raises(FileChanged, match="load_shipped_data"):
        lines_of(judgements)
    answer = signed_in(make_user()).get(f"/collections/{collection.slug}/judgements.qrels")
    assert answer.status_code == 404
    assert "load it again" in page_of(answer).text


def test_every_file_is_what_its_manifest_says():
    with (DATA / "judgements" / "manifest.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 89
    for row in every(16, rows, __file__):
        lines = read_judgements(DATA / "judgements" / row["file"], row["sha256"]).splitlines()
        assert len(lines) == int(row["n_judged"]), row["file"]
        assert len({line.split()[0] for line in lines}) == int(row["n_topics"]), row["file"]
        assert row["terms"], row["file"]
    runs = list_runs(DATA)
    assert len(runs) == 17
    assert all(read_run(DATA, run).count(b"\n") == run.n_lines for run in every(4, runs, __file__))


def manifest(folder: Path, *rows: dict[str, str]) -> Path:
    (folder / "judgements").mkdir(exist_ok=True)
    path = folder / "judgements" / "manifest.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        known = {"file": "a.xz", "n_topics": "2", "n_judged": "3", "sha256": "0" * 64, "source": "s", "licence": "CC",
                 "terms": "t", "note": "n"}  # fmt: skip
        writer.writerows(known | row for row in rows)
    (folder / "judgements" / "a.xz").write_bytes(b"")
    return path


def test_a_manifest_is_taken_whole_or_refused_with_its_lines(tmp_path):
    collection, two = make_collection("one"), make_collection("two")
    path = manifest(
        tmp_path, {"collection": "one"}, {"collection": "none"}, {"collection": "two", "file": "b.xz"},
        {"collection": "two", "n_topics": "x"}, {"collection": "two", "n_judged": "-1"},
    )  # fmt: skip
    report = load_judgements(path=path)
    assert [(refusal.line, refusal.column) for refusal in report.rejections] == [
        (3, "collection"), (4, "file"), (5, "n_topics"), (6, "n_topics"),
    ]  # fmt: skip
    assert not Judgements.objects.exists()
    path = manifest(tmp_path, {"collection": "one"}, {"collection": "two", "n_topics": "7", "n_judged": "9"})
    actor = make_user()
    report = load_judgements(path=path, actor=actor, reason="new")
    assert (report.added, report.unchanged, report.superseded) == (2, 0, 0)
    stored = Judgements.objects.get(collection=two)
    assert (stored.n_topics, stored.n_judged, stored.source, stored.licence) == (7, 9, "s", "CC")
    assert (stored.terms, stored.note) == ("t", "n")
    assert (stored.file, stored.sha256, stored.is_sealed) == (str(tmp_path / "judgements" / "a.xz"), "0" * 64, False)
    first = Judgements.objects.get(collection=collection)
    for name in ("sha256", "source", "licence", "terms", "note"):
        path = manifest(tmp_path, {"collection": "one", name: "9" * 64 if name == "sha256" else f"other {name}"},
                        {"collection": "two"})  # fmt: skip
        report = load_judgements(path=path)
        assert (report.superseded, report.unchanged) == (1, 1), name
        manifest(tmp_path, {"collection": "one"}, {"collection": "two"})
        assert load_judgements(path=path).superseded == 1
    report = load_judgements(path=manifest(tmp_path, {"collection": "one"}, {"collection": "two", "note": "changed"}))
    assert (report.superseded, report.unchanged) == (1, 1)
    assert Judgements.objects.get(collection=two, ended_at=None).note == "changed"
    first.refresh_from_db()
    assert first.ended_at is not None
    assert Judgements.objects.filter(ended_at=None).count() == 2
    assert list(load_shipped_judgements(directory=tmp_path)) == []
    assert list(load_shipped_judgements(directory=tmp_path / "nowhere")) == []
