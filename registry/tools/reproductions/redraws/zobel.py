"""What Zobel, with Moffat, Sanderson and Webber, draws: systems on a scale that stays, and papers over the years."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Count

from analysis.figures import Panel, Rule, series
from analysis.scales import reference_factors
from analysis.scores import ScoreMatrix
from analysis.trends import baselines_against_known_best
from registry.core.grouping import grouped
from registry.core.live_examples import LiveExample
from registry.results.models import Result
from registry.tools.baselines.documents import own_scores
from registry.tools.reproductions.redrawing import Choice, Draw, Material, Redraw, Sent, never
from registry.tools.reproductions.redraws.materials import LEAST_SYSTEMS, material_of_scores, with_scores

PAPER = "zobel-principles"
_LEAST_PAPERS, _LEAST_RUNS = 5, 5


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


def _spread(choice: Choice) -> Material | None:
    return material_of_scores(
        choice,
        lambda source, matrix, data: {"standardization": spread_panel(matrix, data)},
        lambda: LiveExample.at(
            f"Standardized scores of {choice.name}", "standardization:collection-standardized", choice.collection
        ),
    )


def _spread_of_sent(sent: Sent) -> Draw:
    matrix = sent.scores(LEAST_SYSTEMS)
    data = f"{sent.name}: {matrix.n_systems} systems on {matrix.n_topics} topics"
    return lambda: {"standardization": spread_panel(matrix, data)}


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


def _surveyed() -> Sequence[Choice]:
    """Leaderboards on which five papers or more print a baseline and a score of their own."""
    own = own_scores().filter(leaderboard__measure__higher_is_better=True)
    names = [f"leaderboard__{name}" for name in ("collection__slug", "collection__name", "measure__name")]
    counted = own.order_by().values_list(*names).annotate(n=Count("paper", distinct=True))
    return [Choice(*one[:3]) for one in counted.filter(n__gte=_LEAST_PAPERS).order_by(*names[1:])]


def _survey(choice: Choice) -> Material | None:
    results = Result.objects.comparable().filter(
        leaderboard__collection__slug=choice.collection, leaderboard__measure__name=choice.measure,
        leaderboard__measure__higher_is_better=True,
    )  # fmt: skip
    roles = (Result.Role.BASELINE, Result.Role.PROPOSED)
    of_papers = results.filter(role__in=roles, paper__isnull=False, year__isnull=False).order_by("pk")
    papers = []
    for paper, rows in grouped(of_papers.values_list("paper", "role", "year", "value"), lambda row: row[0]).items():
        baselines, own = ([value for _, found, _, value in rows if found == role] for role in roles)
        if baselines and own:
            # The year of what it proposes: a baseline taken from elsewhere may be of an earlier one.
            year = min(year for _, found, year, _ in rows if year and found == Result.Role.PROPOSED)
            papers.append((year, paper, max(baselines), max(own)))
    if len(papers) < _LEAST_PAPERS:
        return None
    years, _, best_baselines, improved = zip(*sorted(papers), strict=True)
    runs = results.filter(role=Result.Role.TREC_RUN, replicate_of=None).order_by("pk").values_list("value", flat=True)
    found = Survey(years, best_baselines, improved, tuple(runs))
    data = f"{choice.name}, {choice.measure}: {len(papers)} papers, {len(found.runs)} original runs"
    title, page = f"What did papers on {choice.name} compare with?", "baselines:collection-baselines"
    return Material(
        f"{found} {data}", lambda: survey_panels(found, data), lambda: LiveExample.at(title, page, choice.collection)
    )


SPREAD = Redraw(
    paper=PAPER,
    figures=frozenset({"standardization"}),
    key="zobel spread 1",
    choices=with_scores,
    read=_spread,
    sent=_spread_of_sent,
    is_quick=True,
    collections=("trec-7-adhoc",),
)
SURVEYS = Redraw(
    paper=PAPER,
    figures=frozenset({"survey", "baselines"}),
    key="zobel surveys 1",
    choices=_surveyed,
    read=_survey,
    sent=never("it needs papers, with their years"),
    is_quick=True,
    collections=("trec-2004-robust",),
)
