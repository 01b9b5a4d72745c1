"""Loading the catalog: collections, measures, leaderboards, the variance library."""

from pathlib import Path

import pytest

from analysis.scores import MeasureKind, MeasureNature, measure_nature
from registry.catalog.models import (
    Collection,
    CollectionAlias,
    Leaderboard,
    Measure,
    MeasureAlias,
    Question,
    ResidualVariance,
)
from registry.catalog.services import load_catalog
from registry.core.loading import LoadReport
from registry.core.models import Job
from registry.journal.models import Entry
from tests.registry import factory
from tests.registry.commands import given

_CHOICES = Question.collections.through
COLLECTIONS = "slug,name,aliases,n_topics,year,suite\n"
MEASURES = "name,aliases,low,high,higher_is_better,decimals\n"
LEADERBOARDS = "collection,measure,n_topics,note\n"
VARIANCES = "collection,measure,kind,residual_variance,topic_variance,n_topics,n_systems,sources,note\n"


def load(folder: Path, **contents: str) -> dict[str, LoadReport]:
    """Load these files and no others, by name without ``.csv``."""
    for path in folder.glob("*.csv"):
        path.unlink()
    for name, content in contents.items():
        (folder / f"{name}.csv").write_text(content, encoding="utf-8")
    return {report.label.removesuffix(".csv"): report for report in load_catalog(directory=folder)}


def refusals(reports: dict[str, LoadReport]) -> list[tuple[str, int | None, str, str]]:
    return [(name, row.line, row.column, row.message) for name, report in reports.items() for row in report.rejections]


def counts(report: LoadReport) -> tuple[int, int, int]:
    """Return how many were added, unchanged, changed."""
    return report.added, report.unchanged, report.superseded


def everything() -> dict[str, str]:
    return {
        "collections": COLLECTIONS
        + "trec-2004-robust,TREC 2004 Robust,Robust04|disks45/nocr/trec-robust-2004,249,2004,TREC\n",
        "measures": MEASURES + "AP,MAP|Mean average precision,0,1,true,4\nLastRel,,,,false,1\n",
        "leaderboards": LEADERBOARDS + "robust04,map,200,a subset\n",
        "variance_library": VARIANCES
        + "robust04,AP,own-variance,0.0098,0.03,99,110,a matrix,\n"
        + "robust04,LastRel,own-variance,0.0128,,49,20,one|another,wide\n",
    }


def test_everything_a_row_says_is_kept(tmp_path):
    load(tmp_path, **everything())
    collection = Collection.objects.get()
    assert (collection.slug, collection.name, collection.n_topics) == ("trec-2004-robust", "TREC 2004 Robust", 249)
    assert (collection.year, collection.suite) == (2004, "TREC")
    assert {row.alias for row in collection.aliases.all()} == {"Robust04", "disks45/nocr/trec-robust-2004"}
    ap, last = Measure.objects.all()
    assert (ap.low, ap.high, ap.higher_is_better, ap.decimals) == (0, 1, True, 4)
    assert (last.low, last.high, last.higher_is_better, last.decimals) == (None, None, False, 1)
    leaderboard = Leaderboard.objects.get()
    assert (leaderboard.collection, leaderboard.measure, leaderboard.n_topics) == (collection, ap, 200)
    of_collection, of_measure = ResidualVariance.objects.order_by("residual_variance")
    assert (of_collection.collection, of_collection.residual_variance) == (collection, 0.0098)
    assert of_collection.n_systems == 110
    assert (of_measure.measure, of_measure.topic_variance, of_measure.note) == (last, None, "wide")
    assert of_measure.sources == ["one", "another"]


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
        {"variance_library": VARIANCES + "robust04,AP,own-variance,0.01,0.03,99,110,a matrix,\n"},
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


def test_one_bad_row_of_one_file_keeps_all_files_out(tmp_path):
    files = everything() | {"variance_library": VARIANCES + "robust04,AP,own-variance,-1,,9,9,nowhere,\n"}
    reports = load(tmp_path, **files)
    assert refusals(reports) == [("variance_library", 2, "residual_variance", "-1 is not above 0")]
    assert not Collection.objects.exists()
    assert not Entry.objects.exists()


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
        ("collections", "x,Name,,,20044,", "year", "did you mean 2004?"),
        ("collections", "x,Na\u200bme,,,,", "name", "U+200B"),
        ("measures", "P/R,,,,,", "name", "contains a slash"),
        ("measures", "X,,,inf,,", "high", "is not a score"),
        ("measures", "X,,1,0,,", "low", "is not below the upper end, 0"),
        ("leaderboards", "robst04,AP,,", "collection", "did you mean trec-2004-robust?"),
        ("leaderboards", "robust04,,,", "measure", "names no measure"),
        ("variance_library", "robust04,APP,own-variance,0.1,,9,9,s,", "measure", "no measure is called 'APP'"),
        ("variance_library", "robust04,AP,own-variance,0.1,,9,9,|,", "sources", "is blank"),
        ("variance_library", "robust04,AP,own-variance,,,9,9,s,", "residual_variance", "is blank"),
        ("variance_library", "robust04,AP,own-varance,0.1,,9,9,s,", "kind", "did you mean own-variance?"),
        ("variance_library", ",AP,own-variance,0.1,,9,9,s,", "collection", "names no collection"),
        ("variance_library", "robust04,AP,own-variance,0.1,,9,,s,", "n_systems", "how sure an own variance is"),
    ],
)
def test_a_bad_cell_is_named_with_advice(tmp_path, file, row, column, message):
    load(tmp_path, **everything())
    header = everything()[file].splitlines()[0]
    reports = load(tmp_path, **{file: f"{header}\n{row}\n"})
    ((named, line, at, text),) = refusals(reports)
    assert (named, line, at) == (file, 2, column)
    assert message in text


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
    ((_, line, _, text),) = refusals(load(tmp_path, collections=f"slug,name,aliases\n{row}\n"))
    assert (line, text) == (2, message)
    assert Collection.objects.count() == 1


def test_an_alias_moves_where_the_file_moves_it(tmp_path):
    load(tmp_path, collections=COLLECTIONS + "a,A,x,,,\nb,B,,,,\n")
    load(tmp_path, collections=COLLECTIONS + "a,A,,,,\nb,B,x,,,\n")
    assert CollectionAlias.objects.get().collection.slug == "b"


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


def questions(*rows: str) -> dict[str, str]:
    """Return a catalog of two collections and two measures, and these questions."""
    files = {
        "collections": COLLECTIONS + "robust,Robust,Robust04,,,\nbeir-robust,BEIR Robust04,,,,\n",
        "measures": MEASURES + "AP,MAP,0,1,true,4\nnDCG@10,,0,1,true,4\n",
    }
    return files | ({"questions": "kind,names,question,choices,only_with\n" + "".join(f"{row}\n" for row in rows)})


def stored_questions() -> list[tuple[str, list[str], str, list[str], list[str]]]:
    return [
        (
            question.kind,
            question.spellings,
            question.text,
            list(_CHOICES.objects.filter(question=question).order_by("pk").values_list("collection__slug", flat=True)),
            sorted(row.name for row in question.measures.all()),
        )
        for question in Question.objects.all()
    ]


def test_questions_are_kept_with_their_choices_in_order(tmp_path):
    reports = load(tmp_path, **questions("collection,Robust04|robust-04,Which?,robust|beir-robust,nDCG@10"))
    assert counts(reports["questions"]) == (1, 0, 0)
    assert stored_questions() == [
        ("collection", ["Robust04", "robust-04"], "Which?", ["robust", "beir-robust"], ["nDCG@10"])
    ]


def test_questions_loaded_again_change_nothing_and_take_the_place_of_those_about_the_same_names(tmp_path):
    rows = ["collection,Robust04,Which?,robust|beir-robust,nDCG@10", "measure,EM,It scores answers.,,"]
    load(tmp_path, **questions(*rows))
    before = list(Question.objects.values_list("pk", flat=True))
    assert counts(load(tmp_path, **questions(*rows))["questions"]) == (0, 2, 0)
    assert list(Question.objects.values_list("pk", flat=True)) == before
    changed = questions("collection,robust 04|ROB04,Which one?,beir-robust|robust,", "measure,RBO,It compares.,,")
    assert counts(load(tmp_path, **changed)["questions"]) == (1, 0, 1)
    assert [question[1] for question in stored_questions()] == [["EM"], ["robust 04", "ROB04"], ["RBO"]]
    assert stored_questions()[1][3] == ["beir-robust", "robust"]


def test_a_name_that_is_asked_about_everywhere_is_nobodys_alias_any_longer(tmp_path):
    load(tmp_path, **questions("collection,Robust04,Which?,robust|beir-robust,nDCG@10"))
    assert [row.alias for row in CollectionAlias.objects.all()] == ["Robust04"], "elsewhere it is one"
    only_questions = {"questions": questions("collection,Robust04,Which?,robust|beir-robust,")["questions"]}
    load(tmp_path, **only_questions, measures=MEASURES + "AP,MAP,0,1,true,4\n")
    assert not CollectionAlias.objects.exists()
    assert [row.alias for row in MeasureAlias.objects.all()] == ["MAP"]


def test_a_name_may_be_asked_about_differently_in_different_places(tmp_path):
    rows = ["measure,MAP,Grade?,AP|nDCG@10,robust", "measure,MAP,Share?,nDCG@10|AP,beir-robust"]
    for expected in ((2, 0, 0), (0, 2, 0)):
        assert counts(load(tmp_path, **questions(*rows))["questions"]) == expected


@pytest.mark.parametrize(
    ("row", "column", "message"),
    [
        ("person,X,Which?,robust,", "kind", "neither collection nor measure"),
        ("collection,|,Which?,robust,", "names", "is blank"),
        ("collection,X,,robust,", "question", "is blank"),
        ("collection,X,Which?,robst,", "choices", "did you mean robust or beir-robust?"),
        ("collection,X,Which?,robust,nDCG@100", "only_with", "did you mean nDCG@10?"),
        ("collection,X,Which?,robust,nDCG@10", "names", "nobody's alias"),
        ("collection,X,Which?,robust,\ncollection,x,Which one?,robust,", "names", "line 2 asks about 'x' already"),
    ],
)
def test_a_bad_question_is_named_with_advice(tmp_path, row, column, message):
    ((file, _, at, text),) = refusals(load(tmp_path, **questions(row)))
    assert (file, at) == ("questions", column)
    assert message in text
    assert not Question.objects.exists()


def test_a_measure_is_what_its_line_says_else_what_its_name_says(tmp_path):
    columns = "name,low,high,kind,family,cutoff,zero_is_failure\n"
    rows = "Found in ten,0,1,success,Success,10,false\nRR@10,0,1,,,,\nAP,0,1,many-valued,AP,,true\n"
    load(tmp_path, measures=columns + rows)
    natures = {row.name: row.nature for row in Measure.objects.all()}
    recorded = MeasureNature(family="Success", cutoff=10, kind=MeasureKind.SUCCESS, zero_is_failure=False)
    assert natures == {"Found in ten": recorded, "RR@10": measure_nature("RR@10"), "AP": measure_nature("AP")}
    reports = load(tmp_path, measures=columns + "Found in ten,0,1,successes,MRR,10,false\n")
    assert [(line, column) for _, line, column, _ in refusals(reports)] == [(2, "kind"), (2, "family")]


def test_the_command(tmp_path):
    for name, content in everything().items():
        (tmp_path / f"{name}.csv").write_text(content)
    out, _, code = given("load_catalog", tmp_path, "--dry-run")
    assert (code, Collection.objects.count()) == (0, 0)
    assert "collections.csv: 1 added, 0 unchanged, 0 changed, 0 refused" in out
    assert given("load_catalog", tmp_path).code == 0
    assert Collection.objects.count() == 1
