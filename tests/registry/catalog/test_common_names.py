"""The names that papers use, looked up among all that ships."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from django.db import transaction

from registry.catalog.models import Collection
from registry.catalog.names import SplitHead, split_head
from registry.catalog.queries import AMBIGUOUS, CatalogNames
from registry.catalog.services import load_catalog
from registry.core.rejections import Refused
from tests.registry.catalog.common_names import COLLECTIONS, MEASURES, NOT_HELD, TOLD_BY_THE_OTHER
from tests.shared_data import shared_file

DATA = Path(__file__).parents[3] / "data"

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def names(django_db_setup: None, django_db_blocker) -> CatalogNames:
    """All names that ship, read once."""
    with django_db_blocker.unblock(), transaction.atomic():
        load_catalog(directory=DATA)
        found = CatalogNames()
        transaction.set_rollback(True)
    return found


def table(file: str) -> list[dict[str, str]]:
    with (DATA / file).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def found_as(find, *given, **options) -> str | set[str]:
    """What a name leads to: one canonical name, or those to choose from."""
    try:
        row = find(*given, **options)
    except Refused as refused:
        if refused.code != AMBIGUOUS:
            return f"refused: {refused.message}"
        is_told = refused.question and all(one.label and (one.detail or one.value) for one in refused.candidates)
        return {one.value for one in refused.candidates} if is_told else "a question without what to choose by"
    return row.slug if isinstance(row, Collection) else row.name


def test_there_are_as_many_as_the_field_has():
    assert len(COLLECTIONS) >= 61
    assert len(MEASURES) >= 45


@pytest.mark.parametrize(("written", "meant"), COLLECTIONS.items())
def test_a_collection_as_papers_write_it(names, written, meant):
    assert found_as(names.collection, written) == meant
    assert names.has_collection(written)


@pytest.mark.parametrize(("written", "meant"), MEASURES.items())
def test_a_measure_as_papers_write_it(names, written, meant):
    assert found_as(names.measure, written) == meant
    assert names.has_measure(written)


@pytest.mark.parametrize(("collection", "measure", "asked", "meant"), TOLD_BY_THE_OTHER)
def test_a_name_that_is_told_by_the_one_beside_it(names, collection, measure, asked, meant):
    if asked == "collection":
        assert found_as(names.collection, collection, under=measure) == meant
    else:
        assert found_as(names.measure, measure, on=names.collection(collection)) == meant


@pytest.mark.parametrize(("kind", "written", "said"), NOT_HELD)
def test_what_is_no_collection_and_no_measure_says_why(names, kind, written, said):
    with pytest.raises(Refused) as caught:
        getattr(names, kind)(written)
    assert caught.value.code == f"unknown_{kind}"
    assert said in caught.value.message
    assert not names.has_collection(written)
    assert not names.has_measure(written)


def test_every_collection_goes_by_every_name_that_it_is_shown_under(names):
    """Slug and display name lead to it; what it shares with others, an ir_datasets id say, asks, and offers it."""
    for row in table("collections.csv"):
        slug = row["slug"]
        assert found_as(names.collection, slug) == slug
        assert found_as(names.collection, row["name"]) == slug
        assert found_as(names.collection, f"  {slug.upper()} ") == slug
        for name in filter(None, [row["ir_datasets_id"], *row["aliases"].split("|")]):
            found = found_as(names.collection, name)
            assert found == slug or slug in found, name
        for name in (row["name"].lower(), row["name"].replace(" ", "-"), row["name"].replace("-", " ")):
            found = found_as(names.collection, name)
            assert found == slug or slug in found, name


def test_every_measure_goes_by_every_name_that_it_is_shown_under(names):
    for row in table("measures.csv"):
        name = row["name"]
        assert found_as(names.measure, name) == name
        for other in filter(None, [row["ir_measures"], row["long_name"], *row["aliases"].split("|")]):
            found = found_as(names.measure, other)
            assert found == name or name in found, other


def test_no_row_of_what_ships_names_anything_that_would_be_asked(names):
    for path in sorted((DATA / "results").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            pairs = {(row["collection"], row["measure"]) for row in csv.DictReader(stream)}
        for collection, measure in pairs:
            found = names.collection(collection, under=measure)
            assert (found.slug, names.measure(measure, on=found).name) == (collection, measure)


_NAMED_OTHERWISE = {
    "Success@20": "top_20_accuracy",
    "Success@100": "top_100_accuracy",
    "mteb-fresh-stack": "mteb-freshstack",
}
#: Where a name of the gathered list leads elsewhere on purpose.
_ELSEWHERE = {
    "ERR": "ERR",
    "AP (rel≥2)": "AP(rel=2)",
    "MAP (rel>=2)": "AP(rel=2)",
    "RR(rel=2)": "RR(rel=2)",
}


def test_no_gathered_name_leads_silently_to_something_else(names):
    with shared_file("more/aliases.csv").open(encoding="utf-8", newline="") as stream:
        gathered = list(csv.DictReader(stream))
    became: Counter[str] = Counter()
    for row in gathered:
        targets = [_NAMED_OTHERWISE.get(name, name) for name in row["targets"].split(";")]
        found = found_as(getattr(names, row["kind"]), row["alias"])
        became["asks" if isinstance(found, set) else "refused" if found.startswith("refused") else "found"] += 1
        if isinstance(found, str) and not found.startswith("refused"):
            assert found in [*targets, _ELSEWHERE.get(row["alias"])], row
    assert len(gathered) > 2000
    # Collections that are not held, averages, years glued to words, abbreviations of three other things.
    assert became["refused"] < 0.06 * len(gathered)


@pytest.mark.parametrize(
    ("head", "collection", "measure"),
    [
        ("DL19 nDCG@10", "DL19", "nDCG@10"),
        ("nDCG@10 DL19", "DL19", "nDCG@10"),
        ("TREC DL 2019 / MAP", "TREC DL 2019", "MAP"),
        ("nDCG@10 (DL19)", "DL19", "nDCG@10"),
        ("DL19 (nDCG@10)", "DL19", "nDCG@10"),
        ("MS MARCO Dev MRR@10", "MS MARCO Dev", "MRR@10"),
        ("TREC-COVID: P@5", "TREC-COVID", "P@5"),
        ("TREC-DL-19 Recall@1k", "TREC-DL-19", "Recall@1k"),
        ("Robust04-MAP", "Robust04", "MAP"),
        ("MS MARCO", "MS MARCO", ""),
        ("Top-20 accuracy", "", "Top-20 accuracy"),
        ("Latency (ms)", "", ""),
        ("BEIR", "", ""),
        ("SD", "", ""),
        ("AP", "", "AP"),
        ("", "", ""),
        ("x " * 200, "", ""),
    ],
)
def test_one_head_is_split_into_collection_and_measure(names, head, collection, measure):
    assert split_head(head, names) == SplitHead(collection, measure)
