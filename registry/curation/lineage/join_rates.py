"""How far results lead to who made them, where they are printed, and what they were trained on; counted by source."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, fields

from django.db.models import Count, Q, Value
from django.db.models.functions import Coalesce, StrIndex, Substr

from registry.catalog.models import Collection
from registry.curation.lineage.models import PaperLink, SystemFacts, TrainingDeclaration
from registry.curation.lineage.queries import lineage_of
from registry.results.models import Paper, Result, Source

#: How a result comes to a titled paper: by naming it, else by the surest relation.
OWN = "named"
RELATIONS = (OWN, *PaperLink.ABOUT_IT, *(how for how in PaperLink.Relation if how not in PaperLink.ABOUT_IT))

Declared = TrainingDeclaration.Declared

#: What a system was merged into, or itself.
_TODAY = Coalesce("system__merged_into_id", "system_id")


@dataclass(frozen=True, slots=True)
class _Rows:
    """Standing results that differ in nothing that is asked for, with the names that ``lineage_of`` reads."""

    id: int
    system_id: int
    team: str
    paper_id: int | None
    source: str
    year: int | None
    n: int
    n_openable: int
    n_at_line: int


@dataclass
class JoinRates:
    """Counts of the standing results of one source.

    ``papers`` counts results by how they come to a titled paper; those that come to none are in none, ``n_page`` of
    them name the page of a model. ``n_linked`` are of systems that a paper is about, ``n_linked_titled`` of these come
    to a titled one. ``n_at_line`` of the ``n_openable`` name the line of the file that prints them. ``n_alone`` of the
    ``n_family`` are of families of one system. ``n_trained`` are of systems that are known to be trained models; of
    ``n_declared`` of them a source says whether it was trained on their collection, or the mteb package has a list.
    ``n_papers`` are the publications that the results name, ``n_papers_titled`` those with a
    title, ``n_papers_doi`` those with a DOI.
    """

    source: str
    n_results: int = 0
    papers: Counter[str] = field(default_factory=Counter)
    n_page: int = 0
    n_linked: int = 0
    n_linked_titled: int = 0
    n_openable: int = 0
    n_at_line: int = 0
    n_family: int = 0
    n_alone: int = 0
    n_trained: int = 0
    n_declared: int = 0
    n_papers: int = 0
    n_papers_titled: int = 0
    n_papers_doi: int = 0

    @property
    def n_titled(self) -> int:
        """Results that come to a titled paper, however surely."""
        return self.papers.total()

    @property
    def n_about_it(self) -> int:
        """Those whose paper prints them or describes their very system."""
        return sum(self.papers[how] for how in (OWN, *PaperLink.ABOUT_IT))

    def cells(self) -> tuple[str | int, ...]:
        """The rates as a row of a file, under ``RATE_COLUMNS``."""
        known = vars(self) | {f"n_paper_{how}": self.papers[how] for how in RELATIONS}
        return tuple(known[name] for name in RATE_COLUMNS)


#: What files call the counts: as the fields, and those of papers by how results come to them.
RATE_COLUMNS = tuple(
    name
    for one in fields(JoinRates)
    for name in ([f"n_paper_{how}" for how in RELATIONS] if one.name == "papers" else [one.name])
)


def join_rates() -> list[JoinRates]:
    """The rates of every source, the largest first."""
    standing = _standing()
    keys = lineage_of(standing)
    n_of_key = Counter(key for key, _ in {(key, row.system_id) for row in standing for key in keys[row.id]})
    relations, named = _relations(), _Named()
    trained, linked = _trained(), set(PaperLink.objects.standing().values_list(_TODAY, flat=True))
    found: dict[str, JoinRates] = {}
    for rows in standing:
        rates = found.setdefault(rows.source, JoinRates(rows.source))
        rates.n_results += rows.n
        if how := OWN if rows.paper_id in named.titled else _surest(relations[rows.system_id], rows.year):
            rates.papers[how] += rows.n
        else:
            rates.n_page += rows.n * (rows.paper_id in named.pages)
        rates.n_linked += rows.n * (rows.system_id in linked)
        rates.n_linked_titled += rows.n * bool(how and rows.system_id in linked)
        rates.n_openable += rows.n_openable
        rates.n_at_line += rows.n_at_line
        if keys[rows.id]:
            rates.n_family += rows.n
            rates.n_alone += rows.n * all(n_of_key[key] == 1 for key in keys[rows.id])
        rates.n_trained += rows.n * (rows.system_id in trained)
    for source, papers in _papers_by_source(standing).items():
        rates, publications = found[source], papers & named.publications
        rates.n_papers, rates.n_papers_titled = len(publications), len(publications & named.titled)
        rates.n_papers_doi = len(publications & named.with_doi)
    for source, n in _n_declared().items():
        found[source].n_declared = n
    return sorted(found.values(), key=lambda rates: (-rates.n_results, rates.source))


def _standing() -> list[_Rows]:
    """Those that stand. A figure can be seen in a known source, at an address, or in a paper with one."""
    has_paper = ~Q(paper__url="") | ~Q(paper__doi="") | ~Q(paper__arxiv_id="") | ~Q(paper__acl_id="")
    is_known = Q(source__in=Source.objects.values("name")) | Q(source__startswith="http")
    opened = is_known | (Q(paper__isnull=False) & has_paper)
    # The database itself looks for the digit; a pattern would ask Python about every result.
    digit = Substr("locator", StrIndex("locator", Value("#L")) + 2, 1)
    at_line = opened & Q(locator__contains="#L", digit__in=list("123456789"))
    alike = Result.objects.standing().annotate(digit=digit)
    counted = alike.values_list("system_id", "system__team", "paper_id", "source", "year").annotate(
        n=Count("pk"), n_openable=Count("pk", filter=opened), n_at_line=Count("pk", filter=at_line)
    )
    return [_Rows(number, *values) for number, values in enumerate(counted)]


class _Named:
    """The papers that results may name: publications, with a title or a DOI; and pages of models. A toolkit is none."""

    def __init__(self) -> None:
        papers = list(Paper.objects.exclude(kind=Paper.Kind.SOFTWARE).values_list("pk", "kind", "title", "doi"))
        self.pages = {pk for pk, kind, _, _ in papers if kind == Paper.Kind.PAGE}
        self.publications = {pk for pk, _, _, _ in papers} - self.pages
        self.titled = {pk for pk, _, title, _ in papers if title}
        self.with_doi = {pk for pk, _, _, doi in papers if doi}


def _papers_by_source(rows: Iterable[_Rows]) -> dict[str, set[int]]:
    """The papers that the results of each source name."""
    found: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        if row.paper_id:
            found[row.source].add(row.paper_id)
    return found


def _relations() -> dict[int, list[tuple[int | None, str]]]:
    """The years and relations of the titled papers that are about each system of today."""
    found: dict[int, list[tuple[int | None, str]]] = defaultdict(list)
    links = PaperLink.objects.standing().exclude(paper__title="")
    for system, year, relation in links.values_list(_TODAY, "year", "relation"):
        found[system].append((year, relation))
    return found


def _surest(about: Iterable[tuple[int | None, str]], year: int | None) -> str:
    """The surest relation of a paper about results of the year; blank where there is none."""
    known = {relation for of, relation in about if of is None or of == year}
    return next((relation for relation in RELATIONS if relation in known), "")


def _trained() -> set[int]:
    """The systems that are known to be trained models."""
    said = (SystemFacts.objects.standing(), TrainingDeclaration.objects.standing().exclude(declared=Declared.NOTHING))
    formulas = TrainingDeclaration.objects.standing().filter(declared=Declared.NOTHING)
    return {system for facts in said for system in facts.values_list(_TODAY, flat=True)} - set(
        formulas.values_list(_TODAY, flat=True)
    )


def _n_declared() -> Counter[str]:
    """Of how many results of each source it is said whether their system was trained on their collection."""
    pairs, listed, tasks = _declared()
    results = Result.objects.standing().filter(system__in={system for system, _ in pairs} | listed)
    return Counter(
        source
        for source, system, collection in results.values_list("source", "system_id", "leaderboard__collection_id")
        if (system, collection) in pairs or (system in listed and collection in tasks)
    )


def _declared() -> tuple[set[tuple[int, int]], set[int], set[int]]:
    """Systems and collections of which a source says something, systems with a list in the package, and its tasks."""
    known = TrainingDeclaration.objects.standing().filter(declared__in=[Declared.YES, Declared.NO])
    rows = known.exclude(confidence=TrainingDeclaration.Confidence.LOW)
    pairs = set(rows.filter(collection__isnull=False).values_list(_TODAY, "collection_id"))
    listed = set(rows.filter(collection=None, dataset="").values_list(_TODAY, flat=True))
    return pairs, listed, set(Collection.objects.exclude(mteb_task="").values_list("pk", flat=True))
