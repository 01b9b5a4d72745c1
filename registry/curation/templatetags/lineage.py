"""Parts of pages on the groups of systems, their training data, and papers about them."""

from datetime import date
from typing import Any

from django import template

from registry.catalog.models import Collection
from registry.core.querysets import end_of
from registry.curation.lineage.documents import NamedLineage, training_of_system
from registry.curation.lineage.models import CollectionPaper, PaperLink, SystemFacts
from registry.curation.lineage.queries import paper_links, papers_on, ties_of
from registry.curation.lineage.training import statements_of
from registry.results.models import Paper, Result, System

register = template.Library()

#: A toolkit runs more systems than a page can list.
MOST_SYSTEMS = 100


@register.inclusion_tag("curation/lineage/_of_system.html")
def lineages(system: System, day: date | None) -> dict[str, Any]:
    """Show a system's lineages and the statements on its training, today or as known at the end of a day."""
    moment = end_of(day) if day else None
    return {
        "system": system,
        "ties": [(NamedLineage(tie.key), tie) for tie in ties_of(system, moment=moment)],
        "training": training_of_system(statements_of(system, moment=moment)),
        "asked": None if day else system,
    }


@register.inclusion_tag("curation/lineage/_papers_of_system.html")
def papers_of_system(system: System, day: date | None) -> dict[str, Any]:
    """Show the papers that are about a system although its results are not taken from them."""
    return {"links": paper_links(system, moment=end_of(day) if day else None)}


@register.inclusion_tag("curation/lineage/_papers_of_result.html")
def papers_of_result(result: Result, day: date | None) -> dict[str, Any]:
    """Show the papers about the system of a result whose source names none."""
    return {"links": paper_links(result.system, year=result.year, moment=end_of(day) if day else None)}


@register.inclusion_tag("curation/lineage/_systems_of_paper.html")
def systems_of_paper(paper: Paper, day: date | None) -> dict[str, Any]:
    """Show the first systems that a paper is about beyond those whose results it prints, with their number."""
    links = PaperLink.objects.known_at(end_of(day) if day else None).filter(paper=paper)
    shown = list(links.select_related("system").order_by("relation", "system__name_key", "pk")[:MOST_SYSTEMS])
    n = len(shown) if len(shown) < MOST_SYSTEMS else links.count()
    on = CollectionPaper.objects.known_at(end_of(day) if day else None).filter(paper=paper)
    collections = on.select_related("collection").order_by("role", "collection__name")[:MOST_SYSTEMS]
    return {"links": shown, "n": n, "most": MOST_SYSTEMS, "collections": collections}


@register.inclusion_tag("curation/lineage/_papers_of_collection.html")
def papers_of_collection(collection: Collection) -> dict[str, Any]:
    """Show the papers that describe a collection, its track, its judgements, or what it was made from."""
    return {"links": papers_on(collection)}


@register.inclusion_tag("curation/lineage/_facts_of_system.html")
def facts_of_system(system: System, day: date | None) -> dict[str, Any]:
    """Show a system as its maker describes it, and the names that were merged into its own."""
    known = SystemFacts.objects.known_at(end_of(day) if day else None).about([system.pk])
    aliases = [] if day else system.merged_systems.order_by("name_key", "team_key")
    return {"system": system, "facts": known.order_by("model").first(), "aliases": aliases}
