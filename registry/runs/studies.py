"""Studying uploads: as a leaderboard is studied, and how far average precision would move with other documents."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from statistics import fmean

import msgspec
from django.utils import timezone

from analysis.boards import METHODS, BoardInputs, BoardRow, MeasureFacts, TopicScoresInput, find_obstacle
from analysis.runs.intervals import as_average_precision
from analysis.runs.reading import Unreadable
from analysis.runs.reports import is_complete
from analysis.scores import ScoreMatrix
from registry.accounts.models import User
from registry.catalog.models import Leaderboard
from registry.leaderboards.models import Analysis
from registry.leaderboards.queries.boards import read_board
from registry.runs.models import OwnCollection, OwnMeasure, Study, Upload, Work
from registry.runs.pipeline.packing import DECIMALS, unpack_cells, unpack_rankings
from registry.runs.pipeline.spawning import Order, Stopped, do_in_child
from registry.runs.queries import entries_of, lines_of, sent_to_own

#: Rows of uploads have ids from here on; results of the record have lower ones.
FIRST_ID = 10**12


#: Scores of executions, by system, execution and topic; a cell may be absent.
Cells = dict[str, dict[str, dict[str, float]]]


@dataclass(frozen=True, slots=True)
class OwnRow:
    """A system of uploads under one measure; ``scores`` by topic, means of its executions, blank where sealed."""

    name: str
    mean: float
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class Column:
    """A run, or a column of a table, under one measure as it was sent."""

    name: str
    upload: Upload
    mean: float
    cells: dict[str, float]


#: The digest of a study, and what is to be kept of it.
Found = tuple[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class SharedTopics:
    """The topics of a board of somebody's own that all that was sent to it has, and those that something lacks."""

    shared: tuple[str, ...]
    left_out: tuple[str, ...]


def columns_of(uploads: Sequence[Upload], measure: str) -> dict[str, Column]:
    """All that was sent, in that order; no two have one name. Tables on a collection of one's own may be parts."""
    columns: list[Column] = []
    for upload in uploads:
        cells, work = unpack_cells(bytes(upload.work.scores)) if upload.work.scores else {}, upload.work
        if work.kind == Work.Kind.MATRIX:
            # PostgreSQL keeps an order of its own for means.
            part = {name: Column(name, upload, work.means[name], scores) for name, scores in cells.items()}
            columns = [_joined(column, part) for column in columns]
            columns += part.values()
        elif measure in work.means:
            columns.append(Column(upload.name, upload, work.means[measure], cells.get(measure, {})))
    named, taken = Counter(column.name for column in columns), dict[str, Column]()
    for column in columns:
        name, sent = column.name, column.upload.name
        name = name if named[name] == 1 or name == sent else f"{name} ({sent})"
        taken[next(one for one in chain([name], (f"{name} ({n})" for n in count(2))) if one not in taken)] = column
    return taken


def _joined(column: Column, part: dict[str, Column]) -> Column:
    """The column with what a later table on the same board has of its name on other topics, which leaves the part."""
    more = part.get(column.name)
    is_table = more and more.upload.own_measure_id and column.upload.own_measure_id
    if not more or not is_table or not column.cells.keys().isdisjoint(more.cells):
        return column
    cells = column.cells | part.pop(column.name).cells
    return replace(column, mean=fmean(cells.values()), cells=cells)


def _systems(columns: dict[str, Column], uploads: Sequence[Upload]) -> dict[str, list[str]]:
    """The names of what was sent, by the system that these are executions of, as the first of the uploads says."""
    told = (uploads[0].own_collection or uploads[0]).executions if uploads else {}
    system_of = {name: system for system, names in told.items() for name in names}
    found: dict[str, list[str]] = {}
    for name, column in columns.items():
        alone = f"{name} (2)" if name in told else name
        found.setdefault(system_of.get(name) or system_of.get(column.name) or alone, []).append(name)
    return found


def names_on(collection: OwnCollection) -> list[str]:
    """The names by which executions are declared on a collection of somebody's own."""
    sent = sent_to_own(collection)
    boards = (columns_of(entries_of(one, sent), one.name) for one in collection.measures.all())
    return [*dict.fromkeys(name for names in boards for name in names)]


def cells_of(uploads: Sequence[Upload], measure: str) -> Cells:
    """The scores of all executions under a measure, as they were sent; of own collections on the topics it names."""
    columns = columns_of(uploads, measure)
    named = set(uploads[0].own_collection.topics if uploads and uploads[0].own_collection else ())
    return {
        system: {
            name: {topic: score for topic, score in columns[name].cells.items() if not named or topic in named}
            for name in names
        }
        for system, names in _systems(columns, uploads).items()
    }


def _averaged(columns: dict[str, Column], names: Sequence[str]) -> dict[str, float]:
    """The mean of executions by topic, over those that have it."""
    if len(names) == 1:
        return columns[names[0]].cells
    scores: dict[str, list[float]] = {}
    for name in names:
        for topic, score in columns[name].cells.items():
            scores.setdefault(topic, []).append(score)
    return {topic: fmean(of_topic) for topic, of_topic in scores.items()}


def shared_topics(entries: Sequence[Upload], measure: str) -> SharedTopics:
    """Of the topics that the collection names, or else of all that any entry has: those that every system has."""
    columns = columns_of(entries, measure)
    read = [_averaged(columns, names) for names in _systems(columns, entries).values()]
    named = entries[0].own_collection.topics if entries and entries[0].own_collection else []
    blank = [entry.work.report.get("left_out", ()) for entry in entries]
    everything = list(dict.fromkeys(chain(named, *read, *blank)))
    shared = set(named or everything).intersection(*read)
    return SharedTopics(
        tuple(topic for topic in everything if topic in shared),
        tuple(topic for topic in everything if topic not in shared),
    )


def rows_of(uploads: Sequence[Upload], measure: str) -> list[OwnRow]:
    """The systems of uploads under a measure, as sent, no two of one name, those of a board on the same topics."""
    columns = columns_of(uploads, measure)
    systems = _systems(columns, uploads)
    averaged = {system: _averaged(columns, names) for system, names in systems.items()}
    is_own = bool(uploads and uploads[0].own_collection)
    on_all = shared_topics(uploads, measure).shared if is_own else ()
    of_upload: dict[str, set[str]] = {}
    for system, names in systems.items():
        for key in {columns[name].upload.pk for name in names}:
            of_upload[key] = of_upload.get(key, averaged[system].keys()) & averaged[system].keys()
    rows = []
    for system, names in systems.items():
        kept = set[str].intersection(*(of_upload[columns[name].upload.pk] for name in names))
        topics = on_all if is_own else [topic for topic in averaged[system] if topic in kept]
        scores = {topic: averaged[system][topic] for topic in topics}
        mean = fmean(columns[name].mean for name in names)
        if scores and (is_own or len(names) > 1):
            mean = sum(scores.values()) / len(scores)
        if scores or not is_own:
            rows.append(OwnRow(system, mean, scores))
    return rows


def digest_of(
    uploads: Sequence[Upload], leaderboard: Leaderboard, *, is_alone: bool, own_measure: OwnMeasure | None = None
) -> str:
    """Return what tells a study from others: what enters it, and the version of the methods."""
    own = [[upload.name, upload.work_id] for upload in uploads]
    board: object = leaderboard.pk or [leaderboard.collection.slug, leaderboard.measure.name]
    if own_measure:
        board = ["own", own_measure.pk, own_measure.collection.name, own_measure.collection.topics]
    told = [METHODS.version, board, None if is_alone else leaderboard.results_version, own]
    if executions := (own_measure.collection if own_measure else uploads[0]).executions:
        told.append(executions)
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
    """Return what is to be said of the uploads of a study, whatever its kind; None where nobody wants it any more."""
    related = ("leaderboard__collection", "leaderboard__measure", "upload__collection", "upload__measure")
    studies = Study.objects.select_related(*related, "own_measure__collection")
    asked = studies.filter(pk=study_id, state=Study.State.WAITING).first()
    if asked is None:
        return None
    known = Study.objects.filter(digest=asked.digest, state=Study.State.DONE, obstacle="").first()
    if known:
        return asked.digest, {"content": known.content}
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
        return asked.digest, {"obstacle": str(refused)[:300]}
    return asked.digest, {"content": found["content"]}


def _order_of_board(asked: Study) -> Order:
    rows = rows_of(uploads_behind(asked), asked.board.measure.name)
    inputs, matrix = inputs_of(rows, asked.board, is_alone=asked.is_alone)
    if obstacle := find_obstacle(inputs, topic_scores=matrix):
        raise Unreadable(Analysis.Obstacle(obstacle).label)
    told = matrix and {"systems": matrix.systems, "topics": matrix.topics, "scores": matrix.scores.tolist()}
    content = {"inputs": msgspec.to_builtins(inputs), "matrix": told}
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
    digest, kept = found
    Study.objects.filter(digest=digest, state=Study.State.WAITING).update(state=Study.State.DONE, **kept)


def matrix_of(uploads: Sequence[Upload], measure: str) -> ScoreMatrix | None:
    """The topic scores of uploads, by the name of the system; None where fewer than two have them."""
    rows = {row.name: row.scores for row in rows_of(uploads, measure) if row.scores}
    topics: dict[str, float] = next(iter(rows.values()), {})
    shared = {name: scores for name, scores in rows.items() if scores.keys() == topics.keys()}
    return ScoreMatrix.from_topic_scores(shared) if len(shared) > 1 and len(topics) > 1 else None


def boards_of(upload: Upload) -> dict[str, Leaderboard]:
    """Boards, on record or of one's own, under a kind of average precision that the run has a mean of, by measure."""
    work = upload.work
    names = [name for name, text in work.measures.items() if as_average_precision(text)]
    judgements = work.judgements
    if judgements is None or judgements.is_sealed or not Work.objects.filter(pk=work.pk).exclude(rankings=b"").exists():
        return {}
    if upload.own_collection:
        return {one.name: one.board for one in upload.own_collection.measures.all() if one.name in names}
    boards = Leaderboard.objects.filter(collection=judgements.collection_id, measure__name__in=names)
    return {board.measure.name: board for board in boards.select_related("measure").order_by("measure__name")}


def measures_of_sent(upload: Upload) -> list[str]:
    """The measures under which it has scores by topic: of a table its own; none of what is sealed, or not read yet."""
    if upload.work.state != Work.State.DONE or not upload.work.scores:
        return []
    return [upload.under.name] if upload.under else [*upload.work.means]


def sent_beside(upload: Upload, owner: User | None) -> list[Upload]:
    """Return what else its owner keeps of the same collection on record, scored and complete; nothing of visitors."""
    kept = Upload.objects.filter(owner=owner, own_collection=None, collection=upload.collection_id)
    kept = kept.filter(work__state=Work.State.DONE, forgotten_at__gt=timezone.now()).exclude(pk=upload.pk)
    others = kept.select_related("work", "measure", "own_collection").defer("work__content", "work__rankings")
    return [other for other in others if is_complete(other.work.report)] if owner and upload.collection_id else []


def runs_beside(upload: Upload) -> list[Upload]:
    """A run with its owner's other runs on the same collection; a table alone."""
    kind, sent = upload.work.kind, sent_beside(upload, upload.owner)
    others = [one for one in sent if one.work.kind == kind == Work.Kind.RUN]
    return [upload, *sorted(others, key=lambda one: (one.created_at, one.pk))]


def comparable_with(upload: Upload) -> dict[str, Upload]:
    """Other runs of its owner whose rankings are kept, scored against the same judgements, by their keys."""
    others = Upload.objects.filter(owner=upload.owner_id, work__judgements=upload.work.judgements_id)
    others = others.exclude(work__rankings=b"").exclude(work=upload.work_id)
    return {one.pk: one for one in others.filter(forgotten_at__gt=timezone.now())}
