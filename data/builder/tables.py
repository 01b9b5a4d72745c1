"""Reading and writing of CSV, the same bytes every time."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

Row = dict[str, str]


def read_table(path: Path) -> list[Row]:
    """Return the rows of a CSV file with a header, as text."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write rows under the given columns; a column that a row lacks is blank, one that isn't listed is an error."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.getvalue().encode("utf-8"))


def join_notes(*notes: str) -> str:
    """Return the notes that aren't blank, each once, in order."""
    parts = [part.strip() for note in notes for part in note.split("; ")]
    return "; ".join(dict.fromkeys(part for part in parts if part))


def hyphened(text: str) -> str:
    """Return a text in small letters as part of an address, with hyphens for what is neither letter nor digit."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def file_safe(measure: str) -> str:
    """Return a measure's name as part of a file name: nDCG@10 as nDCG-at-10, R@10% as R-at-10-percent."""
    safe = measure.replace("@", "-at-").replace("%", "-percent")
    return "-".join(part for part in "".join(c if c.isalnum() else "-" for c in safe).split("-") if part)
