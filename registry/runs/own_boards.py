"""What is said of the boards of a collection of somebody's own."""

from dataclasses import dataclass

from registry.runs.models import OwnCollection, OwnMeasure, Study, Upload, Work
from registry.runs.queries import Progress, progress_of_study, tables_of
from registry.runs.studies import SharedTopics, shared_topics


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """The tables under one measure, the topics that they share, and the study of them all."""

    measure: OwnMeasure
    tables: tuple[Upload, ...]
    topics: SharedTopics
    study: Study | None
    progress: Progress | None


def boards_of_own(collection: OwnCollection) -> list[OwnBoard]:
    """The boards of a collection, by measure."""
    return [own_board_of(measure) for measure in collection.measures.all()]


def own_board_of(measure: OwnMeasure) -> OwnBoard:
    """The board under one measure."""
    tables = tables_of(measure)
    read = [table for table in tables if table.work.state == Work.State.DONE]
    study = Study.objects.filter(upload__own_measure=measure).defer("content").first()
    return OwnBoard(
        measure=measure,
        tables=tuple(tables),
        topics=shared_topics(read) if read else SharedTopics((), ()),
        study=study,
        progress=progress_of_study(study) if study else None,
    )
