"""Memory does not grow with the file."""

import tracemalloc
from pathlib import Path

import pytest

from registry.core.loading import LoadReport
from registry.results.services.files import load_results_file
from tests.registry.results.loading import line, write

MIB = 2**20


def loaded(path: Path) -> tuple[LoadReport, int]:
    """Load a file, and return the bytes that Python held at most meanwhile, too."""
    tracemalloc.start()
    try:
        return load_results_file(path=path), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_refusing_ten_thousand_rows_takes_no_more_memory(robust04, tmp_path):
    rows = (line(system=f"system {number}", value="NaN", measure=f"m{number}") for number in range(10_000))
    report, peak = loaded(write(tmp_path, *rows))
    assert (report.refused, peak < 4 * MIB) == (10_000, True)


@pytest.mark.slow
def test_recording_forty_thousand_rows_takes_no_more_than_recording_five_thousand(robust04, tmp_path):
    peaks = []
    for first, n_rows in ((0, 5_000), (5_000, 40_000)):
        numbers = range(first, first + n_rows)
        report, peak = loaded(
            write(tmp_path, *(line(system=f"system {number}", notes="x" * 100) for number in numbers))
        )
        assert report.added == n_rows
        peaks.append(peak)
    assert peaks[1] < peaks[0] + 2 * MIB
