"""Results that come from one maker or model, and papers about them; in bulk."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from registry.catalog.models import Collection
from registry.curation.lineage.models import CollectionPaper, Lineage, PaperLink
from registry.curation.lineage.pipeline import final_key, paper_key, team_key
from registry.journal.models import Entry
from registry.results.models import Paper, Result, System
from registry.results.services.merging import SYSTEM_MERGED

DECIDED = Lineage.Origin.DECIDED


class HasLineage(Protocol):
    """A result, under the names that it has at the moment in question."""

    @property
    def id(self) -> int: ...
    @property
    def system_id(self) -> int: ...
    @property
    def team(self) -> str: ...
    @property
    def paper_id(self) -> int | None: ...


def lineage_of(rows: Iterable[HasLineage], *, moment: datetime | None = None) -> dict[int, tuple[str, ...]]:
    """Return the keys of each result, by its id; results that share one are of one family, directly or over others.

    They follow from its team and paper, and from what files, searches and editors say, as of now or of an earlier
    moment. It takes two queries, however many results there are.
    """
    rows = list(rows)
    systems = {row.system_id for row in rows}
    statements = _Statements.about(systems, moment)
    papers = _keys_of_papers(Paper.objects.filter(pk__in={row.paper_id for row in rows if row.paper_id}))
    return {
        row.id: statements.keys_of(row.system_id, team_key(row.team), papers.get(row.paper_id or 0, "")) for row in rows
    }


@dataclass
class _Statements:
    """All that files, searches and editors say of some systems."""

    members: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    strangers: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    nobodys: set[str] = field(default_factory=set)
    joined: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    left: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    dissolved: set[str] = field(default_factory=set)
    merged: dict[str, str] = field(default_factory=dict)

    @classmethod
    def about(cls, systems: set[int], moment: datetime | None) -> "_Statements":
        """Read what is said of these systems."""
        return cls.of(Lineage.objects.known_at(moment).filter(_concerning(systems)), systems, moment)

    @classmethod
    def of(cls, stated: "QuerySet[Lineage]", systems: set[int], moment: datetime | None) -> "_Statements":
        """Sort these rows by what they say of these systems."""
        columns = ("system_id", "system__merged_into_id", "key", "holds", "origin", "into")
        rows = list(stated.values_list(*columns))
        statements = cls()
        apart = systems | _merged_since(moment, {row[0] for row in rows if row[0] and row[0] not in systems})
        for system, target, key, holds, origin, into in rows:
            if into:
                statements.merged[key] = into
            elif system is None:
                (statements.dissolved if origin == DECIDED else statements.nobodys).add(key)
            else:
                if origin == DECIDED:
                    by_system = statements.joined if holds else statements.left
                else:
                    by_system = statements.members if holds else statements.strangers
                by_system[system if system in apart else target or 0].add(key)
        return statements

    def keys_of(self, system: int, *derived: str) -> tuple[str, ...]:
        """Return the keys of a result of the system, with ``derived``, which follow from its team and paper."""
        known = ({*filter(None, derived)} | self.members[system]) - self.strangers[system] - self.nobodys
        keys = self._today(known) - self._today(self.left[system]) | self._today(self.joined[system])
        return tuple(sorted(keys - self._today(self.dissolved)))

    def _today(self, keys: Iterable[str]) -> set[str]:
        """Return the keys as they are called after all that editors merged."""
        return {final_key(key, self.merged) for key in keys}


def _concerning(systems: Iterable[int]) -> Q:
    """Select what is said of these systems, of those merged into them, and of all."""
    return Q(system__isnull=True) | Q(system__in=systems) | Q(system__merged_into__in=systems)


def _merged_since(moment: datetime | None, systems: set[int]) -> set[int]:
    """Return those of the systems that were merged into others only after the moment."""
    if moment is None or not systems:
        return set()
    entries = Entry.objects.filter(action=SYSTEM_MERGED, subject_type="system", recorded_at__gt=moment)
    return {int(pk) for pk in entries.filter(subject_id__in=map(str, systems)).values_list("subject_id", flat=True)}


def _keys_of_papers(papers: "QuerySet[Paper]") -> dict[int, str]:
    """Return the key of each of these papers, by its id."""
    rows = papers.order_by().values_list("pk", "identity", "url", "doi", "arxiv_id", "acl_id")
    return {
        pk: paper_key(identity, url=url, doi=doi, arxiv_id=arxiv_id, acl_id=acl_id)
        for pk, identity, url, doi, arxiv_id, acl_id in rows
    }


def boards_of_systems(systems: set[int], collections: set[int] | None = None) -> set[int]:
    """Return the leaderboards, perhaps of these collections alone, with a standing result of any of these systems."""
    today = System.objects.filter(pk__in=systems).values(today=Coalesce("merged_into_id", "pk"))
    results = Result.objects.standing().filter(system__in=today)
    if collections is not None:
        results = results.filter(leaderboard__collection__in=collections)
    return set(results.values_list("leaderboard", flat=True).distinct())


def with_models(systems: set[int]) -> set[int]:
    """Return the systems and all others of their models: what is said of the training of one holds for all."""
    models = System.objects.filter(pk__in=systems, model__isnull=False).values("model")
    return systems | set(System.objects.filter(model__in=models).values_list("pk", flat=True))


def systems_of(keys: Iterable[str]) -> set[int]:
    """Return the systems that may be of any of these lineages by team, paper, file or decision.

    Keys that were merged into these count as well; that something else rules a system out does not.
    """
    wanted = _with_merged(set(keys))
    standing = Lineage.objects.standing().filter(key__in=wanted, holds=True)
    systems = set(standing.values_list(Coalesce("system__merged_into_id", "system_id"), flat=True))
    by_kind: dict[str, set[str]] = defaultdict(set)
    for key in wanted:
        kind, _, name = key.partition(":")
        by_kind[kind].add(name if kind == "team" else key)
    if by_kind["team"]:
        teams = System.objects.filter(team_key__in=by_kind["team"], merged_into=None)
        systems |= set(teams.values_list("pk", flat=True))
    if by_kind["paper"]:
        papers = [pk for pk, key in _keys_of_papers(Paper.objects.all()).items() if key in by_kind["paper"]]
        systems |= set(Result.objects.standing().filter(paper__in=papers).values_list("system", flat=True))
    return systems


def _with_merged(keys: set[str]) -> set[str]:
    """Return these keys, and all that editors merged into them."""
    into: dict[str, set[str]] = defaultdict(set)
    for key, target in Lineage.objects.standing().exclude(into="").values_list("key", "into"):
        into[target].add(key)
    reached, added = set(keys), set(keys)
    while added:
        added = {key for target in added for key in into[target]} - reached
        reached |= added
    return reached


def paper_links(system: System, *, year: int | None = None, moment: datetime | None = None) -> list[PaperLink]:
    """Return the papers on a system, the surest first; with a year, those on its results of that year."""
    links = PaperLink.objects.known_at(moment).about([system.pk]).select_related("paper")
    if year is not None:
        links = links.filter(Q(year=year) | Q(year__isnull=True))
    order = PaperLink.Relation.values
    return sorted(links, key=lambda link: (order.index(link.relation), link.year or 0, link.pk))


def papers_to_cite(places: Iterable[tuple[int, int | None]]) -> dict[tuple[int, int | None], str]:
    """Return the slug of the surest paper on the model where a result names no paper, or only the page of the model.

    ``places`` are systems and papers of results. Papers on a base model or a method that it uses don't count.
    """
    named = set(places)
    pages = Paper.objects.filter(pk__in={paper for _, paper in named if paper}, kind=Paper.Kind.PAGE)
    no_paper = {None, *pages.values_list("pk", flat=True)}
    open_places = [place for place in named if place[1] in no_paper]
    order = [PaperLink.Relation.CITED, PaperLink.Relation.INTRODUCES]
    links = PaperLink.objects.standing().about([system for system, _ in open_places]).filter(relation__in=order)
    today = Coalesce("system__merged_into_id", "system_id")
    rows = links.order_by("-pk").values_list(today, "paper__slug", "relation")
    surest = {system: paper for system, paper, _ in sorted(rows, key=lambda row: order.index(row[2]))}
    return {place: surest[place[0]] for place in open_places if place[0] in surest}


def papers_on(collection: Collection) -> list[CollectionPaper]:
    """Return the papers on a collection, in order of their places."""
    return list(CollectionPaper.objects.standing().filter(collection=collection).select_related("paper"))


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason to think that a system is of a lineage, or that it is not; perhaps that editors decided so."""

    holds: bool
    how: str
    is_decided: bool = False


@dataclass(frozen=True, slots=True)
class Tie:
    """A lineage that a system is of, or that something says it is of, with everything that is said about it."""

    key: str
    is_member: bool
    reasons: tuple[Reason, ...]


def ties_of(system: System, *, moment: datetime | None = None) -> list[Tie]:
    """Return the lineages of a system with all that is said about each, those that it is of before the others."""
    stated = Lineage.objects.known_at(moment).filter(_concerning([system.pk]))
    statements = _Statements.of(stated, {system.pk}, moment)
    results = Result.objects.filter(system=system).known_at(moment)
    papers = _keys_of_papers(Paper.objects.filter(results__in=results).distinct()).values()
    team = team_key(system.team)
    members = {key for paper in (*papers, "") for key in statements.keys_of(system.pk, team, paper)}
    known = [(team, Reason(True, "its team"))] if team else []
    known += [(paper, Reason(True, "its paper")) for paper in papers]
    for row in stated.order_by("pk"):
        known.append((row.key, Reason(row.holds or bool(row.into), row.source, row.origin == DECIDED)))
    reasons: dict[str, list[Reason]] = defaultdict(list)
    for key, reason in known:
        reasons[final_key(key, statements.merged)].append(reason)
    ties = [Tie(key, key in members, tuple(of_key)) for key, of_key in reasons.items()]
    # That a platform makes nothing is of interest only where something else says that the system is of it.
    shown = (tie for tie in ties if any(reason.holds for reason in tie.reasons))
    return sorted(shown, key=lambda tie: (not tie.is_member, tie.key))
