"""Studies of uploads, as a leaderboard or against other documents: asking for one, and a worker's step in a child."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
from django.db import transaction

from analysis.boards import METHODS, BoardInputs, BoardRow, MeasureFacts, TopicScoresInput, find_obstacle
from analysis.runs.reading import Unreadable
from analysis.runs.reports import as_average_precision
from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.core.services import enqueue_jobs
from registry.leaderboards.models import Analysis
from registry.leaderboards.queries.boards import read_board
from registry.runs.executions import OwnRow, rows_of
from registry.runs.models import OwnCollection, OwnMeasure, Study, Upload
from registry.runs.pipeline.packing import DECIMALS, unpack_rankings
from registry.runs.pipeline.precision import VERSION
from registry.runs.pipeline.spawning import Order, Stopped, do_in_child
from registry.runs.queries import STUDIED_BY, entries_of, lines_of, sent_to_own, uploads_behind

#: Rows of uploads have ids from here on; results of the record have lower ones.
FIRST_ID = 10**12
#: The digest of a study, and the fields to keep of it.
Studied = tuple[str, dict[str, str]]


@transaction.atomic
def ask_for_study(
    *,
    upload: Upload,
    others: Sequence[Upload],
    leaderboard: Leaderboard,
    is_alone: bool,
    own_measure: OwnMeasure | None = None,
) -> Study:
    """Return the study of these uploads; one that was asked for before is joined, whether it is done or not."""
    digest = digest_of([upload, *others], leaderboard, is_alone=is_alone, own_measure=own_measure)
    keys = [other.pk for other in others]
    return _ask(upload, digest, leaderboard, own_measure=own_measure, others=keys, is_alone=is_alone)


@transaction.atomic
def study_own_boards(upload: Upload) -> None:
    """Have the boards of somebody's own that an upload comes to, or goes from, studied anew."""
    if upload.own_collection is None:
        return
    for measure in upload.own_collection.measures.select_related("collection"):
        if upload.own_measure_id in (None, measure.pk):
            study_own_board(measure)


@transaction.atomic
def study_own_board(measure: OwnMeasure) -> None:
    """Have everything that enters a board of somebody's own studied together; earlier findings go."""
    # Whoever sends something else meanwhile waits here.
    collection = OwnCollection.objects.select_for_update().filter(pk=measure.collection_id).first()
    entries = entries_of(measure, sent_to_own(collection)) if collection else []
    standing = measure.studies.all()
    if not entries:
        standing.delete()
        return
    study = ask_for_study(
        upload=entries[0], others=entries[1:], leaderboard=measure.board, is_alone=True, own_measure=measure
    )
    standing.filter(created_at__lt=study.created_at).exclude(kind=Study.Kind.DOCUMENTS).delete()


@transaction.atomic
def declare_executions(*, kept: OwnCollection | Upload, systems: dict[str, list[str]], margin: float | None) -> None:
    """Keep which runs and columns are executions of which system, and which difference matters; boards follow."""
    kept.executions, kept.margin = systems, margin
    kept.save(update_fields=["executions", "margin"])
    for measure in kept.measures.select_related("collection") if isinstance(kept, OwnCollection) else ():
        study_own_board(measure)


@transaction.atomic
def ask_for_document_study(
    *, upload: Upload, leaderboard: Leaderboard, other: Upload | None = None, own_measure: OwnMeasure | None = None
) -> Study:
    """Return the study of this run, or of two; one that was asked for before is joined."""
    uploads = [upload, other] if other else [upload]
    keys = [other.pk for other in uploads[1:]]
    digest = _digest([VERSION, leaderboard.measure.ir_measures, [upload.work_id for upload in uploads]])
    return _ask(upload, digest, leaderboard, kind=Study.Kind.DOCUMENTS, own_measure=own_measure, others=keys)


def _digest(inputs: list[Any]) -> str:
    return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()


def _ask(upload: Upload, digest: str, leaderboard: Leaderboard, *, is_alone: bool = True, **fields: Any) -> Study:
    """Return the study of this digest, new with these fields; a worker does it, also if it failed before."""
    fields |= {"leaderboard": leaderboard if leaderboard.pk else None, "is_alone": is_alone}
    study, _ = Study.objects.get_or_create(upload=upload, digest=digest, defaults=fields)
    if study.state == Study.State.DONE and study.obstacle:
        Study.objects.filter(pk=study.pk).update(state=Study.State.WAITING, obstacle="")
        study.refresh_from_db()
    if study.state == Study.State.WAITING:
        enqueue_jobs(kind=STUDIED_BY[Study.Kind(study.kind)], args=[{"study_id": study.pk}])
    return study


def digest_of(
    uploads: Sequence[Upload], leaderboard: Leaderboard, *, is_alone: bool, own_measure: OwnMeasure | None = None
) -> str:
    """Return the digest of what enters a study, and of the version of the methods."""
    own = [[upload.name, upload.work_id] for upload in uploads]
    board: object = leaderboard.pk or [leaderboard.collection.slug, leaderboard.measure.name]
    if own_measure:
        board = ["own", own_measure.pk, own_measure.collection.name, own_measure.collection.topics]
    inputs = [METHODS.version, board, None if is_alone else leaderboard.results_version, own]
    if executions := (own_measure.collection if own_measure else uploads[0]).executions:
        inputs.append(executions)
    return _digest(inputs)


def inputs_of(
    rows: Sequence[OwnRow], leaderboard: Leaderboard, *, is_alone: bool
) -> tuple[BoardInputs, ScoreMatrix | None]:
    """Return the board that the rows make, alone or among the results on record, with the topic scores that enter."""
    known = None
    if leaderboard.pk is None:
        inputs = _inputs_of_own(leaderboard)
    else:
        board = read_board(leaderboard.pk)
        inputs, known = board.inputs, board.topic_scores
    if is_alone:
        inputs, known = replace(inputs, rows=(), cleared=(), elsewhere=None, references=(), variances=()), None
    own = {FIRST_ID + number: row for number, row in enumerate(rows)}
    sign = -1.0 if leaderboard.measure.higher_is_better else 1.0
    everybody = [*inputs.rows, *(_board_row(pk, row, inputs, leaderboard) for pk, row in own.items())]
    matrix = _matrix(own, known)
    if is_alone and matrix:
        inputs = replace(inputs, n_topics=matrix.n_topics)
    return (
        replace(
            inputs,
            rows=tuple(sorted(everybody, key=lambda row: sign * row.value)),
            topic_scores=TopicScoresInput.of(matrix) if matrix else None,
        ),
        matrix,
    )


def _inputs_of_own(leaderboard: Leaderboard) -> BoardInputs:
    """Return a board without a row, of a collection and a measure."""
    measure, collection = leaderboard.measure, leaderboard.collection
    facts = {name: getattr(measure, name) for name in ("name", "low", "high", "higher_is_better", "decimals")}
    return BoardInputs(collection=collection.slug, name=collection.name, measure=MeasureFacts(**facts), rows=())


def _board_row(pk: int, row: OwnRow, inputs: BoardInputs, leaderboard: Leaderboard) -> BoardRow:
    printed = f"{row.mean:.{leaderboard.measure.decimals if row.scores else DECIMALS}f}"
    n_elsewhere = len(inputs.elsewhere.datasets) if inputs.elsewhere else 0
    return BoardRow(
        id=pk,
        system=row.name,
        printed=printed,
        value=row.mean,
        role="proposed",
        provenance="recomputed",
        elsewhere=(None,) * n_elsewhere,
    )


def _matrix(own: dict[int, OwnRow], known: ScoreMatrix | None) -> ScoreMatrix | None:
    """Return topic scores of all on the same topics; of the record alone where the topics of uploads differ."""
    topics = list(known.topics) if known else list(next((row.scores for row in own.values() if row.scores), {}))
    rows = {str(pk): row.scores for pk, row in own.items() if row.scores and row.scores.keys() == set(topics)}
    systems = [*(known.systems if known else ()), *rows]
    if len(systems) < 2 or len(topics) < 2:
        return None
    on_record = known.scores.tolist() if known else []
    return ScoreMatrix(systems, topics, [*on_record, *([row[topic] for topic in topics] for row in rows.values())])


def study(study_id: int) -> Studied | None:
    """Carry out a study of either kind; None where nobody wants it any more."""
    related = ("leaderboard__collection", "leaderboard__measure", "upload__collection", "upload__measure")
    studies = Study.objects.select_related(*related, "own_measure__collection")
    pending = studies.filter(pk=study_id, state=Study.State.WAITING).first()
    if pending is None:
        return None
    known = Study.objects.filter(digest=pending.digest, state=Study.State.DONE, obstacle="").first()
    if known:
        return pending.digest, {"content": known.content}
    wanted = Study.objects.filter(digest=pending.digest)
    try:
        order = _order_of_documents(pending) if pending.kind == Study.Kind.DOCUMENTS else _order_of_board(pending)
        findings = do_in_child(
            order,
            tell=lambda done: done and wanted.filter(n_done__lt=done).update(n_done=done),
            is_wanted=wanted.exists,
        )
    except Stopped:
        return None
    except Unreadable as refused:
        return pending.digest, {"obstacle": str(refused)[:300]}
    return pending.digest, {"content": findings["content"]}


def _order_of_board(pending: Study) -> Order:
    rows = rows_of(uploads_behind(pending), pending.board.measure.name)
    inputs, matrix = inputs_of(rows, pending.board, is_alone=pending.is_alone)
    if obstacle := find_obstacle(inputs, topic_scores=matrix):
        raise Unreadable(Analysis.Obstacle(obstacle).label)
    scores = matrix and {"systems": matrix.systems, "topics": matrix.topics, "scores": matrix.scores.tolist()}
    content = {"inputs": msgspec.to_builtins(inputs), "matrix": scores}
    return Order("study", json.dumps(content).encode(), {})


def _order_of_documents(pending: Study) -> Order:
    works = [upload.work for upload in uploads_behind(pending)]
    kind = as_average_precision(pending.board.measure.ir_measures)
    if kind is None or len(works) <= len(pending.others) or not all(work.rankings for work in works):
        raise Unreadable("a run of it is no longer kept")
    judgements = works[0].judgements
    assert judgements is not None
    rankings = [unpack_rankings(bytes(work.rankings)) for work in works]
    content = {"runs": rankings, "grade": kind.grade, "depth": kind.depth}
    return Order("documents", json.dumps(content).encode(), {}, lines_of(judgements))


def save_study(studied: Studied | None) -> None:
    """Keep the findings, for everybody who asked for the same."""
    if studied is None:
        return
    digest, fields = studied
    Study.objects.filter(digest=digest, state=Study.State.WAITING).update(state=Study.State.DONE, **fields)
