"""Memory does not grow with the file."""

import tracemalloc
from datetime import date
from pathlib import Path

import pytest

from analysis.readers.columns import OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from analysis.readers.tables import read_table
from registry.catalog.queries import CatalogNames
from registry.core.bulk import Staging
from registry.core.loading import LoadReport, silent
from registry.results.pipeline.rows import MergedNames, ResultRow, parse_results
from registry.results.services.files import load_results_file
from registry.results.services.recording import stage
from tests.registry.results.loading import line, write

MIB = 2**20


def peak_of_staging(path: Path) -> int:
    """Return the bytes that Python held at most while the file was read, checked and put aside."""
    names = CatalogNames()
    tracemalloc.start()
    try:
        with path.open("rb") as stream, Staging(ResultRow) as staging:
            records = read_table(stream, required=REQUIRED_COLUMNS, optional=OPTIONAL_COLUMNS)
            rows = parse_results(records, names, today=date(2026, 1, 1))
            stage(rows, MergedNames({}, {}), staging, LoadReport("x"), silent)
            return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_reading_ten_times_the_rows_takes_no_more_memory(robust04, tmp_path):
    peaks = []
    for n_rows in (1000, 10_000):
        rows = (
            line(system=f"system {number}", paper=f"Paper {number % 100}", notes="x" * 100) for number in range(n_rows)
        )
        peaks.append(peak_of_staging(write(tmp_path, *rows)))
    assert peaks[1] < peaks[0] + MIB


@pytest.mark.slow
def test_refusing_ten_thousand_rows_takes_no_more_memory(robust04, tmp_path):
    rows = (line(system=f"system {number}", value="NaN", measure=f"m{number}") for number in range(10_000))
    assert peak_of_staging(write(tmp_path, *rows)) < 4 * MIB


@pytest.mark.slow
def test_recording_forty_thousand_rows_takes_no_more_than_recording_five_thousand(robust04, tmp_path):
    peaks = []
    for first, n_rows in ((0, 5_000), (5_000, 40_000)):
        numbers = range(first, first + n_rows)
        path = write(tmp_path, *(line(system=f"system {number}", notes="x" * 100) for number in numbers))
        tracemalloc.start()
        try:
            assert load_results_file(path=path).added == n_rows
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < peaks[0] + 2 * MIB
