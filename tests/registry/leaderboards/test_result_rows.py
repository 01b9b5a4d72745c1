"""A row of the table of results, cell by cell."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.readers.scores import PrintedScore
from registry.leaderboards.result_rows import Line

ROW: dict[str, Any] = {
    "id": 5, "rank": 2, "rank_low": 1, "rank_high": 4, "tier": 1, "family": 3, "system": "A & B", "system_id": 9,
    "system_slug": "a-b", "team": "us", "is_original": True, "why_not_comparable": "", "training": "says_nothing",
    "training_split": "", "is_disputed": False, "cautions": (), "is_held_back": False, "may_be_best": True,
    "printed": "0.312345", "unit": "", "behind": 0.01234, "year": 2004, "z": -0.5, "topic_z": 1.25, "percentile": 66.6,
    "role_label": "a role", "run_type": "", "provenance_label": "transcribed", "paper": "https://example.org/x",
    "paper_slug": "x-y", "source": "a <source>",
}  # fmt: skip
LINE: dict[str, Any] = {
    "why_out": "", "columns": (), "decimals": 4, "digits": None, "has_teams": False,
    "has_training": False, "usual_training": "", "can_compare": False, "is_telling": True,
}  # fmt: skip


def html(column: str = "", *, row: dict[str, Any] | None = None, **line: Any) -> str:
    """The row with one column alone."""
    shown = SimpleNamespace(**ROW | (row or {}))
    shown.score = PrintedScore(shown.printed, shown.unit)
    return Line(**{"row": shown, **LINE, "columns": {column}} | line).html


def text(column: str, **given: Any) -> str:
    return re.sub(r"<[^>]*>", "", html(column, **given)).strip()


@pytest.mark.parametrize(
    ("row", "line", "kind"),
    [
        ({}, {}, ' class="is-marked"'),
        ({}, {"is_telling": False}, ""),
        ({"may_be_best": False}, {}, ""),
        ({"may_be_best": None, "why_not_comparable": "oracle"}, {}, ' class="not-counted"'),
    ],
)
def test_what_may_be_the_best_is_marked_and_what_does_not_compete_is_faint(row, line, kind):
    assert html(row=row, **line).splitlines() == [f"<tr{kind}>", "</tr>"]


@pytest.mark.parametrize(
    ("column", "row", "said"),
    [
        ("ranks", {}, "1–4"),
        ("ranks", {"rank_high": 1}, "1"),
        ("ranks", {"rank_low": None, "rank_high": None}, "–"),
        ("rank", {}, "2"),
        ("rank", {"rank": None}, "–"),
        ("behind", {}, "0.0123"),
        ("tier", {"tier": None}, "–"),
        ("family", {}, "3"),
        ("year", {"year": None}, "–"),
        ("topic_z", {}, "+1.25"),
        ("z", {}, "−0.50"),
        ("percentile", {}, "66"),
        ("team", {"team": ""}, "–"),
        ("role", {}, "a role"),
        ("run_type", {}, "–"),
        ("run_type", {"run_type": "manual"}, "manual"),
        ("provenance", {}, "transcribed"),
        ("provenance", {"is_disputed": True}, "called into question; transcribed"),
        ("paper", {}, "example.org/x"),
        ("paper", {"paper_slug": None}, "a &lt;source&gt;"),
        ("can_be_best", {}, "yes"),
        ("can_be_best", {"may_be_best": False}, "no"),
        ("can_be_best", {"may_be_best": None}, "–"),
        ("can_be_best", {"is_held_back": True}, "held back"),
    ],
)
def test_each_column_says_its_own(column, row, said):
    assert text(column, row=row) == said
    assert html(column, row=row).count("<t") == 2


def test_cells_lead_on_and_have_labels_for_narrow_screens():
    assert '<td class="number rank" data-label="Rank">' in html("rank")
    assert '<td class="number" data-label="Rank">' in html("rank", columns={"rank", "ranks"})
    assert '<td class="number" data-label="z by topic">' in html("topic_z")
    assert '<a href="/systems/a-b/"><bdi>A &amp; B</bdi></a>' in html("system")
    assert '<a href="/papers/x-y/"><bdi>example.org/x</bdi></a>' in html("paper")
    ticked = html(can_compare=True)
    assert 'form="compare" name="system" value="9"' in ticked
    assert "checkbox" not in html()


@pytest.mark.parametrize(
    ("row", "line", "said"),
    [
        ({}, {}, "A &amp; B"),
        ({}, {"has_teams": True}, "A &amp; B us"),
        ({"team": "A & B"}, {"has_teams": True}, "A &amp; B"),
        ({"team": ""}, {"has_teams": True}, "A &amp; B"),
        ({"why_not_comparable": "an <oracle>"}, {}, "A &amp; B an &lt;oracle&gt;"),
        ({"is_original": False}, {}, "A &amp; B a toolkit’s run"),
        ({"is_disputed": True}, {}, "A &amp; B called into question"),
        ({"cautions": ("gap",)}, {}, "A &amp; B note"),
        ({"cautions": ("gap", "few")}, {}, "A &amp; B 2 notes"),
        ({"cautions": ("gap",), "is_held_back": True}, {}, "A &amp; B why held back"),
        ({}, {"has_training": True, "usual_training": "says_nothing"}, "A &amp; B"),
    ],
)
def test_beside_a_system_stands_what_is_to_be_known_of_its_row(row, line, said):
    assert text("system", row=row, **line) == said


def test_what_has_a_column_of_its_own_is_not_said_beside_the_system():
    assert 'class="by"' not in html("system", row={"team": ""}, has_teams=True)
    row = {"is_original": False, "is_disputed": True}
    assert "a toolkit’s run" not in html("system", row=row, columns={"system", "role"})
    assert html("system", row=row, columns={"system", "provenance"}).count("called into question") == 1
    declared = html("system", row={"training": "declares", "training_split": "train"}, has_training=True)
    assert "(train split)</span>" in declared
    assert "(train split)" not in html("system", row={"training": "declares", "training_split": "train"})
    assert 'href="#caution-gap"' in html("system", row={"cautions": ("gap",)})


def test_a_score_has_the_digits_that_tell_and_its_title_all_of_them():
    assert text("score") == "0.312345"
    assert text("score", row={"printed": "0.31234567891234"}) == "0.3123"
    assert '<a href="/results/5/" title="printed 0.312345">' in html("score")
    assert html("score", digits=3).endswith(">0.312</a>\u2007</td>\n</tr>")
    percent = html("score", row={"printed": "31.2", "unit": "percent"})
    assert 'title="printed 31.2 in percent">0.312</a>\u2007' in percent


def test_the_reason_stands_beside_the_mark():
    assert html("can_be_best", why_out="too <far>").endswith(' <span class="why">too &lt;far&gt;</span></td>\n</tr>')
    assert text("can_be_best", is_telling=False) == "–"
