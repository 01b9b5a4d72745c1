"""Topic scores of runs without names: kept for their collection, behind no result."""

import gzip
from pathlib import Path

import pytest

from registry.catalog.models import Leaderboard
from registry.journal.models import Entry
from registry.results.models import Result, TopicScores, UnnamedScores
from registry.results.queries import unpack_unnamed
from registry.results.services.files import load_unnamed_scores
from tests.registry.results.loading import make_robust04, refusals

TABLE = "topic,run1,run2\ntopic1,0.2,0.3\ntopic2,0.25,6e-05\n"
HEADER = "file,collection,measure,runs,source,licence,note\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_robust04()
    (tmp_path / "manifest.csv").write_text(
        f"{HEADER}a.csv,Robust04,MAP,names withheld,a repository,CC BY-SA 4.0,99 of 249 topics\n"
        "b.csv.gz,robust04,AP,configurations,another,Apache-2.0,\n"
    )
    (tmp_path / "a.csv").write_text(TABLE)
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(TABLE.replace("0.25", "0.75").encode()))
    return tmp_path


def load(folder: Path):
    return list(load_unnamed_scores(directory=folder))


def test_they_serve_their_collection_and_stand_behind_nothing(folder):
    board = Leaderboard.objects.get()
    assert [(report.added, report.refused) for report in load(folder)] == [(2, 0), (2, 0)]
    rows = UnnamedScores.objects.filter(collection=board.collection, measure__name="AP").select_related("measure")
    plain, packed = map(unpack_unnamed, rows)
    assert (plain.runs, plain.source, plain.licence, plain.note) == (
        "names withheld",
        "a repository",
        "CC BY-SA 4.0",
        "99 of 249 topics",
    )
    assert plain.matrix.scores.tolist() == [[0.2, 0.25], [0.3, 6e-05]]
    assert packed.matrix.scores.tolist() == [[0.2, 0.75], [0.3, 6e-05]]
    assert (packed.matrix.systems, packed.matrix.topics) == (("run1", "run2"), ("topic1", "topic2"))
    assert not Result.objects.exists()
    assert not TopicScores.objects.exists()
    board.refresh_from_db()
    assert board.results_version == 0


def test_the_same_files_are_passed_over_and_a_changed_one_takes_its_place(folder):
    load(folder)
    assert load(folder) == []
    (folder / "a.csv").write_text(TABLE.replace("0.2,", "0.21,"))
    ((changed),) = load(folder)
    assert (changed.added, changed.superseded) == (0, 2)
    assert "0 added, 0 unchanged, 2 changed" in changed.summary()
    assert UnnamedScores.objects.count() == 2
    assert Entry.objects.filter(action="results.unnamed_scores.loaded").count() == 3


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("topic,run1\ntopic1,1.2\n", "is above 1"),
        ("topic,run1\ntopic1,0.1\ntopic2,\n", "leave such runs out"),
        ("topic,run1,run1\ntopic1,0.1,0.2\n", "has a column already"),
        ("\n ,\n", "the file is empty"),
    ],
)
def test_a_bad_table_is_refused_with_what_is_wrong(folder, table, message):
    (folder / "a.csv").write_text(table)
    report = load(folder)[0]
    assert message in refusals(report)[0][2]
    assert UnnamedScores.objects.count() == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("none.csv,robust04,AP,r,s,l,\n", "does not exist"),
        ("a.csv,robust05,AP,r,s,l,\n", "did you mean trec-2004-robust?"),
        ("../../manifest.csv,robust04,AP,r,s,l,\n", "must be topic"),
    ],
)
def test_a_bad_row_of_the_manifest_is_refused(folder, row, message):
    (folder / "manifest.csv").write_text(HEADER + row)
    assert message in refusals(load(folder)[0])[0][2]
