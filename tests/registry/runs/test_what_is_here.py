"""What collections have of each tab, what manifests of judgements refuse, and the command that scores a run."""

import csv
from pathlib import Path

from registry.runs.models import Judgements
from registry.runs.services.judging import COLUMNS, load_judgements, load_shipped_judgements
from tests.registry.factory import make_collection, make_user


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
