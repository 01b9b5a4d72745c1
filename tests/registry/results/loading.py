"""Files of results for tests, and loading them."""

import csv
import io
from pathlib import Path
from typing import Any

from analysis.readers.columns import OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from registry.catalog.models import Leaderboard
from registry.core.loading import LoadReport
from registry.results.models import Result
from registry.results.services.files import load_results_file
from tests.registry import factory

COLUMNS = [*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS]
DEFAULTS = {
    "collection": "robust04",
    "measure": "AP",
    "system": "BM25",
    "value": "0.2500",
    "role": "baseline",
    "source": "a survey",
}


def make_robust04() -> Leaderboard:
    """Make the leaderboard that ``line`` is about, with aliases."""
    collection = factory.make_collection("trec-2004-robust", aliases=["Robust04"], n_topics=249)
    return factory.make_leaderboard(collection, factory.make_measure("AP", aliases=["MAP"]))


def line(**cells: str) -> str:
    """Return one row of a file with all columns, without its end."""
    stream = io.StringIO()
    csv.DictWriter(stream, COLUMNS, lineterminator="\n").writerow(dict.fromkeys(COLUMNS, "") | DEFAULTS | cells)
    return stream.getvalue().removesuffix("\n")


def write(folder: Path, *lines: str, name: str = "results.csv") -> Path:
    path = folder / name
    path.write_text("\n".join([",".join(COLUMNS), *lines]) + "\n", encoding="utf-8")
    return path


def load(folder: Path, *lines: str, **options: Any) -> LoadReport:
    """Load a file of these lines; the first is on line 2."""
    return load_results_file(path=write(folder, *lines), **options)


def counts(report: LoadReport) -> tuple[int, int, int, int]:
    """Added, unchanged, superseded, refused."""
    return report.added, report.unchanged, report.superseded, report.refused


def refusals(report: LoadReport) -> list[tuple[int | None, str, str]]:
    return [(rejection.line, rejection.column, rejection.message) for rejection in report.rejections]


def only_refusal(report: LoadReport) -> tuple[int | None, str, str]:
    (refusal,) = refusals(report)
    return refusal


def standing() -> Any:
    return Result.objects.standing().order_by("pk")
