"""The table of results on the page of a leaderboard: which results, and in which columns."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.template.loader import render_to_string
from django.urls import get_script_prefix, reverse
from django.utils.safestring import mark_safe

from analysis.readers.text import comparison_key
from registry.curation.lineage.training import training_words
from registry.leaderboards import wording
from registry.leaderboards.documents.rows import DESCENDING_SORTS
from registry.leaderboards.documents.shapes import BoardDocument, RowDocument
from registry.leaderboards.forms import COLUMNS, RESULTS_PER_PAGE, Selection
from registry.results.models import Result

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
    """Return the results whose system, other names, team, paper or source have all of these words; without any, every
    result. Those that stand under another name already are named there."""
    rows = [row for row in document.results if row.why_not_comparable != Result.Comparability.SAME_RUN.label]
    words = comparison_key(q).split()
    if not words:
        return rows
    texts = (
        comparison_key(f"{row.system} {also_listed_as(row.notes)} {row.team} {row.paper or row.source}") for row in rows
    )
    return [row for row, text in zip(rows, texts, strict=True) if all(word in text for word in words)]


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
    beside = {
        "rows": rows,
        "columns": columns,
        "decimals": decimals,
        "digits": wording.telling_digits(verdict, decimals) if verdict else None,
        "has_teams": "team" not in columns and "team" not in alike,
        "has_training": has_training,
        "usual_training": usual,
        "can_compare": len(rows) > 1,
        "is_telling": is_telling,
        "why_out": lambda row: wording.why_out(row, verdict, names, decimals) if verdict else "",
        "address": _address,
        "training_words": training_words,
        "also_listed_as": also_listed_as,
    }
    return {
        "columns": columns,
        "alike": [(_COLUMNS[name][0], value) for name, value in alike.items() if name not in columns],
        "offered": [(name, _COLUMNS[name][0], name in columns) for name in filled],
        "can_compare": len(rows) > 1,
        "lengths": [(n, n == selection.rows) for n in RESULTS_PER_PAGE],
        "usual_training": training_words(usual, "") if usual else "",
        "rows": mark_safe(render_to_string("leaderboards/_rows.jinja", beside, using="jinja2")),  # Jinja escapes
    }


_ALSO_LISTED = re.compile(r"(?:^|; )also listed as (.+?)(?:; |$)")


def also_listed_as(notes: str) -> str:
    """Return the other names of the same run, with commas, as the notes of its row have them."""
    return found[1] if (found := _ALSO_LISTED.search(notes)) else ""


def _address(name: str, key: int | str) -> str:
    start, end = _around_key(name, get_script_prefix())
    return f"{start}{key}{end}"


@cache
def _around_key(name: str, prefix: str) -> tuple[str, str]:
    """What stands before and behind the key in the addresses of a page that has nothing else in them."""
    start, _, end = reverse(f"results:{name}", args=[0]).rpartition("0")
    return start, end


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
