"""The rows of the table of results, as HTML: set out by a template, fifty of them took half the time of a page."""

from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import get_script_prefix, reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from registry.core.templatetags.formatting import (
    NOTHING,
    or_nothing,
    padding,
    percentile,
    plural,
    printed,
    score,
    signed,
    without_scheme,
)
from registry.curation.lineage.training import training_words
from registry.leaderboards.documents.shapes import RowDocument


@dataclass(frozen=True, slots=True)
class Line:
    """A row with what stands beside it: why it can't be the best; and what holds for the whole table.

    ``digits`` is how many decimals the margin allows, None where it is not known; ``usual_training`` is said above the
    table, blank where each row says its own.
    """

    row: RowDocument
    why_out: str
    columns: Container[str]
    decimals: int
    digits: int | None
    has_teams: bool
    has_training: bool
    usual_training: str
    can_compare: bool
    is_telling: bool

    @property
    def html(self) -> SafeString:
        """The row of the table, its texts escaped."""
        row = self.row
        kind = ' class="not-counted"' if row.why_not_comparable else ""
        if row.may_be_best and self.is_telling:
            kind = ' class="is-marked"'
        cells = [cell(self) for name, cell in _CELLS.items() if name in self.columns]
        if self.can_compare:
            cells.append(
                f'<td class="tick"><label><input type="checkbox" form="compare" name="system" value="{row.system_id}">'
                f'<span class="visually-hidden">Compare {escape(row.system)}</span></label></td>'
            )
        return mark_safe("\n".join([f"<tr{kind}>", *cells, "</tr>"]))  # what is not ours is escaped, cell by cell


def _address(name: str, key: int | str) -> str:
    start, end = _around_key(name, get_script_prefix())
    return f"{start}{key}{end}"


@cache
def _around_key(name: str, prefix: str) -> tuple[str, str]:
    """What stands before and behind the key in the addresses of a page that has nothing else in them."""
    start, _, end = reverse(f"results:{name}", args=[0]).rpartition("0")
    return start, end


def _ranks(line: Line) -> str:
    low, high = line.row.rank_low, line.row.rank_high
    ranks = f"{low or NOTHING}" if not low or low == high else f"{low}–{high}"
    return f'<td class="number rank">{ranks}</td>'


def _rank(line: Line) -> str:
    kind = "number" if "ranks" in line.columns else "number rank"
    return f'<td class="{kind}" data-label="Rank">{or_nothing(line.row.rank)}</td>'


def _system(line: Line) -> str:
    row = line.row
    said = [f'<a href="{_address("system-detail", row.system_slug)}"><bdi>{escape(row.system)}</bdi></a>']
    if line.has_teams and row.team and row.team != row.system:
        said.append(f'<span class="by"><bdi>{escape(row.team)}</bdi></span>')
    # On a phone the first of these is shown.
    if row.why_not_comparable:
        said.append(f'<span class="why">{escape(row.why_not_comparable)}</span>')
    if not row.is_original and "role" not in line.columns:
        said.append('<span class="why">a toolkit’s run</span>')
    if line.has_training and row.training != line.usual_training:
        words = training_words(row.training, row.training_split)
        said.append(f'<span class="why">{escape(words)}</span>')
    if row.is_disputed and "provenance" not in line.columns:
        said.append(f'<a class="why" href="{_address("result-detail", row.id)}">called into question</a>')
    if row.cautions:
        which = "why held back" if row.is_held_back else plural(len(row.cautions), "note,notes").removeprefix("1 ")
        said.append(f'<a class="why" href="#caution-{escape(row.cautions[0])}">{which}</a>')
    return f'<th scope="row" class="name">{" ".join(said)}</th>'


def _score(line: Line) -> str:
    row = line.row
    text = row.score.within(line.digits) if line.digits is not None else printed(row, line.decimals)
    unit = f" in {escape(row.unit)}" if row.unit else ""
    link = f'<a href="{_address("result-detail", row.id)}" title="printed {escape(row.printed)}{unit}">{text}</a>'
    return f'<td class="number points">{link}{padding(text, line.decimals)}</td>'


def _can_be_best(line: Line) -> str:
    why = f' <span class="why">{escape(line.why_out)}</span>' if line.why_out else ""
    return f'<td class="mark-cell">{_may_be_best(line)}{why}</td>'


def _may_be_best(line: Line) -> str:
    row = line.row
    if row.is_held_back:
        return '<span class="mark held">held back</span>'
    if row.may_be_best is None or not line.is_telling:
        return NOTHING
    return '<span class="mark">yes</span>' if row.may_be_best else '<span class="mark not">no</span>'


def _provenance(line: Line) -> str:
    row, disputed = line.row, ""
    if row.is_disputed:
        disputed = f'<a href="{_address("result-detail", row.id)}"><strong>called into question</strong></a>; '
    return f'<td class="provenance" data-label="Provenance">{disputed}{escape(row.provenance_label)}</td>'


def _paper(line: Line) -> str:
    row = line.row
    if not row.paper_slug:
        return f'<td class="source"><bdi>{escape(row.source)}</bdi></td>'
    name = escape(without_scheme(row.paper or ""))
    return f'<td class="source"><a href="{_address("paper-detail", row.paper_slug)}"><bdi>{name}</bdi></a></td>'


def _number(label: str, value: Callable[[Line], Any], kind: str = "number") -> Callable[[Line], str]:
    return lambda line: f'<td class="{kind}" data-label="{label}">{value(line)}</td>'


#: The cell of each column, in their order.
_CELLS: dict[str, Callable[[Line], str]] = {
    "ranks": _ranks,
    "rank": _rank,
    "system": _system,
    "score": _score,
    "can_be_best": _can_be_best,
    "behind": _number("Behind", lambda line: score(line.row.behind, line.decimals)),
    "tier": _number("Tier", lambda line: or_nothing(line.row.tier)),
    "family": _number("Family", lambda line: or_nothing(line.row.family)),
    "year": lambda line: f'<td class="number year">{or_nothing(line.row.year)}</td>',
    "topic_z": _number("z by topic", lambda line: signed(line.row.topic_z)),
    "z": _number("z", lambda line: signed(line.row.z)),
    "percentile": _number("Percentile", lambda line: percentile(line.row.percentile)),
    "team": lambda line: f'<td class="team" data-label="Team"><bdi>{escape(or_nothing(line.row.team))}</bdi></td>',
    "role": lambda line: f'<td class="role" data-label="Role">{escape(line.row.role_label)}</td>',
    "run_type": lambda line: f'<td data-label="Run type">{escape(or_nothing(line.row.run_type))}</td>',
    "provenance": _provenance,
    "paper": _paper,
}
