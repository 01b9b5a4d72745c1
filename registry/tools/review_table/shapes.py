"""A reviewed table with what it claims of its author's own rows, and a table as programs send it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, get_args

import msgspec
from django.http import QueryDict

from analysis.boards import PlannedPair
from analysis.readers.names import is_own
from analysis.readers.numbers import PrintedScore
from analysis.readers.rejections import Rejection
from registry.core.listing import listed
from registry.core.messages import say
from registry.core.templatetags.formatting import signed, telling_decimals
from registry.submissions.table_forms import ANSWER

#: The outcomes of a row against its rival, as a headline puts them, the most telling last.
Says = Literal["unknown", "trails", "ties", "beats"]

_ORACLE = re.compile(r"\boracles?\b", re.IGNORECASE)


def is_oracle(system: str) -> bool:
    """Return whether the row is an upper bound, which is nobody's rival."""
    return bool(_ORACLE.search(system))


def guess_own(systems: Sequence[str]) -> frozenset[str]:
    return frozenset(system for system in systems if is_own(system) and not is_oracle(system))


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
    mark: Annotated[str, "What the paper has at the score for significance, as †; blank without."] = ""

    @property
    def in_words(self) -> str:
        """As “significant, +0.083”."""
        return f"{self.label}, {signed(self.gain, self.decimals)}"

    @property
    def label(self) -> str:
        """The outcome in a word or two."""
        kind = {"ties": "not-told-apart", "unknown": "unknown"}.get(self.says, "beyond")
        return say("review-label", kind=kind)

    @property
    def telling(self) -> int:
        """The decimals that gain and margin need."""
        return telling_decimals(self.margin, abs(self.gain)) if self.margin else self.decimals


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What the table claims of one row."""

    system: str
    headline: Annotated[str, "In a sentence."]
    columns: tuple[ClaimInColumn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Something that a reviewer may ask for."""

    title: str
    why: Annotated[str, "What in the table or on record is the reason."]


def says_of(gain: float, comparison: PlannedPair | None) -> Says:
    if comparison is None:
        return "unknown"
    if not comparison.is_told_apart:
        return "ties"
    return "beats" if gain > 0 else "trails"


def claim_of(system: str, columns: Sequence[ClaimInColumn], *, n_baselines: int) -> Claim:
    """Return the claim: on how many leaderboards the row is significantly better, worse, or not known to be."""
    by_says = {says: [column for column in columns if column.says == says] for says in get_args(Says)}
    beats, trails, unknown = by_says["beats"], by_says["trails"], by_says["unknown"]
    values = {"system": system, "baselines": n_baselines}
    if len(unknown) == len(columns):
        return Claim(system=system, headline=say("review-claim-unknown", **values), columns=tuple(columns))
    where = names_of(beats, columns)
    if len(beats) == 1 < len(columns):
        where = say("review-only", name=where)
    values |= {"n": len(columns) - len(unknown), "columns": names_of(columns, columns), "where": where}
    counts = {"n_beats": len(beats), "n_trails": len(trails), "n_unknown": len(unknown)}
    headline = say("review-claim", **values, **counts, trails=names_of(trails, columns))
    return Claim(system=system, headline=headline, columns=tuple(columns))


#: Columns are named up to this number, and counted above it.
_NAMED = 3


def names_of(chosen: Sequence[ClaimInColumn], columns: Sequence[ClaimInColumn]) -> str:
    """Return the names of the collections where these are few, with the measure where a collection comes twice."""
    if 1 < len(chosen) == len(columns):
        return say("review-all", n=len(columns))
    if len(chosen) > _NAMED:
        return say("review-many", n=len(chosen))
    alone = {
        column.column for column in columns if sum(other.collection == column.collection for other in columns) == 1
    }
    return listed([column.collection if column.column in alone else column.column for column in chosen])


#: The kinds of cells.
KINDS = ("weak", "not-told-apart", "beyond", "record", "new", "same", "contested", "held-back", "unknown")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A score of the table with what is said of it."""

    system: str
    score: PrintedScore
    is_baseline: bool
    is_own: bool = False
    kinds: Annotated[tuple[str, ...], "Of ``KINDS``."]
    words: Annotated[tuple[str, ...], "The same in numbers, one clause each."]
    mark: Annotated[str, "What the paper has at the score for significance, as †; blank without."] = ""
    differs_by: Annotated[float | None, "How far it is from another value on record for its name; null without."] = None

    @property
    def labels(self) -> list[tuple[str, str]]:
        return [(kind, say("review-label", kind=kind)) for kind in self.kinds]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The scores of the table on one leaderboard."""

    name: str
    url: Annotated[str, "Of the leaderboard; blank where there is none."]
    decimals: int
    cells: Annotated[tuple[Cell, ...], "In the order of the table."]
    n_comparisons: Annotated[int, "Pairs that were compared."]
    n_beyond: Annotated[int, "Those of them in which the better one is beyond luck."]
    n_unknown: Annotated[int, "Those where that can't be known."]
    claimed: Annotated[tuple[tuple[str, ClaimInColumn], ...], "Own rows with what is claimed of them."] = ()
    best: Annotated[str, "The best on record that is not excluded, in words; blank without."]
    is_zero_shot: Annotated[bool, "Whether its verdict is on zero-shot systems."] = False

    def of(self, system: str) -> list[Cell]:
        return [cell for cell in self.cells if cell.system == system]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewDocument:
    """What the record says of a table."""

    systems: Annotated[tuple[str, ...], "Of the table, in its order; those that count as baselines."]
    baselines: Annotated[tuple[str, ...], "Of the table, in its order; those that count as baselines."]
    own: Annotated[tuple[str, ...], "The author’s own rows, the only ones that it claims anything of."] = ()
    claims: Annotated[tuple[Claim, ...], "What it claims of each of these."] = ()
    columns: tuple[Column, ...]
    rejections: Annotated[tuple[Rejection, ...], "Scores that could not be matched or read, with the reason."]
    n_comparisons: Annotated[int, "Over all columns."]
    n_beyond: Annotated[int, "Over all columns."]
    n_unknown: Annotated[int, "Over all columns."]
    n_together: Annotated[
        int,
        "Number of comparisons that are judged together: those that can be judged; without baselines, all"
        " pairs of each column, because the best of a column is picked by its score.",
    ]

    marks: Annotated[str, "What the paper marks as significant, and what the means confirm of it; blank without."] = ""
    asks: Annotated[tuple[Ask, ...], "What a reviewer may ask."] = ()

    @property
    def summary(self) -> str:
        """The comparisons and how they were judged, in sentences."""
        counts = {"n_together": self.n_together if self.n_together > 1 else 0, "n_unknown": self.n_unknown}
        sentences = [say("review-summary", n=self.n_comparisons, baselines=len(self.baselines), **counts)]
        if not self.own:
            sentences.append(say("review-summary-found", n_beyond=self.n_beyond))
            if self.n_together > self.n_comparisons - self.n_unknown:
                sentences.append(say("review-all-pairs"))
        return " ".join(sentences)

    @property
    def kinds(self) -> dict[str, str]:
        """The meanings of the kinds that occur, by their labels."""
        occurring = {kind for column in self.columns for cell in column.cells for kind in cell.kinds}
        return {say("review-label", kind=kind): say("review-kind", kind=kind) for kind in KINDS if kind in occurring}

    @property
    def rows(self) -> Iterator[tuple[str, list[list[Cell]]]]:
        for system in self.systems:
            yield system, [column.of(system) for column in self.columns]


class SentTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table of scores, and what has to be known of them."""

    text: Annotated[str, "CSV, TSV, Markdown, LaTeX, HTML or aligned text."]
    form: Annotated[str, "Which of these it is; detected by default."] = ""
    collection: Annotated[str, "If a row names none."] = ""
    measure: Annotated[str, "If a row names none."] = ""
    system: Annotated[str, "If a row names none."] = ""
    unit: Annotated[str, "percent or fraction; else as the table says."] = ""
    baselines: Annotated[list[str] | None, "Systems that count as baselines; by default those of the table."] = None
    own: Annotated[list[str] | None, "The author’s own rows, the only ones it makes claims of; or none."] = None
    answers: Annotated[dict[str, str], "By the keys of the questions that errors ask."] = {}

    def as_form(self) -> QueryDict:
        data = QueryDict(mutable=True)
        for name in ("text", "form", "collection", "measure", "system", "unit"):
            data[name] = getattr(self, name)
        for key, answer in self.answers.items():
            data[f"{ANSWER}{key}"] = answer
        return data
