"""Zobel, with Moffat, Sanderson and Webber: systems on a scale that stays, papers over the years, what a talk asks."""

from collections.abc import Iterator

import numpy as np

from analysis.figures import Panel, Rule, columns_of, series
from analysis.papers.history import history_figures, spread_panel
from analysis.papers.paper import LEAST_SYSTEMS, Drawing, Figure, Given, Reproduction, Shipped, Words, values_of
from analysis.trends import baselines_against_known_best, standing_of_papers, trend_over_time

PAPER = "zobel-principles"
_LEAST_RUNS = 5


def _draw_papers(given: Given) -> dict[str, Panel]:
    """Return own scores of papers over the years, and their baselines against the best known before.

    Each of the counts is a year, the best baseline and the best own score of a paper; the means are of original runs.
    """
    years, baselines, improved = zip(*given.counted(), strict=True)
    runs = given.means
    rules: tuple[Rule, ...] = ()
    if len(runs) >= _LEAST_RUNS:
        rules = Rule(name="best original run", at=max(runs)), Rule(name="median run", at=float(np.median(runs)))
    known = baselines_against_known_best(years, baselines, improved, known_before=given.means)
    return {
        "survey": Panel(
            data=given.name,
            series=(series("improved", years, improved, mark="points", is_highlighted=True),),
            rules=rules,
        ),
        "baselines": Panel(
            data=given.name,
            series=(
                series("baselines", years, baselines, mark="points", style="other"),
                series("best before", [at.time for at in known.times], [at.best_before for at in known.times]),
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
    Drawing(
        paper=PAPER, figures=frozenset({"survey", "baselines"}), key="zobel surveys 1", needs="papers",
        draw=_draw_papers, is_quick=True, collections=("trec-2004-robust",),
    ),
)  # fmt: skip

_COLLECTION = "trec-2004-robust"
_ASKED = (
    *columns_of("What the talk asks for"),
    *columns_of("Here", "What there is", kind="text"),
    *columns_of("Where", kind="address"),
)


def reproduce(shipped: Shipped) -> Reproduction:
    """Return the historical plot, the survey of papers, and what the talk asks for."""
    words = Words("zobel")
    return words.reproduction((*history_figures(words, shipped), *_surveyed(words, shipped), _checklist(words)))


def _surveyed(words: Words, shipped: Shipped) -> Iterator[Figure]:
    of_baselines, own = (
        {row["paper_url"]: row for row in shipped.results("robust04_papers.csv", _COLLECTION, role)}
        for role in ("baseline", "proposed")
    )
    papers = [paper for paper in own if paper in of_baselines]
    baselines, improved = (values_of([rows[paper] for paper in papers]) for rows in (of_baselines, own))
    years = [int(own[paper]["year"]) for paper in papers]
    runs = values_of(shipped.results("trec_adhoc.csv", _COLLECTION, "trec_run"))
    standing = standing_of_papers(baselines, improved, runs)
    trend = trend_over_time(years, improved)
    known = baselines_against_known_best(years, baselines, improved, known_before=runs)
    data = (
        f"AP on Robust04: baseline and own best of {len(papers)} papers (robust04_papers.csv), among the {len(runs)}"
        " original runs of TREC 2004"
    )
    counts = list(zip(years, baselines.tolist(), improved.tolist(), strict=True))
    panels = _draw_papers(Given(name=data, matrices={}, counts=counts, means=runs.tolist()))
    n, n_above = len(papers), round(standing.fraction_improved_above_best * len(papers))
    numbers = (n, standing.median_improved_percentile, n_above, trend.slope, trend.pvalue)
    yield words.figure("survey", panels["survey"], numbers, slope=trend.slope, n_above=n_above, n=n)
    reaching = known.n_reaching
    numbers_of_baselines = (standing.median_baseline_percentile, reaching)
    yield words.figure(
        "baselines", panels["baselines"], numbers_of_baselines, n_reaching=reaching, n=known.n_baselines
    )  # fmt: skip


def _checklist(words: Words) -> Figure:
    rows = words.table("answers")
    panel = Panel(data="The slides headed “Position”, “Survey” and “Use of baselines”", columns=_ASKED, rows=rows)
    return words.figure("checklist", panel, n=len(rows), n_met=sum(row[1] == "yes" for row in rows))
