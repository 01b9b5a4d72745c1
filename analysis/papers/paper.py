"""Parts that papers share: figures beside printed numbers, and the material that they are drawn of."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec
import numpy as np
import yaml
from numpy.typing import NDArray

from analysis.figures import Axis, Factor, Panel
from analysis.scores import Judgements, Run, ScoreMatrix

#: Papers by their name in the address, in the order of the list.
SLUGS = ("carterette-2015", "sanderson-zobel-2005", "cormack-lynam-2006", "jayasinghe-2014", "zobel-principles")
#: With fewer systems or topics little can be said.
LEAST_SYSTEMS, LEAST_TOPICS = 5, 20
#: 7 lists of 1,000 documents are resampled a second, 18 of 100.
_MOST_LISTS = 2000


@dataclass(frozen=True, slots=True)
class Line:
    """One number of a paper.

    ``printed`` is the number as the paper has it, in its digits; None where it prints none (a figure) or none that can
    be read here. ``recomputed`` is in the same unit; None where the data for it do not ship. ``unit`` is empty or
    "%". ``why`` says in a sentence why the two differ, or what is missing.
    """

    what: str
    printed: str | None
    recomputed: float | None
    digits: int
    unit: str = ""
    why: str = ""

    @property
    def difference(self) -> float | None:
        """Return recomputed less printed."""
        return None if self.printed is None or self.recomputed is None else self.recomputed - float(self.printed)

    @property
    def is_as_printed(self) -> bool:
        """Say whether both are the same number in the digits that the paper prints."""
        decimals = len((self.printed or "").partition(".")[2])
        return self.difference is not None and round(self.recomputed or 0.0, decimals) == float(self.printed or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure, table or section of a paper, with an address of its own.

    ``name`` is the paper's, ``title`` the finding here, ``caption`` says what is drawn, of how much, and why it differs
    from what is printed. ``panel`` is the paper's design computed again; None where the data can't be had, and then
    ``missing`` says who has them. ``methods`` are pages of docs/methods, which lead to where they are at work.
    """

    slug: str
    name: str
    title: str
    caption: str
    panel: Panel | None = None
    missing: str = ""
    x: Axis | None = None
    y: Axis | None = None
    lines: tuple[Line, ...] = ()
    methods: tuple[str, ...] = ()
    factor: Factor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """A paper with its figures, tables and sections in its order; ``short`` is how it is called in passing."""

    slug: str
    authors: str
    title: str
    venue: str
    doi: str | None
    summary: str
    methods: tuple[str, ...]
    short: str
    figures: tuple[Figure, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """Return the numbers of all figures."""
        return tuple(line for figure in self.figures for line in figure.lines)

    @property
    def n_compared(self) -> int:
        """Return how many numbers have a printed number beside them."""
        return sum(line.difference is not None for line in self.lines)

    @property
    def n_as_printed(self) -> int:
        """Return how many of them are the same in the digits of the paper."""
        return sum(line.is_as_printed for line in self.lines)

    @property
    def n_missing(self) -> int:
        """Return how many were not computed again."""
        return sum(line.recomputed is None for line in self.lines)


def figure_of(figures: Sequence[Figure], slug: str) -> Figure | None:
    """Return the figure with this name in its address."""
    return next((figure for figure in figures if figure.slug == slug), None)


class Words:
    """The words of a paper from a file of its own: what it is, what its figures are called, and what it prints.

    ``sentences`` are what several figures say. Numbers are named in braces, and filled in.
    """

    def __init__(self, file: str) -> None:
        text = Path(__file__).with_name(f"{file}.yaml").read_text(encoding="utf-8")
        self._entries: dict[str, Any] = yaml.safe_load(text)

    def table(self, name: str) -> tuple[tuple[str, ...], ...]:
        """Return the rows of a table of nothing but words."""
        return tuple(map(tuple, self._entries[name]))

    def figure(
        self, slug: str, panel: Panel | None, recomputed: Iterable[float | None] = (), **numbers: object
    ) -> Figure:
        """Return a figure with its lines, of each the number that was recomputed of it, in their order.

        Raises
        ------
        ValueError
            If there are not as many numbers as lines.
        KeyError
            If the words name a number that is not given.
        """
        words = _filled(self._entries["figures"][slug], {**self._entries["sentences"], **numbers})
        why, lines = words.pop("why", ""), words.pop("lines", [])
        values = (None if value is None else float(value) for value in recomputed)
        rows = [
            {"printed": None, "why": why, **line, "recomputed": value}
            for line, value in zip(lines, values, strict=True)
        ]
        return replace(msgspec.convert({**words, "slug": slug, "lines": rows}, Figure), panel=panel)

    def reproduction(self, figures: Iterable[Figure]) -> Reproduction:
        """Return the paper with these figures, in the order of their words."""
        order = list(self._entries["figures"])
        ordered = sorted(figures, key=lambda figure: order.index(figure.slug))
        return replace(msgspec.convert({**self._entries, "figures": []}, Reproduction), figures=tuple(ordered))


def _filled(words: Any, numbers: Mapping[str, object]) -> Any:
    if isinstance(words, str):
        return words.format(**numbers)
    if isinstance(words, dict):
        return {name: _filled(value, numbers) for name, value in words.items()}
    return [_filled(value, numbers) for value in words] if isinstance(words, list) else words


@dataclass(frozen=True, slots=True)
class JudgedRanking:
    """A run with the judgements of its collection: ``depth`` is how many documents a topic it was cut at, ``grade`` the
    one from which on documents are relevant."""

    collection: str
    system: str
    depth: int
    grade: int
    run: Run
    judgements: Judgements

    @property
    def rankings(self) -> Mapping[str, tuple[str, ...]]:
        """Return documents by topic, best first."""
        return self.run.rankings

    @property
    def grades(self) -> Mapping[str, Mapping[str, int]]:
        """Return grades of documents by topic."""
        return self.judgements.grades

    def relevant(self, topic: str) -> frozenset[str]:
        """Return the relevant documents of a topic, retrieved or not."""
        return self.judgements.relevant(topic, self.grade)


class Shipped(Protocol):
    """The data that ship, as the papers need them."""

    def unnamed(self, name: str) -> ScoreMatrix:
        """Return topic scores of runs without names, such as ``trec-7-adhoc__AP``."""

    def named(self, name: str) -> ScoreMatrix:
        """Return topic scores of named systems."""

    def results(self, file: str, collection: str, role: str = "") -> list[dict[str, str]]:
        """Return the rows of a file of published results under AP; in one role, or in all."""

    def most_tried(self, n: int) -> list[tuple[str, int]]:
        """Return the collections and measures with the most results, and how many these are."""

    def n_papers(self, venue: str, first: int, last: int) -> int:
        """Return how many papers of a venue are on record, by year."""

    def rankings(self, collection: str = "", system: str = "") -> Iterator[JudgedRanking]:
        """Return the runs in the order of their manifest: all, or those of a collection, or of a system."""

    def judgements(self, collection: str) -> Judgements:
        """Return the judgements of a collection."""


class Undrawable(Exception):
    """Raised where figures can't be drawn of the material; the message says why, as a clause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The material that figures are drawn of: a collection on record, or what somebody sent.

    ``matrices`` are by the name of their measure, and ``measure`` is the one that is asked for; of its systems those
    named by ``executions`` are executions of one system, and the others its rivals. ``means`` are of published
    results, where there are more of them than of systems with scores by topic. ``counts`` are rows about what is on
    record.
    """

    name: str
    measure: str = ""
    higher_is_better: bool = True
    matrices: Mapping[str, ScoreMatrix]
    runs: Sequence[JudgedRanking] = ()
    executions: Sequence[str] = ()
    means: Sequence[float] = ()
    n_topics: int = 0
    counts: Sequence[tuple[Any, ...]] = ()

    def scores(self, least_systems: int = 2, least_topics: int = 2, *, measure: str = "") -> ScoreMatrix:
        """Return the scores under a measure, or under the one that is asked for; ``Undrawable`` if they are too few."""
        scores = self.matrices.get(measure or self.measure)
        if scores is None or scores.n_systems < least_systems or scores.n_topics < least_topics:
            raise Undrawable(
                f"it needs scores of {least_systems} systems or more on the same {least_topics} topics or more"
            )
        return scores

    def rankings(self) -> Sequence[JudgedRanking]:
        """Return the runs; ``Undrawable`` if there are none, or too many to resample."""
        if not self.runs:
            raise Undrawable("it needs runs whose documents were kept, and judgements that are not sealed")
        if sum(len(run.grades) for run in self.runs) > _MOST_LISTS:
            raise Undrawable(f"more than {_MOST_LISTS:,} ranked lists take too long to resample")
        return self.runs

    def counted(self) -> Sequence[tuple[Any, ...]]:
        """Return the rows about what is on record; ``Undrawable`` if there are none."""
        if not self.counts:
            raise Undrawable("it needs what is on record of a collection")
        return self.counts

    def describe(self, matrix: ScoreMatrix, measure: str = "") -> str:
        """Return what is drawn, in a line."""
        of = f"{measure or self.measure} of " if measure or self.measure else ""
        return f"{self.name}: {of}{matrix.n_systems} systems on {matrix.n_topics} topics"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A way to draw some figures of a paper of the material that is given.

    ``draw`` gives panels by the figure's name in the address, may lack some, and raises :class:`Undrawable`. ``needs``
    says what it looks at. ``key`` is counted up whenever panels come out otherwise. What ``is_quick`` takes less than
    0.3 seconds. Where nothing is chosen the first of ``collections`` and ``measures`` is shown that there is.
    """

    paper: str
    figures: frozenset[str]
    key: str
    needs: Literal["scores", "means", "two measures", "runs", "executions", "tries", "tests", "papers"]
    draw: Callable[[Given], dict[str, Panel]]
    is_quick: bool = False
    collections: tuple[str, ...] = ("trec-2004-robust", "trec-8-adhoc")
    measures: tuple[str, ...] = ("AP",)


def values_of(rows: Sequence[Mapping[str, str]]) -> NDArray[np.float64]:
    """Return the scores of published results, in their order."""
    return np.array([float(row["value"]) for row in rows])
