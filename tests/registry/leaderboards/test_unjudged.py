"""The share of documents that nobody judged, where rows print it."""

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from analysis.boards import BoardInputs, BoardRow, MeasureFacts, study
from registry.leaderboards.queries.boards import unjudged_of
from tests.registry.factory import make_measure, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

TIREX = Path(__file__).resolve().parents[3] / "data/results/tirex.csv"


@cache
def tirex_rows():
    with TIREX.open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if row["comparability"] == "standard"]


#: A score, and the share that nobody judged.
Row = tuple[float, float]


def board_of(rows: list[Row], measure: str = "nDCG@10"):
    board = make_board([], measure=make_measure(measure))
    for number, (value, share) in enumerate(rows):
        make_result(
            board,
            make_system(f"system {number}", team=f"team {number}"),
            f"{value:.3f}",
            notes=f"type=PyGaggle; unjudged@10={share:.3f}; as printed",
        )
    mark_changed(board)
    analyse(board)
    return board


def rising(n_rows: int, share: float) -> list[Row]:
    return [(0.2 + 0.001 * number, share + 0.001 * number) for number in range(n_rows)]


def test_the_note_has_the_median_and_the_share_of_the_best(client):
    text = read(client, board_of(rising(21, 0.4)).get_absolute_url()).text
    assert "41 % of the first ten documents of a topic have no judgement, in the median of the 21 rows" in text
    assert "rows that print it; of system 20 42 %. They count as not relevant." in text
    assert "could lead" not in text, "what nDCG would be is not known from means"


@pytest.mark.parametrize(
    ("collection", "n"),
    [
        ("trec-2005-terabyte-adhoc", 1),
        ("trec-8-adhoc", 2),
        ("trec-7-adhoc", 3),
        ("trec-2006-terabyte-adhoc", 7),
        ("trec-dl-2020-passage", 9),
        ("trec-dl-2019-passage", 19),
    ],
)
def test_how_many_of_the_rows_that_ship_could_lead(collection, n):
    """The values of a separate computation, of the rows that print the share alone; with the leader."""
    rows = [row for row in tirex_rows() if (row["collection"], row["measure"]) == (collection, "P@10")]
    told = [
        BoardRow(id=number, system=row["system"], printed=row["value"], value=float(row["value"]), unjudged=share)
        for number, row in enumerate(sorted(rows, key=lambda row: -float(row["value"])))
        if (share := unjudged_of(row["notes"])) is not None
    ]
    inputs = BoardInputs(collection=collection, measure=MeasureFacts(name="P@10"), rows=tuple(told), n_topics=50)
    (message,) = [one.message for one in study(inputs).verdict.cautions if one.code == "unjudged"] or [""]
    found = re.search(r"(\d+) other rows? could lead", message)
    assert (int(found[1]) if found else 0) + 1 == n
