"""What makers say of systems: on the page, for programs, and in files."""

import csv
import io
from pathlib import Path

import pytest

from registry.core.loading import LoadReport
from registry.curation.lineage.models import SystemFacts
from registry.curation.lineage.pipeline import SYSTEM_FACTS_COLUMNS
from registry.curation.lineage.services import load_statements
from tests.registry.curation.lineage.world import make_of
from tests.registry.results.loading import refusals

E5 = {
    "system": "intfloat/e5-small",
    "team": "intfloat",
    "model": "intfloat/e5-small",
    "organisation": "intfloat",
    "released": "2022-12-07",
    "n_parameters": "33360000",
    "n_active_parameters": "21500000",
    "base_model": "intfloat/e5-small-unsupervised",
    "revision": "e272f3049e85",
    "open_weights": "yes",
    "licence": "mit",
    "training": "declared",
    "training_data": "MSMARCO|NQ",
    "source": "its card",
}


def load(folder: Path, *rows: dict[str, str]) -> LoadReport:
    """Load a file of what makers say; what a row leaves out is that of ``E5``."""
    text = io.StringIO()
    writer = csv.DictWriter(text, SYSTEM_FACTS_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(dict.fromkeys(SYSTEM_FACTS_COLUMNS, "") | E5 | row for row in rows)
    path = folder / "systems.csv"
    path.write_text(text.getvalue(), encoding="utf-8")
    return load_statements(path=path)


BROKEN = [
    ({"open_weights": "perhaps"}, "'perhaps' is none of yes, no"),
    ({"training": "declard"}, "'declard' is none of declared, none, unknown; did you mean declared?"),
    ({"n_parameters": "7B"}, "'7B' is not a whole number; write digits only, as 50"),
    ({"n_parameters": "0"}, "0 is not between 1 and 1,000,000,000,000,000"),
    ({"system": "", "team": ""}, "names no system"),
    ({"source": ""}, "says nowhere how it is known; fill in source"),
]


@pytest.mark.parametrize(
    ("row", "message"), BROKEN, ids=[next(iter(row)) + str(place) for place, (row, _) in enumerate(BROKEN)]
)
def test_what_cannot_be_taken_is_said(tmp_path, row, message):
    make_of("intfloat/e5-small", "intfloat")
    assert [refusal[2] for refusal in refusals(load(tmp_path, row))] == [message]
    assert not SystemFacts.objects.exists()
