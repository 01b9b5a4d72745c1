"""What is said of uploads, of studies and of the boards of a collection of somebody's own, as objects that pages and
programs share.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from analysis.readers.exchange.ir_metadata import read_ir_metadata
from analysis.readers.rejections import Rejection
from analysis.scores import ScoreMatrix
from registry.core.documents import Day, document_of
from registry.core.templatetags.formatting import plural
from registry.runs import queries
from registry.runs.models import OwnCollection, OwnMeasure, Study, Upload, Work
from registry.runs.pipeline.reading import ReportLine
from registry.runs.studies import SharedTopics, shared_topics
from registry.tools.pairs.paired_tests import AppliedTest, paired_tests


@dataclass(frozen=True, slots=True)
class UploadDocument:
    """What was found of a run, or of a table of topic scores, that somebody sent."""

    url: Annotated[str, "Its page, at an address that nobody guesses; `/api/v1` before it has this object."]
    name: str
    collection: Annotated[str, "Slug of the collection; blank of what is on one's own collection."]
    own_collection: Annotated[str, "Address of the collection of one's own that it is on; else blank."]
    kind: str
    state: str
    message: Annotated[str, "How far it is, or why it was refused."]
    is_failed: Annotated[bool, "Whether it was given up without an answer."]
    is_sealed: Annotated[bool, "Whether it was scored against sealed judgements."]
    forgotten: Annotated[str, "When it is deleted."]
    means: Annotated[dict[str, float], "By measure, or by system."]
    has_topic_scores: bool
    agreement: queries.Agreement | None
    report: tuple[ReportLine, ...]
    not_computed: Annotated[tuple[str, ...], "Measures of the collection under which no run can be scored here."]
    described: Annotated[dict[str, str], "What the file says of its run in ir_metadata."]


def upload_document(upload: Upload) -> UploadDocument:
    """The upload as its page and the API show it."""
    work, collection = upload.work, upload.collection
    progress = queries.progress_of_upload(upload)
    return document_of(
        UploadDocument,
        work,
        url=upload.get_absolute_url(),
        name=upload.name,
        collection=collection.slug if collection else "",
        own_collection=upload.own_collection.get_absolute_url() if upload.own_collection else "",
        message=work.refusal or progress.message,
        is_failed=progress.is_failed,
        is_sealed=bool(work.judgements and work.judgements.is_sealed),
        forgotten=upload.forgotten_at.isoformat(timespec="seconds"),
        has_topic_scores=bool(work.scores),
        agreement=queries.agreement_of(upload),
        report=tuple(_report(work.report)),
        not_computed=tuple(_not_computed(upload)) if work.kind == Work.Kind.RUN else (),
        described=_described(work.head),
    )


def _not_computed(upload: Upload) -> list[str]:
    if upload.own_collection:
        return [one.name for one in upload.own_collection.measures.all() if not one.ir_measures]
    assert upload.collection is not None
    return queries.measures_of(upload.collection)[1]


def _report(report: dict[str, Any]) -> Iterator[ReportLine]:
    """What the report counts, in the order in which somebody should look at it."""
    yield from (ReportLine(**one) for one in report.get("remarks", ()))
    said = (
        ("missing", "Topics without an answer", "Each counts as 0, as with trec_eval -c."),
        ("foreign", "Topics without judgements", "They are left out; the mean is over the judged topics."),
        ("disordered", "Topics whose ranks contradict the scores", "The scores count, as in trec_eval."),
        ("tied", "Topics with equal scores", "Ties are ordered by document, descending, as in trec_eval."),
    )
    for key, name, policy in said:
        count = report.get(f"n_{key}", 0)
        if count:
            yield ReportLine(name, count, policy, _where(report[key], count))
    if report.get("n_unjudged"):
        n_first, n_unjudged = report["n_at_10"], report["n_unjudged_at_10"]
        where = f"{n_unjudged:,} of the {plural(n_first, 'document,documents')} in first ten places"
        yield ReportLine("Documents without a judgement", report["n_unjudged"], "They count as not relevant.", where)


def _where(named: list[Any], count: int) -> str:
    texts = [one if isinstance(one, str) else f"{one[1]} (line {one[0]:,})" for one in named]
    rest = f" and {count - len(named):,} more" if count > len(named) else ""
    return f"{', '.join(texts)}{rest}"


def _described(head: str) -> dict[str, str]:
    """What ir_metadata at the head of a run say of it; empty where there are none, or they can't be read."""
    if "ir_metadata.start" not in head:
        return {}
    found = read_ir_metadata(head)
    if not found or isinstance(found[0], Rejection):
        return {}
    return {name: text for name, text in found[0].cells.items() if text and name not in ("measure", "value")}


@dataclass(frozen=True, slots=True)
class StudyDocument:
    """Where a study stands, and what was found as a snapshot has it."""

    url: str
    leaderboard: Annotated[str, "Its address; blank where none is recorded."]
    is_alone: Annotated[bool, "Whether the uploads are compared with each other only."]
    state: str
    message: Annotated[str, "How far it is, or why there is nothing to find."]
    is_failed: bool
    content: Annotated[Any, "Inputs, methods and findings, in the format of snapshots."]


def study_document(study: Study) -> StudyDocument:
    """Return the study as its page and its JSON show it."""
    progress: queries.Progress = queries.progress_of_study(study)
    return document_of(
        StudyDocument,
        study,
        url=study.get_absolute_url(),
        leaderboard=study.leaderboard.get_absolute_url() if study.leaderboard else "",
        message=study.obstacle or progress.message,
        is_failed=progress.is_failed,
        content=msgspec.json.decode(study.content) if study.content else None,
    )


@dataclass(frozen=True, slots=True)
class PairOfSent:
    """Two systems on the same topics: their means, and five tests of the difference."""

    first: str
    second: str
    means: tuple[float, float]
    difference: float
    tests: tuple[AppliedTest, ...]


def pair_document(matrix: ScoreMatrix, first: str, second: str) -> PairOfSent:
    """The paired tests of two of the systems."""
    two = matrix.select([first, second])
    one, other = (float(mean) for mean in two.means)
    return PairOfSent(first, second, (one, other), one - other, paired_tests(two))


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """The tables under one measure, what enters the board beside them, runs that it lacks, shared topics, its study."""

    measure: OwnMeasure
    tables: tuple[Upload, ...]
    n_entries: int
    lacking: tuple[Upload, ...]
    topics: SharedTopics
    study: Study | None
    progress: queries.Progress | None


def boards_of_own(collection: OwnCollection) -> tuple[list[OwnBoard], list[Upload]]:
    """The boards of a collection, by measure; and the runs that were sent to it."""
    sent = queries.sent_to_own(collection)
    boards = [_board(measure, sent) for measure in collection.measures.all()]
    return boards, [upload for upload in sent if not upload.own_measure_id]


def _board(measure: OwnMeasure, sent: Sequence[Upload]) -> OwnBoard:
    entries = queries.entries_of(measure, sent)
    study = measure.board_study
    return OwnBoard(
        measure=measure,
        tables=tuple(upload for upload in sent if upload.own_measure_id == measure.pk),
        n_entries=len(entries),
        lacking=tuple(queries.without_measure(measure, sent)),
        topics=shared_topics(entries) if entries else SharedTopics((), ()),
        study=study,
        progress=queries.progress_of_study(study) if study else None,
    )


@dataclass(frozen=True, slots=True)
class OwnBoardDocument:
    """What a board of somebody's own says."""

    measure: str
    url: Annotated[str, "Its page."]
    n_entries: Annotated[int, "Tables and runs that enter it."]
    lacking: Annotated[
        tuple[str, ...], "Pages of runs that are not scored under it: not yet, or their documents were not kept."
    ]
    topics: Annotated[tuple[str, ...], "Those that all of them have, which it is studied on."]
    left_out: Annotated[tuple[str, ...], "Those that one of them lacks, or that the collection does not name."]
    state: Annotated[str, "`empty`, `waiting` or `done`."]
    message: Annotated[str, "How far it is, or why there is nothing to find."]
    content: Annotated[
        dict[str, Any] | None, "Inputs, methods and findings, in the format of snapshots; until it is done, null."
    ]


@dataclass(frozen=True, slots=True)
class OwnCollectionDocument:
    """A collection that somebody named, with its boards. It is no part of the record."""

    url: Annotated[str, "Its page."]
    name: str
    visibility: Annotated[
        str,
        OwnCollection.Visibility,
        "Who sees it: `private` its owner alone, `unlisted` whoever has its address, `public` everybody.",
    ]
    is_private: Annotated[bool, "Whether its owner alone sees it."]
    owner: Annotated[str, "User name of its owner, where it is public; else blank."]
    forgotten: Annotated[str, "When it is deleted."]
    topics: Annotated[tuple[str, ...], "As its owner named them; empty where they are those of what was sent."]
    is_judged: Annotated[bool, "Whether it has judgements, which runs are scored against."]
    boards: Annotated[tuple[OwnBoardDocument, ...], "One for each measure."]
    sent: Annotated[tuple[str, ...], "Pages of the tables and runs that were sent to it, in that order."]


def own_collection_document(collection: OwnCollection) -> OwnCollectionDocument:
    """The collection as the API shows it."""
    sent = queries.sent_to_own(collection)
    return document_of(
        OwnCollectionDocument,
        collection,
        url=collection.get_absolute_url(),
        owner=collection.owner.public_name if collection.is_public else "",
        forgotten=collection.forgotten_at.isoformat(timespec="seconds"),
        topics=tuple(collection.topics),
        is_judged=queries.own_judgements(collection) is not None,
        boards=tuple(_board_document(_board(measure, sent)) for measure in collection.measures.all()),
        sent=tuple(upload.get_absolute_url() for upload in sent),
    )


@dataclass(frozen=True, slots=True)
class PublicOwnCollection:
    """A collection that somebody shows to everybody. It is no part of the record, and was not reviewed."""

    url: Annotated[str, "Its page; `/api/v1` before it has what its boards say."]
    name: str
    owner: Annotated[str, "User name of whoever named it."]
    measures: tuple[str, ...]
    n_sent: Annotated[int, "Tables and runs that were sent to it."]
    begun: Annotated[Day, "The day on which it was named."]


def public_own_collection(collection: OwnCollection) -> PublicOwnCollection:
    """A row of ``public_own_collections``, as the list of the API shows it."""
    return document_of(
        PublicOwnCollection,
        collection,
        url=collection.get_absolute_url(),
        owner=collection.owner.public_name,
        measures=tuple(collection.measure_names),
        begun=collection.created_at.date().isoformat(),
    )


def _board_document(board: OwnBoard) -> OwnBoardDocument:
    study, progress = board.study, board.progress
    return OwnBoardDocument(
        measure=board.measure.name,
        url=board.measure.get_absolute_url(),
        n_entries=board.n_entries,
        lacking=tuple(upload.get_absolute_url() for upload in board.lacking),
        topics=board.topics.shared,
        left_out=board.topics.left_out,
        state=study.state if study else "empty",
        message=(study.obstacle or (progress.message if progress else "")) if study else "",
        content=msgspec.json.decode(study.content) if study and study.content else None,
    )
