"""The table of results on the page of a leaderboard: which results, in which columns, and its rows as HTML.

Set out by a template, fifty rows took half the time of a page."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import get_script_prefix, reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from analysis.readers.text import comparison_key
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
from registry.leaderboards import wording
from registry.leaderboards.documents.rows import DESCENDING_SORTS
from registry.leaderboards.documents.shapes import BoardDocument, RowDocument
from registry.leaderboards.forms import COLUMNS, RESULTS_PER_PAGE, Selection


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


Context = dict[str, Any]

#: Heading, whether it holds numbers, and what it can be sorted by (see forms.SORTS), of each column by its key.
_COLUMNS = {
    "ranks": ("Rank range", True, ""),
    "rank": ("Rank", True, ""),
    "system": ("System", False, "system"),
    "score": ("Score", True, "rank"),
    "can_be_best": ("Can it be the best?", False, ""),
    "behind": ("Behind", True, ""),
    "tier": ("Tier", True, ""),
    "family": ("Family", True, ""),
    "year": ("Year", True, "year"),
    "topic_z": ("z by topic", True, "topic_z"),
    "z": ("z", True, "z"),
    "percentile": ("Per\u00adcentile", True, ""),
    "team": ("Team", False, "team"),
    "role": ("Role", False, "role"),
    "run_type": ("Run type", False, ""),
    "provenance": ("Provenance", False, "provenance"),
    "paper": ("Printed by", False, ""),
}

#: What is said once where it is the same of every result, by the column that would hold it.
_MAY_BE_ALIKE: dict[str, Callable[[RowDocument], Any]] = {
    "year": lambda row: row.year,
    "team": lambda row: row.team,
    "role": lambda row: row.role_label,
    "run_type": lambda row: row.run_type,
    "provenance": lambda row: row.provenance_label,
    "paper": lambda row: row.paper or row.source,
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table.

    ``sort`` is what a click on its heading asks for, blank where the table can't be sorted by it; ``order`` is the
    direction in which the table is sorted by it now; ``page`` is the page of docs/methods that explains it, or blank.
    """

    key: str
    label: str
    meaning: str
    is_number: bool
    sort: str
    order: str
    page: str


_NOT_LISTED = "not_listed"


def found_results(document: BoardDocument, q: str) -> Sequence[RowDocument]:
    """The results whose system, team, paper or source has all of these words; without any, every result."""
    words = comparison_key(q).split()
    if not words:
        return document.results
    texts = (comparison_key(f"{row.system} {row.team} {row.paper or row.source}") for row in document.results)
    return [row for row, text in zip(document.results, texts, strict=True) if all(word in text for word in words)]


def table_context(document: BoardDocument, selection: Selection, rows: Sequence[RowDocument]) -> Context:
    """What the template of the table needs beside the document; ``rows`` are the results on this page of it."""
    verdict, names, decimals = document.verdict, wording.names_of(document.results), document.measure["decimals"]
    alike = _alike(document.results)
    filled = [name for name in COLUMNS if any(_value(row, name) not in (None, "") for row in document.results)]
    is_telling = verdict is not None and verdict.is_telling
    # Where no source says anything of anybody, as of runs of TREC, nothing is said of each.
    has_training = any(row.training in ("declares", "declares_none", "not_listed") for row in document.results)
    usual: Sequence[str] = _usual_columns(filled, alike)
    if not is_telling and not any(row.is_held_back for row in document.results):
        usual = [name for name in usual if name != "can_be_best"]  # Where nearly all may be, that tells none.
    shown = selection.columns or usual
    columns = _columns(document, shown, selection.sort)
    usual = _NOT_LISTED if has_training and sum(row.training == _NOT_LISTED for row in rows) > len(rows) / 2 else ""
    return {
        "columns": columns,
        "alike": [(_COLUMNS[name][0], value) for name, value in alike.items() if name not in columns],
        "offered": [(name, _COLUMNS[name][0], name in columns) for name in filled],
        "can_compare": len(rows) > 1,
        "lengths": [(n, n == selection.rows) for n in RESULTS_PER_PAGE],
        "usual_training": training_words(usual, "") if usual else "",
        "rows": [
            Line(
                row,
                wording.why_out(row, verdict, names, decimals) if verdict else "",
                columns,
                decimals,
                wording.telling_digits(verdict, decimals) if verdict else None,
                has_teams="team" not in columns and "team" not in alike,
                has_training=has_training,
                usual_training=usual,
                can_compare=len(rows) > 1,
                is_telling=is_telling,
            )
            for row in rows
        ],
    }


def _value(row: RowDocument, name: str) -> Any:
    return _MAY_BE_ALIKE[name](row) if name in _MAY_BE_ALIKE else getattr(row, name)


def _alike(rows: Sequence[RowDocument]) -> dict[str, Any]:
    """What every result has in common, by column; nothing of a single one."""
    if len(rows) < 2:
        return {}
    found = {name: {value(row) for row in rows} for name, value in _MAY_BE_ALIKE.items()}
    return {name: values.pop() for name, values in found.items() if len(values) == 1 and values.isdisjoint({None, ""})}


def _usual_columns(filled: Sequence[str], alike: dict[str, Any]) -> Sequence[str]:
    return [name for name in ("can_be_best", "year", "paper") if name in filled and name not in alike]


def _columns(document: BoardDocument, chosen: Sequence[str], sort: str) -> dict[str, Column]:
    """The columns by key, in their order: the ranks that a result may have, where they are known, else its rank."""
    has_ranges = any(row.rank_low for row in document.results)
    shown = {"ranks" if has_ranges else "rank", "system", "score", *chosen}
    meanings = wording.column_meanings(document)
    better = document.measure["higher_is_better"]
    return {
        name: _column(name, meanings.get(name, ""), sort, higher_is_better=better) for name in _COLUMNS if name in shown
    }


def _column(name: str, meaning: str, now: str, *, higher_is_better: bool) -> Column:
    label, is_number, sort = _COLUMNS[name]
    order, page = "", wording.COLUMN_PAGES.get(name, "")
    if sort and now.removeprefix("-") == sort:
        descends = higher_is_better if sort == "rank" else sort in DESCENDING_SORTS
        is_reversed = now.startswith("-")
        order = "descending" if descends != is_reversed else "ascending"
        sort = sort if is_reversed else f"-{sort}"
    return Column(name, label, meaning, is_number, sort, order, page)
