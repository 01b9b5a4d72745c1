"""What suites are: their collections under their measures, whether or not people quote their mean."""

from dataclasses import dataclass

from django.urls import reverse

from registry.leaderboards.suite_documents import SuiteBrief, describe_suite
from registry.leaderboards.suite_queries import ListedMember, listed_members
from registry.suites.models import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteListed:
    """A suite whose mean is not judged, in a list.

    Attributes
    ----------
    suite : SuiteBrief
    url : str
    n_members : int
    """

    suite: SuiteBrief
    url: str
    n_members: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMemberDocument:
    """A collection of a suite under its measure.

    Attributes
    ----------
    collection : str
        Slug.
    name : str
    measure : str
    url : str
        Of its leaderboard; of the collection where it has no result under the measure.
    has_results : bool
    language : str
    domain : str
    n_documents : int or None
    n_topics : int or None
    ir_datasets_id : str
        What ir_datasets calls it; blank where it has no name there.
    mteb_task : str
        What the mteb package calls it; blank where it has no name there.
    """

    collection: str
    name: str
    measure: str
    url: str
    has_results: bool
    language: str
    domain: str
    n_documents: int | None
    n_topics: int | None
    ir_datasets_id: str
    mteb_task: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRecord:
    """A suite with its collections, whether or not people quote their mean.

    Attributes
    ----------
    suite : SuiteBrief
    url : str
    is_average : bool
        Whether people quote the mean over its members.
    members : tuple of ListedMemberDocument
        In their order, without the parts of members that stand for several.
    """

    suite: SuiteBrief
    url: str
    is_average: bool
    members: tuple[ListedMemberDocument, ...]


def suite_listed(suite: Suite) -> SuiteListed:
    """A suite whose mean is not judged, as lists show it; for suites with their ``n_members``."""
    return SuiteListed(
        suite=describe_suite(suite), url=_record_address(suite), n_members=getattr(suite, "n_members", 0)
    )


def suite_record(suite: Suite) -> SuiteRecord:
    """A suite with its collections."""
    members = suite.members.filter(part_of=None).select_related("collection", "measure")
    return SuiteRecord(
        suite=describe_suite(suite),
        url=_record_address(suite),
        is_average=suite.is_average,
        members=tuple(_listed_member(one) for one in listed_members(members)),
    )


def _record_address(suite: Suite) -> str:
    return reverse("leaderboards:suite-first", args=[suite.slug])


def _listed_member(member: ListedMember) -> ListedMemberDocument:
    collection, board = member.collection, member.board
    return ListedMemberDocument(
        collection=collection.slug,
        name=collection.name,
        measure=member.measure.name,
        url=(board or collection).get_absolute_url(),
        has_results=board is not None,
        language=collection.language,
        domain=collection.domain,
        n_documents=collection.n_documents,
        n_topics=collection.n_topics,
        ir_datasets_id=collection.ir_datasets_id,
        mteb_task=collection.mteb_task,
    )


def suite_record_cells(suite: Suite) -> tuple[str | int, ...]:
    """A suite whose mean is not judged as a row of a file; for suites with their ``n_members``."""
    return (
        suite.slug,
        "",
        suite.name,
        getattr(suite, "n_members", 0),
        "",
        "",
        _record_address(suite),
    )
