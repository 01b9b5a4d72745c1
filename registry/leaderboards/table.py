"""The table of results on the page of a leaderboard: which results, and in which columns."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe

from analysis.readers.text import comparison_key
from registry.core.messages import say
from registry.core.templatetags.formatting import score
from registry.curation.lineage.training import training_words
from registry.leaderboards import wording
from registry.leaderboards.documents.rows import DESCENDING_SORTS
from registry.leaderboards.documents.shapes import BoardDocument, RowDocument
from registry.leaderboards.documents.suite_shapes import SuiteDocument, SuiteRowDocument
from registry.leaderboards.drawings.plumb_line import why_aside
from registry.leaderboards.forms import COLUMNS, RESULTS_PER_PAGE, Selection
from registry.leaderboards.headlines import without_owner
from registry.leaderboards.queries.boards import best_of
from registry.leaderboards.traits import Facts, facts_of
from registry.results.models import Result

Context = dict[str, Any]

#: Heading, whether it holds numbers, and what it can be sorted by (see forms.SORTS), of each column by its key.
_COLUMNS = {
    "ranks": ("Rank (90%)", False, ""),
    "rank": ("Rank", True, ""),
    "system": ("System", False, "system"),
    "team": ("Team", False, "team"),
    "size": ("Size", True, ""),
    "weights": ("Weights", False, ""),
    "score": ("Score", True, "rank"),
    "can_be_best": ("Tied?", False, ""),
    "behind": ("Behind", True, ""),
    "tier": ("Tier", True, ""),
    "family": ("Group", True, ""),
    "year": ("Year", True, "year"),
    "topic_z": ("z by topic", True, "topic_z"),
    "z": ("z", True, "z"),
    "percentile": ("Per\u00adcentile", True, ""),
    "role": ("Role", False, "role"),
    "run_type": ("Run type", False, ""),
    "provenance": ("Provenance", False, "provenance"),
    "paper": ("Source", False, ""),
}

#: What is said once where it is the same of every result, by the column that would hold it.
_MAY_BE_ALIKE: dict[str, Callable[[RowDocument], Any]] = {
    "year": attrgetter("year"),
    "team": attrgetter("team"),
    "role": attrgetter("role_label"),
    "run_type": attrgetter("run_type"),
    "provenance": attrgetter("provenance_label"),
    "paper": lambda row: row.paper or row.source,
}
_VALUES = {name: _MAY_BE_ALIKE.get(name, attrgetter(name)) for name in COLUMNS}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table.

    ``sort`` is what a click on its heading asks for, blank where the table can't be sorted by it; ``order`` is the
    direction in which the table is sorted by it now.
    """

    key: str
    label: str
    meaning: str
    is_number: bool
    sort: str
    order: str


_NOT_LISTED = "not_listed"


def found_results(document: BoardDocument, q: str) -> tuple[list[RowDocument], list[RowDocument]]:
    """Return the results whose system, other names, team, paper or source have all of these words, as if all of these
    were ranked; without any, those that are and those that are not. Those that stand under another name already, or in
    a mean, are named there."""
    in_means = {execution.id for row in document.results for execution in row.executions if execution.id != row.id}
    same = Result.Comparability.SAME_RUN.label
    rows = [row for row in document.results if row.id not in in_means and row.why_not_comparable != same]
    words = comparison_key(q).split()
    if not words:
        has_set = document.verdict is not None and document.verdict.shown.set is not None
        ranked: list[RowDocument] = []
        aside: list[RowDocument] = []
        for row in rows:
            is_new = row.rank is None and not row.why_not_comparable  # It came after the analysis.
            is_judged = (row.may_be_best if has_set else row.rank) is not None and not row.is_held_back
            (ranked if is_new or is_judged else aside).append(row)
        return ranked, aside
    texts = (
        comparison_key(f"{row.system} {also_listed_as(row.notes)} {row.team} {row.paper or row.source}") for row in rows
    )
    return [row for row, text in zip(rows, texts, strict=True) if all(word in text for word in words)], []


#: A page of the table has no more rows for the sake of those that tie, and so many after these.
_MOST_TIED, _AFTER = 60, 4
#: So many of those that are not ranked are on the page.
MOST_ASIDE = 20


def rows_on_page(document: BoardDocument, selection: Selection) -> int:
    """Return how many rows a page of the table has: as chosen, else all that tie and a few more."""
    best_set = document.verdict.shown.set if document.verdict else None
    if selection.rows != RESULTS_PER_PAGE[0] or best_set is None or not best_set.is_telling:
        return selection.rows
    return max(selection.rows, min(best_set.n_members + _AFTER, _MOST_TIED))


def table_context(
    document: BoardDocument,
    selection: Selection,
    rows: Sequence[RowDocument],
    aside: Sequence[RowDocument],
    facts: dict[int, Facts],
) -> Context:
    """Return what the template of the table needs beside the document; ``rows`` are the results on this page of it,
    ``aside`` those that are not ranked, and ``facts`` what is said of the systems of those that stand."""
    verdict, decimals = document.verdict, document.measure["decimals"]
    names = {row.id: row.system for row in document.results}
    first_aside = aside[:MOST_ASIDE]
    shown_rows = [row.id for row in (*rows, *first_aside)]
    if not facts.keys() >= {*shown_rows}:
        facts = facts_of(Result.objects.filter(pk__in=shown_rows))
    alike = _alike(document.results)
    filled = [name for name, value in _VALUES.items() if any(value(row) not in (None, "") for row in document.results)]
    is_telling = verdict is not None and verdict.is_telling
    # Where no source says anything of anybody, as of runs of TREC, nothing is said of each.
    has_training = any(row.training in ("declares", "declares_none", "not_listed") for row in document.results)
    usual: list[str] = [name for name in ("team", "year", "paper") if name in filled and name not in alike]
    # Where nearly all may be the best, that tells none.
    if "can_be_best" in filled and (is_telling or any(row.is_held_back for row in document.results)):
        usual.append("can_be_best")
    pairs = {pair.result: pair for pair in verdict.shown.pairs} if verdict else {}
    shown = selection.columns or usual
    known_facts = {
        name
        for name, place in (("weights", 0), ("size", 1))
        if any(facts[row][place] is not None for row in shown_rows)
    }
    columns = _columns(document, [*shown, *known_facts, *(["can_be_best"] if pairs else [])], selection.sort)
    if pairs:
        columns["can_be_best"] = replace(columns["can_be_best"], label=say("against"), meaning="")
    is_usual = has_training and sum(row.training == _NOT_LISTED for row in rows) > len(rows) / 2
    usual_training = _NOT_LISTED if is_usual else ""
    best_set = verdict.shown.set if verdict else None
    # What stands before the key in the addresses of a page.
    starts = {
        name: reverse(f"results:{name}", args=[0])[:-2] for name in ("result-detail", "system-detail", "paper-detail")
    }
    beside = {
        "columns": columns,
        "decimals": decimals,
        "digits": wording.telling_digits(verdict, decimals) if verdict else None,
        "has_teams": "team" not in columns and "team" not in alike,
        "has_training": has_training,
        "usual_training": usual_training,
        "can_compare": len(rows) > 1,
        "is_telling": is_telling,
        "pairs": pairs,
        "facts": facts,
        "margin": best_set.margin if best_set else None,
        "why_out": lambda row: wording.why_out(row, verdict, names, decimals) if verdict else "",
        "address": lambda name, key: f"{starts[name]}{key}/",
        "training_words": training_words,
        "also_listed_as": also_listed_as,
        "best_of": best_of,
        "short": without_owner,
    }
    is_by_rank = selection.sort == "rank" and not selection.q
    n_tied = sum(bool(row.may_be_best) for row in rows) if is_by_rank and is_telling else 0
    cut = n_tied if 0 < n_tied < len(rows) and all(row.may_be_best for row in rows[:n_tied]) else 0
    return {
        "columns": columns,
        "alike": [(_COLUMNS[name][0], value) for name, value in alike.items() if name not in columns],
        "offered": [(name, _COLUMNS[name][0], name in columns) for name in filled],
        "can_compare": len(rows) > 1,
        "lengths": [(n, n == selection.rows) for n in RESULTS_PER_PAGE],
        "usual_training": training_words(usual_training, "") if usual_training else "",
        "rows": _rendered(beside, rows, cut),
        "aside": aside_of(document, aside, _rendered(beside, first_aside, 0)),
    }


def _rendered(beside: Context, rows: Sequence[RowDocument], cut: int) -> str:
    """Return the rows as HTML, with a line after so many of them."""
    text = render_to_string("leaderboards/_rows.jinja", {**beside, "rows": rows, "cut": cut}, using="jinja2")
    return mark_safe(text)  # Jinja escapes


def aside_of(
    document: BoardDocument | SuiteDocument, rows: Sequence[RowDocument | SuiteRowDocument], html: str = ""
) -> Context | None:
    """Return how many are not ranked, why, the best of them, and the first as rows; None where all are ranked."""
    if not rows or document.verdict is None:
        return None
    verdict, decimals = document.verdict, document.measure["decimals"]
    counts = Counter(why_aside(verdict, row) for row in rows)
    reasons = [say("lane", why=why, n=n, rows=document.row, form="short") for why, n in counts.most_common()]
    best = rows[0]
    highest = say("aside-highest", name=without_owner(best.system), value=score(best.value, decimals))
    why = say("not-ranked", n=f"{len(rows):,}", n_reasons=len(reasons), reasons=", ".join(reasons))
    return {"n": len(rows), "n_shown": min(len(rows), MOST_ASIDE), "sentence": why, "highest": highest, "rows": html}


_ALSO_LISTED = re.compile(r"(?:^|; )also listed as (.+?)(?:; |$)")


def also_listed_as(notes: str) -> str:
    """Return the other names of the same run, with commas, as the notes of its row have them."""
    return match[1] if (match := _ALSO_LISTED.search(notes)) else ""


def _alike(rows: Sequence[RowDocument]) -> dict[str, Any]:
    """Return what every result has in common, by column; nothing of a single one."""
    if len(rows) < 2:
        return {}
    cells = {name: {value(row) for row in rows} for name, value in _MAY_BE_ALIKE.items()}
    return {name: values.pop() for name, values in cells.items() if len(values) == 1 and values.isdisjoint({None, ""})}


def _columns(document: BoardDocument, chosen: Sequence[str], sort: str) -> dict[str, Column]:
    """Return the columns by key, in their order: the ranks that results may have where known, else their rank."""
    has_ranges = any(row.rank_low for row in document.results)
    shown = {"ranks" if has_ranges else "rank", "system", "score", *chosen}
    meanings = wording.column_meanings(document)
    columns, is_reversed = {}, sort.startswith("-")
    for name, (label, is_number, asks) in _COLUMNS.items():
        if name not in shown:
            continue
        order = ""
        if asks and sort.removeprefix("-") == asks:
            descends = document.measure["higher_is_better"] if asks == "rank" else asks in DESCENDING_SORTS
            order = "descending" if descends != is_reversed else "ascending"
            asks = asks if is_reversed else f"-{asks}"
        columns[name] = Column(name, label, meanings.get(name, ""), is_number, asks, order)
    return columns
