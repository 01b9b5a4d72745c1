"""The gathered files of published results: each loads, or the load names what is wrong with it."""

import csv
from pathlib import Path

import pytest

from registry.catalog.models import Collection, Measure
from registry.core.loading import LoadReport
from registry.results.models import Result
from registry.results.services.files import load_results_file
from tests.registry.results.loading import counts
from tests.shared_data import shared_file

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FILES = {
    "anserini_reference.csv": 5009,
    "msmarco_passage_leaderboard.csv": 323,
    "mteb_retrieval_ndcg10.csv": 13876,
    "pyserini_reference.csv": 2240,
    "rankllm.csv": 547,
    "robust04_papers.csv": 434,
    "tirex_evaluations.csv": 3116,
    "trec_browser_adhoc.csv": 23952,
}


def load(name: str) -> LoadReport:
    """The file, into a catalog of everything that it names."""
    path = shared_file(f"published/{name}")
    _make_catalog(path)
    return load_results_file(path=path)


def _make_catalog(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    slugs = {row["collection"].lower(): row["collection"] for row in rows}
    Collection.objects.bulk_create(Collection(slug=slug, name=slug) for slug in slugs.values())
    Measure.objects.bulk_create(Measure(name=name.replace("/", "|")) for name in {row["measure"] for row in rows})


@pytest.mark.parametrize(("name", "n_rows"), FILES.items())
def test_a_file_loads_as_it_is_and_changes_nothing_the_second_time(name, n_rows):
    assert counts(load(name)) == (n_rows, 0, 0, 0)
    path = shared_file(f"published/{name}")
    assert counts(load_results_file(path=path)) == (0, n_rows, 0, 0)
    assert Result.objects.count() == n_rows


def test_the_one_figure_in_scientific_notation_is_kept_as_printed():
    load("trec_browser_other.csv")
    (result,) = Result.objects.filter(printed__contains="e")
    assert (result.printed, result.value) == ("-1.2e-05", -0.000012)
