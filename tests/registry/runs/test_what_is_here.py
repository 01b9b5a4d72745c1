"""What collections have of each tab, what manifests of judgements refuse, and the command that scores a run."""

import csv
from datetime import date
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from registry.catalog.models import Leaderboard
from registry.leaderboards.models import Analysis, ReferenceSet, Snapshot
from registry.results.models import TopicScores
from registry.runs.models import Judgements
from registry.runs.personal import export_uploads
from registry.runs.services.judging import COLUMNS, load_judgements, load_shipped_judgements
from registry.runs.templatetags.collection_tabs import tabs_of
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_topic_scores,
    make_topics,
    make_user,
)
from tests.registry.leaderboards.boards import mark_changed
from tests.registry.runs.rows import make_judgements
from tests.registry.runs.world import TOPICS, make_judged, run_of

pytestmark = pytest.mark.django_db


def test_each_tab_says_how_much_is_there_of_this_collection(django_assert_num_queries):
    collection, other = make_collection("robust"), make_collection("other")
    with django_assert_num_queries(1):
        tabs = tabs_of(collection)
    assert [(tab.name, tab.url, tab.holds) for tab in tabs] == [
        ("Leaderboards", "/collections/robust/", "none here"),
        ("Resolution", "/collections/robust/resolution/", "none here"),
        ("Progress", "/collections/robust/baselines/", "none here"),
        ("Standardized", "/collections/robust/standardized/", "none here"),
        ("Judgements", "/collections/robust/judgements/", "none here"), ("About", "/collections/robust/about/", ""),
    ]  # fmt: skip

    def held() -> dict[str, str]:
        return {tab.name: tab.holds for tab in tabs_of(collection)}

    board, elsewhere = make_leaderboard(collection), make_leaderboard(other)
    for one in (board, elsewhere):
        make_topics(one.collection, ["t1"])
        make_judgements(one.collection)
    assert (held()["Leaderboards"], held()["Judgements"]) == ("none here", "2 topics")
    mark_changed(board)
    make_leaderboard(collection, results_version=1)
    assert held()["Leaderboards"] == "2"
    Judgements.objects.update(ended_at=timezone.now())
    assert held()["Judgements"] == "none here"
    make_topic_scores(make_result(board), [0.5])
    make_topic_scores(make_result(elsewhere), [0.5])
    assert held()["Resolution"] == "none here", "of one system nothing is told apart"
    second = make_topic_scores(make_result(board), [0.25])
    assert held()["Resolution"] == ""
    TopicScores.objects.filter(pk=second.pk).update(ended_at=timezone.now())
    assert held()["Resolution"] == "none here"
    snapshot = Snapshot.objects.create(pk="a" * 20, leaderboard=board, content="{}")
    Analysis.objects.create(leaderboard=board, snapshot=snapshot, results_version=1, methods_version="1",
                            headline={"resolves": 0.02})  # fmt: skip
    assert held()["Resolution"] == ""
    for one, n, basis in ((board, 5, "topic-scores"), (elsewhere, 99, "topic-scores"), (board, 50, "published-means")):
        ReferenceSet.objects.create(leaderboard=one, version=1, basis=basis, name="s", n_systems=n,
                                    frozen_on=date(2020, 1, 1), factors={})  # fmt: skip
    assert held()["Standardized"] == "5 systems"
    assert Leaderboard.objects.count() == 3


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
    one, two = make_collection("one"), make_collection("two")
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
    kept = Judgements.objects.get(collection=two)
    assert (kept.n_topics, kept.n_judged, kept.source, kept.licence) == (7, 9, "s", "CC")
    assert (kept.terms, kept.note) == ("t", "n")
    assert (kept.file, kept.sha256, kept.is_sealed) == (str(tmp_path / "judgements" / "a.xz"), "0" * 64, False)
    first = Judgements.objects.get(collection=one)
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


@pytest.mark.usefixtures("read_here")
def test_the_command_says_what_was_found_and_what_is_to_know(tmp_path, capsys):
    collection = make_judged()
    make_leaderboard(collection, make_measure("Clicks", ir_measures="Clicks"))
    result = make_result(collection.leaderboards.get(measure__name="AP"), printed="0.300")
    file = tmp_path / "mine.txt"
    file.write_bytes(run_of("bad", "good", topics=TOPICS[:11]) + run_of("good", topics=["elsewhere"]))
    owner = make_user("ada", is_editor=True)
    call_command("score_run", str(file), "--owner=ada", f"--collection={collection.slug}", f"--result={result.pk}",
                 "--name=My run")  # fmt: skip
    told = capsys.readouterr()
    lines = told.out.splitlines()
    assert lines[0] == f"AP\t{11 * 0.25 / 12:.4f}"
    assert [line.partition("\t")[0] for line in lines[:4]] == ["AP", "P@2", "RR@2", "nDCG@10"]
    (upload,) = export_uploads(owner)
    assert upload["name"] == "My run"
    assert lines[-1].startswith(f"until {upload['forgotten']} at /runs/")
    assert told.err.splitlines() == [
        "Topics without an answer: 1. Each counts as 0, as with trec_eval -c. t12",
        "Topics without judgements: 1. They are left out; the mean is over the judged topics. elsewhere (line 23)",
        "Not computed here: Clicks",
        f"Printed is 0.300 under AP, the mean is {11 * 0.25 / 12:.4f}: a mismatch.",
    ]
    with pytest.raises(CommandError, match="The mean of the run is not the printed score"):
        call_command("score_run", str(file), "--owner=ada", f"--collection={collection.slug}",
                     f"--result={result.pk}", "--record")  # fmt: skip


@pytest.mark.usefixtures("read_here")
def test_the_command_keeps_to_the_limits_of_accounts(tmp_path, settings, monkeypatch):
    collection = make_judged()
    file = tmp_path / "mine.txt"
    file.write_bytes(run_of("good"))
    owner = make_user("ada", is_editor=True)
    asked = []
    monkeypatch.setattr("registry.runs.management.commands.score_run.charge", lambda **told: asked.append(told))
    settings.PLUMBLINE_MAX_RUN_BYTES = len(run_of("good"))
    call_command("score_run", str(file), "--owner=ada", f"--collection={collection.slug}")
    assert asked == [{"owner": owner, "collection": collection, "measure": None, "n_bytes": len(run_of("good"))}]
    settings.PLUMBLINE_MAX_RUN_BYTES -= 1
    with pytest.raises(CommandError, match=r"has 2\d\d bytes, and a run may have 2\d\d\. Pack it"):
        call_command("score_run", str(file), "--owner=ada", f"--collection={collection.slug}")
    assert len(asked) == 1
