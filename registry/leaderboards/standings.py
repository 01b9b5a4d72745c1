"""Standings as lists show them of an analysis: its leader, a strip of its scores, and which systems tie for first.

It is written with the analysis, so that a list of thousands reads no snapshot.
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec
import numpy as np

from analysis.boards import BoardInputs, Findings, SuiteFindings, SuiteInputs

#: Columns of a strip.
N_COLUMNS = 50
#: Scores below this share of all fall into the first column.
_LOWEST = 0.05


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
