"""Lists of things as files."""

import csv
import io
from collections.abc import Iterable

from django.http import HttpResponse

from registry.core.http import as_download, json_response
from registry.core.tables import guard_formula
from registry.search.documents import describe_thing
from registry.search.models import Thing


def thing_file(things: Iterable[Thing], kind: str, suffix: str) -> HttpResponse:
    """The things as JSON or CSV, one object or line each."""
    rows = [describe_thing(thing) for thing in things]
    if suffix == "json":
        return json_response({"count": len(rows), "results": rows})
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["title", "detail", "url", "n_results"])
    for row in rows:
        writer.writerow([guard_formula(row["title"]), guard_formula(row["detail"]), row["url"], row["n_results"]])
    return as_download(stream.getvalue(), "text/csv; charset=utf-8", f"plumbline-{kind}s.csv")
