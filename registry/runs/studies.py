"""Studying what somebody handed in: as a leaderboard is studied, alone or among the results that stand there; and how
far its average precision would move with other documents.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Any

import msgspec
from django.utils import timezone

from analysis.boards import METHODS, BoardInputs, BoardRow, MeasureFacts, TopicScoresInput, find_obstacle
from analysis.runs.intervals import as_average_precision
from analysis.runs.reading import Unreadable
from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.leaderboards.models import Analysis
from registry.leaderboards.queries.boards import read_board
from registry.runs.models import OwnMeasure, Study, Upload, Work
from registry.runs.pipeline.packing import DECIMALS, unpack_rankings, unpack_scores
from registry.runs.pipeline.spawning import Order, Stopped, do_in_child
from registry.runs.queries import lines_of

#: Rows of uploads have ids from here on; results of the record have lower ones.
FIRST_ID = 10**12


@dataclass(frozen=True, slots=True)
class OwnRow:
    """A system of an upload under one measure; ``scores`` by topic, blank where judgements are sealed."""

    name: str
    mean: float
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class Found:
    """What a study is to keep."""

    digest: str
    content: str = ""
    obstacle: str = ""


@dataclass(frozen=True, slots=True)
class SharedTopics:
    """The topics of a board of somebody's own that all that was sent to it has, and those that something lacks."""

    shared: tuple[str, ...]
    left_out: tuple[str, ...]


def shared_topics(entries: Sequence[Upload]) -> SharedTopics:
    """Of the topics that the collection names, or else of all that any entry has, if with a blank cell, in that
    order."""
    read = [unpack_scores(bytes(entry.work.scores)).topics for entry in entries]
    named = entries[0].own_collection.topics if entries and entries[0].own_collection else []
    blank = [entry.work.report.get("left_out", ()) for entry in entries]
    everything = list(dict.fromkeys([*named, *(topic for topics in [*read, *blank] for topic in topics)]))
    shared = set(named or everything).intersection(*read)
    return SharedTopics(
        tuple(topic for topic in everything if topic in shared),
        tuple(topic for topic in everything if topic not in shared),
    )


def _rows_of_own(entries: Sequence[Upload], measure: str) -> list[OwnRow]:
    """The systems on a board of somebody's own, by their scores on the topics that all entries have."""
    topics = shared_topics(entries).shared
    columns = []
    for entry in entries if topics else ():
        table = unpack_scores(bytes(entry.work.scores))
        systems = table.scores if entry.own_measure_id else {entry.name: table.scores[measure]}
        columns += [(name, entry.name, dict(zip(table.topics, one, strict=True))) for name, one in systems.items()]
    named = Counter(name for name, _, _ in columns)
    kept = [{topic: scores[topic] for topic in topics} for _, _, scores in columns]
    return [
        OwnRow(name if named[name] == 1 or name == sent else f"{name} ({sent})", _mean(scores), scores)
        for (name, sent, _), scores in zip(columns, kept, strict=True)
    ]


def _mean(scores: dict[str, float]) -> float:
    return sum(scores.values()) / len(scores)


def rows_of(uploads: Sequence[Upload], measure: str) -> list[OwnRow]:
    """The systems of uploads under a measure, in the order in which they were sent; no two have one name."""
    is_own = uploads and uploads[0].own_collection_id
    found = _rows_of_own(uploads, measure) if is_own else _rows_on_record(uploads, measure)
    taken: set[str] = set()
    for place, row in enumerate(found):
        numbered = (f"{row.name} ({number})" for number in count(2))
        name = next(one for one in chain([row.name], numbered) if one not in taken)
        taken.add(name)
        found[place] = replace(row, name=name)
    return found


def _rows_on_record(uploads: Sequence[Upload], measure: str) -> list[OwnRow]:
    found = []
    for upload in uploads:
        work = upload.work
        table = unpack_scores(bytes(work.scores)) if work.scores else None
        for name, mean in work.means.items():
            system = name if work.kind == Work.Kind.MATRIX else upload.name
            if work.kind == Work.Kind.MATRIX or name == measure:
                scores = dict(zip(table.topics, table.scores[name], strict=True)) if table else {}
                found.append(OwnRow(system, mean, scores))
    return found


def digest_of(
    uploads: Sequence[Upload], leaderboard: Leaderboard, *, is_alone: bool, own_measure: OwnMeasure | None = None
) -> str:
    """What tells a study from others: what enters it, and the version of the methods."""
    own = [[upload.name, upload.work_id] for upload in uploads]
    board: object = leaderboard.pk or [leaderboard.collection.slug, leaderboard.measure.name]
    if own_measure:
        board = ["own", own_measure.pk, own_measure.collection.name, own_measure.collection.topics]
    told = [METHODS.version, board, None if is_alone else leaderboard.results_version, own]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def inputs_of(
    rows: Sequence[OwnRow], leaderboard: Leaderboard, *, is_alone: bool
) -> tuple[BoardInputs, ScoreMatrix | None]:
    """The board that the rows make, alone or among the results on record, with the topic scores that enter."""
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
    """A board without a row, of a collection and a measure."""
    measure, collection = leaderboard.measure, leaderboard.collection
    known = {name: getattr(measure, name) for name in ("name", "low", "high", "higher_is_better", "decimals")}
    return BoardInputs(collection=collection.slug, name=collection.name, measure=MeasureFacts(**known), rows=())


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
    """Topic scores of all that have them on the same topics; of the record alone where the topics of uploads differ."""
    topics = list(known.topics) if known else list(next((row.scores for row in own.values() if row.scores), {}))
    rows = {str(pk): row.scores for pk, row in own.items() if row.scores and row.scores.keys() == set(topics)}
    systems = [*(known.systems if known else ()), *rows]
    if len(systems) < 2 or len(topics) < 2:
        return None
    stood = known.scores.tolist() if known else []
    return ScoreMatrix(systems, topics, [*stood, *([row[topic] for topic in topics] for row in rows.values())])


def study(study_id: int) -> Found | None:
    """What is to be said of the uploads of a study, whatever its kind; None where nobody wants it any more."""
    related = ("leaderboard__collection", "leaderboard__measure", "upload__collection", "upload__measure")
    studies = Study.objects.select_related(*related, "own_measure__collection")
    asked = studies.filter(pk=study_id, state=Study.State.WAITING).first()
    if asked is None:
        return None
    known = Study.objects.filter(digest=asked.digest, state=Study.State.DONE, obstacle="").first()
    if known:
        return Found(asked.digest, known.content)
    wanted = Study.objects.filter(digest=asked.digest)
    try:
        order = _order_of_documents(asked) if asked.kind == Study.Kind.DOCUMENTS else _order_of_board(asked)
        found = do_in_child(
            order,
            tell=lambda done: done and wanted.filter(n_done__lt=done).update(n_done=done),
            is_wanted=wanted.exists,
        )
    except Stopped:
        return None
    except Unreadable as refused:
        return Found(asked.digest, obstacle=str(refused)[:300])
    return Found(asked.digest, found["content"])


def _order_of_board(asked: Study) -> Order:
    rows = rows_of(uploads_behind(asked), asked.board.measure.name)
    inputs, matrix = inputs_of(rows, asked.board, is_alone=asked.is_alone)
    if obstacle := find_obstacle(inputs, topic_scores=matrix):
        raise Unreadable(Analysis.Obstacle(obstacle).label)
    content = {"inputs": msgspec.to_builtins(inputs), "matrix": matrix and _as_arguments(matrix)}
    return Order("study", json.dumps(content).encode(), {})


def _order_of_documents(asked: Study) -> Order:
    works = [upload.work for upload in uploads_behind(asked)]
    kind = as_average_precision(asked.board.measure.ir_measures)
    if kind is None or len(works) <= len(asked.others) or not all(work.rankings for work in works):
        raise Unreadable("a run of it is no longer kept")
    judgements = works[0].judgements
    assert judgements is not None
    rankings = [unpack_rankings(bytes(work.rankings)) for work in works]
    content = {"runs": rankings, "grade": kind.grade, "depth": kind.depth}
    return Order("documents", json.dumps(content).encode(), {}, lines_of(judgements))


def _as_arguments(matrix: ScoreMatrix) -> dict[str, Any]:
    return {"systems": matrix.systems, "topics": matrix.topics, "scores": matrix.scores.tolist()}


def uploads_behind(asked: Study) -> list[Upload]:
    """The upload of a study and those that it is studied with, as far as they are still kept."""
    keys = [asked.upload_id, *asked.others]
    kept = Upload.objects.filter(pk__in=keys, forgotten_at__gt=timezone.now()).defer("work__content")
    found = {upload.pk: upload for upload in kept.select_related("work", "own_collection")}
    return [found[key] for key in keys if key in found]


def save_study(found: Found | None) -> None:
    """Keep what was found, for everybody who asked for the same."""
    if found is None:
        return
    waiting = Study.objects.filter(digest=found.digest, state=Study.State.WAITING)
    waiting.update(state=Study.State.DONE, content=found.content, obstacle=found.obstacle)


def matrix_of(uploads: Sequence[Upload], measure: str) -> ScoreMatrix | None:
    """The topic scores of uploads, by the name of the system; None where fewer than two have them."""
    rows = {row.name: row.scores for row in rows_of(uploads, measure) if row.scores}
    topics: dict[str, float] = next(iter(rows.values()), {})
    shared = {name: scores for name, scores in rows.items() if scores.keys() == topics.keys()}
    return ScoreMatrix.from_topic_scores(shared) if len(shared) > 1 and len(topics) > 1 else None


def boards_of(upload: Upload) -> dict[str, Leaderboard]:
    """Leaderboards, or boards of a collection of one's own, under a kind of average precision that the run was scored
    under, by the name of the measure."""
    work = upload.work
    names = [name for name, text in work.measures.items() if as_average_precision(text)]
    judgements = work.judgements
    if judgements is None or judgements.is_sealed or not Work.objects.filter(pk=work.pk).exclude(rankings=b"").exists():
        return {}
    if upload.own_collection:
        return {one.name: one.board for one in upload.own_collection.measures.all() if one.name in names}
    boards = Leaderboard.objects.filter(collection=judgements.collection_id, measure__name__in=names)
    return {board.measure.name: board for board in boards.select_related("measure").order_by("measure__name")}


def comparable_with(upload: Upload) -> dict[str, Upload]:
    """Other runs of its owner whose rankings are kept, scored against the same judgements, by their keys."""
    others = Upload.objects.filter(owner=upload.owner_id, work__judgements=upload.work.judgements_id)
    others = others.exclude(work__rankings=b"").exclude(work=upload.work_id)
    return {one.pk: one for one in others.filter(forgotten_at__gt=timezone.now())}
