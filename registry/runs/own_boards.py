"""What is said of the boards of a collection of somebody's own."""

from collections.abc import Sequence
from dataclasses import dataclass

from registry.runs.models import OwnCollection, OwnMeasure, Study, Upload
from registry.runs.queries import Progress, entries_of, progress_of_study, sent_to_own
from registry.runs.studies import SharedTopics, shared_topics


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """The tables under one measure, what enters the board beside them, the topics that all of it has, and its study."""

    measure: OwnMeasure
    tables: tuple[Upload, ...]
    n_entries: int
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
    study = measure.studies.defer("content").first()
    return OwnBoard(
        measure=measure,
        tables=tuple(upload for upload in sent if upload.own_measure_id == measure.pk),
        n_entries=len(entries),
        topics=shared_topics(entries) if entries else SharedTopics((), ()),
        study=study,
        progress=progress_of_study(study) if study else None,
    )
