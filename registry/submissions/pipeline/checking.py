"""Checking rows: read as all results are read, compared with what stands, and looked over for what is odd."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain
from typing import NamedTuple

from analysis.readers.impossible import doubt
from analysis.readers.rejections import Rejection
from analysis.readers.rows import BLANKS
from analysis.readers.scores import PrintedScore
from registry.catalog.models import Measure, Topic
from registry.catalog.queries import CatalogNames, names_of_scores
from registry.core.bulk import Outcome, Staged
from registry.core.loading import LoadReport
from registry.results.models import Result, TopicScores
from registry.results.pipeline.rows import ResultRow, result_reader
from registry.results.services.recording import judge_results
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.pipeline.signals import (
    TELLING_DECIMALS,
    Surroundings,
    find_signals,
    signal_of_doubt,
    signal_of_topics,
)
from registry.submissions.pipeline.systems import KnownSystems

#: In the place of a catalog's digest: a row that is in doubt is read anew, since others beside it may have changed.
_IN_DOUBT = "in doubt"
_OUTCOMES = {
    Outcome.NEW: SubmittedRow.Outcome.NEW,
    Outcome.UNCHANGED: SubmittedRow.Outcome.SAME,
    Outcome.SUPERSEDES: SubmittedRow.Outcome.DIFFERS,
}
_WITHDRAWN = "was recorded and withdrawn for a reason; if that was wrong, an editor can undo the withdrawal"
_NOT_EARNED = "is not for contributors to say: it is raised by a second transcription, an author, or per-topic scores"


def read_rows(
    rows: Iterable[SubmittedRow], names: CatalogNames, *, systems: KnownSystems | None = None
) -> Iterator[ResultRow | list[Rejection]]:
    """Every row as a checked result, or as everything that is wrong with it; what was read is kept with the row.

    A row that was read with the same catalog before is not read again. With ``systems``, a row is refused where it has
    to be asked which system it means.
    """
    read = result_reader(names, today=date.today())
    for row in rows:
        if row.is_unreadable:
            yield [
                Rejection(rejection["code"], rejection["message"], row.line, rejection["field"])
                for rejection in row.rejections
            ]
            continue
        known = row.said(names.digest)
        found = known or read(BLANKS | row.cells, row.line)
        unclear = systems.unclear(row.cells) if systems and row.cells.get("system") else None
        if unclear:
            yield [*([] if isinstance(found, ResultRow) else found), unclear.at(row.line, "system")]
        elif isinstance(found, ResultRow) and found.provenance != Result.Provenance.TRANSCRIBED:
            yield [Rejection("not_earned", f"{_NOT_EARNED}; leave it blank", row.line, "provenance")]
        else:
            if isinstance(found, ResultRow) and not known:
                row.keep(found, names.digest)
            yield found


def read_together(
    rows: Iterable[SubmittedRow],
    names: CatalogNames,
    *,
    systems: KnownSystems | None = None,
    beside: Iterable[SubmittedRow] = (),
) -> list[ResultRow | list[Rejection]]:
    """Return rows as ``read_rows`` does; those whose scores exclude each other say so, and have the signal of that.

    Compared are the scores of one system on one collection from one source: of these rows, of those ``beside`` them,
    and on record.
    """
    by_line = {row.line: row for row in rows}
    read = list(read_rows(by_line.values(), names, systems=systems))
    doubts = _find_doubts([row for row in (*read, *read_rows(beside, names)) if isinstance(row, ResultRow)])
    for number, row in enumerate(read):
        if isinstance(row, ResultRow) and (cells := doubts.get(row.line)):
            notes = "; ".join(dict.fromkeys(filter(None, (row.notes, cells["notes"]))))
            comparability = cells.get("comparability", row.comparability)
            read[number] = doubted = replace(row, comparability=comparability, notes=notes)
            by_line[row.line].keep(doubted, _IN_DOUBT)
            by_line[row.line].found = [signal_of_doubt(cells)]
    return read


class _Block(NamedTuple):
    """The system, collection and source of scores that must go together."""

    collection: int
    name_key: str
    team_key: str
    source: str
    paper: str | None


def _find_doubts(rows: Sequence[ResultRow]) -> dict[int, dict[str, str]]:
    """Return by line the cells of rows whose scores cannot stand beside others of their block."""
    competing = (Result.Comparability.STANDARD, Result.Comparability.DOUBTFUL)
    blocks: dict[_Block, list[ResultRow]] = defaultdict(list)
    for row in rows:
        if row.comparability in competing and not row.replicate_of:
            paper = row.paper.identity if row.paper else None
            blocks[_Block(row.collection_id, row.name_key, row.team_key, row.source, paper)].append(row)
    recorded = Result.objects.standing().filter(
        leaderboard__collection__in={block.collection for block in blocks},
        system__name_key__in={block.name_key for block in blocks},
        source__in={block.source for block in blocks},
        comparability__in=competing,
        replicate_of=None,
    )
    columns = ("leaderboard__collection", "system__name_key", "system__team_key", "source", "paper__identity")
    scores: dict[_Block, dict[str, PrintedScore]] = defaultdict(dict)
    for *block, measure, printed, unit in recorded.values_list(
        *columns, "leaderboard__measure__name", "printed", "unit"
    ):
        scores[_Block(*block)][measure] = PrintedScore(printed, unit)
    if len(rows) < 2 and not scores:
        return {}
    names = dict(Measure.objects.filter(pk__in={row.measure_id for row in rows}).values_list("pk", "name"))
    doubts: dict[int, dict[str, str]] = {}
    for block, of in blocks.items():
        scores[block] |= {names[row.measure_id]: row.score for row in of}
        telling = {name: score.value for name, score in scores[block].items() if score.decimals >= TELLING_DECIMALS}
        if cells := doubt(telling, of="source"):
            doubts |= {row.line: cells for row in of}
    return doubts


def what_they_say(rows: Sequence[SubmittedRow]) -> dict[int, ResultRow]:
    """Return what rows say, by line, as they were read last; those that nobody has read so far are read now."""
    said = {row.line: one for row in rows if (one := row.said())}
    unread = [row for row in rows if row.line not in said]
    found = read_rows(unread, names_of_scores()) if unread else ()
    return said | {one.line: one for one in found if isinstance(one, ResultRow)}


def check_rows(rows: Iterable[SubmittedRow], submission: Submission | None = None) -> None:
    """Write into each row what would become of it; those refused for themselves or each other first.

    Nothing is stored. The rows of a ``submission`` that waits for review are also compared with what else waits.
    """
    by_line = {row.line: row for row in rows}
    refusals = _Refusals("submission")
    names, systems = names_of_scores(), KnownSystems()
    chunks = judge_results(rows=read_together(by_line.values(), names, systems=systems), report=refusals)
    # Everything that is refused is known with the first chunk.
    first = next(chunks, [])
    for line, rejections in refusals.by_line.items():
        _refuse(by_line[line], rejections)
    surroundings = Surroundings(names, submission, systems)
    for chunk in chain([first], chunks):
        _check(chunk, by_line, surroundings)


def _refuse(row: SubmittedRow, rejections: Iterable[Rejection]) -> None:
    row.outcome, row.rejections = SubmittedRow.Outcome.REFUSED, [rejection.as_document() for rejection in rejections]
    row.collection_id, row.key, row.existing_id, row.content, row.found = None, "", None, "", []


def _check(chunk: list[Staged[ResultRow]], by_line: dict[int, SubmittedRow], surroundings: Surroundings) -> None:
    # What is recorded as it is already needs no second look.
    fresh = [staged for staged in chunk if staged.outcome in (Outcome.NEW, Outcome.SUPERSEDES)]
    signals = find_signals(((staged.row, staged.old) for staged in fresh), surroundings)
    told = [one.row for one in chunk if by_line[one.row.line].topics]
    labels: dict[int, list[str]] = defaultdict(list)
    collections = {row.collection_id for row in told}
    for collection, label in Topic.objects.filter(collection__in=collections).values_list("collection", "label"):
        labels[collection].append(label)
    witnesses: dict[int, list[list[float | None]]] = {}
    if told:
        surroundings.read(told)
        beside = {row.line: surroundings.recorded(row) for row in told}
        vectors = TopicScores.objects.standing().vectors({pk for some in beside.values() for pk in some})
        witnesses = {line: [vectors[pk] for pk in some if pk in vectors] for line, some in beside.items()}
    for _, said, existing, outcome in chunk:
        row = by_line[said.line]
        if outcome == Outcome.WITHDRAWN:
            _refuse(row, [Rejection("withdrawn", _WITHDRAWN, row.line)])
            continue
        row.outcome, row.rejections = _OUTCOMES[outcome], []
        row.collection_id, row.key, row.existing_id = said.collection_id, said.key.hex(), existing
        row.found = [*row.found, *signals.get(row.line, [])] if outcome != Outcome.UNCHANGED else []
        if row.topics:
            behind = witnesses[row.line]
            row.found = [*row.found, signal_of_topics(row.topics, said, labels[said.collection_id], behind)]


class _Refusals(LoadReport):
    """A report that keeps every rejection, by line."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.by_line: dict[int, list[Rejection]] = defaultdict(list)

    def refuse(self, rejections: Iterable[Rejection]) -> None:
        for rejection in rejections:
            self.by_line[rejection.line or 0].append(rejection)
