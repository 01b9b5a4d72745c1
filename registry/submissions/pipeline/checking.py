"""Checking rows: read as all results are read, compared with what stands, and looked over for what is odd."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain

from registry.catalog.queries import CatalogNames
from registry.core.loading import LoadReport
from registry.core.rejections import ErrorPart, Rejection
from registry.core.staging import Staged, Verdict
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow, parse_result
from registry.results.services.recording import judge_results
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.pipeline.rows import BLANKS
from registry.submissions.pipeline.signals import FoundSignal, Surroundings, find_signals

_OUTCOMES = {
    Verdict.NEW: SubmittedRow.Outcome.NEW,
    Verdict.UNCHANGED: SubmittedRow.Outcome.SAME,
    Verdict.SUPERSEDES: SubmittedRow.Outcome.DIFFERS,
}
_WITHDRAWN = "was recorded and withdrawn for a reason; if that was wrong, an editor can undo the withdrawal"
_NOT_EARNED = "is not for contributors to say: it is raised by a second transcription, an author, or per-topic scores"


@dataclass(frozen=True, slots=True)
class GivenRow:
    """A row as it was handed in. One that could not even be read has no cells, and says why."""

    line: int
    cells: Mapping[str, str]
    unreadable: tuple[Rejection, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """What would become of a row if it were published now; ``row`` is None when it is refused."""

    line: int
    outcome: str
    rejections: list[ErrorPart] = field(default_factory=list)
    row: ResultRow | None = None
    existing_id: int | None = None
    signals: tuple[FoundSignal, ...] = ()

    @property
    def key(self) -> str:
        """What tells the row's result from others; blank when it is refused."""
        return self.row.key.hex() if self.row else ""

    @property
    def collection_id(self) -> int | None:
        return self.row.collection_id if self.row else None


def parse_rows(rows: Iterable[GivenRow], names: CatalogNames, *, today: date) -> Iterator[ResultRow | list[Rejection]]:
    """Every row as a checked result, or as everything that is wrong with it."""
    for given in rows:
        if given.unreadable:
            yield [replace(one, line=given.line) for one in given.unreadable]
            continue
        parsed = parse_result(BLANKS | dict(given.cells), names, today=today, line=given.line)
        if isinstance(parsed, ResultRow) and parsed.provenance != Result.Provenance.TRANSCRIBED:
            yield [Rejection("not_earned", f"{_NOT_EARNED}; leave it blank", given.line, "provenance")]
        else:
            yield parsed


def check_rows(rows: Iterable[GivenRow], submission: Submission | None = None) -> Iterator[list[CheckedRow]]:
    """What would become of each row, in chunks: first those refused for themselves or each other, then the rest.

    The rows of a ``submission`` that waits for review are also compared with what else waits.
    """
    refusals = _Refusals("submission")
    parsed = parse_rows(rows, CatalogNames(), today=date.today())
    chunks = judge_results(rows=parsed, report=refusals)
    # Everything that is refused is known with the first chunk.
    first = next(chunks, [])
    yield [_refused(line, rejections) for line, rejections in refusals.by_line.items()]
    surroundings = Surroundings(submission)
    for chunk in chain([first], chunks):
        yield _checked(chunk, surroundings)


def check_all(rows: Iterable[GivenRow], submission: Submission | None = None) -> dict[int, CheckedRow]:
    """What would become of each row, by line."""
    return {one.line: one for chunk in check_rows(rows, submission) for one in chunk}


def _refused(line: int, rejections: Iterable[Rejection]) -> CheckedRow:
    return CheckedRow(line, SubmittedRow.Outcome.REFUSED, [rejection.as_document() for rejection in rejections])


def _checked(chunk: list[Staged[ResultRow]], surroundings: Surroundings) -> list[CheckedRow]:
    # What is recorded as it is already needs no second look.
    fresh = [staged for staged in chunk if staged.verdict in (Verdict.NEW, Verdict.SUPERSEDES)]
    signals = find_signals(((staged.row, staged.old) for staged in fresh), surroundings)
    return [
        _refused(staged.row.line, [Rejection("withdrawn", _WITHDRAWN, staged.row.line)])
        if staged.verdict == Verdict.WITHDRAWN
        else CheckedRow(
            staged.row.line,
            _OUTCOMES[staged.verdict],
            row=staged.row,
            existing_id=staged.old,
            signals=tuple(signals.get(staged.row.line, ())),
        )
        for staged in chunk
    ]


class _Refusals(LoadReport):
    """A report that keeps every rejection, by line."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.by_line: dict[int, list[Rejection]] = defaultdict(list)

    def refuse(self, rejections: Iterable[Rejection]) -> None:
        for rejection in rejections:
            self.by_line[rejection.line or 0].append(rejection)
