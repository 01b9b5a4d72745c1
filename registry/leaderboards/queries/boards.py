"""Reading what a leaderboard's analysis rests on."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from typing import Literal, NamedTuple, TypeVar, cast

from django.db.models import Count, F, Q, QuerySet

from analysis.boards import (
    METHODS,
    BoardInputs,
    BoardRow,
    Elsewhere,
    Evidence,
    FlaggedElsewhere,
    KnownVariance,
    MeasureFacts,
    ReferenceFactors,
    RelevantDocuments,
    SuiteMember,
    SuiteSnapshot,
    TopicGroups,
    TopicScoresInput,
    Verdict,
    find_obstacle,
    read_snapshot,
    study,
)
from analysis.boards import Snapshot as StoredStudy
from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, CollectionLink, Density, Leaderboard, Topic
from registry.catalog.queries import read_relevant, read_variances
from registry.catalog.relatives import MEMBER_OF, checked_links
from registry.core.documents import document_of
from registry.curation.lineage.pipeline import team_key
from registry.curation.lineage.queries import lineage_of
from registry.curation.lineage.training import training_of
from registry.curation.suites.queries import elsewhere_of, membership_in_suites
from registry.leaderboards.linked import linked_of
from registry.leaderboards.models import Analysis, ReferenceSet, Snapshot
from registry.results.models import Result, TopicScores
from registry.results.queries import disputed_at, names_at


class RecordedRow(NamedTuple):
    """A result on record: what a study takes of it, and what pages show besides."""

    id: int
    printed: str
    unit: str
    value: float
    year: int | None
    role: str
    run_type: str
    provenance: str
    comparability: str
    is_self_reported: bool
    replicate_of_id: int | None
    system_id: int
    paper_id: int | None
    source: str
    notes: str
    is_disputed: bool
    evaluator: str
    dataset_revision: str
    system: str
    team: str
    system_slug: str
    paper_slug: str | None
    cite: str | None
    title: str | None
    url: str | None
    model: int | None


Kept = TypeVar("Kept", StoredStudy, SuiteSnapshot)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRows:
    """The results on record for a leaderboard at one moment, best first, and what pages show besides.

    Of the rows only what the results themselves say: whose they are, on what their systems were trained and what these
    score elsewhere takes more reading. ``n_undated`` results are not among them, because nobody knows whether they were
    published by the day asked for.
    """

    leaderboard: Leaderboard
    rows: tuple[BoardRow, ...]
    facts: dict[int, RecordedRow]
    n_undated: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Board(RecordedRows):
    """The same with all that a study takes of it; the rows of ``inputs`` are complete."""

    inputs: BoardInputs
    topic_scores: ScoreMatrix | None


#: Where the last of these stand; all others are of the result itself.
_NAMES = (
    "system__name", "system__team", "system__slug", "paper__slug", "paper__cite", "paper__title", "paper__url",
    "system__model",
)  # fmt: skip
_ROW_FIELDS = (*RecordedRow._fields[: -len(_NAMES)], *_NAMES)


def read_rows(
    leaderboard: Leaderboard, *, known_at: datetime | None = None, published_by: date | None = None
) -> RecordedRows:
    """Return what stands on the leaderboard now, or stood there at a moment, best first; of that, what was published by
    a day.

    In one query; for what a study takes besides, see :func:`read_board`.
    """
    of_board = Result.objects.for_leaderboard(leaderboard).with_disputes()
    results = of_board.known_at(known_at)
    n_undated = 0
    if published_by:
        n_undated = results.count() - results.dated().count()
        results = results.published_by(published_by)
    stored = list(map(RecordedRow._make, results.values_list(*_ROW_FIELDS)))
    if known_at:
        stored = _as_known(stored, known_at)
    sign = -1.0 if leaderboard.measure.higher_is_better else 1.0
    stored.sort(key=lambda row: (sign * row.value, row.system.casefold(), row.id))
    return RecordedRows(
        leaderboard=leaderboard,
        rows=tuple(map(_board_row, stored)),
        facts={row.id: row for row in stored},
        n_undated=n_undated,
    )


def read_board(leaderboard_id: int, *, known_at: datetime | None = None, published_by: date | None = None) -> Board:
    """Return the rows with everything that a study takes: lineages, training, scores elsewhere, variances, topic
    scores.

    The version is read before the rows: if results change in between, the study is of an older version than its rows
    and is simply made again.
    """
    leaderboard = Leaderboard.objects.with_names().select_related("collection__density").get(pk=leaderboard_id)
    recorded = read_rows(leaderboard, known_at=known_at, published_by=published_by)
    topic_scores = read_topic_scores(leaderboard, [row.id for row in recorded.rows if row.is_comparable], known_at)
    inputs = _inputs(recorded, topic_scores, known_at)
    return document_of(Board, recorded, inputs=inputs, topic_scores=topic_scores)


def read_topic_scores(
    leaderboard: Leaderboard, results: list[int], known_at: datetime | None = None
) -> ScoreMatrix | None:
    """Return topic scores of those of these results that have them, labelled by id; None with fewer than two vectors.
    With a moment, those that were known then.

    Only vectors that cover every topic enter, of two or more: means over different topics are not compared, and nothing
    varies over a single topic.
    """
    vectors = TopicScores.objects.known_at(known_at).complete_vectors(results)
    complete = {pk: vectors[pk] for pk in results if len(vectors.get(pk, ())) > 1}
    if len(complete) < 2:
        return None
    topics = list(Topic.objects.filter(collection=leaderboard.collection).values_list("label", flat=True))
    return ScoreMatrix([str(pk) for pk in complete], topics, list(complete.values()))


def read_reference_factors(leaderboard: Leaderboard) -> tuple[ReferenceFactors, ...]:
    """Return the frozen reference sets in force, as a study takes them."""
    sets = ReferenceSet.objects.filter(leaderboard=leaderboard).order_by("version")
    in_force = {reference.basis: reference for reference in sets}
    return tuple(reference_factors_of(reference) for _, reference in sorted(in_force.items()))


def reference_factors_of(reference: ReferenceSet) -> ReferenceFactors:
    """Return a frozen reference set as a study takes it."""
    factors, is_by_topic = reference.factors, reference.basis == ReferenceSet.Basis.TOPIC_SCORES
    return ReferenceFactors(
        basis="topic-scores" if is_by_topic else "published-means",
        name=reference.name,
        n_systems=reference.n_systems,
        frozen=reference.frozen_on.isoformat(),
        means=() if is_by_topic else tuple(factors["means"]),
        topics=tuple(factors["topics"]) if is_by_topic else (),
        topic_means=tuple(factors["means"]) if is_by_topic else (),
        topic_sds=tuple(factors["sds"]) if is_by_topic else (),
    )


def _as_known(rows: list[RecordedRow], moment: datetime) -> list[RecordedRow]:
    """Return the rows under the names that systems had then, with what was disputed then."""
    names, disputed = names_at(moment), disputed_at(moment)
    return [
        row._replace(
            system=then.get("system", row.system), team=then.get("team", row.team), is_disputed=row.id in disputed
        )
        for row in rows
        for then in [names.get(row.system_id, {})]
    ]


def _inputs(recorded: RecordedRows, topic_scores: ScoreMatrix | None, known_at: datetime | None) -> BoardInputs:
    leaderboard, facts = recorded.leaderboard, recorded.facts.values()
    measure, collection = leaderboard.measure, leaderboard.collection
    lineages = lineage_of(facts, moment=known_at)
    trained = training_of(facts, collection, moment=known_at)
    membership = membership_in_suites(leaderboard)
    elsewhere = elsewhere_of(facts, membership, moment=known_at)
    links = _links_of(collection)
    members, flagged = _members_of(leaderboard, links, known_at)
    scores = elsewhere.scores if elsewhere else {}
    is_checked = (measure.low, measure.high, measure.higher_is_better) == (0.0, 1.0, True)
    linked = linked_of(leaderboard, links if is_checked else (), (row.system_id for row in facts), known_at)
    return BoardInputs(
        collection=collection.slug,
        name=collection.name,
        measure=document_of(MeasureFacts, measure),
        rows=tuple(
            replace(
                row,
                lineage=lineages[row.id],
                declared_training=trained[row.id].answer,
                training=trained[row.id].word,
                training_split=trained[row.id].split,
                elsewhere=scores.get(row.id, ()),
                flagged_elsewhere=tuple(
                    document_of(FlaggedElsewhere, flag, dataset=str(flag.dataset))
                    for flag in (elsewhere.flags.get(row.id, ()) if elsewhere else ())
                ),
                flagged_on=flagged.get(recorded.facts[row.id].system_id, ()),
                linked=linked.scores.get(recorded.facts[row.id].system_id, ()),
            )
            for row in recorded.rows
        ),
        n_topics=leaderboard.n_topics,
        n_topics_at_least=collection.n_topics_at_least,
        task=collection.task,
        is_doubtful=leaderboard.is_doubtful,
        is_judged_by_model=collection.judge == collection.Judge.MODEL,
        holders=tuple(filter(None, map(team_key, collection.holder.split("|")))),
        relevant=RelevantDocuments(**asdict(relevant)) if (relevant := read_relevant(leaderboard)) else None,
        members=members,
        is_zero_shot=membership.is_zero_shot,
        elsewhere=Elsewhere(
            name=elsewhere.name,
            datasets=tuple(str(dataset) for dataset in elsewhere.datasets),
            as_of=elsewhere.as_of.isoformat(),
        )
        if elsewhere
        else None,
        linked=linked.boards,
        topic_scores=TopicScoresInput.of(topic_scores) if topic_scores else None,
        topic_groups=_groups_of(collection, topic_scores),
        variances=tuple(
            KnownVariance(kind="own-variance", **asdict(variance))
            for variance in read_variances(leaderboard, n_rows=len(recorded.rows))
        ),
        references=read_reference_factors(leaderboard),
    )


#: The share of a row's first ten documents that nobody judged, as sources print it in the notes of a result.
_UNJUDGED = re.compile(r"\bunjudged@10=(0(?:\.\d+)?|1(?:\.0+)?)(?![\d.])")

#: Of how many tries a score is the best, as a table's head says it.
_BEST_OF = re.compile(r"(?i)\b(?:best|max(?:imum)?)(?: score)? of ([1-9]\d{0,3})\b")


def best_of(notes: str) -> str:
    """Return of how many tries a row with these notes is the best; blank where none say so."""
    return match[1] if (match := _BEST_OF.search(notes)) else ""


def _board_row(row: RecordedRow) -> BoardRow:
    unjudged = _UNJUDGED.search(row.notes) if row.notes else None
    tries = best_of(row.notes) if row.notes else ""
    return BoardRow(
        id=row.id, system=row.system, printed=row.printed, value=row.value, unit=row.unit, team=row.team, year=row.year,
        role=row.role, run_type=row.run_type, provenance=row.provenance, comparability=row.comparability,
        replicate_of=row.replicate_of_id, is_self_reported=row.is_self_reported,
        unjudged=float(unjudged[1]) if unjudged else None, n_tries=int(tries) if tries else None,
    )  # fmt: skip


def _groups_of(collection: Collection, topic_scores: ScoreMatrix | None) -> TopicGroups | None:
    """Return how topics of the collection come in groups; None where each is by itself."""
    if not collection.group_kind:
        return None
    groups = collection.groups_of(topic_scores.topics) if topic_scores else ()
    return TopicGroups(
        kind=cast(Literal["conversation", "need"], collection.group_kind),
        n_groups=collection.topic_groups or len(set(groups)) or None,
        of_topics=groups,
    )


_OF_LINKED = ("slug", "name", "n_topics", "n_topics_at_least", "judge")


def _links_of(collection: Collection) -> list[CollectionLink]:
    """Return what scores are means over, and what they are checked against, of all that is linked; in one query."""
    of_base = Q(base=collection) & (Q(relation=MEMBER_OF) | checked_links())
    links = CollectionLink.objects.filter(of_base | Q(collection=collection) & checked_links())
    columns = [f"{end}__{name}" for end in ("collection", "base") for name in _OF_LINKED]
    links = links.select_related("collection", "base").only("relation", *columns)
    return list(links.order_by("collection__slug", "base__slug"))


def _members_of(
    leaderboard: Leaderboard, links: Sequence[CollectionLink], known_at: datetime | None
) -> tuple[tuple[SuiteMember, ...] | None, dict[int, tuple[str, ...]]]:
    """Return the collections that scores here are means over, with what their verdicts rest on, and by system the names
    of those on which a caution holds back its score; None where scores are no such means."""
    collection = leaderboard.collection
    collections = [link.collection for link in links if link.relation == MEMBER_OF]
    density: Density | None = getattr(collection, "density", None)
    if not collections and not (density and density.n_members):
        return None, {}
    of_members = Leaderboard.objects.filter(collection__in=collections, measure=leaderboard.measure)
    boards = dict(of_members.filter(results_version__gt=0).values_list("collection_id", "pk"))
    members, flagged = [], dict[int, tuple[str, ...]]()
    for member in collections:
        verdict: Verdict | None = None
        if member.pk in boards:
            verdict = _verdict_of_member(boards[member.pk], known_at)
            held_back = verdict.held_back if verdict else ()
            for system in Result.objects.filter(pk__in=held_back).values_list("system_id", flat=True):
                flagged[system] = (*flagged.get(system, ()), member.name)
        members.append(
            SuiteMember(
                collection=member.slug,
                name=member.name,
                snapshot="",
                n_topics=member.n_topics or member.n_topics_at_least,
                evidence=verdict.evidence if verdict else Evidence(kind="none"),
            )
        )
    return tuple(members), flagged


def _verdict_of_member(leaderboard_id: int, known_at: datetime | None) -> Verdict | None:
    """Return its verdict as its analysis has it, if that is up to date, else as found now; None where there is none."""
    if known_at is None:
        leaderboard = Leaderboard.objects.get(pk=leaderboard_id)
        current = Analysis.objects.current(leaderboard, METHODS.version).select_related("snapshot").first()
        if current:
            return read_snapshot(current.snapshot.content).findings.verdict if current.snapshot else None
    board = read_board(leaderboard_id, known_at=known_at)
    if find_obstacle(board.inputs, topic_scores=board.topic_scores):
        return None
    return study(board.inputs, topic_scores=board.topic_scores).verdict


def stale_leaderboards(methods_version: str) -> QuerySet[Leaderboard]:
    """Return leaderboards with results whose analysis is missing, of an older version of the results, or by other
    methods."""
    behind = (
        Q(analysis__isnull=True)
        | ~Q(analysis__results_version=F("results_version"))
        | ~Q(analysis__methods_version=methods_version)
    )
    return Leaderboard.objects.filter(behind, results_version__gt=0)


def analysed_leaderboards() -> QuerySet[Leaderboard]:
    """Return leaderboards that carry an analysis, those with the most counted results first."""
    return (
        Leaderboard.objects.with_names()
        .filter(analysis__snapshot__isnull=False)
        .select_related("analysis")
        .order_by("-analysis__n_counted", "collection__slug", "measure__name")
    )


def read_shown(leaderboard_id: int) -> Leaderboard:
    """Return the leaderboard with what its page has beside the rows: names, analysis, snapshot; in one query."""
    named = Leaderboard.objects.select_related("collection", "measure", "analysis__snapshot")
    return named.get(pk=leaderboard_id)


def summarised_leaderboards() -> QuerySet[Leaderboard]:
    """Return leaderboards that have results, with what their summaries show at hand."""
    boards = Leaderboard.objects.with_names().filter(results_version__gt=0)
    return boards.select_related("analysis__snapshot").defer("analysis__snapshot__content")


def leaderboards_of(collection: Collection) -> QuerySet[Leaderboard]:
    """Return the leaderboards of one collection that have results, those with the most results first."""
    boards = Leaderboard.objects.with_names().select_related("analysis").filter(collection=collection)
    standing = Count("results", filter=Q(results__ended_at__isnull=True))
    return boards.annotate(n_standing=standing).filter(n_standing__gt=0).order_by("-n_standing", "measure__name")


def read_kept(snapshot: Snapshot | None, kind: type[Kept]) -> Kept | None:
    """Return what a snapshot of this kind holds; None without one, and of one by an earlier release, which alone reads
    it."""
    try:
        return read_snapshot(snapshot.content, kind) if snapshot else None
    except ArgumentError:
        return None
