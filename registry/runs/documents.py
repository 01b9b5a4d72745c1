"""Uploads, studies and boards of somebody's own collection, as objects that pages and programs share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from analysis.boards import snapshot_id
from analysis.readers.exchange.ir_metadata import read_ir_metadata
from analysis.readers.rejections import Rejection
from analysis.runs.reading import ReportLine
from analysis.runs.reports import is_complete, mean_of_answered, report_lines
from registry.core.documents import Day, document_of
from registry.leaderboards.documents.boards import snapshot_document
from registry.leaderboards.documents.shapes import SnapshotDocument
from registry.leaderboards.models import Snapshot
from registry.runs import queries
from registry.runs.executions import SentSystems, SharedTopics, compare_sent, shared_topics
from registry.runs.models import OwnCollection, OwnMeasure, Study, Upload, Work
from registry.runs.verdicts import StandardizedRun


@dataclass(frozen=True, slots=True)
class OtherCollection:
    """A collection that a run seems to be of, when it was sent to another."""

    slug: str
    name: str
    n_topics: Annotated[int, "Its judged topics."]
    n_shared: Annotated[int, "Those that the run answers."]


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
    means_of_answered: Annotated[dict[str, float], "Over the topics that the run answers; empty where it answers all."]
    ties: Annotated[dict[str, tuple[float, float]], "The least and the most that another order of equal scores gives."]
    is_complete: Annotated[bool, "Whether it answers 90% of the judged topics: others have no rank."]
    elsewhere: Annotated[tuple[OtherCollection, ...], "Collections that an incomplete run seems to be of."]
    standardized: Annotated[tuple[StandardizedRun, ...], "Where it lies on the scale of fixed systems, by topic."]
    has_topic_scores: bool
    agreement: queries.Agreement | None
    report: tuple[ReportLine, ...]
    not_computed: Annotated[tuple[str, ...], "Measures of the collection under which no run can be scored here."]
    described: Annotated[dict[str, str], "What the file says of its run in ir_metadata."]

    @property
    def mean_rows(self) -> Iterator[tuple[str, float, float | None, tuple[float, float] | None]]:
        """Yield each name with its mean, that over the answered topics, and the least and most by order of ties."""
        for name, mean in self.means.items():
            yield name, mean, self.means_of_answered.get(name), self.ties.get(name)


def upload_document(upload: Upload) -> UploadDocument:
    work, collection = upload.work, upload.collection
    answered = {name: mean_of_answered(mean, work.report) for name, mean in work.means.items()}
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
        means_of_answered={name: mean for name, mean in answered.items() if mean is not None},
        ties={name: (low, high) for name, (low, high) in work.report.get("ties", {}).items()},
        is_complete=is_complete(work.report),
        elsewhere=tuple(OtherCollection(**fit) for fit in work.report.get("elsewhere", ())),
        standardized=tuple(StandardizedRun(**field) for field in work.report.get("standardized", ())),
        has_topic_scores=bool(work.scores),
        agreement=queries.agreement_of(upload),
        report=tuple(report_lines(work.report)),
        not_computed=tuple(_not_computed(upload)) if work.kind == Work.Kind.RUN else (),
        described=_described(work.head),
    )


def _not_computed(upload: Upload) -> list[str]:
    if upload.own_collection:
        return [measure.name for measure in upload.own_collection.measures.all() if not measure.ir_measures]
    assert upload.collection is not None
    return queries.measures_of(upload.collection)[1]


def _described(head: str) -> dict[str, str]:
    """Return the fields of ir_metadata at the head of a run; empty where there are none, or they can't be read."""
    if "ir_metadata.start" not in head:
        return {}
    records = read_ir_metadata(head)
    if not records or isinstance(records[0], Rejection):
        return {}
    return {name: text for name, text in records[0].cells.items() if text and name not in ("measure", "value")}


@dataclass(frozen=True, slots=True)
class StudyDocument:
    """The state of a study, and its findings in the form of a snapshot."""

    url: str
    leaderboard: Annotated[str, "Its address; blank where none is recorded."]
    is_alone: Annotated[bool, "Whether the uploads are compared with each other only."]
    state: str
    message: Annotated[str, "How far it is, or why there is nothing to find."]
    is_failed: bool
    content: Annotated[Any, "Inputs, methods and findings, in the format of snapshots."]


def study_document(study: Study) -> StudyDocument:
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
class OwnBoard:
    """The tables under one measure, runs that the board lacks or leaves out, its topics and its study."""

    measure: OwnMeasure
    tables: tuple[Upload, ...]
    n_entries: int
    lacking: tuple[Upload, ...]
    incomplete: tuple[Upload, ...]
    topics: SharedTopics
    study: Study | None
    progress: queries.Progress | None

    @property
    def headline(self) -> str:
        """Return the verdict in a sentence; blank until there is one."""
        verdict = found_by(self.study)[0].verdict if self.study and self.study.content else None
        return verdict.headline if verdict else ""


def found_by(study: Study) -> tuple[SnapshotDocument, Snapshot]:
    """Return the findings of a study as a leaderboard, in the form of a snapshot, which is not kept."""
    key = snapshot_id(study.content)
    snapshot = Snapshot(pk=key, leaderboard=study.board, content=study.content, created_at=study.created_at)
    return snapshot_document(snapshot), snapshot


def boards_of_own(collection: OwnCollection) -> tuple[list[OwnBoard], list[Upload]]:
    """Return the boards of a collection, in the order in which measures were named, and the runs sent to it."""
    sent = queries.sent_to_own(collection)
    boards = [_board(measure, sent) for measure in collection.measures.order_by("pk")]
    return boards, [upload for upload in sent if not upload.own_measure_id]


def _board(measure: OwnMeasure, sent: Sequence[Upload]) -> OwnBoard:
    entries = queries.entries_of(measure, sent)
    study = measure.board_study
    return OwnBoard(
        measure=measure,
        tables=tuple(upload for upload in sent if upload.own_measure_id == measure.pk),
        n_entries=len(entries),
        lacking=tuple(queries.without_measure(measure, sent)),
        incomplete=tuple(
            upload for upload in sent if upload.work.state == Work.State.DONE and not is_complete(upload.work.report)
        ),
        topics=shared_topics(entries, measure.name) if entries else SharedTopics((), ()),
        study=study,
        progress=queries.progress_of_study(study) if study else None,
    )


@dataclass(frozen=True, slots=True)
class OwnBoardDocument:
    """What a board of somebody's own says."""

    measure: str
    url: Annotated[str, "Its page."]
    n_entries: Annotated[int, "Tables and runs that enter it."]
    lacking: Annotated[tuple[str, ...], "Pages of runs not scored under it: not yet, or their documents were not kept."]
    incomplete: Annotated[tuple[str, ...], "Pages of runs that answer less than 90% of the topics: not ranked."]
    topics: Annotated[tuple[str, ...], "Those that all of them have, which it is studied on."]
    left_out: Annotated[tuple[str, ...], "Those that one of them lacks, or that the collection does not name."]
    state: Annotated[str, "`empty`, `waiting` or `done`."]
    message: Annotated[str, "How far it is, or why there is nothing to find."]
    content: Annotated[dict[str, Any] | None, "Inputs, methods and findings, as snapshots have them; null until then."]


@dataclass(frozen=True, slots=True)
class OwnCollectionDocument:
    """A collection that somebody named, with its boards. It is no part of the record."""

    url: Annotated[str, "Its page."]
    name: str
    visibility: Annotated[
        str,
        OwnCollection.Visibility,
        "Who sees it: `private` its owner alone, `unlisted` anyone with the link, `public` everybody.",
    ]
    is_private: Annotated[bool, "Whether its owner alone sees it."]
    owner: Annotated[str, "User name of its owner, where it is public; else blank."]
    forgotten: Annotated[str, "When it is deleted."]
    topics: Annotated[tuple[str, ...], "As its owner named them; empty where they are those of what was sent."]
    executions: Annotated[dict[str, list[str]], "By system the runs and columns that are its executions, as declared."]
    margin: Annotated[float | None, "The smallest difference between these that matters, where it was given."]
    is_judged: Annotated[bool, "Whether it has judgements, which runs are scored against."]
    boards: Annotated[tuple[OwnBoardDocument, ...], "One for each measure."]
    compared: Annotated[tuple[SentSystems, ...], "Of boards with executions the systems, two by two; not in lists."]
    sent: Annotated[tuple[str, ...], "Pages of the tables and runs that were sent to it, in that order."]


def own_collection_document(collection: OwnCollection, *, is_listed: bool = False) -> OwnCollectionDocument:
    sent = queries.sent_to_own(collection)
    measures = [] if is_listed else [*collection.measures.all()]
    compared = (compare_sent(queries.entries_of(measure, sent), measure.name) for measure in measures)
    return document_of(
        OwnCollectionDocument,
        collection,
        url=collection.get_absolute_url(),
        owner=collection.owner.public_name if collection.is_public else "",
        forgotten=collection.forgotten_at.isoformat(timespec="seconds"),
        topics=tuple(collection.topics),
        compared=tuple(filter(None, compared)),
        is_judged=queries.own_judgements(collection) is not None,
        boards=tuple(_board_document(_board(measure, sent)) for measure in collection.measures.all()),
        sent=tuple(upload.get_absolute_url() for upload in sent),
    )


@dataclass(frozen=True, slots=True)
class PublicOwnCollection:
    """A collection that somebody shows to everybody. It is no part of the record, and was not reviewed."""

    url: Annotated[str, "Its page; `/api/v1` before it has what its boards say."]
    name: str
    owner: Annotated[str, "User name of the person who named it."]
    measures: tuple[str, ...]
    n_sent: Annotated[int, "Tables and runs that were sent to it."]
    begun: Annotated[Day, "The day on which it was named."]


def public_own_collection(collection: OwnCollection) -> PublicOwnCollection:
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
        incomplete=tuple(upload.get_absolute_url() for upload in board.incomplete),
        topics=board.topics.shared,
        left_out=board.topics.left_out,
        state=study.state if study else "empty",
        message=(study.obstacle or (progress.message if progress else "")) if study else "",
        content=msgspec.json.decode(study.content) if study and study.content else None,
    )
