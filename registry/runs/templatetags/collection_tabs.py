"""The head of every page of a collection, with its tabs; and the judgements and runs that are here."""

from typing import Any

from django import template
from django.db.models import Count, Exists, OuterRef, Subquery
from django.urls import reverse

from registry.catalog.models import Collection, Leaderboard
from registry.core.templatetags.formatting import plural, thousands
from registry.leaderboards.models import Analysis, ReferenceSet
from registry.results.models import TopicScores, UnnamedScores
from registry.results.queries import WITHHELD
from registry.runs.models import Judgements
from registry.runs.queries import shipped_runs_of, standing_judgements
from registry.tools.baselines.documents import boards_over_years, papers_followed
from registry.tools.standardization.queries import MIN_REFERENCES

NONE_HERE = "none here"
register = template.Library()


@register.simple_tag
def tabs_of(collection: Collection) -> list[dict[str, str]]:
    """Return the pages of a collection, in one query; ``holds`` counts their content where that tells something."""
    here = OuterRef("pk")
    unnamed = UnnamedScores.objects.filter(collection=here)
    boards = Leaderboard.objects.filter(collection=here, results_version__gt=0)
    vectors = TopicScores.objects.standing().filter(result__leaderboard__collection=here)
    several = vectors.values("result__leaderboard").annotate(n=Count("pk")).filter(n__gte=2)
    margins = Analysis.objects.with_resolves().filter(leaderboard__collection=here)
    members = ReferenceSet.members.through._default_manager.filter(referenceset=OuterRef(OuterRef("pk")))
    others = TopicScores.objects.standing().filter(result__leaderboard=OuterRef("leaderboard"))
    scales = ReferenceSet.objects.filter(
        Exists(others.exclude(result__in=members.values("result"))),
        leaderboard__collection=here,
        basis=ReferenceSet.Basis.TOPIC_SCORES,
        n_systems__gte=MIN_REFERENCES,
    )
    held = Collection.objects.values(
        n_boards=Subquery(boards.values("collection").annotate(n=Count("pk")).values("n")),
        n_papers=Subquery(papers_followed(here)[:1]),
        is_dated=Exists(boards_over_years(here)),
        resolves=Exists(margins) | Exists(unnamed) | Exists(several),
        n_references=Subquery(scales.order_by("-n_systems").values("n_systems")[:1]),
        n_open=Subquery(
            unnamed.filter(n_runs__gte=MIN_REFERENCES)
            .exclude(runs__contains=WITHHELD)
            .order_by("-n_runs")
            .values("n_runs")[:1]
        ),
        n_judged=Subquery(Judgements.objects.filter(collection=here, ended_at=None).values("n_topics")),
    ).get(pk=collection.pk)
    n_boards, n_papers, n_judged = held["n_boards"], held["n_papers"], held["n_judged"]
    n_on_scale = max(held["n_references"] or 0, held["n_open"] or 0)
    papers = plural(n_papers, "paper,papers") if n_papers else "" if held["is_dated"] else NONE_HERE
    pages = (
        ("Leaderboards", "leaderboards:collection-detail", thousands(n_boards) if n_boards else NONE_HERE),
        ("Resolution", "resolution:collection-resolution", "" if held["resolves"] else NONE_HERE),
        ("Progress", "baselines:collection-baselines", papers),
        ("Standardized", "standardization:collection-standardized", _counted(n_on_scale, "system,systems")),
        ("Judgements", "runs:judgements-detail", _counted(n_judged, "topic,topics")),
        ("About", "leaderboards:collection-about", ""),
    )
    return [{"name": name, "url": reverse(view, args=[collection.slug]), "holds": text} for name, view, text in pages]


def _counted(n: int | None, words: str) -> str:
    return plural(n, words) if n else NONE_HERE


@register.inclusion_tag("catalog/_collection_head.html", takes_context=True)
def collection_head(context: dict[str, Any], collection: Collection, current: str, is_below: bool = False) -> Any:
    """Show name, facts in a line, Follow and the tabs; ``current`` names the tab that the page is, or ``is_below``."""
    return {
        "user": context["user"],
        "collection": collection,
        "tabs": tabs_of(collection),
        "current": current,
        "says": "true" if is_below else "page",
    }


@register.inclusion_tag("runs/_judged.html")
def judgements_of_collection(collection: Collection) -> dict[str, Any]:
    """Show the judgements of a collection, with their terms and the runs beside them."""
    return {
        "collection": collection,
        "judgements": standing_judgements(collection),
        "runs": shipped_runs_of(collection),
    }
