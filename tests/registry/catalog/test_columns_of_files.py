"""What each column of the catalog's files takes and leaves in the database, and for which leaderboards it matters."""

from pathlib import Path

import pytest

from analysis.readers.rejections import Refused
from registry.catalog.models import (
    Collection,
    CollectionLink,
    Density,
    Leaderboard,
    Measure,
    Question,
    ResidualVariance,
)
from registry.catalog.pipeline import SCHEMAS
from registry.catalog.services import load_catalog
from registry.core.loading import LoadReport
from tests.registry import factory

MODELS = {
    "collections.csv": Collection,
    "measures.csv": Measure,
    "questions.csv": Question,
    "leaderboards.csv": Leaderboard,
    "variance_library.csv": ResidualVariance,
    "densities.csv": Density,
    "collection_links.csv": CollectionLink,
}
SCHEMA = {schema.file: schema for schema in SCHEMAS}

COLLECTION = {
    "slug": "trec-2004-robust", "name": "TREC 2004 Robust", "ir_datasets_id": "disks45/nocr/trec-robust-2004",
    "documents": "news articles", "n_documents": 528155, "n_topics": 249, "n_topics_source": "the overview",
    "n_topics_at_least": 200, "n_topics_at_least_source": "a paper", "relevant_per_topic": 69.9, "task": "ad-hoc",
    "mteb_task": "Robust04", "domain": "news", "year": 2004, "suite": "TREC Robust", "language": "English",
    "url": "https://trec.nist.gov/data/robust.html", "notes": "without topic 672", "group_kind": "conversation",
    "topic_groups": 19, "judge": "experts", "judged_by": "two of them", "holder": "zenith", "held_by": "Zenith",
}  # fmt: skip
MEASURE = {
    "name": "nDCG@10", "ir_measures": "nDCG@10", "trec_eval": "ndcg_cut.10", "long_name": "normalized gain",
    "low": 0.5, "high": 2.0, "higher_is_better": True, "decimals": 0, "kind": "many-valued", "family": "nDCG",
    "cutoff": 10, "zero_is_failure": False, "description": "a sum", "notes": "of gains",
}  # fmt: skip
DENSITY = {
    "unit": "topic", "basis": "judgements", "n_judged": 50, "n_with_relevant": 49, "relevant_mean": 3.6,
    "relevant_median": 3.0, "share_with_one": 0.25, "mean_inverse": 1.0, "shape": "copied", "copied_from": "scifact",
    "relevant_at_least": 2.5, "at_least_from": "P@10", "relevant_grade": 2, "n_with_grade_2": 48, "grade_2_mean": 2.2,
    "grade_2_median": 2.0, "grade_2_share_with_one": 0.0, "candidates_mean": 100.0, "n_members": 3,
    "query_in_corpus": "possible", "mteb_removes_query": True, "anserini_removes_query": False, "source": "the qrels",
    "note": "counted twice",
}  # fmt: skip


def written(cell: object) -> str:
    """Return a cell as files have it."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return "" if cell is None else str(cell)


def load(folder: Path, file: str, **cells: object) -> LoadReport:
    """Load a file of one row."""
    for path in folder.glob("*.csv"):
        path.unlink()
    (folder / file).write_text(",".join(cells) + "\n" + ",".join(map(written, cells.values())) + "\n")
    (report,) = load_catalog(directory=folder)
    return report


def taken(folder: Path, file: str, **cells: object) -> None:
    report = load(folder, file, **cells)
    assert [str(fault) for fault in report.rejections] == []


def test_what_is_left_blank_is_not_known(tmp_path):
    taken(tmp_path, "collections.csv", slug="x", name="X", **dict.fromkeys(list(COLLECTION)[2:]))
    collection = Collection.objects.get()
    assert {getattr(collection, name) for name in list(COLLECTION)[2:]} == {None, ""}
    taken(tmp_path, "measures.csv", name="AP", **dict.fromkeys(list(MEASURE)[1:]))
    measure = Measure.objects.get()
    assert (measure.low, measure.high, measure.decimals, measure.higher_is_better) == (None, None, 4, True)
    taken(tmp_path, "densities.csv", collection="x", unit="topic", **dict.fromkeys(list(DENSITY)[1:]))
    assert (collection.density.relevant_grade, collection.density.mteb_removes_query) == (1, None)
    factory.make_collection("y")
    taken(tmp_path, "collection_links.csv", collection="x", base="y", relation="nano", is_inferred="")
    assert CollectionLink.objects.get().is_inferred is False


@pytest.mark.parametrize("file", sorted(SCHEMA.keys() - {"leaderboards.csv"}))
def test_a_text_is_taken_as_long_as_its_column_is_and_no_longer(file: str):
    parsers = SCHEMA[file].parsers
    fields = {field.name: field for field in MODELS[file]._meta.get_fields()}
    columns = {
        column: field.max_length
        for column in parsers
        if (field := fields.get("text" if column == "question" else column))
        and getattr(field, "max_length", None)
        and not (field.choices or column in {"url", "relation"})
    }
    assert columns
    for column, length in columns.items():
        assert parsers[column]("x" * length) == "x" * length, column
        with pytest.raises(Refused, match=f"has {length + 1} characters; the most is {length}"):
            parsers[column]("x" * (length + 1))


def test_names_between_bars_are_as_long_as_an_alias_may_be():
    for file, column in [("collections.csv", "aliases"), ("questions.csv", "names"), ("questions.csv", "choices")]:
        parse = SCHEMA[file].parsers[column]
        assert parse("x" * 100 + "|y") == ("x" * 100, "y")
        with pytest.raises(Refused, match="the most is 100"):
            parse("y|" + "x" * 101)
    assert SCHEMA["variance_library.csv"].parsers["sources"]("x" * 300) == ["x" * 300]
    with pytest.raises(Refused, match="the most is 300"):
        SCHEMA["variance_library.csv"].parsers["sources"]("x" * 301)


@pytest.mark.parametrize(
    ("file", "column", "good", "bad", "message"),
    [
        ("collections.csv", "n_topics", ["1", "10,000,000"], ["0", "10000001"], "is not between 1 and 10,000,000"),
        ("collections.csv", "n_documents", ["0"], ["-1"], "is not a whole number"),
        ("collections.csv", "relevant_per_topic", ["0.5"], ["0", "-1"], "is not above 0"),
        ("collections.csv", "task", ["Known-Item", ""], ["adhoc2"], "is none of blank, ad-hoc, known-item"),
        ("collections.csv", "task", ["ad-hoc"], ["ad-hok"], "did you mean ad-hoc?"),
        ("collections.csv", "slug", ["a_B-9"], ["a.b", "ä", "a b"], "does not fit into an address"),
        ("measures.csv", "decimals", ["0", "12"], ["13"], "is not between 0 and 12"),
        ("densities.csv", "share_with_one", ["0", "1"], ["-0.1", "1.01"], "is not between 0 and 1"),
        ("densities.csv", "relevant_grade", ["1", "2"], ["0", "3"], "is not between 1 and 2"),
        ("densities.csv", "basis", ["", "Pooled"], ["guessed"], "is none of blank, judgements, statistics"),
        ("densities.csv", "mteb_removes_query", ["yes", ""], ["often"], "is neither true nor false"),
        ("variance_library.csv", "mean_square", ["", "0.1"], ["0"], "is not above 0"),
        ("questions.csv", "kind", [" Measure ", "COLLECTION"], [""], "is neither collection nor measure"),
        ("collection_links.csv", "is_inferred", ["", "no"], ["perhaps"], "is neither true nor false"),
        ("collection_links.csv", "relation", ["nano"], ["cousin"], "is none of"),
    ],
)
def test_a_value_within_bounds_is_taken_and_one_beyond_is_not(file, column, good, bad, message):
    parse = SCHEMA[file].parsers[column]
    for cell in good:
        parse(cell)
    for cell in bad:
        with pytest.raises(Refused) as caught:
            parse(cell)
        assert message in caught.value.message


#: What a leaderboard's analysis rests on, of the collection and of the measure, and what it does not rest on.
MATTERS = {
    "n_topics": 248, "n_topics_at_least": 201, "relevant_per_topic": 70, "task": "known-item", "suite": "TREC",
    "group_kind": "need", "topic_groups": 20, "judge": "LLM", "holder": "Acme",
    "low": 0, "high": 3, "higher_is_better": False,
    "kind": "share", "family": "", "cutoff": 20, "zero_is_failure": True,
}  # fmt: skip
CHANGES = MATTERS | {
    "ir_datasets_id": "", "documents": "news", "n_documents": 1, "n_topics_source": "", "n_topics_at_least_source": "",
    "mteb_task": "", "domain": "", "year": 2005, "language": "en", "url": "", "notes": "",
    "judged_by": "", "held_by": "",
    "ir_measures": "", "trec_eval": "", "long_name": "gain", "decimals": 3, "description": "",
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_leaderboard_is_analysed_again_where_what_it_rests_on_changes(tmp_path, name):
    taken(tmp_path, "collections.csv", **COLLECTION)
    taken(tmp_path, "measures.csv", **MEASURE)
    board = factory.make_leaderboard(Collection.objects.get(), Measure.objects.get())
    file, cells = ("collections.csv", COLLECTION) if name in COLLECTION else ("measures.csv", MEASURE)
    taken(tmp_path, file, **cells | {name: CHANGES[name]})
    board.refresh_from_db()
    assert board.results_version == (1 if name in MATTERS else 0)


def test_what_is_counted_matters_for_the_other_years_of_a_track_too(tmp_path):
    suites = {"first": "TREC News", "second": "TREC News", "third": "MTEB", "lone": "", "of-none": ""}
    for slug, suite in suites.items():
        factory.make_leaderboard(factory.make_collection(slug, suite=suite))

    def versions() -> dict[str, int]:
        return dict(Leaderboard.objects.values_list("collection__slug", "results_version"))

    taken(tmp_path, "densities.csv", collection="first", unit="topic", relevant_mean=3.6)
    assert versions() == {"first": 1, "second": 1, "third": 0, "lone": 0, "of-none": 0}
    taken(tmp_path, "densities.csv", collection="lone", unit="topic", relevant_mean=3.6)
    assert versions() == {"first": 1, "second": 1, "third": 0, "lone": 1, "of-none": 0}, "no suite is no track"
    taken(tmp_path, "densities.csv", collection="first", unit="topic", relevant_mean=3.7)
    assert versions()["second"] == 2
    taken(tmp_path, "densities.csv", collection="first", unit="topic", relevant_mean=3.7)
    assert versions()["second"] == 2, "the same again changes nothing"
