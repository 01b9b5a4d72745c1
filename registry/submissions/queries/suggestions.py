"""Names that somebody may mean by what they have typed so far, the likeliest first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Length

from analysis.readers.rejections import Candidate, Refused
from analysis.readers.text import comparison_key, nearest, shorten
from registry.catalog.models import Collection, Leaderboard
from registry.catalog.queries import CatalogNames
from registry.core.templatetags.formatting import number_of
from registry.results.models import Paper, System

N_SUGGESTIONS = 8
#: Names that are spelled out in full are compared with this many others at most: each takes microseconds.
_MAX_COMPARED = 2000
_MAX_WORDS = 8


@dataclass(frozen=True, slots=True)
class Typed:
    """What may be meant by what was typed so far; and whether that is one name already, with nothing left to choose."""

    suggestions: list[Candidate]
    is_told: bool = False


def read_typed(kind: str, text: str, *, collection: str = "") -> Typed:
    """Up to eight names of this kind: collection, measure, system or paper. What ``collection`` has comes first."""
    return _KINDS[kind](text.replace("\0", ""), collection)


def suggest(kind: str, text: str, *, collection: str = "") -> list[Candidate]:
    """The names that ``read_typed`` finds."""
    return read_typed(kind, text, collection=collection).suggestions


def _suggest_collections(text: str, _: str) -> Typed:
    names = CatalogNames()
    found = names.collections_like(text, N_SUGGESTIONS, weights=_n_boards("collection"))
    suggestions = [Candidate(row.slug, row.name, _about_collection(row)) for row in found]
    return _asked_first(lambda: names.collection(text), suggestions)


def _asked_first(find: Callable[[], object], suggestions: Sequence[Candidate]) -> Typed:
    """The suggestions behind the candidates of an ambiguous name, each of those with what tells it from the others."""
    try:
        find()
    except Refused as refused:
        asked = {one.value: Candidate(one.value, one.label, one.detail) for one in refused.candidates}
        others = (one for one in suggestions if one.value not in asked)
        return Typed([*asked.values(), *others][:N_SUGGESTIONS])
    return Typed(list(suggestions), is_told=True)


def _n_boards(column: str) -> dict[int, int]:
    """How many leaderboards each collection, or each measure, has."""
    return dict(Leaderboard.objects.values_list(column).annotate(Count("pk")))


def _about_collection(row: Collection) -> str:
    topics = number_of(row.n_topics, "topic", "topics") if row.n_topics else ""
    suite = row.suite if row.suite and row.suite not in row.name else ""
    return ", ".join(filter(None, [suite, topics]))


def _suggest_measures(text: str, collection: str) -> Typed:
    names, weights = CatalogNames(of_scores=True), _n_boards("measure")
    boards = Leaderboard.objects.filter(collection__in=names.collections(collection), results_version__gt=0)
    used = set(boards.values_list("measure_id", flat=True)) if collection else set()
    # What is recorded on the collection stands first, and is all that is offered before anything is typed.
    if not text.strip() and used:
        found = [row for row in names.measures_like("", len(weights), weights=weights) if row.pk in used]
    else:
        found = names.measures_like(text, N_SUGGESTIONS, weights=weights)
        called = {row.pk for row in names.measures(text)}
        found.sort(key=lambda row: (row.pk not in called, row.pk not in used))
    suggestions = [Candidate(row.name, row.name, row.long_name) for row in found[:N_SUGGESTIONS]]
    return _asked_first(lambda: names.measure(text, on=_only(names.collections(collection))), suggestions)


def _only(rows: Sequence[Collection]) -> Collection | None:
    return rows[0] if len(rows) == 1 else None


def _suggest_systems(text: str, _: str) -> Typed:
    key = comparison_key(text)[:300]
    if not key:
        return Typed([])
    systems = System.objects.filter(merged_into=None).order_by(Length("name_key"), "name_key", "pk")
    containing = systems
    for word in key.split()[:_MAX_WORDS]:
        containing = containing.filter(name_key__contains=word)
    found = [*systems.filter(name_key__startswith=key)[:N_SUGGESTIONS], *containing[:N_SUGGESTIONS]]
    if len(found) < N_SUGGESTIONS:
        found += _spelled_alike(key, systems)
    chosen = list({system.pk: system for system in found}.values())[:N_SUGGESTIONS]
    suggestions = [
        Candidate(system.name, system.name, f"by {system.team}" if system.team else "", {"team": system.team})
        for system in chosen
    ]
    # Two teams may have a system of one name.
    return Typed(suggestions, is_told=sum(system.name_key == key for system in chosen) == 1)


def _spelled_alike(key: str, systems: QuerySet[System]) -> list[System]:
    """Systems that begin alike and are spelled nearly so: a letter too many, another order of two."""
    candidates = systems.filter(name_key__startswith=key[:1])[:_MAX_COMPARED]
    by_name = {system.name_key: system for system in candidates}
    return [by_name[name] for name in nearest(shorten(key), by_name, n=N_SUGGESTIONS)]


def _suggest_papers(text: str, _: str) -> Typed:
    words = text.split()[:_MAX_WORDS]
    if not words or len(text) > 300:
        return Typed([])
    papers = Paper.objects.filter(merged_into=None)
    for word in words:
        papers = papers.filter(
            Q(cite__icontains=word) | Q(title__icontains=word) | Q(authors__icontains=word) | Q(url__icontains=word)
        )
    papers = papers.order_by(F("year").desc(nulls_last=True), "cite", "pk")[:N_SUGGESTIONS]
    suggestions = [Candidate(name_paper(paper), str(paper), paper.title or paper.url) for paper in papers]
    key = comparison_key(text)
    return Typed(suggestions, is_told=any(comparison_key(one.value) == key for one in suggestions))


def name_paper(paper: Paper) -> str:
    """The paper as its field takes it: citation and address, which together tell it from others."""
    return f"{paper.cite} {paper.url}".strip()


_KINDS = {
    "collection": _suggest_collections,
    "measure": _suggest_measures,
    "system": _suggest_systems,
    "paper": _suggest_papers,
}
KINDS: Sequence[str] = tuple(_KINDS)
