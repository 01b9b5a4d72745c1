"""What is said of a table, what it claims of its author's own rows, and a table as programs send it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from django.http import QueryDict

from analysis.boards import PlannedPair
from analysis.readers.rejections import Rejection
from analysis.readers.scores import PrintedScore
from registry.core.grouping import grouped
from registry.core.templatetags.formatting import plural, signed
from registry.submissions.table_forms import ANSWER

#: What can be said of a row against its rival, as a headline says it, the most telling last.
Says = Literal["unknown", "trails", "ties", "beats"]

_VERBS: dict[Says, str] = {"ties": "can’t be told from", "trails": "trails", "beats": "beats"}
_OWN = re.compile(r"\b(ours?|proposed|this (work|paper))\b", re.IGNORECASE)
_ORACLE = re.compile(r"\boracles?\b", re.IGNORECASE)


def is_oracle(system: str) -> bool:
    """Whether a row is what could be reached at most: nobody's rival."""
    return bool(_ORACLE.search(system))


def guess_own(systems: Sequence[str]) -> frozenset[str]:
    """The rows that call themselves the author's own."""
    return frozenset(one for one in systems if _OWN.search(one) and not is_oracle(one))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimInColumn:
    """A row of the author's beside its rival on one leaderboard."""

    column: Annotated[str, "Name of the collection and the measure."]
    collection: str
    rival: Annotated[str, "The best of those that it is compared with."]
    gain: Annotated[float, "How far it is beyond the rival; positive is better."]
    margin: Annotated[float | None, "What means take to tell the two apart; null where that is not known."]
    decimals: int
    says: Annotated[Says, "`beats`, `ties`, `trails`, or `unknown` where nothing tells chance from a difference."]

    @property
    def in_words(self) -> str:
        """As “can’t be told apart, +0.005”."""
        said = {"unknown": "can’t be known", "ties": "can’t be told apart"}.get(self.says, self.says)
        return f"{said}, {signed(self.gain, self.decimals)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What the table claims of one row."""

    system: str
    headline: Annotated[str, "In a sentence."]
    columns: tuple[ClaimInColumn, ...]


def says_of(gain: float, found: PlannedPair | None) -> Says:
    """What a gain comes to."""
    if found is None:
        return "unknown"
    if not found.is_told_apart:
        return "ties"
    return "beats" if gain > 0 else "trails"


def claim_of(system: str, columns: Sequence[ClaimInColumn], *, against_baselines: bool) -> Claim:
    """The headline of a row: what holds in most columns first, the others after it, by name where they are few."""
    rival = "the best baseline" if against_baselines else "the best other row"
    found = grouped(columns, lambda one: one.says)
    known = sorted((says for says in found if says != "unknown"), key=lambda says: -len(found[says]))
    parts = [
        f"{_VERBS[says]} {rival if not place else 'it'} {_where(found[says], columns)}"
        for place, says in enumerate(known)
    ]
    if "unknown" in found:
        parts.append(f"can’t be told from luck {_where(found['unknown'], columns)}, where nothing is known of it")
    told = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
    return Claim(system=system, headline=f"{system} {told}.", columns=tuple(columns))


def _where(some: Sequence[ClaimInColumn], columns: Sequence[ClaimInColumn]) -> str:
    if len(columns) == 1:
        return f"on {some[0].column}"
    if len(some) == len(columns):
        return f"in all {len(columns)} columns"
    if len(some) == 1:
        # Collections may stand in the table under several measures.
        is_alone = sum(one.collection == some[0].collection for one in columns) == 1
        return f"on {some[0].collection if is_alone else some[0].column}"
    return f"in {len(some)} of {plural(len(columns), 'column,columns')}"


#: What a cell is called, and what that means.
KINDS = {
    "weak": "a weak baseline: worse than most of the original runs, or of the toolkits’ runs",
    "not-told-apart": "means don’t tell it from what it is compared with, which doesn’t make the two equal",
    "beyond": "better than what it is compared with by more than chance explains for an average pair of systems",
    "record": "better than the best on record",
    "new": "no system or model of this name is on record here",
    "same": "as on record, to the digits that both print",
    "contested": "the record has another score for a system of this name, or for all runs of this model",
    "held-back": "held back from being the best on record; its leaderboard says why",
    "unknown": "not on record, or nothing is known that would tell chance from a difference",
}
LABELS = {
    "weak": "weak baseline",
    "not-told-apart": "not told apart",
    "beyond": "beyond luck",
    "record": "record",
    "new": "new",
    "same": "same",
    "contested": "contested",
    "held-back": "held back",
    "unknown": "not known",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A score of the table with what is said of it."""

    system: str
    score: PrintedScore
    is_baseline: bool
    is_own: bool = False
    kinds: Annotated[tuple[str, ...], "Keys of ``KINDS``."]
    words: Annotated[tuple[str, ...], "The same in numbers, one clause each."]

    @property
    def labels(self) -> list[tuple[str, str]]:
        return [(kind, LABELS[kind]) for kind in self.kinds]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The scores of the table on one leaderboard."""

    name: str
    url: Annotated[str, "Of the leaderboard; blank where there is none."]
    decimals: int
    cells: Annotated[tuple[Cell, ...], "In the order of the table."]
    n_comparisons: Annotated[int, "Pairs that were compared."]
    n_beyond: Annotated[int, "Those of them in which the better one is beyond luck."]
    n_unknown: Annotated[int, "Those of which that can't be known."]
    claimed: Annotated[tuple[tuple[str, ClaimInColumn], ...], "Own rows with what is claimed of them."] = ()
    best: Annotated[str, "The best on record that no caution holds back, in words; blank without."]

    def of(self, system: str) -> list[Cell]:
        """The cells of a system."""
        return [cell for cell in self.cells if cell.system == system]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewDocument:
    """What the record says of a table."""

    systems: Annotated[tuple[str, ...], "Of the table, in its order; those that count as baselines."]
    baselines: Annotated[tuple[str, ...], "Of the table, in its order; those that count as baselines."]
    own: Annotated[tuple[str, ...], "Rows of whoever made the table, of which alone it claims anything."] = ()
    claims: Annotated[tuple[Claim, ...], "What it claims of each of these."] = ()
    columns: tuple[Column, ...]
    rejections: Annotated[tuple[Rejection, ...], "Scores that could not be matched or read, with the reason."]
    n_comparisons: Annotated[int, "Over all columns."]
    n_beyond: Annotated[int, "Over all columns."]
    n_unknown: Annotated[int, "Over all columns."]
    n_together: Annotated[
        int,
        "As how many comparisons those that can be judged are judged together: their number; without baselines, all"
        " pairs of each column, because the best of a column is picked by its score.",
    ]

    @property
    def summary(self) -> str:
        """What was compared, and how it was judged, in sentences."""
        rival = "the best baseline" if self.baselines else "the best other score"
        if self.own:
            return self._summary_of_claims(rival)
        n = plural(self.n_comparisons, "comparison,comparisons")
        said = f"{n} with {rival} of the column: {self.n_beyond:,} beyond luck"
        said += f", {self.n_unknown:,} can’t be judged here." if self.n_unknown else "."
        if self.n_together > 1:
            said += f" All are judged together, as {plural(self.n_together, 'comparison,comparisons')} (Holm)"
            if self.n_together > self.n_comparisons - self.n_unknown:
                said += "; without a baseline, all pairs of a column count, because its best is picked by its score"
            said += ". Were no two different, about one table in twenty would have any beyond luck."
        return said

    def _summary_of_claims(self, rival: str) -> str:
        said = f"{plural(self.n_comparisons, 'comparison,comparisons')} with {rival} of the column"
        if self.n_together:
            said += f", judged as {plural(self.n_together, 'comparison,comparisons')} together (Holm)"
            said += ": each own row with every row that could have been its rival. Were no two different, about one"
            said += " table in twenty would have any told apart."
        return said if said.endswith(".") else f"{said}."

    @property
    def kinds(self) -> dict[str, str]:
        """The kinds that occur, by what they are called, with what they mean."""
        found = {kind for column in self.columns for cell in column.cells for kind in cell.kinds}
        return {LABELS[kind]: meaning for kind, meaning in KINDS.items() if kind in found}

    @property
    def rows(self) -> Iterator[tuple[str, list[list[Cell]]]]:
        """Each system with its cells in every column."""
        for system in self.systems:
            yield system, [column.of(system) for column in self.columns]


class SentTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table of scores, and what has to be known of them."""

    text: Annotated[str, "CSV, TSV, Markdown, LaTeX or aligned text."]
    form: Annotated[str, "Which of these it is; else told by its looks."] = ""
    collection: Annotated[str, "Of the rows that name none."] = ""
    measure: Annotated[str, "Of the rows that name none."] = ""
    system: Annotated[str, "Of the rows that name none."] = ""
    unit: Annotated[str, "percent or fraction; else as the table says."] = ""
    baselines: Annotated[
        list[str] | None, "Systems that count as baselines; without them those that the table says are."
    ] = None
    own: Annotated[
        list[str] | None, "Rows of whoever made the table, of which alone it claims anything; none by default."
    ] = None
    answers: Annotated[dict[str, str], "By the keys of the questions that errors ask."] = {}

    def as_form(self) -> QueryDict:
        """As the form of the page sends it."""
        data = QueryDict(mutable=True)
        for name in ("text", "form", "collection", "measure", "system", "unit"):
            data[name] = getattr(self, name)
        for key, answer in self.answers.items():
            data[f"{ANSWER}{key}"] = answer
        return data
