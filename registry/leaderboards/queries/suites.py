"""Reading what the analysis of a suite rests on: the verdicts of its members' leaderboards."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from analysis.boards import (
    METHODS,
    BoardRow,
    MeasureFacts,
    SuiteFlag,
    SuiteInputs,
    SuiteMember,
    SuiteRow,
    read_snapshot,
)
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.documents import document_of
from registry.curation.suites import models
from registry.curation.suites.models import Suite
from registry.journal.queries import journal_version
from registry.leaderboards.models import Analysis, SuiteAnalysis
from registry.results.models import Result


@dataclass(frozen=True, slots=True)
class SuiteBoard:
    """A suite whose mean people quote, under a measure of its members."""

    suite: Suite
    measure: Measure
    members: tuple[models.SuiteMember, ...]

    def __str__(self) -> str:
        return f"{self.suite.name}, {self.measure.name}"

    @property
    def names(self) -> tuple[str, str]:
        """Return what it is called in addresses."""
        return self.suite.slug, self.measure.name

    def get_absolute_url(self) -> str:
        return reverse("leaderboards:suite-detail", args=self.names)


def suite_boards(suites: Sequence[str] | QuerySet[Suite, str] | None = None) -> list[SuiteBoard]:
    """Return all suites whose mean people quote, or those with these slugs, in order; one for each measure."""
    members = models.SuiteMember.objects.filter(part_of=None, suite__is_average=True)
    if suites is not None:
        members = members.filter(suite__slug__in=suites)
    by_board: dict[tuple[int, int], list[models.SuiteMember]] = defaultdict(list)
    for member in members.select_related("suite", "collection", "measure").order_by("suite__position", "position"):
        by_board[member.suite_id, member.measure_id].append(member)
    return [SuiteBoard(group[0].suite, group[0].measure, tuple(group)) for group in by_board.values()]


def suite_boards_of(collection: Collection) -> list[SuiteBoard]:
    """Return the suites that a collection is a member of."""
    suites = Suite.objects.filter(members__collection=collection, members__part_of=None)
    boards = suite_boards(suites.values_list("slug", flat=True))
    return [board for board in boards if any(member.collection_id == collection.pk for member in board.members)]


@dataclass(frozen=True, slots=True)
class ListedMember:
    """A collection of a suite under its measure, with the leaderboard where it has results."""

    collection: Collection
    measure: Measure
    board: Leaderboard | None
    task: str


def suites_without_mean() -> list[Suite]:
    """Return the suites whose mean is not judged, with the number of their collections as ``n_members``, in order."""
    members = Count("members__collection", distinct=True, filter=Q(members__part_of=None))
    return list(Suite.objects.filter(is_average=False).annotate(n_members=members))


def means_over_parts(suite: Suite) -> list[Suite]:
    """Return the suites whose mean is judged and whose members are all members of this one, under the same measures."""
    members = models.SuiteMember.objects.filter(part_of=None)
    same = suite.members.filter(part_of=None, collection=OuterRef("collection"), measure=OuterRef("measure"))
    elsewhere = members.exclude(Exists(same))
    return list(Suite.objects.filter(is_average=True).exclude(pk__in=elsewhere.values("suite")))


def listed_members(members: Iterable[models.SuiteMember]) -> list[ListedMember]:
    """Return members with their leaderboards, in two queries; for members with collection and measure at hand."""
    members = list(members)
    standing = Count("results", filter=Q(results__ended_at__isnull=True))
    boards = (
        Leaderboard.objects.with_names()
        .select_related("analysis")
        .filter(
            collection__in=[member.collection_id for member in members],
            measure__in={member.measure_id for member in members},
        )
        .annotate(n_standing=standing)
        .filter(n_standing__gt=0)
    )
    by_pair = {(board.collection_id, board.measure_id): board for board in boards}
    return [
        ListedMember(
            member.collection, member.measure, by_pair.get((member.collection_id, member.measure_id)), member.task
        )
        for member in members
    ]


def find_suite_board(slug: str, measure: str) -> SuiteBoard | None:
    """Return the suite with this slug under the measure with this name."""
    return next((board for board in suite_boards([slug]) if board.measure.name == measure), None)


@dataclass(frozen=True, slots=True)
class MembersState:
    """The state of the analyses of a suite's members.

    ``snapshots`` has the ids by collection, None without one; ``version`` changes with any of them, with the tasks
    of members and the methods; ``is_settled`` says that none of them is about to change, ``unseen`` which have no
    result at all.
    """

    snapshots: dict[int, str | None] = field(default_factory=dict)
    is_settled: bool = True
    unseen: tuple[int, ...] = ()
    tasks: dict[int, str] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """A digest."""
        text = json.dumps([METHODS.version, sorted(self.snapshots.items()), *sorted(self.tasks.items())])
        return hashlib.sha256(text.encode()).hexdigest()


def members_state(board: SuiteBoard) -> MembersState:
    """Return where the analyses of the members of a suite stand, in one query."""
    return members_states([board])[0]


def members_states(boards: Sequence[SuiteBoard]) -> list[MembersState]:
    """Return where the analyses of the members of several suites stand, in one query for all."""
    analysed = (f"analysis__{name}" for name in ("results_version", "methods_version", "snapshot_id"))
    columns = ("collection_id", "measure_id", "results_version", *analysed)
    collections = {member.collection_id for board in boards for member in board.members}
    measures = {board.measure.pk for board in boards}
    leaderboards = Leaderboard.objects.filter(collection__in=collections, measure__in=measures, results_version__gt=0)
    members = {(row[0], row[1]): row[2:] for row in leaderboards.values_list(*columns)}
    return [_state_of(board, members) for board in boards]


def _state_of(board: SuiteBoard, known: dict[tuple[int, int], tuple[Any, ...]]) -> MembersState:
    """Return where members stand, of which these results, analysed results, methods and snapshots are known."""
    members = {member.collection_id: known.get((member.collection_id, board.measure.pk)) for member in board.members}
    return MembersState(
        {collection: facts[3] if facts else None for collection, facts in members.items()},
        all((facts[0], METHODS.version) == facts[1:3] for facts in members.values() if facts),
        tuple(collection for collection, facts in members.items() if not facts),
        {member.collection_id: member.task for member in board.members if member.task},
    )


def stale_suite_boards() -> list[SuiteBoard]:
    """Return the suites whose analysis is missing or rests on other analyses of their members than those that stand."""
    analyses = SuiteAnalysis.objects.values_list("suite_id", "measure_id", "version")
    versions = {(suite, measure): version for suite, measure, version in analyses}
    boards = suite_boards()
    return [
        board
        for board, state in zip(boards, members_states(boards), strict=True)
        if versions.get((board.suite.pk, board.measure.pk)) != state.version
    ]


def read_suite(board: SuiteBoard, state: MembersState) -> SuiteInputs | None:
    """Return what the study of a suite takes, from the standing analyses of its members; None where one has none."""
    if None in state.snapshots.values():
        return None
    analyses = Analysis.objects.filter(snapshot__in=[*filter(None, state.snapshots.values())])
    contents = dict(analyses.values_list("snapshot_id", "snapshot__content"))
    members: list[SuiteMember] = []
    scores: dict[int, dict[int, tuple[BoardRow, float]]] = defaultdict(dict)
    flags: dict[int, list[SuiteFlag]] = defaultdict(list)
    for place, member in enumerate(board.members):
        snapshot = state.snapshots[member.collection_id] or ""
        stored = read_snapshot(contents[snapshot])
        inputs, verdict = stored.inputs, stored.findings.verdict
        members.append(
            SuiteMember(
                collection=member.collection.slug,
                name=member.collection.name,
                snapshot=snapshot,
                n_topics=inputs.n_topics or inputs.n_topics_at_least,
                evidence=verdict.evidence,
                task=member.task,
            )
        )
        of_member = Result.objects.filter(
            leaderboard__collection=member.collection_id, leaderboard__measure=member.measure_id
        )
        system_of, executions = dict(of_member.values_list("pk", "system_id")), inputs.executions
        # Of several results of a system the one that was recorded first counts, of executions their mean.
        for result in sorted(result for family in stored.findings.families for result in family.results):
            system = system_of[result]
            if place not in scores[system]:
                row = next(row for row in executions[result] if row.id == result)
                mean = sum(row.value for row in executions[result]) / len(executions[result])
                scores[system][place] = row, mean
                codes = sorted(note.code for note in verdict.cautions if note.is_flag and result in note.results)
                flags[system] += [SuiteFlag(code=code, member=place) for code in codes]
    measure = board.measure
    return SuiteInputs(
        suite=board.suite.slug,
        name=board.suite.name,
        measure=document_of(MeasureFacts, measure),
        members=tuple(members),
        rows=tuple(_row(system, scores[system], flags[system], len(members)) for system in sorted(scores)),
        is_zero_shot=board.suite.is_zero_shot,
    )


def _row(
    system: int, scores: dict[int, tuple[BoardRow, float]], flags: Sequence[SuiteFlag], n_members: int
) -> SuiteRow:
    """Return what a system has on each member."""
    rows = [row for row, _ in scores.values()]
    cells = [scores.get(place) for place in range(n_members)]
    return SuiteRow(
        id=system,
        system=rows[0].system,
        team=rows[0].team,
        scores=tuple(cell[1] if cell else None for cell in cells),
        results=tuple(cell[0].id if cell else None for cell in cells),
        is_original=all(row.is_original for row in rows),
        is_self_reported=any(row.is_self_reported for row in rows),
        lineage=tuple(sorted({key for row in rows for key in row.lineage})),
        training=tuple(cell[0].training if cell else "" for cell in cells),
        flags=tuple(flags),
    )


def suites_version() -> str:
    """Return a text that changes whenever the analysis of any suite does, or what is said of collections."""
    versions = sorted(SuiteAnalysis.objects.values_list("suite", "measure", "version"))
    return f"{versions} {journal_version(['collection', 'measure', 'file'])}"
