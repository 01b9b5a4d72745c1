"""What is said of the boards of a collection of somebody's own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from typing_extensions import Doc

from registry.core.documents import Day
from registry.runs.models import OwnCollection, OwnMeasure, Study, Upload
from registry.runs.queries import Progress, entries_of, own_judgements, progress_of_study, sent_to_own, without_measure
from registry.runs.studies import SharedTopics, shared_topics


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """The tables under one measure, what enters the board beside them, runs that it lacks, shared topics, its study."""

    measure: OwnMeasure
    tables: tuple[Upload, ...]
    n_entries: int
    lacking: tuple[Upload, ...]
    topics: SharedTopics
    study: Study | None
    progress: Progress | None


def boards_of_own(collection: OwnCollection) -> tuple[list[OwnBoard], list[Upload]]:
    """The boards of a collection, by measure; and the runs that were sent to it."""
    sent = sent_to_own(collection)
    boards = [_board(measure, sent) for measure in collection.measures.all()]
    return boards, [upload for upload in sent if not upload.own_measure_id]


def _board(measure: OwnMeasure, sent: Sequence[Upload]) -> OwnBoard:
    entries = entries_of(measure, sent)
    study = measure.board_study
    return OwnBoard(
        measure=measure,
        tables=tuple(upload for upload in sent if upload.own_measure_id == measure.pk),
        n_entries=len(entries),
        lacking=tuple(without_measure(measure, sent)),
        topics=shared_topics(entries) if entries else SharedTopics((), ()),
        study=study,
        progress=progress_of_study(study) if study else None,
    )


@dataclass(frozen=True, slots=True)
class OwnBoardDocument:
    """What a board of somebody's own says."""

    measure: str
    url: Annotated[str, Doc("Its page.")]
    n_entries: Annotated[int, Doc("Tables and runs that enter it.")]
    lacking: Annotated[
        tuple[str, ...], Doc("Pages of runs that are not scored under it: not yet, or their documents were not kept.")
    ]
    topics: Annotated[tuple[str, ...], Doc("Those that all of them have, which it is studied on.")]
    left_out: Annotated[tuple[str, ...], Doc("Those that one of them lacks, or that the collection does not name.")]
    state: Annotated[str, Doc("`empty`, `waiting` or `done`.")]
    message: Annotated[str, Doc("How far it is, or why there is nothing to find.")]
    content: Annotated[
        dict[str, Any] | None, Doc("Inputs, methods and findings, in the format of snapshots; until it is done, null.")
    ]


@dataclass(frozen=True, slots=True)
class OwnCollectionDocument:
    """A collection that somebody named, with its boards. It is no part of the record."""

    url: Annotated[str, Doc("Its page.")]
    name: str
    visibility: Annotated[
        str,
        OwnCollection.Visibility,
        Doc("Who sees it: `private` its owner alone, `unlisted` whoever has its address, `public` everybody."),
    ]
    is_private: Annotated[bool, Doc("Whether its owner alone sees it.")]
    owner: Annotated[str, Doc("User name of its owner, where it is public; else blank.")]
    forgotten: Annotated[str, Doc("When it is deleted.")]
    topics: Annotated[tuple[str, ...], Doc("As its owner named them; empty where they are those of what was sent.")]
    is_judged: Annotated[bool, Doc("Whether it has judgements, which runs are scored against.")]
    boards: Annotated[tuple[OwnBoardDocument, ...], Doc("One for each measure.")]
    sent: Annotated[tuple[str, ...], Doc("Pages of the tables and runs that were sent to it, in that order.")]


def own_collection_document(collection: OwnCollection) -> OwnCollectionDocument:
    """The collection as the API shows it."""
    sent = sent_to_own(collection)
    return OwnCollectionDocument(
        url=collection.get_absolute_url(),
        name=collection.name,
        visibility=collection.visibility,
        is_private=collection.is_private,
        owner=collection.owner.public_name if collection.is_public else "",
        forgotten=collection.forgotten_at.isoformat(timespec="seconds"),
        topics=tuple(collection.topics),
        is_judged=own_judgements(collection) is not None,
        boards=tuple(_board_document(_board(measure, sent)) for measure in collection.measures.all()),
        sent=tuple(upload.get_absolute_url() for upload in sent),
    )


@dataclass(frozen=True, slots=True)
class PublicOwnCollection:
    """A collection that somebody shows to everybody. It is no part of the record, and was not reviewed."""

    url: Annotated[str, Doc("Its page; `/api/v1` before it has what its boards say.")]
    name: str
    owner: Annotated[str, Doc("User name of whoever named it.")]
    measures: tuple[str, ...]
    n_sent: Annotated[int, Doc("Tables and runs that were sent to it.")]
    begun: Annotated[Day, Doc("The day on which it was named.")]


def public_own_collection(collection: OwnCollection) -> PublicOwnCollection:
    """A row of ``public_own_collections``, as the list of the API shows it."""
    return PublicOwnCollection(
        url=collection.get_absolute_url(),
        name=collection.name,
        owner=collection.owner.public_name,
        measures=tuple(collection.measure_names),
        n_sent=collection.n_sent,
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
