"""What suites are: their collections under their measures, whether or not people quote their mean."""

from dataclasses import dataclass
from typing import Annotated

from django.urls import reverse
from typing_extensions import Doc

from registry.core.documents import document_of
from registry.curation.suites.models import Suite
from registry.leaderboards.suite_documents import describe_suite, suite_summaries
from registry.leaderboards.suite_queries import ListedMember, listed_members, suites_without_mean
from registry.leaderboards.suite_shapes import MemberBrief, SuiteBrief, SuiteSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteListed:
    """A suite whose mean is not judged, in a list."""

    suite: SuiteBrief
    url: str
    n_members: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteList:
    """The suites whose mean people quote, in their order."""

    count: int
    results: tuple[SuiteSummary, ...]
    lists: Annotated[tuple[SuiteListed, ...], Doc("Those whose mean is not judged here.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMemberDocument(MemberBrief):
    """A collection of a suite under its measure."""

    measure: str
    ir_datasets_id: Annotated[str, Doc("What ir_datasets calls it; blank where it has no name there.")]
    mteb_task: Annotated[str, Doc("What the mteb package calls it; blank where it has no name there.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRecord:
    """A suite with its collections, whether or not people quote their mean."""

    suite: SuiteBrief
    url: str
    is_average: Annotated[bool, Doc("Whether people quote the mean over its members.")]
    members: Annotated[
        tuple[ListedMemberDocument, ...], Doc("In their order, without the parts of members that stand for several.")
    ]


def suite_list() -> SuiteList:
    """All suites."""
    results = tuple(suite_summaries())
    lists = tuple(
        SuiteListed(suite=describe_suite(one), url=_record_address(one), n_members=getattr(one, "n_members", 0))
        for one in suites_without_mean()
    )
    return SuiteList(count=len(results), results=results, lists=lists)


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
    return document_of(
        ListedMemberDocument,
        collection,
        collection=collection.slug,
        measure=member.measure.name,
        url=(board or collection).get_absolute_url(),
        has_results=board is not None,
        n_topics=collection.n_topics or collection.n_topics_at_least,
    )


SUITE_LIST_COLUMNS = ("suite", "measure", "name", "n_members", "finding", "snapshot", "url")


def suite_cells(document: SuiteList) -> list[tuple[str | int, ...]]:
    """The suites as rows of a file, those whose mean is not judged below the others."""
    judged = [
        (
            one.suite.slug,
            one.measure["name"],
            one.suite.name,
            one.n_members,
            one.headline.sentence if one.headline else "",
            one.snapshot.id if one.snapshot else "",
            one.url,
        )
        for one in document.results
    ]
    return [*judged, *((one.suite.slug, "", one.suite.name, one.n_members, "", "", one.url) for one in document.lists)]
