"""The names that papers and tools use, looked up among all that ships.

``common_names.csv`` is from the heads of the result tables of BEIR and the papers that report it, of MTEB, of the TREC
tracks and of dense and sparse retrieval on MS MARCO, from the READMEs of Anserini, Pyserini, ranx and ir_measures, and
from what trec_eval and mteb print. Each leads to one row, or to the question which of several.
"""

import csv
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from django.db import transaction

from analysis.readers.names import says_grade, with_grade, without_grade
from analysis.readers.rejections import Refused
from registry.catalog.models import Collection, Leaderboard
from registry.catalog.names import AMBIGUOUS
from registry.catalog.queries import CatalogNames
from registry.catalog.services import load_catalog
from tests.thoroughness import every

DATA = Path(__file__).parents[3] / "data"


@dataclass(frozen=True)
class Shipped:
    """All names that ship, read once: as they lead to what is on record, and as scores are submitted under them."""

    names: CatalogNames
    of_scores: CatalogNames


@pytest.fixture(scope="module")
def shipped(django_db_setup: None, django_db_blocker) -> Shipped:
    """The leaderboards that have results are there, the results are not."""
    with django_db_blocker.unblock(), transaction.atomic():
        load_catalog(directory=DATA)
        names = CatalogNames()
        boards = {(names.collection(collection), names.measure(measure)) for collection, measure in recorded()}
        rows = (Leaderboard(collection=collection, measure=measure) for collection, measure in boards)
        Leaderboard.objects.bulk_create(rows, ignore_conflicts=True)
        names_of_both = Shipped(CatalogNames(), CatalogNames(of_scores=True))
        transaction.set_rollback(True)
    return names_of_both


@pytest.fixture(scope="module")
def names(shipped: Shipped) -> CatalogNames:
    return shipped.names


@cache
def recorded() -> frozenset[tuple[str, str]]:
    """Return collection and measure of every result that ships."""
    pairs: set[tuple[str, str]] = set()
    for path in (DATA / "results").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as stream:
            pairs |= {(row["collection"], row["measure"]) for row in csv.DictReader(stream)}
    return frozenset(pairs)


def table(file: str) -> list[dict[str, str]]:
    with (DATA / file).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def found_as(find, *arguments, **options) -> str | set[str]:
    """Return what a name leads to: one canonical name, or those to choose from."""
    try:
        row = find(*arguments, **options)
    except Refused as refused:
        if refused.code != AMBIGUOUS:
            return f"refused: {refused.message}"
        is_told = refused.question and all(row.label and (row.detail or row.value) for row in refused.candidates)
        return {row.value for row in refused.candidates} if is_told else "a question without what to choose by"
    return row.slug if isinstance(row, Collection) else row.name


def beside(file: str) -> list[dict[str, str]]:
    with Path(__file__).with_name(file).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize("row", beside("common_names.csv"), ids=lambda row: f"{row['kind']} {row['written']}")
def test_a_name_as_papers_write_it(names, row):
    meant = set(row["meant"].split(";")) if row["is_asked"] else row["meant"]
    assert found_as(getattr(names, row["kind"]), row["written"]) == meant
    assert getattr(names, f"has_{row['kind']}")(row["written"])


#: Names that mean one thing here and may mean several there: collection, measure, what is asked, the choices.
TOLD_BY_THE_OTHER: list[tuple[str, str, str, str | set[str]]] = [
    ("Robust04", "MAP", "collection", "trec-2004-robust"),
    ("Robust04", "nDCG@20", "collection", "trec-2004-robust"),
    ("Robust04", "nDCG@10", "collection", {"trec-2004-robust", "beir-robust04"}),
    ("robust04", "ndcg_at_10", "collection", {"trec-2004-robust", "beir-robust04"}),
    ("trec-2004-robust", "nDCG@10", "collection", "trec-2004-robust"),
    ("trec-8-adhoc", "MAP", "measure", "AP"),
    ("trec-dl-2019-doc", "MAP", "measure", "AP"),
    ("trec-dl-2019-passage", "MAP", "measure", {"AP(rel=2)", "AP(rel=2)@1000", "AP(rel=2)@100", "AP"}),
    ("trec-dl-2019-passage", "AP", "measure", "AP"),
    ("trec-dl-2020-passage", "MRR@10", "measure", {"RR(rel=2)@10", "RR@10"}),
    ("msmarco-passage-dev", "MRR@10", "measure", "RR@10"),
    ("trec-dl-2019-passage", "Recall@1k", "measure", {"R(rel=2)@1000", "R@1000"}),
    ("beir-scifact", "Recall@100", "measure", "R@100"),
    ("wikipedia-dpr-100w-nq-test", "Recall@100", "measure", {"R@100", "Top-100 accuracy (answers)", "Success@100"}),
    ("wikipedia-dpr-100w-nq-test", "R@100", "measure", "R@100"),
]

#: What is no row here, and what is said of it.
NOT_HELD: list[tuple[str, str, str]] = [
    ("collection", "BEIR", "name the data set: BEIR SciFact"),
    ("collection", "BEIR (avg.)", "An average over data sets has no leaderboard"),
    ("collection", "MIRACL", "name the language"),
    ("collection", "mMARCO de", "only the Chinese and the Dutch part are held"),
    ("measure", "EM", "It scores answers, not a ranking."),
    ("measure", "nDCG'", "nobody judged"),
    ("measure", "Judged@10", "It describes the judgements"),
    ("measure", "@10", "which measure?"),
]


@pytest.mark.parametrize(("collection", "measure", "asked", "meant"), TOLD_BY_THE_OTHER)
def test_a_name_that_is_told_by_the_one_beside_it(names, collection, measure, asked, meant):
    if asked == "collection":
        assert found_as(names.collection, collection, under=measure) == meant
    else:
        assert found_as(names.measure, measure, on=names.collection(collection)) == meant


@pytest.mark.parametrize(("kind", "written", "message"), NOT_HELD)
def test_what_is_no_collection_and_no_measure_says_why(names, kind, written, message):
    with pytest.raises(Refused) as caught:
        getattr(names, kind)(written)
    assert caught.value.code == f"unknown_{kind}"
    assert message in caught.value.message
    assert not names.has_collection(written)
    assert not names.has_measure(written)


def test_every_collection_goes_by_every_name_that_it_is_shown_under(names):
    """Slug and display name lead to it; what it shares with others, an ir_datasets id say, asks, and offers it."""
    for row in table("collections.csv"):
        slug = row["slug"]
        assert found_as(names.collection, slug) == slug
        assert found_as(names.collection, row["name"]) == slug
        assert found_as(names.collection, f"  {slug.upper()} ") == slug
        spelled = (row["name"].lower(), row["name"].replace(" ", "-"), row["name"].replace("-", " "))
        for name in filter(None, [row["ir_datasets_id"], *row["aliases"].split("|"), *spelled]):
            led_to = found_as(names.collection, name)
            assert led_to == slug or slug in led_to, name


def test_every_measure_goes_by_every_name_that_it_is_shown_under(names):
    for row in table("measures.csv"):
        name = row["name"]
        assert found_as(names.measure, name) == name
        for other in filter(None, [row["ir_measures"], row["long_name"], *row["aliases"].split("|")]):
            led_to = found_as(names.measure, other)
            assert led_to == name or name in led_to, other


def test_no_row_of_what_ships_names_anything_that_would_be_asked(names):
    for collection, measure in recorded():
        row = names.collection(collection, under=measure)
        assert (row.slug, names.measure(measure, on=row).name) == (collection, measure)


#: What else papers write for a measure that does not say its grade.
_SPELLED = {"AP": "MAP", "R@1000": "R@1k", "R@100": "Recall@100", "P@10": "Precision@10", "Bpref": "bpref"}


def test_where_a_measure_has_a_sibling_even_its_exact_name_is_asked_about(shipped):
    """Every collection with results under a measure from some grade on, and DL-HARD; every measure that has such."""
    by_name = {row["name"]: row for row in table("measures.csv")}
    siblings = {without_grade(name): name for name in by_name if says_grade(name)}
    graded = {collection for collection, measure in recorded() if says_grade(measure)} | {
        "dl-hard-passage",
        "trec-2021-cast",
    }
    assert len(graded) >= 7
    assert len(siblings) >= 13
    for slug in sorted(graded):
        collection = shipped.names.collection(slug)
        for name, sibling in siblings.items():
            printed = by_name[name]["trec_eval"]
            # What needs flags is no name of its own.
            for written in filter(None, [name, printed if " " not in printed else "", _SPELLED.get(name)]):
                asked = found_as(shipped.of_scores.measure, written, on=collection)
                assert {sibling, with_grade(name)} <= asked, (slug, written)
            assert all(found_as(shipped.of_scores.measure, to, on=collection) in {name, to} for to in asked)
            assert found_as(shipped.names.measure, name, on=collection) == name, "an address leads where it always led"
            assert found_as(shipped.of_scores.measure, with_grade(name), on=collection) == name


@pytest.mark.parametrize("k", [1, 5, 10, 20, 50, 100])
def test_how_often_something_is_found_is_one_question_however_it_is_spelled(shipped, k):
    for slug in {collection for collection, measure in recorded() if measure.startswith("Top-")}:
        collection = shipped.names.collection(slug)
        for written in ("Hits@{}", "Hit@{}", "HR@{}", "Accuracy@{}", "Acc@{}", "Success@{}", "Top-{} accuracy"):
            asked = found_as(shipped.of_scores.measure, written.format(k), on=collection)
            assert asked == {f"Top-{k} accuracy (answers)", f"Success(rel=1)@{k}"}, (slug, written)
    elsewhere = shipped.names.collection("beir-nq")
    assert found_as(shipped.of_scores.measure, f"Hits@{k}", on=elsewhere) == f"Success@{k}"


_NAMED_OTHERWISE = {"mteb-fresh-stack": "mteb-freshstack"}
#: Where a name of the gathered list leads elsewhere on purpose.
_ELSEWHERE = {"ERR": "ERR", "AP (rel≥2)": "AP(rel=2)", "MAP (rel>=2)": "AP(rel=2)", "RR(rel=2)": "RR(rel=2)"}


def test_no_gathered_name_leads_silently_to_something_else(names):
    whole = beside("gathered_names.csv")
    assert len(whole) > 2000
    gathered = every(3, whole, __file__)
    became: Counter[str] = Counter()
    for row in gathered:
        targets = [_NAMED_OTHERWISE.get(name, name) for name in row["targets"].split(";")]
        led_to = found_as(getattr(names, row["kind"]), row["alias"])
        became["asks" if isinstance(led_to, set) else "refused" if led_to.startswith("refused") else "found"] += 1
        if isinstance(led_to, str) and not led_to.startswith("refused"):
            assert led_to in [*targets, _ELSEWHERE.get(row["alias"])], row
    # Collections that are not held, averages, years glued to words, abbreviations of three other things.
    assert became["refused"] < 0.06 * len(gathered)
