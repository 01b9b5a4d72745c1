"""The first page about the data: where it is from, under which terms, and how far it leads."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.db.models import Count, Q, Value
from django.db.models.functions import Coalesce, StrIndex, Substr

from registry.catalog.models import Collection
from registry.core.document_pages import DocumentPage, as_lists
from registry.curation.lineage.models import PaperLink, SystemFacts, TrainingDeclaration
from registry.curation.lineage.queries import lineage_of
from registry.journal.queries import journal_version
from registry.results.documents import SOURCE_COLUMNS, source_cells
from registry.results.models import Paper, Result, Source
from registry.results.queries import source_counts

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
    n_at_line: int


@dataclass
class JoinRates:
    """Counts of the standing results of one source.

    ``n_about_it`` come to a titled paper that prints them or describes their very system. ``n_at_line`` name the line
    of the file that prints them. ``n_trained`` are of systems that are known to be trained models; of ``n_declared`` of
    them a source says whether it was trained on their collection, or the mteb package has a list.
    """

    source: str
    n_results: int = 0
    n_about_it: int = 0
    n_at_line: int = 0
    n_family: int = 0
    n_trained: int = 0
    n_declared: int = 0


def join_rates() -> dict[str, JoinRates]:
    """Return the rates by source."""
    standing = _standing()
    keys, described, titled, trained = lineage_of(standing), _described(), _titled(), _trained()
    sources = {row.source: JoinRates(row.source) for row in standing}
    for rows in standing:
        rates = sources[rows.source]
        rates.n_results += rows.n
        rates.n_about_it += rows.n * (rows.paper_id in titled or bool(described[rows.system_id] & {None, rows.year}))
        rates.n_at_line += rows.n_at_line
        rates.n_family += rows.n * bool(keys[rows.id])
        rates.n_trained += rows.n * (rows.system_id in trained)
    for source, n in _n_declared().items():
        sources[source].n_declared = n
    return sources


def _standing() -> list[_Rows]:
    """Read those that stand. A figure can be seen in a known source, at an address, or in a paper with one."""
    has_paper = ~Q(paper__url="") | ~Q(paper__doi="") | ~Q(paper__arxiv_id="") | ~Q(paper__acl_id="")
    is_known = Q(source__in=Source.objects.values("name")) | Q(source__startswith="http")
    opened = is_known | (Q(paper__isnull=False) & has_paper)
    # The database itself looks for the digit; a pattern would ask Python about every result.
    digit = Substr("locator", StrIndex("locator", Value("#L")) + 2, 1)
    at_line = opened & Q(locator__contains="#L", digit__in=list("123456789"))
    alike = Result.objects.standing().annotate(digit=digit)
    counted = alike.values_list("system_id", "system__team", "paper_id", "source", "year").annotate(
        n=Count("pk"), n_at_line=Count("pk", filter=at_line)
    )
    return [_Rows(number, *values) for number, values in enumerate(counted)]


def _titled() -> set[int]:
    """Return the papers with a title; a toolkit is none."""
    return set(Paper.objects.exclude(kind=Paper.Kind.SOFTWARE).exclude(title="").values_list("pk", flat=True))


def _described() -> dict[int, set[int | None]]:
    """Return the years of results that titled papers describe, of each system of today; None stands for all years."""
    years: dict[int, set[int | None]] = defaultdict(set)
    links = PaperLink.objects.standing().filter(relation__in=PaperLink.ABOUT_IT).exclude(paper__title="")
    for system, year in links.values_list(_TODAY, "year"):
        years[system].add(year)
    return years


def _trained() -> set[int]:
    """Return the systems that are known to be trained models."""
    said = (SystemFacts.objects.standing(), TrainingDeclaration.objects.standing().exclude(declared=Declared.NOTHING))
    formulas = TrainingDeclaration.objects.standing().filter(declared=Declared.NOTHING)
    return {system for facts in said for system in facts.values_list(_TODAY, flat=True)} - set(
        formulas.values_list(_TODAY, flat=True)
    )


def _n_declared() -> Counter[str]:
    """Count the results of each source of which it is said whether their system was trained on their collection."""
    pairs, listed, tasks = _declared()
    results = Result.objects.standing().filter(system__in={system for system, _ in pairs} | listed)
    return Counter(
        source
        for source, system, collection in results.values_list("source", "system_id", "leaderboard__collection_id")
        if (system, collection) in pairs or (system in listed and collection in tasks)
    )


def _declared() -> tuple[set[tuple[int, int]], set[int], set[int]]:
    """Return systems and collections of which a source says something, systems with a list in the package, and the
    tasks of that."""
    known = TrainingDeclaration.objects.standing().filter(declared__in=[Declared.YES, Declared.NO])
    rows = known.exclude(confidence=TrainingDeclaration.Confidence.LOW)
    pairs = set(rows.filter(collection__isnull=False).values_list(_TODAY, "collection_id"))
    listed = set(rows.filter(collection=None, dataset="").values_list(_TODAY, flat=True))
    return pairs, listed, set(Collection.objects.exclude(mteb_task="").values_list("pk", flat=True))


#: So many of the largest sources are shown at once.
MOST_SHOWN = 20


def _with_rates(sources: list[Source]) -> list[list[tuple[Source, JoinRates]]]:
    """The sources with their rates, those that are shown at once first, then the others."""
    rates = join_rates()
    rows = [(one, rates.get(one.name, JoinRates(one.name))) for one in sources]
    return [part for part in (rows[:MOST_SHOWN], rows[MOST_SHOWN:]) if part]


SOURCES = DocumentPage(
    template="curation/lineage/sources.html",
    meaning="Where figures were taken from, with how many stand.",
    document=list,
    find=lambda: None,
    version=lambda _: journal_version(),
    describe=lambda _, form: source_counts(),
    lay_out=lambda _, sources, form: {"sources": sources, "parts": _with_rates(sources)},
    formats=as_lists("sources", SOURCE_COLUMNS, lambda sources: list(map(source_cells, sources)), "csv", "json"),
)
