"""A snapshot with everything that it takes to compute it again, as one file."""

import io
import json
import zipfile
from operator import attrgetter

from analysis.boards import BoardRow, read_snapshot
from registry.core.columns import csv_text
from registry.leaderboards.exports.files import topic_scores_csv
from registry.leaderboards.models import Snapshot
from registry.leaderboards.verification import is_readable, topic_scores_of

#: The same snapshot makes the same file: the oldest day that the format has.
_DAY = (1980, 1, 1, 0, 0, 0)
_ROW_COLUMNS = (
    "id", "system", "team", "printed", "unit", "value", "year", "role", "run_type", "provenance", "comparability",
    "replicate_of",
)  # fmt: skip

_README = """Snapshot {id} of Plumbline

snapshot.json      inputs, methods, libraries and findings, to the byte: sha256sum begins with the id
inputs.csv         its rows, to look at; recompute.py reads snapshot.json
parameters.json    methods, thresholds and seed, and the libraries that computed it
topic_scores.csv   scores by topic, a column for each row id; only where some entered
citation.bib       how to cite it, with the sentence of the verdict
recompute.py       computes every number again, with the statistics library alone:

    pip install {requirements}
    PYTHONPATH=/path/to/plumbline python recompute.py

The library is the folder `analysis` of Plumbline; it needs no site and no network. It ends with 0 where every number
comes out, with 1 where one differs.
"""

_SCRIPT = '''"""Computes every number of snapshot {id} again, with the statistics library of Plumbline alone."""

import sys
from pathlib import Path

from analysis.boards import verify_snapshot
from analysis.scores import parse_score_table

here = Path(__file__).resolve().parent
text = (here / "snapshot.json").read_text(encoding="utf-8")
table, matrix = here / "topic_scores.csv", None
if table.exists():
    with table.open("rb") as file:
        matrix = parse_score_table(file)
problems = verify_snapshot(text, matrix, expected_id="{id}")
print("\\n".join(problems) or "Every number comes out again.")
sys.exit(1 if problems else 0)
'''


def bundle_of(snapshot: Snapshot, citation: str) -> bytes:
    """Inputs, parameters, topic scores, citation, and a script that computes every number again, zipped."""
    content = json.loads(snapshot.content)
    is_suite = snapshot.leaderboard_id is None
    requirements = " ".join(f"{name}=={version}" for name, version in sorted(content["libraries"].items()))
    parameters = {"methods": content["methods"], "libraries": content["libraries"]}
    files = {
        "README.txt": _README.format(id=snapshot.pk, requirements=f"{requirements} msgspec lazy-loader"),
        "snapshot.json": snapshot.content,
        "parameters.json": json.dumps(parameters, indent=2, sort_keys=True, ensure_ascii=False) + "\n",
        "citation.bib": citation,
        "recompute.py": _SCRIPT.format(id=snapshot.pk),
    }
    if not is_suite and is_readable(snapshot):
        files["inputs.csv"] = _inputs_csv(read_snapshot(snapshot.content).inputs.rows)
    matrix = topic_scores_of(snapshot) if is_readable(snapshot) else None
    if matrix is not None:
        files["topic_scores.csv"] = topic_scores_csv(matrix)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(f"plumbline-{snapshot.pk}/{name}", _DAY), text, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _inputs_csv(rows: tuple[BoardRow, ...]) -> str:
    return csv_text([_ROW_COLUMNS, *map(attrgetter(*_ROW_COLUMNS), rows)])
