"""Checking rows: they are read as all results are, compared with the record, and searched for oddities."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from typing import NamedTuple

from analysis.readers.numbers import PrintedScore, doubt
from analysis.readers.rejections import Rejection
from analysis.readers.tables import BLANKS
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
    signal_of_doubt,
    signal_of_topics,
)
from registry.submissions.pipeline.systems import KnownSystems

#: In place of a catalog's digest: a row in doubt is read again, since the rows beside it may have changed.
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
    """Yield each row as a checked result, or everything that is wrong with it; the row keeps what was read.

    A row that was read with the same catalog before is not read again. With ``systems``, a row is refused where its
    system is unclear.
    """
    read = result_reader(names, today=date.today())
    for row in rows:
        if row.is_unreadable:
            yield [
                Rejection(rejection["code"], rejection["message"], row.line, rejection["field"])
                for rejection in row.rejections
            ]
            continue
        known = row.parsed(names.digest)
        parsed = known or read(BLANKS | row.cells, row.line)
        unclear = systems.unclear(row.cells) if systems and row.cells.get("system") else None
        if unclear:
            yield [*([] if isinstance(parsed, ResultRow) else parsed), unclear.at(row.line, "system")]
        elif isinstance(parsed, ResultRow) and parsed.provenance != Result.Provenance.TRANSCRIBED:
            yield [Rejection("not_earned", f"{_NOT_EARNED}; leave it blank", row.line, "provenance")]
        else:
            if isinstance(parsed, ResultRow) and not known:
                row.keep(parsed, names.digest)
            yield parsed


def read_together(
    rows: Iterable[SubmittedRow],
    names: CatalogNames,
    *,
    systems: KnownSystems | None = None,
    beside: Iterable[SubmittedRow] = (),
) -> list[ResultRow | list[Rejection]]:
    """Return rows as ``read_rows`` does; those whose scores exclude each other say so and get a signal.

    The scores of one system on one collection from one source are compared: of these rows, of those ``beside`` them,
    and on record.
    """
    by_line = {row.line: row for row in rows}
    if systems:
        systems.read(row.cells.get("system", "") for row in by_line.values())
    read = list(read_rows(by_line.values(), names, systems=systems))
    doubts = _find_doubts([row for row in (*read, *read_rows(beside, names)) if isinstance(row, ResultRow)])
    for number, row in enumerate(read):
        if isinstance(row, ResultRow) and (cells := doubts.get(row.line)):
            notes = "; ".join(dict.fromkeys(filter(None, (row.notes, cells["notes"]))))
            comparability = cells.get("comparability", row.comparability)
            read[number] = doubted = replace(row, comparability=comparability, notes=notes)
            by_line[row.line].keep(doubted, _IN_DOUBT)
            by_line[row.line].found_signals = [signal_of_doubt(cells)]
    return read


class _Block(NamedTuple):
    """The system, collection and source of scores that have to be consistent."""

    collection: int
    name_key: str
    team_key: str
    source: str
    paper: str | None


def _find_doubts(rows: Sequence[ResultRow]) -> dict[int, dict[str, str]]:
    """Return, by line, what to write into rows whose scores contradict others of their block."""
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
    for block, of_block in blocks.items():
        scores[block] |= {names[row.measure_id]: row.score for row in of_block}
        telling = {name: score.value for name, score in scores[block].items() if score.decimals >= TELLING_DECIMALS}
        if cells := doubt(telling, of="source"):
            doubts |= {row.line: cells for row in of_block}
    return doubts


def last_read_rows(rows: Sequence[SubmittedRow]) -> dict[int, ResultRow]:
    """Return rows as they were read last, by line; those that were never read are read now."""
    by_line = {row.line: parsed for row in rows if (parsed := row.parsed())}
    unread = [row for row in rows if row.line not in by_line]
    newly_read = read_rows(unread, names_of_scores()) if unread else ()
    return by_line | {parsed.line: parsed for parsed in newly_read if isinstance(parsed, ResultRow)}


def check_rows(rows: Iterable[SubmittedRow], submission: Submission | None = None) -> None:
    """Write into each row what would become of it, first into those that are refused.

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
    row.collection_id, row.key, row.existing_id, row.content, row.found_signals = None, "", None, "", []


def _check(chunk: list[Staged[ResultRow]], by_line: dict[int, SubmittedRow], surroundings: Surroundings) -> None:
    # What is on record already needs no second look.
    fresh = [staged for staged in chunk if staged.outcome in (Outcome.NEW, Outcome.SUPERSEDES)]
    surroundings.read([staged.row for staged in fresh])
    signals = {staged.row.line: surroundings.signals(staged.row, staged.old) for staged in fresh}
    with_topics = [staged.row for staged in chunk if by_line[staged.row.line].topics]
    labels: dict[int, list[str]] = defaultdict(list)
    collections = {row.collection_id for row in with_topics}
    for collection, label in Topic.objects.filter(collection__in=collections).values_list("collection", "label"):
        labels[collection].append(label)
    witnesses: dict[int, list[list[float | None]]] = {}
    if with_topics:
        surroundings.read(with_topics)
        beside = {row.line: surroundings.recorded(row) for row in with_topics}
        vectors = TopicScores.objects.standing().vectors({pk for result_ids in beside.values() for pk in result_ids})
        witnesses = {line: [vectors[pk] for pk in result_ids if pk in vectors] for line, result_ids in beside.items()}
    for _, parsed, existing, outcome in chunk:
        row = by_line[parsed.line]
        if outcome == Outcome.WITHDRAWN:
            _refuse(row, [Rejection("withdrawn", _WITHDRAWN, row.line)])
            continue
        row.outcome, row.rejections = _OUTCOMES[outcome], []
        row.collection_id, row.key, row.existing_id = parsed.collection_id, parsed.key.hex(), existing
        row.found_signals = [*row.found_signals, *signals.get(row.line, [])] if outcome != Outcome.UNCHANGED else []
        if row.topics:
            signal = signal_of_topics(row.topics, parsed, labels[parsed.collection_id], witnesses[row.line])
            row.found_signals = [*row.found_signals, signal]


@dataclass
class _Refusals(LoadReport):
    """A report that keeps every rejection by line."""

    by_line: dict[int, list[Rejection]] = field(default_factory=lambda: defaultdict(list))

    def refuse(self, rejections: Iterable[Rejection]) -> None:
        for rejection in rejections:
            self.by_line[rejection.line or 0].append(rejection)
