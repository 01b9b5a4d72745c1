"""Having figures of papers drawn, by a worker, of every collection that has the scores for them, or of the record."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db.models import Count, Q

from analysis.figures import Panel
from analysis.papers.carterette import tries_panel
from analysis.papers.paper import Undrawable
from analysis.papers.sanderson_zobel import survey_panel
from analysis.papers.zobel import Survey, survey_panels
from registry.catalog.models import Collection
from registry.core.grouping import grouped
from registry.core.pages import LiveExample
from registry.results.models import Paper, Result
from registry.tools.baselines.documents import own_scores
from registry.tools.found_once import RedrawnFigures
from registry.tools.reproductions.sources import REDRAWS_OF_SCORES, Choice, Material, Redraw, with_results

#: What counts as a paper, and of how many a survey is made.
_PAPERS = (Paper.Kind.UNKNOWN, Paper.Kind.ARTICLE, Paper.Kind.INPROCEEDINGS, Paper.Kind.MISC)
_LEAST_PAPERS = 5
_NAMES = tuple(f"leaderboard__{name}" for name in ("collection__slug", "collection__name", "measure__name"))


def _tried() -> Sequence[Choice]:
    """Return the collections with results enough, whatever the measure."""
    found = {choice.collection: Choice(choice.collection, choice.name, "") for choice in with_results()}
    return list(found.values())


def _tries(choice: Choice) -> Material | None:
    def panel(collection: Collection) -> Panel:
        results = Result.objects.standing().filter(leaderboard__collection=collection)
        by_measure = results.values_list("leaderboard__measure__name").annotate(
            n=Count("pk"), m=Count("system", distinct=True)
        )
        return tries_panel(collection.name, list(by_measure.order_by("-n", "leaderboard__measure__name")))

    def page(collection: Collection) -> LiveExample:
        return LiveExample(f"All leaderboards of {collection.name}", collection.get_absolute_url())

    return _material(choice, "section-5", panel, page)


def _with_papers() -> Sequence[Choice]:
    """Return collections on which papers have results, whatever the measure."""
    results = Result.objects.standing().filter(paper__kind__in=_PAPERS)
    by_collection = results.order_by(_NAMES[1]).values_list(*_NAMES[:2]).annotate(n=Count("paper", distinct=True))
    return [Choice(slug, name, "") for slug, name, n in by_collection if n >= _LEAST_PAPERS]


def _significance(choice: Choice) -> Material | None:
    def panel(collection: Collection) -> Panel:
        results = Result.objects.standing().filter(leaderboard__collection=collection, paper__kind__in=_PAPERS)
        by_year = Paper.objects.filter(pk__in=results.values("paper")).order_by("year").values_list("year").annotate(
            n=Count("pk"),
            n_read=Count("pk", filter=Q(reports_significance__isnull=False)),
            n_tested=Count("pk", filter=Q(reports_significance=True)),
        )  # fmt: skip
        return survey_panel(collection.name, [(str(year or "not known"), *counts) for year, *counts in by_year])

    return _material(choice, "section-3-survey", panel, _page_of_baselines)


def _material(
    choice: Choice, figure: str, panel: Callable[[Collection], Panel], page: Callable[[Collection], LiveExample]
) -> Material | None:
    collection = Collection.objects.filter(slug=choice.collection).first()
    if collection is None:
        return None
    found = panel(collection)
    return Material(str(found), lambda: {figure: found}, lambda: page(collection))


def _page_of_baselines(collection: Collection) -> LiveExample:
    title = f"What papers on {collection.name} compared with"
    return LiveExample.at(title, "baselines:collection-baselines", collection.slug)


def _surveyed() -> Sequence[Choice]:
    """Return leaderboards on which five papers or more print a baseline and a score of their own."""
    own = own_scores().filter(leaderboard__measure__higher_is_better=True)
    counted = own.order_by().values_list(*_NAMES).annotate(n=Count("paper", distinct=True))
    return [Choice(*row[:3]) for row in counted.filter(n__gte=_LEAST_PAPERS).order_by(*_NAMES[1:])]


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


#: Every way in which figures are drawn of another collection.
REDRAWS: tuple[Redraw, ...] = (
    *REDRAWS_OF_SCORES,
    Redraw(
        paper="carterette-2015", figures=frozenset({"section-5"}), key="carterette tries 1", choices=_tried,
        read=_tries, is_quick=True,
    ),
    Redraw(
        paper="sanderson-zobel-2005", figures=frozenset({"section-3-survey"}), key="sanderson-zobel survey 1",
        choices=_with_papers, read=_significance, is_quick=True,
    ),
    Redraw(
        paper="zobel-principles", figures=frozenset({"survey", "baselines"}), key="zobel surveys 1",
        choices=_surveyed, read=_survey, is_quick=True, collections=("trec-2004-robust",),
    ),
)  # fmt: skip


def redraw_of(paper: str, figure: str) -> Redraw | None:
    """Return how this figure is drawn of another collection; None where that makes no sense."""
    return next((redraw for redraw in REDRAWS if redraw.paper == paper and figure in redraw.figures), None)


REDRAW_FIGURES = "reproductions.redraw_figures"


def digest_of(redraw: Redraw, material: Material) -> str:
    """Under which its panels are kept: of the scores, of the names beside them, and of what is done with both."""
    return hashlib.sha256(f"{redraw.key} {material.digest}".encode()).hexdigest()


def draw_of(redraw: Redraw, material: Material) -> RedrawnFigures:
    """Return the panels, or why there can't be any; not saved yet."""
    digest = digest_of(redraw, material)
    try:
        return RedrawnFigures.of(digest, material.draw)
    except Undrawable as undrawable:
        return RedrawnFigures(digest=digest, obstacle=str(undrawable))


def enqueue_missing(**_: Any) -> int:
    """Have drawn what is not, after a load too; the number of jobs added."""
    return RedrawnFigures.enqueue_missing(REDRAW_FIGURES, _wanted())


def _wanted() -> Iterator[tuple[dict[str, Any], set[str]]]:
    for redraw in {one.key: one for one in REDRAWS if not one.is_quick}.values():
        for choice in redraw.choices():
            if material := redraw.read(choice):
                yield _arguments(redraw, choice), {digest_of(redraw, material)}


def awaited_figures(redraw: Redraw, choice: Choice) -> list[tuple[str, dict[str, Any]]]:
    """The job that whoever looks at a figure waits for, where it is not drawn."""
    return [(REDRAW_FIGURES, _arguments(redraw, choice))]


def _arguments(redraw: Redraw, choice: Choice) -> dict[str, Any]:
    return {"key": redraw.key, "collection": choice.collection, "measure": choice.measure}


def redraw_figures(key: str, collection: str, measure: str) -> list[RedrawnFigures]:
    """The panels of one collection under one measure that are not kept yet."""
    redraw = next(one for one in REDRAWS if one.key == key)
    material = redraw.read(Choice(collection, "", measure))
    if material is None or RedrawnFigures.objects.filter(pk=digest_of(redraw, material)).exists():
        return []
    return [draw_of(redraw, material)]
