"""Verifying results: worth what they print."""

from analysis.readers.scores import PrintedScore
from registry.journal.verifying import Report, Share
from registry.results.models import Result


def check_scores(_: Share) -> Report:
    """Every value is the number that is printed."""
    report = Report()
    for pk, printed, unit, value in Result.objects.values_list("pk", "printed", "unit", "value").iterator(2000):
        report.n += 1
        if PrintedScore(printed, unit).value != value:
            report.problems.append(f"result {pk}: prints {PrintedScore(printed, unit)}, and counts as {value}")
    return report
