"""Loading the catalog: collections, measures, leaderboards, the variance library."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from registry.catalog.models import Collection, CollectionAlias, Leaderboard, Measure, MeasureAlias, ResidualVariance
from registry.catalog.services import load_catalog
from registry.core.loading import LoadReport
from registry.core.models import Job
from registry.journal.models import Entry
from tests.registry import factory

pytestmark = pytest.mark.django_db

COLLECTIONS = "slug,name,aliases,n_topics,year,suite\n"
MEASURES = "name,aliases,low,high,higher_is_better,decimals\n"
LEADERBOARDS = "collection,measure,n_topics,note\n"
VARIANCES = "collection,measure,residual_variance,topic_variance,source,family,note\n"


def load(folder: Path, **contents: str) -> dict[str, LoadReport]:
    """Load these files and no others, by name without ``.csv``."""
    for path in folder.glob("*.csv"):
        path.unlink()
    for name, content in contents.items():
        (folder / f"{name}.csv").write_text(content, encoding="utf-8")
    return {report.label.removesuffix(".csv"): report for report in load_catalog(directory=folder)}


def refusals(reports: dict[str, LoadReport]) -> list[tuple[str, int | None, str, str]]:
    return [(name, one.line, one.column, one.message) for name, report in reports.items() for one in report.rejections]


def counts(report: LoadReport) -> tuple[int, int, int]:
    """Added, unchanged, changed."""
    return report.added, report.unchanged, report.superseded


def everything() -> dict[str, str]:
    return {
        "collections": COLLECTIONS
        + "trec-2004-robust,TREC 2004 Robust,Robust04|disks45/nocr/trec-robust-2004,249,2004,TREC\n",
        "measures": MEASURES + "AP,MAP|Mean average precision,0,1,true,4\nLastRel,,,,false,1\n",
        "leaderboards": LEADERBOARDS + "robust04,map,200,a subset\n",
        "variance_library": VARIANCES + "robust04,AP,0.0098,0.03,a matrix,,\n,AP,0.0128,,median of 8,,wide\n",
    }


def test_everything_a_row_says_is_kept(tmp_path):
    load(tmp_path, **everything())
    collection = Collection.objects.get()
    assert (collection.slug, collection.name, collection.n_topics) == ("trec-2004-robust", "TREC 2004 Robust", 249)
    assert (collection.year, collection.suite) == (2004, "TREC")
    assert {one.alias for one in collection.aliases.all()} == {"Robust04", "disks45/nocr/trec-robust-2004"}
    ap, last = Measure.objects.all()
    assert (ap.low, ap.high, ap.higher_is_better, ap.decimals) == (0, 1, True, 4)
    assert (last.low, last.high, last.higher_is_better, last.decimals) == (None, None, False, 1)
    leaderboard = Leaderboard.objects.get()
    assert (leaderboard.collection, leaderboard.measure, leaderboard.n_topics) == (collection, ap, 200)
    of_collection, of_measure = ResidualVariance.objects.order_by("residual_variance")
    assert (of_collection.collection, of_collection.residual_variance) == (collection, 0.0098)
    assert (of_measure.collection, of_measure.topic_variance, of_measure.note) == (None, None, "wide")


def test_a_second_load_changes_nothing(tmp_path):
    load(tmp_path, **everything())
    n_entries = Entry.objects.count()
    reports = load(tmp_path, **everything())
    assert [counts(report) for report in reports.values()] == [(0, 1, 0), (0, 2, 0), (0, 1, 0), (0, 2, 0)]
    assert Entry.objects.count() == n_entries


def test_what_differs_is_changed_in_place_with_a_journal_entry(tmp_path):
    load(tmp_path, **everything())
    pk = Collection.objects.get().pk
    changed = {"collections": COLLECTIONS + "TREC-2004-robust,TREC 2004 Robust,,250,2004,TREC\n"}
    assert counts(load(tmp_path, **changed)["collections"]) == (0, 0, 1)
    collection = Collection.objects.get()
    assert (collection.pk, collection.n_topics) == (pk, 250)
    entry = Entry.objects.get(action="catalog.collection.changed")
    assert entry.subject_id == collection.slug, "as its addresses call it"
    assert (entry.before["n_topics"], entry.after["n_topics"]) == (249, 250)


@pytest.mark.parametrize(
    "changed",
    [
        {"collections": COLLECTIONS + "trec-2004-robust,TREC 2004 Robust,,250,2004,TREC\n"},
        {"measures": MEASURES + "AP,,0,1,false,4\n"},
        {"leaderboards": LEADERBOARDS + "robust04,AP,199,a subset\n"},
        {"variance_library": VARIANCES + "robust04,AP,0.01,0.03,a matrix,,\n"},
    ],
)
def test_leaderboards_that_it_matters_for_are_stale(tmp_path, changed):
    load(tmp_path, **everything())
    other = factory.make_leaderboard()
    Job.objects.all().delete()
    before = Leaderboard.objects.get(measure__name="AP").results_version
    load(tmp_path, **changed)
    leaderboard = Leaderboard.objects.get(measure__name="AP")
    assert leaderboard.results_version == before + 1
    assert [job.args for job in Job.objects.all()] == [{"leaderboard_id": leaderboard.pk}]
    other.refresh_from_db()
    assert other.results_version == 0


def test_a_new_name_makes_nothing_stale(tmp_path):
    load(tmp_path, **everything())
    before = Leaderboard.objects.get().results_version
    load(tmp_path, collections=COLLECTIONS + "trec-2004-robust,Another name,,249,2004,TREC\n")
    assert Leaderboard.objects.get().results_version == before


def test_rows_that_a_file_leaves_out_stay(tmp_path):
    load(tmp_path, **everything())
    load(tmp_path, collections=COLLECTIONS + "other,Other,,,,\n")
    assert Collection.objects.count() == 2
    assert CollectionAlias.objects.count() == 2


def test_one_bad_row_of_one_file_keeps_all_files_out(tmp_path):
    files = everything() | {"variance_library": VARIANCES + ",AP,-1,,nowhere,,\n"}
    reports = load(tmp_path, **files)
    assert refusals(reports) == [("variance_library", 2, "residual_variance", "-1 is not above 0")]
    assert not Collection.objects.exists()
    assert not Entry.objects.exists()


def test_a_refused_collection_does_not_make_its_name_unknown(tmp_path):
    reports = load(tmp_path, **everything() | {"collections": COLLECTIONS + "robust04,,,,,\n"})
    assert refusals(reports) == [("collections", 2, "name", "is blank")]


def test_an_edit_that_a_load_takes_back_is_journalled(tmp_path):
    load(tmp_path, **everything())
    Collection.objects.update(n_topics=250)
    assert counts(load(tmp_path, **everything())["collections"]) == (0, 0, 1)
    assert Entry.objects.get(action="catalog.collection.changed").after == {"n_topics": 249}


@pytest.mark.parametrize(
    ("file", "row", "column", "message"),
    [
        ("collections", "a/b,Name,,,,", "slug", "does not fit into an address"),
        ("collections", ",Name,,,,", "slug", "is blank"),
        ("collections", "x,,,,,", "name", "is blank"),
        ("collections", "x,Name,,0,,", "n_topics", "is not between 1 and"),
        ("collections", "x,Name,,many,,", "n_topics", "is not a whole number"),
        ("collections", "x,Name,,,20044,", "year", "did you mean 2004?"),
        ("collections", "x,Na\u200bme,,,,", "name", "U+200B"),
        ("measures", "P/R,,,,,", "name", "contains a slash"),
        ("measures", "X,,zero,,,", "low", "is not a number"),
        ("measures", "X,,,inf,,", "high", "is not a score"),
        ("measures", "X,,,,perhaps,", "higher_is_better", "is neither true nor false"),
        ("measures", "X,,1,0,,", "low", "is not below the upper end, 0"),
        ("leaderboards", "robst04,AP,,", "collection", "did you mean trec-2004-robust?"),
        ("leaderboards", "robust04,,,", "measure", "names no measure"),
        ("variance_library", "robust04,A P,0.1,,s,,", "measure", "unknown measure 'A P'"),
        ("variance_library", "robust04,AP,0.1,,,,", "source", "is blank"),
        ("variance_library", "robust04,AP,,,s,,", "residual_variance", "is blank"),
    ],
)
def test_a_bad_cell_is_named_with_advice(tmp_path, file, row, column, message):
    load(tmp_path, **everything())
    header = everything()[file].splitlines()[0]
    reports = load(tmp_path, **{file: f"{header}\n{row}\n"})
    ((named, line, at, said),) = refusals(reports)
    assert (named, line, at) == (file, 2, column)
    assert message in said


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,A,x,,,\nA,B,,,,\n", "'A' is there already, in line 2"),
        ("a,A,x|y,,,\nb,B,X,,,\n", "the alias 'X' already belongs to 'a' (line 2)"),
        ("a,A,,,,\nb,B,a,,,\n", "the alias 'a' already belongs to 'a' (line 2)"),
        ("b,B,a,,,\na,A,,,,\n", "the alias 'a' already belongs to 'a' (line 3)"),
    ],
)
def test_a_name_of_two_is_refused(tmp_path, rows, message):
    assert message in refusals(load(tmp_path, collections=COLLECTIONS + rows))[0][3]
    assert not Collection.objects.exists()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("new,New,Taken", "the alias 'Taken' already belongs to owner"),
        ("new,New,OWNER", "the alias 'OWNER' is the name of another collection"),
        ("taken,New,", "'taken' is an alias of owner"),
    ],
)
def test_a_name_of_a_collection_outside_the_file_is_refused(tmp_path, row, message):
    factory.make_collection("owner", aliases=["Taken"])
    ((_, line, _, said),) = refusals(load(tmp_path, collections=f"slug,name,aliases\n{row}\n"))
    assert (line, said) == (2, message)
    assert Collection.objects.count() == 1


def test_an_alias_moves_where_the_file_moves_it(tmp_path):
    load(tmp_path, collections=COLLECTIONS + "a,A,x,,,\nb,B,,,,\n")
    load(tmp_path, collections=COLLECTIONS + "a,A,,,,\nb,B,x,,,\n")
    assert CollectionAlias.objects.get().collection.slug == "b"


def test_aliases_that_only_repeat_the_name_are_passed_over(tmp_path):
    load(tmp_path, measures=MEASURES + "AP,ap|AP|MAP|map,,,,\n")
    assert [alias.alias for alias in MeasureAlias.objects.all()] == ["MAP"]


def test_a_leaderboard_that_stands_twice_is_refused(tmp_path):
    files = everything() | {"leaderboards": LEADERBOARDS + "robust04,AP,200,\ntrec-2004-robust,map,249,\n"}
    ((_, line, _, message),) = refusals(load(tmp_path, **files))
    assert (line, message) == (3, "is there already, in line 2")


def test_the_journal_has_one_entry_for_each_file(tmp_path):
    load(tmp_path, **everything())
    entries = Entry.objects.filter(action="catalog.file.loaded")
    assert [entry.subject_id for entry in entries.order_by("pk")] == [
        "collections.csv",
        "measures.csv",
        "leaderboards.csv",
        "variance_library.csv",
    ]
    assert all(len(entry.after["digest"]) == 64 for entry in entries)
    assert entries.first().after["added"] == 1


def test_a_folder_without_a_catalog_is_said(tmp_path):
    ((_, _, _, message),) = refusals(load(tmp_path))
    assert message == "has none of collections.csv, measures.csv, leaderboards.csv, variance_library.csv"


def run(*arguments: str) -> tuple[str, str, int]:
    out, err = StringIO(), StringIO()
    try:
        call_command("load_catalog", *arguments, stdout=out, stderr=err)
    except SystemExit as left:
        return out.getvalue(), err.getvalue(), int(left.code)
    return out.getvalue(), err.getvalue(), 0


def test_the_command(tmp_path):
    for name, content in everything().items():
        (tmp_path / f"{name}.csv").write_text(content)
    out, _, code = run(str(tmp_path), "--dry-run")
    assert (code, Collection.objects.count()) == (0, 0)
    assert "collections.csv: 1 added, 0 unchanged, 0 changed, 0 refused" in out
    assert run(str(tmp_path))[2] == 0
    (tmp_path / "measures.csv").write_text("name,low\nAP,zero\n")
    _, err, code = run(str(tmp_path))
    assert (code, err.strip()) == (
        1,
        f"{tmp_path / 'measures.csv'}:2: low: 'zero' is not a number; write a plain decimal, as 0.2345",
    )


def test_what_ships_is_taken():
    assert run()[2] == 0
    assert Collection.objects.named("robust04").get().n_topics == 249
    assert Measure.objects.named("map").get().name == "AP"
