"""The head of every page of a collection, with its tabs; and what these say of judgements and runs that are here."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Tab:
    """One page of a collection; ``holds`` says how much is there where that tells something, or that nothing is."""

    name: str
    url: str
    holds: str


def tabs_of(collection: Collection) -> tuple[Tab, ...]:
    """The pages of a collection, in one query."""
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
    holds = {
        "Leaderboards": thousands(n_boards) if n_boards else NONE_HERE,
        "Resolution": "" if held["resolves"] else NONE_HERE,
        "Progress": plural(n_papers, "paper,papers") if n_papers else "" if held["is_dated"] else NONE_HERE,
        "Standardized": plural(n_on_scale, "system,systems") if n_on_scale else NONE_HERE,
        "Judgements": plural(n_judged, "topic,topics") if n_judged else NONE_HERE,
        "About": "",
    }
    return tuple(Tab(name, reverse(_VIEWS[name], args=[collection.slug]), text) for name, text in holds.items())


_VIEWS = {
    "Leaderboards": "leaderboards:collection-detail",
    "Resolution": "resolution:collection-resolution",
    "Progress": "baselines:collection-baselines",
    "Standardized": "standardization:collection-standardized",
    "Judgements": "runs:judgements-detail",
    "About": "leaderboards:collection-about",
}


register = template.Library()


@register.inclusion_tag("catalog/_collection_head.html", takes_context=True)
def collection_head(context: dict[str, Any], collection: Collection, current: str, is_below: bool = False) -> Any:
    """Name, facts in a line, Follow and the tabs; ``current`` names the tab that the page is, or ``is_below``."""
    return {
        "user": context["user"],
        "collection": collection,
        "tabs": tabs_of(collection),
        "current": current,
        "says": "true" if is_below else "page",
    }


@register.inclusion_tag("runs/_judged.html")
def judgements_of_collection(collection: Collection) -> dict[str, Any]:
    """Return which judgements of a collection are here, on what terms, and how many runs beside them."""
    return {
        "collection": collection,
        "judgements": standing_judgements(collection),
        "runs": shipped_runs_of(collection),
    }
