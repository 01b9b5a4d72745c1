"""The findings of standing analyses, read from their snapshots alone: cheap enough for a page of many results."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Annotated

from analysis.boards import (
    METHODS,
    BoardInputs,
    BoardRow,
    Distance,
    Findings,
    PairError,
    RankRange,
    error_of_pair,
    margin_of_means,
    planned_pairs,
    rank_ranges,
    read_snapshot,
)
from analysis.boards import Standing as AmongReferences
from analysis.errors import ArgumentError
from registry.leaderboards.documents.rows import Marks, ranks_of
from registry.leaderboards.models import Analysis
from registry.results.models import Result
from registry.results.querysets import year_here


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBefore:
    """The best result of an earlier year."""

    result: int
    system: str
    value: float
    year: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ItsBaseline:
    """The best baseline that a paper prints beside a result of its own."""

    result: int
    system: str
    value: float
    gain: Annotated[float, "How far the result is beyond it; positive is better whatever the direction of the measure."]
    is_beyond: Annotated[
        bool | None,
        "Whether means tell the two apart, the result being one of those that the paper prints as its own; None "
        "where that can't be known.",
    ]
    percentile: Annotated[float | None, "Of the baseline, among the means of the reference set."]

    @property
    def is_weak(self) -> bool:
        """Return whether most of the reference systems are better."""
        return self.percentile is not None and self.percentile < WEAK_PERCENTILE


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """The place of a result on its leaderboard, by the standing analysis."""

    result: int
    rank: Annotated[int | None, "Among those ranked; of another that competes, among all; None where it does not."]
    n_results: Annotated[int, "Among how many that is."]
    is_ranked: bool
    is_best: Annotated[bool, "Whether it is the best of its view that no caution holds back."]
    view: Annotated[str, "Of what that is the best: of all, or of results that are trained alike."]
    has_held_back: Annotated[bool, "Whether any result of the leaderboard is excluded."]
    is_held_back: Annotated[bool, "Whether a caution holds it back as the best."]
    can_be_best: Annotated[bool | None, "As on the leaderboard."]
    can_be_best_unflagged: Annotated[bool | None, "As on the leaderboard."]
    distance: Distance | None
    rival: Annotated[str, "Name of the system that it is behind; blank without one."]
    worth: Annotated[str, "The best one adjusted for luck, with its error; blank of others."]
    percentile: float | None
    z: Annotated[float | None, "Standard deviations above the mean of the reference systems' means."]
    reference: Annotated[str, "What it is a percentile among; blank without."]
    before: Annotated[KnownBefore | None, "The best of earlier years."]
    baseline: ItsBaseline | None

    @property
    def may_be_best(self) -> bool | None:
        """Return whether it can be the best, without the results that a caution holds back."""
        return self.can_be_best if self.can_be_best_unflagged is None else self.can_be_best_unflagged


#: A baseline with fewer of the reference systems below it is called weak.
WEAK_PERCENTILE = 50
#: Among fewer systems than this nobody has a percentile.
MIN_FIELD = 5


@dataclass(frozen=True)
class StoredBoard:
    """A leaderboard as its standing analysis found it; ``is_stale`` where results changed since."""

    leaderboard_id: int
    collection_year: int | None
    snapshot_id: str
    created: datetime
    is_stale: bool
    inputs: BoardInputs
    findings: Findings

    @cached_property
    def rows(self) -> dict[int, BoardRow]:
        """By result."""
        return {row.id: row for row in self.inputs.rows}

    @cached_property
    def competing(self) -> list[BoardRow]:
        """Best first."""
        ids = {row for family in self.findings.families for row in family.results}
        return [row for row in self.inputs.rows if row.id in ids]

    @cached_property
    def shown(self) -> list[BoardRow]:
        """Those that compete and that no caution holds back, best first."""
        held_back = self.findings.verdict.held_back
        return [row for row in self.competing if row.id not in held_back]

    @cached_property
    def unflagged(self) -> list[BoardRow]:
        """Those that compete and that no flag is about, best first."""
        flagged = self.findings.verdict.flagged
        return [row for row in self.competing if row.id not in flagged]

    @property
    def best(self) -> BoardRow:
        """The best on record, with the score that the verdict has for it."""
        shown = self.findings.verdict.shown
        return replace(self.rows[shown.result], value=shown.value)

    @cached_property
    def ranks(self) -> dict[int, int]:
        """Return the ranks of those that compete, by result."""
        return ranks_of(self.inputs, self.findings)

    @cached_property
    def places(self) -> dict[int, int]:
        """Return the ranks of those that are ranked among each other: of the view, and not held back."""
        verdict, judged = self.findings.verdict, self.marks.distances
        ranked = (judged if verdict.shown.set else self.ranks).keys() - verdict.held_back
        return ranks_of(self.inputs, self.findings, {row: self.inputs.means[row] for row in ranked})

    @cached_property
    def ranges(self) -> dict[int, RankRange]:
        """The ranges in which the true ranks of rows lie, by result."""
        return rank_ranges(self.inputs, self.findings)

    @cached_property
    def margin(self) -> float | None:
        """From which distance on the best of its rows can be told from another by their means."""
        return margin_of_means(self.inputs, self.findings)

    @cached_property
    def pair_error(self) -> PairError | None:
        """Return how far chance moves the difference of two means here, for an average pair of systems."""
        return error_of_pair(self.inputs, self.findings)

    @cached_property
    def among_references(self) -> dict[int, AmongReferences]:
        return {standing.result: standing for standing in self.findings.standing}

    @cached_property
    def marks(self) -> Marks:
        """Return what the verdict says of single rows."""
        return Marks(self.findings.verdict)

    @property
    def sign(self) -> float:
        """1 where higher is better, else -1."""
        return 1.0 if self.inputs.measure.higher_is_better else -1.0

    @cached_property
    def reference(self) -> str:
        """Return what percentiles are taken among; blank without a reference set of ``MIN_FIELD`` systems or more."""
        sets = (reference for reference in self.inputs.references if reference.basis == "published-means")
        return next((reference.name for reference in sets if reference.n_systems >= MIN_FIELD), "")

    def _standing(self, result: int) -> AmongReferences | None:
        """Return the place of a result among the reference systems; None where these are too few."""
        return self.among_references.get(result) if self.reference else None

    @cached_property
    def dated(self) -> list[tuple[int, BoardRow]]:
        """The unflagged rows that have a year, with that, best first; none is older than the collection."""
        years = ((year_here(row.year, self.collection_year), row) for row in self.unflagged)
        return [(year, row) for year, row in years if year is not None]

    def best_before(self, year: int) -> KnownBefore | None:
        """Return the best result of the years before, without a flag; None where none has a year."""
        earlier = next(((its_year, row) for its_year, row in self.dated if its_year < year), None)
        if earlier is None:
            return None
        its_year, row = earlier
        return KnownBefore(result=row.id, system=row.system, value=row.value, year=its_year)

    def is_beyond(self, gain: float, n_comparisons: int) -> bool | None:
        """Return whether a planned gain, one of so many, is more than chance explains for an average pair."""
        if self.pair_error is None:
            return None
        return gain > 0 and planned_pairs([gain], [self.pair_error], n_comparisons)[0].is_told_apart

    def strip(self, result: int, baselines: Iterable[int] = (), n_own: int = 1) -> Strip | None:
        """Return where a result stands; None of one that the analysis does not know.

        ``baselines`` are those of its paper, and ``n_own`` how many results that has of its own here.
        """
        row = self.rows.get(result)
        if row is None:
            return None
        verdict, distance = self.findings.verdict, self.marks.distances.get(result)
        rival = self.rows.get(distance.rival) if distance and distance.behind > 0 else None
        shown, is_held_back = verdict.shown, result in self.marks.held_back
        corrected = shown.corrected if result == shown.result else None
        competes, its_year = result in self.ranks, year_here(row.year, self.collection_year)
        standing, is_ranked = self._standing(result), result in self.places
        return Strip(
            result=result,
            rank=self.places[result] if is_ranked else self.ranks.get(result),
            n_results=len(self.places) if is_ranked else len(self.ranks),
            is_ranked=is_ranked,
            is_best=competes and not is_held_back and self.ranks[result] == self.ranks.get(shown.result),
            view=verdict.view,
            has_held_back=bool(verdict.held_back),
            is_held_back=is_held_back,
            can_be_best=self.marks.can_be_best.get(result),
            can_be_best_unflagged=self.marks.can_be_best_unflagged.get(result),
            distance=distance,
            rival=rival.system if rival else "",
            worth=corrected.figures if corrected else "",
            percentile=standing.percentile if standing else None,
            z=standing.z if standing else None,
            reference=self.reference,
            before=self.best_before(its_year) if its_year and competes else None,
            baseline=self._baseline(row, baselines, n_own) if competes and row.role == Result.Role.PROPOSED else None,
        )

    def _baseline(self, row: BoardRow, baselines: Iterable[int], n_own: int) -> ItsBaseline | None:
        baseline_rows = [self.rows[baseline] for baseline in baselines if baseline in self.ranks]
        best = max(baseline_rows, key=lambda row: self.sign * row.value, default=None)
        if best is None:
            return None
        gain, standing = self.sign * (row.value - best.value), self._standing(best.id)
        return ItsBaseline(
            result=best.id,
            system=best.system,
            value=best.value,
            gain=gain,
            is_beyond=self.is_beyond(gain, n_own),
            percentile=standing.percentile if standing else None,
        )


def read_stored(leaderboards: Iterable[int]) -> dict[int, StoredBoard]:
    """Return the standing analyses of these leaderboards, in one query; none of those by an earlier format."""
    return {board.leaderboard_id: board for board in each_stored(leaderboards)}


def each_stored(leaderboards: Iterable[int] | None = None) -> Iterator[StoredBoard]:
    """Yield the standing analyses of leaderboards, by default of all, of which the caller need keep none.

    Keeping none takes a third of the time: what stays in memory is searched again and again for what can be freed.
    """
    of = {} if leaderboards is None else {"leaderboard__in": set(leaderboards)}
    analyses = Analysis.objects.filter(snapshot__isnull=False, **of).values_list(
        "leaderboard", "results_version", "methods_version", "leaderboard__results_version",
        "leaderboard__collection__year", "snapshot", "snapshot__created_at", "snapshot__content",
    )  # fmt: skip
    for board, version, methods, current, year, snapshot, created, content in analyses.iterator():
        try:
            stored = read_snapshot(content)
        except ArgumentError:
            continue  # Of an earlier format; it is being made again.
        yield StoredBoard(
            leaderboard_id=board,
            collection_year=year,
            snapshot_id=snapshot,
            created=created,
            is_stale=(version, methods) != (current, METHODS.version),
            inputs=stored.inputs,
            findings=stored.findings,
        )


def strips_of(results: Sequence[Result], boards: Mapping[int, StoredBoard]) -> dict[int, Strip]:
    """Return where each of these results stands, as far as it does, by result; with the baselines of their papers."""
    standing = [result for result in results if result.ended_at is None and result.leaderboard_id in boards]
    papers = {result.paper_id for result in standing if result.paper_id and result.role == Result.Role.PROPOSED}
    printed: dict[tuple[int, int, str], list[int]] = {}
    if papers:
        rows = Result.objects.standing().filter(paper__in=papers, leaderboard__in=boards)
        for paper, board, role, pk in rows.values_list("paper_id", "leaderboard_id", "role", "pk"):
            printed.setdefault((paper, board, role), []).append(pk)
    strips = {}
    for result in standing:
        baselines, own = (
            printed.get((result.paper_id or 0, result.leaderboard_id, role), ())
            for role in (Result.Role.BASELINE, Result.Role.PROPOSED)
        )
        strip = boards[result.leaderboard_id].strip(result.pk, baselines, max(len(own), 1))
        if strip:
            strips[result.pk] = strip
    return strips


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedResults:
    """Results that the standing analysis of a leaderboard names: which can be the best (None without a set), as pages
    say it, which stand apart from all others, and which contradict their system's score on a linked leaderboard."""

    best: frozenset[int] | None
    contradicted: frozenset[int]
    apart: frozenset[int] = frozenset()


def read_named_results(leaderboards: Iterable[int]) -> dict[int, NamedResults]:
    """Return what was found on each of these leaderboards that carry an analysis, in one query."""
    named = {}
    for board in each_stored(leaderboards):
        verdict = board.findings.verdict
        best = (verdict.best_unflagged or verdict).set
        apart, contradicted = (
            frozenset(result for caution in verdict.cautions if caution.code == code for result in caution.results)
            for code in ("stands-apart", "contradicts-linked")
        )
        members = frozenset(best.members) if best else None
        named[board.leaderboard_id] = NamedResults(best=members, apart=apart, contradicted=contradicted)
    return named


def flags_on(leaderboards: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Yield what the standing analyses of these flag, whatever systems score elsewhere: results, each under a code."""
    for named in read_named_results(leaderboards).values():
        yield from ((result, "contradicts-linked") for result in named.contradicted)
        yield from ((result, "stands-apart") for result in named.apart)


def read_cautions() -> dict[int, tuple[tuple[str, ...], bool]]:
    """Return the codes of what is said of a result, and whether any of it holds it back, for every result that a
    standing analysis is of."""
    cautions: dict[int, tuple[tuple[str, ...], bool]] = {}
    for board in each_stored():
        cautions |= dict.fromkeys(board.rows, ((), False))
        for caution in board.findings.verdict.cautions:
            for result in caution.results:
                codes, is_held_back = cautions.get(result, ((), False))
                cautions[result] = (*codes, caution.code), is_held_back or caution.is_flag
    return cautions
