"""What is said of a table of scores, as the page, its Markdown and the API show it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from analysis.readers.rejections import Rejection
from analysis.readers.scores import PrintedScore
from registry.core.templatetags.formatting import plural
from registry.tools.review_table.claims import Claim, ClaimInColumn

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
