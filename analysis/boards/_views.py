"""Verdicts by what is said of training, in a sentence each: who leads whom, and what the others reach.

A system that says nothing is in the view of all alone, and counted in every sentence: silence is no clean record.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.boards._findings import Caution, Corrected, Verdict, ViewName

#: A sentence has no more words.
_MOST_WORDS = 40
_LONGEST_NAME = 4
_THIS = "this collection"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A row that competes, as sentences name it: ``view`` is None where nothing is said of its training."""

    id: int
    system: str
    value: float
    view: ViewName | None
    has_nothing_to_train: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a sentence speaks: of the collection or the members, of scores, and of where a set holds."""

    rows: Sequence[Seen]
    on: str
    it: str
    nothing: str
    leads: str
    where: str
    decimals: int
    higher_is_better: bool
    each_is_a_system: bool
    formula: tuple[str, str] = ("has nothing to train", "have nothing to train")

    def score(self, value: float) -> str:
        return f"{value:.{self.decimals}f}"


def view_sentence(terms: Terms, verdict: Verdict) -> str:
    """The verdict of a view, with how many are in the others and what these reach, in at most 40 words."""
    others = _others(terms, verdict.view, True)
    for with_worth in (True, False):
        said = f"{_who_leads(terms, verdict, with_worth)}. {others}".rstrip()
        if len(said.split()) <= _MOST_WORDS:
            return said
    rows = [replace(row, system=_first_words(row.system)) for row in terms.rows]
    short = replace(terms, rows=rows, on=_short_place(terms.on))
    said = f"{_who_leads(short, verdict)}. {_others(short, verdict.view, True)}".rstrip()
    if len(said.split()) <= _MOST_WORDS:
        return said
    here = replace(short, on=_THIS)
    shortest = replace(here, formula=("needs none", "need none"))
    for one, with_reasons in ((short, True), (short, False), (here, False), (shortest, False)):
        others = _others(one, verdict.view, False)
        said = f"{_who_leads(one, verdict, with_reasons=with_reasons)}. {others}".rstrip()
        if len(said.split()) <= _MOST_WORDS:
            break
    return said


def _first_words(name: str) -> str:
    """At most four words of a name, none of them in a parenthesis that does not close."""
    words = name.split()
    if len(words) <= _LONGEST_NAME:
        return name
    first = " ".join(words[:_LONGEST_NAME])
    return f"{first[: first.rindex('(')].rstrip() if first.count('(') > first.count(')') else first} …"


def _short_place(name: str) -> str:
    """A collection without what is in parentheses, or “this collection” where its name stays long."""
    place = name.partition(" (")[0]
    return place if len(place.split()) <= _LONGEST_NAME else _THIS


def _who_leads(terms: Terms, verdict: Verdict, with_worth: bool = False, with_reasons: bool = True) -> str:
    shown, best = verdict.shown, verdict.best
    names = {row.id: row.system for row in terms.rows}
    rows = _in_view(terms, verdict.view)
    if len(rows) == 1:
        what = _declared(terms, rows, verdict.view)
        return f"{rows[0].system} alone {what}, {terms.leads.removeprefix('leads ')} {terms.score(shown.value)}"
    said = f"{_of_whom(terms, verdict.view)}, {names[best.result]}"
    if shown.result != best.result:
        why = why_held_back(verdict.cautions, best.result) if with_reasons else ""
        said += f" prints {terms.score(best.value)}, held back{why};"
        said += f" {names[shown.result]}"
    note = noted(verdict.cautions, shown.result)
    note = note if with_reasons or not note else ", noted"
    said += f" {terms.leads} {terms.score(shown.value)}{tied(shown.n_tied)}{note}"
    if shown.corrected and with_worth:
        said += f", {worth(shown.corrected)}"
    found = shown.set
    if found is None:
        return f"{said}; not enough is known to say which may be the best"
    if not found.is_telling:
        return f"{said}; which is the best cannot be told: {found.n_members:,} of {found.n_rows:,} may be"
    may = "no other may be" if found.n_members == 1 else f"{found.n_members:,} may be"
    return f"{said}; {terms.where}{may} the best"


def _of_whom(terms: Terms, view: ViewName) -> str:
    rows = _in_view(terms, view)
    distinct = terms.each_is_a_system or len({row.system for row in rows}) == len(rows)
    if view == "all":
        return f"Of all {len(rows):,} {'systems' if distinct else 'results'}"
    return (
        f"Of the {len(rows):,} {'systems that' if distinct else 'results whose systems'} {_declared(terms, rows, view)}"
    )


def _declared(terms: Terms, rows: Sequence[Seen], view: ViewName) -> str:
    """What those of a view do: “declare training on BEIR SciFact”."""
    if view == "declared-none":
        return _untrained(terms, rows, f"no training on {terms.on}")
    return f"declare{'s' if len(rows) == 1 else ''} training on {terms.on}"


def _untrained(terms: Terms, rows: Sequence[Seen], none: str) -> str:
    """What those of the view *none declared* do: “declare none”, or “have nothing to train”, or either."""
    one, many = terms.formula
    n_nothing = sum(row.has_nothing_to_train for row in rows)
    if n_nothing == len(rows):
        return one if len(rows) == 1 else many
    return f"{'declares' if len(rows) == 1 else 'declare'} {none}{f' or {many}' if n_nothing else ''}"


def _in_view(terms: Terms, view: ViewName) -> list[Seen]:
    return [row for row in terms.rows if view in ("all", row.view)]


def _others(terms: Terms, view: ViewName, with_bests: bool) -> str:
    """The other states, each with its number and its best score."""
    none = f"no training on {terms.on}" if view == "all" else "none"
    states: tuple[ViewName | None, ...] = ("declared-none", "trained-here", None)
    said = []
    for state in states:
        rows = [row for row in terms.rows if row.view == state]
        if state != view and rows:
            s = "s" if len(rows) == 1 else ""
            what = f"declare{s} {terms.it}" if state else f"say{s} {terms.nothing}"
            what = _untrained(terms, rows, none) if state == "declared-none" else what
            best = (max if terms.higher_is_better else min)(row.value for row in rows)
            said.append(f"{len(rows):,} {what}{f' (best {terms.score(best)})' if with_bests else ''}")
    return f"{'. '.join(said)}." if said else ""


def worth(corrected: Corrected) -> str:
    """Return a best score adjusted for luck, with its error, in words: “adjusted for luck 0.382 ± 0.018”."""
    return f"adjusted for luck {corrected.figures}"


def tied(n_tied: int) -> str:
    """Whether others have the same score."""
    return "" if n_tied < 2 else ", as one other does" if n_tied == 2 else f", as {n_tied - 1:,} others do"


#: Why a row is held back, in sentences, by code.
_WHY = {
    "stands-apart": " as an outlier",
    "outlier-elsewhere": " as an outlier",
    "flagged-on-member": " for a score on a member",
}
#: Notes that are named with the leader that has one, in sentences, by code.
STRONG_NOTES = {
    "unusual-elsewhere": " (unusual for it)",
    "follows-flag": " (unusual for it)",
    "contradicts-linked": " (which a linked board contradicts)",
}


def why_held_back(cautions: Sequence[Caution], result: int) -> str:
    """For what a flag holds a row back, in a few words."""
    codes = [one.code for one in cautions if one.is_flag and result in one.results]
    return next((_WHY[code] for code in codes if code in _WHY), "")


def noted(cautions: Sequence[Caution], result: int) -> str:
    """A strong note on a row, in a few words; blank without one."""
    codes = {one.code for one in cautions if not one.is_flag and result in one.results}
    return next((words for code, words in STRONG_NOTES.items() if code in codes), "")
