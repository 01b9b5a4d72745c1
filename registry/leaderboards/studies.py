"""From what stands on a leaderboard to what is found about it: steps that only read, and the one that runs them all.

Headline and standings are written with the analysis, so that a list of thousands reads no snapshot.

A job may run twice, or twice at once: what comes out is derived from the inputs alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from django.utils import timezone

from analysis.boards import (
    METHODS,
    BoardInputs,
    BoardRow,
    Findings,
    Question,
    Snapshot,
    SuiteFindings,
    SuiteInputs,
    SuiteSnapshot,
    error_of_pair,
    find_obstacle,
    make_snapshot,
    snapshot_id,
)
from analysis.scales import reference_factors
from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.leaderboards.headlines import STRONG_NOTES, claimed
from registry.leaderboards.models import Analysis, ReferenceSet, SuiteAnalysis
from registry.leaderboards.queries.boards import Board, read_board, reference_factors_of
from registry.leaderboards.queries.suites import SuiteBoard, find_suite_board, members_state, read_suite
from registry.results.models import Result

#: Fewer reference systems than this make no yardstick.
MIN_REFERENCES = 3
#: The sorts of systems that sets are of, the first that there are enough of; names of sets end with one.
ORIGINAL_RUNS = "original shared-task runs"
TOOLKITS = "reference runs"
RECORDED = "results recorded when the set was frozen"
#: Columns of a strip.
N_COLUMNS = 50
#: Scores below this share of all fall into the first column.
_LOWEST = 0.05


@dataclass(frozen=True, slots=True)
class ProposedReference:
    """A reference set that is not written yet, with the ids of its members."""

    reference: ReferenceSet
    members: tuple[int, ...]


def propose_references(board: Board) -> tuple[ProposedReference, ...]:
    """Return the sets to standardize against, frozen as results stand: by published means, and by topic where possible.

    The original shared-task runs where there are any, else reference implementations, else whatever is comparable.
    """
    proposed = []
    for name, rows in _candidates(board):
        values = np.array([row.value for row in rows])
        if values.size >= MIN_REFERENCES and np.ptp(values) > 0:
            factors = {"mean": values.mean(), "sd": values.std(ddof=1), "means": values.tolist()}
            proposed.append(_propose(board, ReferenceSet.Basis.PUBLISHED_MEANS, name, rows, factors))
            break
    matrix = board.topic_scores
    for name, rows in _candidates(board):
        rows = [row for row in rows if matrix is not None and str(row.id) in matrix.systems]
        if matrix is not None and len(rows) >= MIN_REFERENCES:
            factors = reference_factors(matrix.select([str(row.id) for row in rows])).to_dict()
            proposed.append(_propose(board, ReferenceSet.Basis.TOPIC_SCORES, name, rows, factors))
            break
    return tuple(proposed)


def _candidates(board: Board) -> Iterator[tuple[str, list[BoardRow]]]:
    comparable = [row for row in board.inputs.rows if row.is_comparable and row.replicate_of is None]
    yield ORIGINAL_RUNS, [row for row in comparable if row.role == Result.Role.TREC_RUN]
    toolkits = [row for row in comparable if row.role == Result.Role.REFERENCE_IMPLEMENTATION]
    yield TOOLKITS, toolkits
    yield RECORDED, comparable


def _propose(board: Board, basis: str, name: str, rows: list[BoardRow], factors: dict[str, Any]) -> ProposedReference:
    reference = ReferenceSet(
        leaderboard=board.leaderboard,
        basis=basis,
        name=f"{board.leaderboard.collection.name}: {len(rows)} {name}",
        n_systems=len(rows),
        factors=_rounded(factors),
        frozen_on=timezone.now().date(),
    )
    return ProposedReference(reference, tuple(row.id for row in rows))


def _rounded(value: Any) -> Any:
    """Return every float at ten significant digits, so that another processor's last bit makes no new snapshot."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return float(f"{float(value):.10g}") if isinstance(value, (float, np.floating)) else value


DEFAULT_QUESTION = Question()


def obstacle_of(
    inputs: BoardInputs, question: Question = DEFAULT_QUESTION, topic_scores: ScoreMatrix | None = None
) -> Analysis.Obstacle:
    """Return why nothing can be said about the best result; blank where something can."""
    return Analysis.Obstacle(find_obstacle(inputs, question, topic_scores))


LeftOut = Literal["", "highest", "others"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The verdict of a leaderboard as lists show it."""

    headline: Annotated[str, "What its page says under its name."]
    sentence: Annotated[str, "The same with measure and level, for where it stands alone."]
    leader: Annotated[str, "Who has the best score, without those that a caution excludes."]
    best: Annotated[float, "The best score, without those that a caution excludes."]
    best_kind: Annotated[
        str,
        "What it is the best of: everyone, zero-shot or trained, with -mean of benchmarks; ranked- before it where"
        " something higher is not ranked.",
    ]
    highest: Annotated[float, "The highest score, whatever is said of it."]
    corrected: Annotated[
        float | None, "The best adjusted for luck; where the best row is flagged, the best one not excluded."
    ]
    error: Annotated[float | None, "The ± of it."] = None
    adjusted: Annotated[str, "Both as texts say them, or an interval without a middle; blank without."] = ""
    decimals: Annotated[int, "Its digits."]
    n_members: Annotated[int | None, "How many tie for first; null where there is no ranking."]
    n_rows: Annotated[int, "Of how many: rows of the view, without those that a caution excludes."]
    n_results: Annotated[int, "Rows that compete, of all views."]
    n_families: int
    evidence: Annotated[
        str,
        "What the verdict rests on: own-topics, own-variance, own-and-predicted, predicted,"
        " predicted-from-siblings, predicted-without-density or none.",
    ]
    view: Annotated[str, "The view of training that it is about; `all` of most."] = "all"
    note: Annotated[str, "Code of a note that the sentence names with the best; blank without one."] = ""
    margin: Annotated[float | None, "How far below the best a row may be and still tie; null where unknown."] = None
    resolves: Annotated[
        float | None,
        "The smallest difference of two systems named beforehand that one test by means tells apart (p at most"
        " 0.05), for an average pair; null where unknown, and of suites.",
    ] = None
    left_out: Annotated[
        LeftOut,
        "Whom ``corrected`` and ``n_members`` leave out, for a caution: ``highest`` (the highest score, and perhaps"
        " others), ``others`` (others that could be the best); blank where nobody is left out.",
    ]


def shown_headline(analysis: Analysis | SuiteAnalysis | None) -> Headline | None:
    """Return what lists show of an analysis; None without one, or until what an earlier release wrote is made anew."""
    try:
        return msgspec.convert(analysis.headline, Headline) if analysis and analysis.headline else None
    except msgspec.ValidationError:
        return None


def headline_of(snapshot: Snapshot | SuiteSnapshot) -> Headline:
    """Return the verdict as lists show it: of a suite that on other collections like its members."""
    inputs, findings = snapshot.inputs, snapshot.findings
    verdict = findings.other_collections if isinstance(findings, SuiteFindings) else findings.verdict
    shown, claim = verdict.shown, claimed(inputs, findings)
    error = error_of_pair(snapshot.inputs, snapshot.findings) if isinstance(snapshot, Snapshot) else None
    # The first note on the best that may be the best, which is no flag.
    notes = (
        caution.code for caution in verdict.cautions if caution.code in STRONG_NOTES and shown.result in caution.results
    )
    left_out: LeftOut = ""
    if verdict.best_unflagged is not None:
        left_out = "others" if verdict.best_unflagged.result == verdict.best.result else "highest"
    return Headline(
        headline=claim.headline,
        sentence=claim.sentence,
        leader=claim.leader,
        best=shown.value,
        best_kind=claim.best_kind,
        n_rows=claim.n_rows,
        highest=next((view.best.value for view in verdict.views if view.view == "all"), verdict.best.value),
        corrected=shown.corrected.value if shown.corrected else None,
        error=shown.corrected.half_width if shown.corrected else None,
        adjusted=shown.corrected.figures if shown.corrected else "",
        decimals=shown.corrected.decimals if shown.corrected else inputs.measure.decimals,
        n_members=shown.set.n_members if shown.set else None,
        n_results=verdict.tries.n_results,
        n_families=verdict.tries.n_families,
        evidence=verdict.evidence.kind,
        margin=shown.set.margin if shown.set else None,
        resolves=error.margin(1 - METHODS.confidence_level) if error else None,
        left_out=left_out,
        view=verdict.view,
        note=next(notes, ""),
    )


class Standings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Keeps what lists show of the verdict of a leaderboard."""

    leader: Annotated[str, "Name of the system that is shown as the best."] = ""
    result: Annotated[int | None, "Its result."] = None
    n_ranked: Annotated[int, "Results that the verdict ranks."] = 0
    year: Annotated[int | None, "Of the newest of these."] = None
    columns: Annotated[tuple[int, ...], "How many scores fall into each column of the strip, the worst first."] = ()
    tied_columns: Annotated[tuple[int, ...], "How many of these are of results tied for first."] = ()
    band: Annotated[tuple[float, float] | None, "Where the margin lies, as shares of the strip."] = None
    tied: Annotated[tuple[int, ...], "Systems of the results tied for first."] = ()
    zero_shot: Annotated[tuple[int, ...], "Systems with a result here that are not known to be trained on it."] = ()
    trained: Annotated[tuple[int, ...], "Systems that are."] = ()


class Placed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A system with a mean over a benchmark."""

    system: int
    mean: float
    could_lead: bool = False
    is_zero_shot: bool = False
    n_trained_on: int = 0


class BenchmarkStandings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Keeps what lists show of the verdict of a benchmark; systems without a mean are left out."""

    leader: Annotated[str, "Name of the system with the best mean of those that are ranked."] = ""
    n_ranked: int = 0
    n_members: int = 0
    placed: tuple[Placed, ...] = ()


def standings_of(inputs: BoardInputs, findings: Findings, systems: Mapping[int, int]) -> Standings:
    """Return the standings of a leaderboard; ``systems`` has the system of each result."""
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    competing = {result for family in findings.families for result in family.results}
    rows = [row for row in inputs.rows if row.id in competing]
    shown, means = findings.verdict.shown, inputs.means
    tied = {*shown.set.members} if shown.set else set()
    values = {row.id: sign * means[row.id] for row in rows}
    low = float(np.quantile([*values.values()], _LOWEST))
    high = max(values.values())
    span = (high - low) or 1.0
    places = {pk: min(N_COLUMNS - 1, max(0, int((value - low) / span * N_COLUMNS))) for pk, value in values.items()}
    margin = shown.set.margin if shown.set else None
    best = sign * shown.value
    ranked = [row for row in rows if findings.verdict.view in ("all", row.view)]

    def share(value: float) -> float:
        return round(min(1.0, max(0.0, (value - low) / span)), 3)

    def counted(ids: set[int]) -> tuple[int, ...]:
        return tuple(np.bincount([places[pk] for pk in ids], minlength=N_COLUMNS).tolist())

    def of_view(view: str) -> tuple[int, ...]:
        return tuple(sorted({systems[row.id] for row in rows if row.view == view and row.id in systems}))

    return Standings(
        leader=next((row.system for row in rows if row.id == shown.result), ""),
        result=shown.result,
        n_ranked=shown.n_rows or len(ranked),
        year=max((row.year for row in ranked if row.year), default=None),
        columns=counted(competing),
        tied_columns=counted(tied) if tied else (),
        band=None if margin is None else (share(best - margin), share(best)),
        tied=tuple(sorted({systems[pk] for pk in tied if pk in systems})),
        zero_shot=of_view("declared-none"),
        trained=of_view("trained-here"),
    )


def benchmark_standings(inputs: SuiteInputs, findings: SuiteFindings) -> BenchmarkStandings:
    """Return the standings of a benchmark, systems with the best mean first."""
    rows = {row.id: row for row in inputs.rows}
    verdict = findings.other_collections
    leaders, view = verdict.shown.set.members if verdict.shown.set else (), verdict.view
    return BenchmarkStandings(
        leader=rows[verdict.shown.result].system,
        n_ranked=verdict.shown.n_rows,
        n_members=len(inputs.members),
        placed=tuple(
            Placed(
                system=mean.result,
                mean=mean.value,
                could_lead=mean.result in leaders and view in ("all", rows[mean.result].view),
                is_zero_shot=rows[mean.result].view == "declared-none",
                n_trained_on=rows[mean.result].n_trained_on,
            )
            for mean in findings.means
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The finding of one analysis, not yet written: a snapshot with its headline, or an obstacle."""

    obstacle: str = ""
    content: str = ""
    headline: Headline | None = None
    standings: Standings | BenchmarkStandings | None = None

    @property
    def snapshot_id(self) -> str | None:
        """The id that the snapshot has, where there is one."""
        return snapshot_id(self.content) if self.content else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Found):
    """The finding of the analysis of one leaderboard."""

    board: Board
    references: tuple[ProposedReference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFinding(Found):
    """The finding of the analysis of one suite."""

    board: SuiteBoard
    version: str


def analyse_leaderboard(leaderboard_id: int, *, is_forced: bool = False) -> Finding | None:
    """Return what is to be found about a leaderboard as it stands; None when its analysis is up to date and not forced.

    Reads only; :func:`registry.leaderboards.services.save_finding` writes what is returned.
    """
    leaderboard = Leaderboard.objects.get(pk=leaderboard_id)
    if not is_forced and Analysis.objects.current(leaderboard, METHODS.version).exists():
        return None
    board = read_board(leaderboard_id)
    obstacle = obstacle_of(board.inputs, topic_scores=board.topic_scores)
    if obstacle:
        return Finding(board=board, obstacle=obstacle)
    proposed = () if board.inputs.references else propose_references(board)
    if proposed:
        factors = tuple(reference_factors_of(proposal.reference) for proposal in proposed)
        board = replace(board, inputs=replace(board.inputs, references=factors))
    snapshot = make_snapshot(board.inputs, board.topic_scores)
    systems = {pk: facts.system_id for pk, facts in board.facts.items()}
    return Finding(
        board=board,
        references=proposed,
        content=snapshot.text,
        headline=headline_of(snapshot),
        standings=standings_of(snapshot.inputs, snapshot.findings, systems),
    )


def analyse_suite(suite: str, measure: str) -> SuiteFinding | None:
    """Return what is to be found about a suite, from the analyses of its members as they stand; None where nothing is
    new.

    Reads only; :func:`registry.leaderboards.services.save_suite_finding` writes what is returned.
    """
    board = find_suite_board(suite, measure)
    if board is None:
        return None  # It was a suite when the job was queued.
    state = members_state(board)
    if SuiteAnalysis.objects.filter(suite=board.suite, measure=board.measure, version=state.version).exists():
        return None
    inputs = read_suite(board, state)
    obstacle = find_obstacle(inputs) if inputs else SuiteAnalysis.Obstacle.NO_VERDICT_OF_MEMBER
    if inputs is None or obstacle:
        return SuiteFinding(board=board, version=state.version, obstacle=obstacle)
    snapshot = make_snapshot(inputs)
    standings = benchmark_standings(snapshot.inputs, snapshot.findings)
    return SuiteFinding(
        board=board, version=state.version, content=snapshot.text, headline=headline_of(snapshot), standings=standings
    )
