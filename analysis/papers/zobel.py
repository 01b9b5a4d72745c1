"""What Zobel, with Moffat, Sanderson and Webber, draws: systems on a scale that stays, and papers over the years."""

from dataclasses import dataclass

import numpy as np

from analysis.figures import Panel, Rule, series
from analysis.papers.paper import LEAST_SYSTEMS, Drawing, Given
from analysis.scales import reference_factors
from analysis.scores import ScoreMatrix
from analysis.trends import baselines_against_known_best

PAPER = "zobel-principles"
_LEAST_RUNS = 5


def spread_panel(matrix: ScoreMatrix, data: str) -> Panel:
    """The problem: the mean score of the same systems on each topic, with a standard deviation on either side."""
    factors = reference_factors(matrix)
    order = np.argsort(factors.means, kind="stable")
    means, sds = factors.means[order], factors.sds[order]
    low = np.maximum(means - sds, 0.0) if np.min(matrix.scores) >= 0 else means - sds
    topics = series(
        "mean", range(1, len(order) + 1), means, low=low, high=means + sds, mark="points", is_highlighted=True
    )
    return Panel(data=data, series=(topics,))


@dataclass(frozen=True, slots=True)
class Survey:
    """The best baseline and the best own score of papers, by year, and the original runs of their collection."""

    years: tuple[int, ...]
    baselines: tuple[float, ...]
    improved: tuple[float, ...]
    runs: tuple[float, ...]


def survey_panels(found: Survey, data: str) -> dict[str, Panel]:
    """Own scores of papers over the years, and their baselines against the best known before."""
    rules = (
        (Rule(name="best original run", at=max(found.runs)), Rule(name="median run", at=float(np.median(found.runs))))
        if len(found.runs) >= _LEAST_RUNS
        else ()
    )
    known = baselines_against_known_best(found.years, found.baselines, found.improved, known_before=found.runs)
    return {
        "survey": Panel(
            data=data,
            series=(series("improved", found.years, found.improved, mark="points", is_highlighted=True),),
            rules=rules,
        ),
        "baselines": Panel(
            data=data,
            series=(
                series("baselines", found.years, found.baselines, mark="points", style="other"),
                series("best before", [one.time for one in known.times], [one.best_before for one in known.times]),
            ),
            rules=rules[1:],
        ),
    }


def _draw_spread(given: Given) -> dict[str, Panel]:
    matrix = given.scores(LEAST_SYSTEMS)
    return {"standardization": spread_panel(matrix, given.describe(matrix))}


DRAWINGS = (
    Drawing(
        paper=PAPER, figures=frozenset({"standardization"}), key="zobel spread 2", needs="scores", draw=_draw_spread,
        is_quick=True, collections=("trec-7-adhoc",),
    ),
)  # fmt: skip
