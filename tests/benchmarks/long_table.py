"""One table of 10,000 rows handed in, in a process of its own: ``python -m tests.benchmarks.long_table ours|obvious``.

Prints seconds of each step and the memory of the process as JSON. The obvious way is a form for each row that asks the
database for what the row names and for what stands there, and saves it.
"""

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from csv import DictReader
from typing import Any

import django

django.setup()

from django import forms  # noqa: E402
from django.db import transaction  # noqa: E402

from analysis.readers.pasted.tables import PastedTable, read_pasted  # noqa: E402
from analysis.readers.text import comparison_key  # noqa: E402
from registry.accounts.models import User  # noqa: E402
from registry.catalog.models import Collection, Measure  # noqa: E402
from registry.catalog.queries import CatalogNames  # noqa: E402
from registry.results.models import Result  # noqa: E402
from registry.submissions.documents import describe_rows  # noqa: E402
from registry.submissions.models import Submission, SubmittedRow  # noqa: E402
from registry.submissions.services.changing import check_submission  # noqa: E402
from registry.submissions.services.drafting import create_submission  # noqa: E402

PAGE_SIZE = 50


def ours(text: str, person: User) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The steps as the site takes them."""
    made: list[Any] = []

    def read() -> None:
        table = read_pasted(text, CatalogNames(), form="CSV")
        assert isinstance(table, PastedTable), table
        made.extend(table.records())

    def store() -> None:
        made[:] = [create_submission(contributor=person, way=Submission.Way.TABLE, rows=made)]

    yield "read", read
    yield "store", store
    yield "check", lambda: check_submission(str(made[0].pk))
    yield "preview", lambda: preview(made[0])


def obvious(text: str, person: User) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The steps with a form and its queries for each row, in one transaction."""
    submission = Submission.objects.create(contributor=person, way=Submission.Way.TABLE, digest="x")

    @transaction.atomic
    def save() -> None:
        for number, cells in enumerate(DictReader(text.splitlines()), 1):
            save_row(submission, number, cells)

    yield "read, store and check", save
    yield "preview", lambda: preview(submission)


class RowForm(forms.Form):
    """A row as Django's documentation would check it."""

    collection = forms.ModelChoiceField(Collection.objects.all(), to_field_name="slug")
    measure = forms.ModelChoiceField(Measure.objects.all(), to_field_name="name")
    system = forms.CharField(max_length=300)
    value = forms.DecimalField()
    role = forms.ChoiceField(choices=Result.Role.choices)
    year = forms.IntegerField(required=False, min_value=1950, max_value=2100)
    team = forms.CharField(max_length=300, required=False)
    paper = forms.CharField(max_length=300, required=False)
    paper_url = forms.URLField(max_length=500, required=False, assume_scheme="https")
    source = forms.CharField(max_length=500, required=False)
    locator = forms.CharField(max_length=200, required=False)
    notes = forms.CharField(required=False)


def save_row(submission: Submission, line: int, cells: dict[str, str]) -> None:
    form = RowForm(cells)
    row = SubmittedRow(submission=submission, line=line, cells=cells, outcome=SubmittedRow.Outcome.REFUSED)
    if form.is_valid():
        found = form.cleaned_data
        row.collection = found["collection"]
        row.existing = (
            Result.objects.standing()
            .filter(
                leaderboard__collection=found["collection"],
                leaderboard__measure=found["measure"],
                system__name_key=comparison_key(found["system"]),
                system__team_key=comparison_key(found["team"]),
                source=found["source"],
            )
            .first()
        )
        is_same = row.existing and row.existing.printed == cells["value"]
        row.outcome = "new" if row.existing is None else "same" if is_same else "differs"
    row.save()


def preview(submission: Submission) -> None:
    """What the page of the submission asks for: how many of each, and the first rows against what stands."""
    Submission.objects.with_counts().get(pk=submission.pk)
    describe_rows(submission.rows.with_existing()[:PAGE_SIZE])


def main(way: str, path: str) -> None:
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    person = User.objects.create_user(f"person-{way}")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found: dict[str, float] = {}
    for step, act in {"ours": ours, "obvious": obvious}[way](text, person):
        start = time.perf_counter()
        act()
        found[step] = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"steps": found, "mib": peak / 1024, "added_mib": (peak - before) / 1024}))


main(*sys.argv[1:])
