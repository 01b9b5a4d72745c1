"""Names that somebody may mean by what they have typed so far, the likeliest first."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Length

from registry.catalog.models import Collection, CollectionAlias, Leaderboard, Measure, MeasureAlias
from registry.core.text import comparison_key, nearest, shorten
from registry.results.models import Paper, System

N_SUGGESTIONS = 8
#: Names that are spelled out in full are compared with this many others at most: each takes microseconds.
_MAX_COMPARED = 2000
_MAX_WORDS = 8


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name as the field takes it, as people know it, what tells it from others, and other fields that go with it."""

    value: str
    label: str
    detail: str = ""
    fills: dict[str, str] = field(default_factory=dict)

    def as_document(self) -> dict[str, Any]:
        return asdict(self)


def suggest(kind: str, text: str, *, collection: str = "") -> list[Suggestion]:
    """Up to eight names of this kind: collection, measure, system or paper. What ``collection`` has comes first."""
    return _KINDS[kind](text.replace("\0", ""), collection)


def suggest_collections(text: str, _: str = "") -> list[Suggestion]:
    rows = {row.pk: row for row in Collection.objects.annotate(n_boards=Count("leaderboards"))}
    found = _likeliest(
        text, _names_of(rows, "slug", CollectionAlias.objects.values_list("alias", "collection_id")), rows
    )
    return [Suggestion(row.slug, row.name, _about_collection(row)) for row in found]


def _about_collection(row: Collection) -> str:
    topics = f"{row.n_topics:,} topics" if row.n_topics else ""
    suite = row.suite if row.suite and row.suite not in row.name else ""
    return ", ".join(filter(None, [suite, topics]))


def suggest_measures(text: str, collection: str = "") -> list[Suggestion]:
    rows = {row.pk: row for row in Measure.objects.annotate(n_boards=Count("leaderboards"))}
    used = set(_boards_of(collection).values_list("measure_id", flat=True)) if collection else set()
    names = _names_of(rows, "name", MeasureAlias.objects.values_list("alias", "measure_id"))
    # What is recorded on the collection stands first, and is all that is offered before anything is typed.
    found = sorted(_likeliest(text, names, rows), key=lambda row: row.pk not in used)
    if not text.strip() and used:
        found = [row for row in sorted(rows.values(), key=lambda row: -row.n_boards) if row.pk in used][:N_SUGGESTIONS]
    return [Suggestion(row.name, row.name, row.long_name) for row in found]


def _boards_of(collection: str) -> QuerySet[Leaderboard]:
    return Leaderboard.objects.filter(collection__in=Collection.objects.named(collection), results_version__gt=0)


def _names_of(rows: dict[int, Any], name: str, aliases: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The row of every name, in the form in which names are compared."""
    names = {comparison_key(alias): pk for alias, pk in aliases}
    for pk, row in rows.items():
        names |= {comparison_key(getattr(row, part)): pk for part in (name, "name", "long_name") if hasattr(row, part)}
    names.pop("", None)
    return names


def _likeliest(text: str, names: dict[str, int], rows: dict[int, Any]) -> list[Any]:
    """The rows whose names are like the text; those with the most leaderboards where it says nothing."""
    key = comparison_key(text)
    words = key.split()[:_MAX_WORDS]
    if not words:
        return sorted(rows.values(), key=lambda row: -row.n_boards)[:N_SUGGESTIONS]
    ranked: dict[int, tuple[int, int]] = {}
    for name, pk in names.items():
        if all(word in name for word in words):
            place = 0 if name == key else 1 if name.startswith(key) else 2
            ranked[pk] = min(ranked.get(pk, (9, 0)), (place, -rows[pk].n_boards))
    found = sorted(ranked, key=lambda pk: ranked[pk])
    if len(found) < N_SUGGESTIONS:
        found += [names[name] for name in nearest(shorten(text), names, n=N_SUGGESTIONS)]
    return [rows[pk] for pk in dict.fromkeys(found)][:N_SUGGESTIONS]


def suggest_systems(text: str, collection: str = "") -> list[Suggestion]:
    key = comparison_key(text)[:300]
    if not key:
        return []
    systems = System.objects.filter(merged_into=None).order_by(Length("name_key"), "name_key", "pk")
    containing = systems
    for word in key.split()[:_MAX_WORDS]:
        containing = containing.filter(name_key__contains=word)
    found = [*systems.filter(name_key__startswith=key)[:N_SUGGESTIONS], *containing[:N_SUGGESTIONS]]
    if len(found) < N_SUGGESTIONS:
        found += _spelled_alike(key, systems)
    chosen = list({system.pk: system for system in found}.values())[:N_SUGGESTIONS]
    return [
        Suggestion(system.name, system.name, f"by {system.team}" if system.team else "", {"team": system.team})
        for system in chosen
    ]


def _spelled_alike(key: str, systems: QuerySet[System]) -> list[System]:
    """Systems that begin alike and are spelled nearly so: a letter too many, another order of two."""
    candidates = systems.filter(name_key__startswith=key[:1])[:_MAX_COMPARED]
    by_name = {system.name_key: system for system in candidates}
    return [by_name[name] for name in nearest(shorten(key), by_name, n=N_SUGGESTIONS)]


def suggest_papers(text: str, _: str = "") -> list[Suggestion]:
    words = text.split()[:_MAX_WORDS]
    if not words or len(text) > 300:
        return []
    papers = Paper.objects.filter(merged_into=None)
    for word in words:
        papers = papers.filter(
            Q(cite__icontains=word) | Q(title__icontains=word) | Q(authors__icontains=word) | Q(url__icontains=word)
        )
    papers = papers.order_by(F("year").desc(nulls_last=True), "cite", "pk")[:N_SUGGESTIONS]
    return [Suggestion(name_paper(paper), str(paper), paper.title or paper.url) for paper in papers]


def name_paper(paper: Paper) -> str:
    """The paper as its field takes it: citation and address, which together tell it from others."""
    return f"{paper.cite} {paper.url}".strip()


_KINDS = {
    "collection": suggest_collections,
    "measure": suggest_measures,
    "system": suggest_systems,
    "paper": suggest_papers,
}
KINDS: Sequence[str] = tuple(_KINDS)
