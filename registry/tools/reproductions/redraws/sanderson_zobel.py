"""Figures of Sanderson and Zobel (2005), drawn of other collections."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from django.db.models import Count, Q

from analysis.figures import Panel, columns_of, series
from analysis.reliability import EffortComparison, compare_effort
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection
from registry.core.live_examples import LiveExample
from registry.results.models import Paper, Result
from registry.tools.reproductions.redrawing import Choice, Draw, Material, Redraw, Sent, Undrawable, never
from registry.tools.reproductions.redraws.materials import LEAST_SYSTEMS, LEAST_TOPICS, material_of_scores, with_scores
from registry.tools.reproductions.redraws.swaps import deviation_panel, measure_swaps, swap_panels
from registry.tools.resolution.efforts import DEEP_MEASURES, SHALLOW_MEASURES, SHARES, plain_name, read_rivals
from registry.tools.resolution.queries import Source, read_sources

PAPER = "sanderson-zobel-2005"

#: Which panel of a measure each figure shows, of average precision and of precision at 10.
DEEP = {
    "figure-1": "absolute",
    "figure-2": "relative",
    "figure-3": "barely",
    "figure-4": "just",
    "figure-8": "profiles",
    "figure-9": "replaced",
    "figure-10": "replaced-barely",
    "section-3-tests": "tests",
    "section-3-shares": "shares",
    "section-5": "deviation",
}
SHALLOW = {"figure-5": "relative", "figure-6": "barely", "figure-11": "replaced", "figure-12": "replaced-barely"}

#: Pairs times topics, twice: 300 systems on 250 topics take a worker some 40 seconds.
_MOST_COMPARED = 25_000_000
#: What counts as a paper, and of how many a survey is made.
PAPERS = (Paper.Kind.UNKNOWN, Paper.Kind.ARTICLE, Paper.Kind.INPROCEEDINGS, Paper.Kind.MISC)
_LEAST_PAPERS = 5
SURVEY = columns_of(
    "Year of the paper", "Papers with results", "Of which readers said it", "Of these, with a significance test"
)


def _page(choice: Choice) -> LiveExample:
    return LiveExample.at(f"How much can {choice.name} resolve?", "resolution:collection-resolution", choice.collection)


def _swaps(choice: Choice) -> Material | None:
    def panels_of(source: Source, matrix: ScoreMatrix, data: str) -> dict[str, Panel]:
        return _panels(matrix, data, higher_is_better=source.measure.higher_is_better)

    return material_of_scores(choice, panels_of, lambda: _page(choice))


def _panels(matrix: ScoreMatrix, data: str, *, higher_is_better: bool) -> dict[str, Panel]:
    panels = swap_panels(measure_swaps(matrix, higher_is_better=higher_is_better), data)
    panels["deviation"] = deviation_panel(matrix, data)
    both = {**DEEP, **SHALLOW}
    return {figure: panels[kind] for figure, kind in both.items() if kind in panels}


def _swaps_of_sent(sent: Sent, measures: Sequence[str] = ()) -> Draw:
    """Under the first of ``measures`` that there is, else under the one that is asked for."""
    measure = next((one for one in measures if one in sent.matrices), sent.measure)
    matrix = sent.scores(LEAST_SYSTEMS, LEAST_TOPICS, measure=measure)
    if matrix.n_systems**2 * matrix.n_topics > _MOST_COMPARED:
        raise Undrawable(f"{matrix.n_systems:,} systems on {matrix.n_topics:,} topics take too long to compare")
    data = f"{sent.name}: {measure} of {matrix.n_systems} systems on {matrix.n_topics} topics"
    return lambda: _panels(matrix, data, higher_is_better=sent.higher_is_better)


def effort_panel(found: Sequence[tuple[int, EffortComparison]], names: tuple[str, str], data: str) -> Panel:
    """Figure 7: rates of two measures on the same sets by what these cost; pooled by the pairs of each collection."""
    weights = [weight for weight, _ in found]
    lines = []
    for name, points in zip(
        names, ([one.first_points for _, one in found], [one.second_points for _, one in found]), strict=True
    ):
        sizes = [point.n_topics for point in points[0]]
        rates = [[point.error_rate or 0.0 for point in of_one] for of_one in points]
        lines.append((name, sizes, 100 * np.average(rates, axis=0, weights=weights)))
    (deep, n_deep, of_deep), (shallow, n_shallow, of_shallow) = lines
    return Panel(
        data=data,
        series=(
            series(deep, n_deep, of_deep),
            series(shallow, n_shallow, of_shallow, is_highlighted=True, is_scaled=True),
        ),
    )


def compared(matrices: tuple[ScoreMatrix, ScoreMatrix]) -> tuple[int, EffortComparison]:
    """Two measures on the same topic sets, with the number of pairs that were compared."""
    found = compare_effort(*matrices, 1, first_effort=1.0, second_effort=max(SHARES))
    return found.n_systems * (found.n_systems - 1) // 2, found


def _efforts(choice: Choice) -> Material | None:
    collection = Collection.objects.filter(slug=choice.collection).first()
    every = read_rivals(read_sources(collection)) if collection else []
    rivals = next((one for one in every if one.shallow.measure.name == choice.measure), None)
    if rivals is None:
        return None
    names = (rivals.deep.measure.name, rivals.shallow.measure.name)
    data = f"{collection}: {rivals.matrices[0].n_systems} systems on {rivals.deep.n_topics} topics"
    return Material(
        f"{rivals.deep.digest + rivals.shallow.digest} {data}",
        lambda: {"figure-7": effort_panel([compared(rivals.matrices)], names, data)},
        lambda: _page(choice),
    )


def _efforts_of_sent(sent: Sent) -> Draw:
    deep, shallow = (
        next((one for one in sent.matrices if plain_name(one) in kind), "")
        for kind in (DEEP_MEASURES, SHALLOW_MEASURES)
    )
    if not (deep and shallow):
        raise Undrawable("it needs average precision and a measure of the first ten documents of the same systems")
    first, second = (sent.scores(LEAST_SYSTEMS, LEAST_TOPICS, measure=one) for one in (deep, shallow))
    if (first.systems, first.topics) != (second.systems, second.topics):
        raise Undrawable(f"{deep} and {shallow} are not of the same systems and topics")
    data = f"{sent.name}: {first.n_systems} systems on {first.n_topics} topics"
    return lambda: {"figure-7": effort_panel([compared((first, second))], (deep, shallow), data)}


def _rival_choices() -> Sequence[Choice]:
    """Measures that need the first ten documents, where the same collection has scores that need all."""
    every = with_scores()
    deep = {one.collection for one in every if plain_name(one.measure) in DEEP_MEASURES}
    return [one for one in every if one.collection in deep and plain_name(one.measure) in SHALLOW_MEASURES]


def _surveyed() -> Sequence[Choice]:
    """Collections on which papers have results, whatever the measure."""
    names = ("leaderboard__collection__slug", "leaderboard__collection__name")
    results = Result.objects.standing().filter(paper__kind__in=PAPERS)
    by_collection = results.order_by(names[1]).values_list(*names).annotate(n=Count("paper", distinct=True))
    return [Choice(slug, name, "") for slug, name, n in by_collection if n >= _LEAST_PAPERS]


def _survey(choice: Choice) -> Material | None:
    collection = Collection.objects.filter(slug=choice.collection).first()
    if collection is None:
        return None
    panel, title = survey_panel(collection), f"What papers on {collection.name} compared with"
    return Material(
        str(panel),
        lambda: {"section-3-survey": panel},
        lambda: LiveExample.at(title, "baselines:collection-baselines", collection.slug),
    )


def survey_panel(collection: Collection) -> Panel:
    """How many papers with results on a collection test differences for significance, as far as readers said it."""
    results = Result.objects.standing().filter(leaderboard__collection=collection, paper__kind__in=PAPERS)
    papers = Paper.objects.filter(pk__in=results.values("paper"))
    by_year = (
        papers.order_by("year")
        .values_list("year")
        .annotate(
            n=Count("pk"),
            n_read=Count("pk", filter=Q(reports_significance__isnull=False)),
            n_tested=Count("pk", filter=Q(reports_significance=True)),
        )
    )
    rows = [(str(year or "not known"), *counts) for year, *counts in by_year]
    n, n_read, n_tested = (sum(row[place] for row in rows) for place in (1, 2, 3))
    return Panel(
        data=f"{collection.name}: {n:,} papers with results on record today",
        columns=SURVEY,
        rows=(*rows, ("all", n, n_read, n_tested)),
        note="Whoever has read one of them can say so on its page.",
    )


SIGNIFICANCE = Redraw(
    paper=PAPER,
    figures=frozenset({"section-3-survey"}),
    key="sanderson-zobel survey 1",
    choices=_surveyed,
    read=_survey,
    sent=never("it counts papers on record"),
    is_quick=True,
)
SWAPS = Redraw(
    paper=PAPER,
    figures=frozenset(DEEP),
    key="sanderson-zobel swaps 1",
    choices=with_scores,
    read=_swaps,
    sent=_swaps_of_sent,
)
_AT_10 = ("P@10", "P@20")
SWAPS_AT_10 = replace(
    SWAPS,
    figures=frozenset(SHALLOW),
    sent=lambda sent: _swaps_of_sent(sent, _AT_10),
    collections=("trec-8-adhoc",),
    measures=_AT_10,
)
EFFORTS = Redraw(
    paper=PAPER,
    figures=frozenset({"figure-7"}),
    key="sanderson-zobel effort 1",
    choices=_rival_choices,
    read=_efforts,
    sent=_efforts_of_sent,
    collections=("trec-8-adhoc",),
    measures=("P@10",),
)
