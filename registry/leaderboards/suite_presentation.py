"""What the pages of suites show of their documents. Templates only set it out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from analysis.boards import SuiteQuestion, SuiteSnapshot, read_snapshot
from registry.catalog.documents import MeasureBrief
from registry.core.templatetags.formatting import as_query
from registry.leaderboards import plumb_line, wording
from registry.leaderboards.documents import VerdictDocument
from registry.leaderboards.exports.files import MEDIA_TYPES
from registry.leaderboards.models import Snapshot
from registry.leaderboards.plumb_line import PlumbLine
from registry.leaderboards.presentation import FORMAT_NAMES, TOP, Format, drawings
from registry.leaderboards.snapshot_drawings import small_drawings
from registry.leaderboards.suite_documents import (
    SuiteDocument,
    SuiteMemberDocument,
    SuiteRowDocument,
    SuiteSnapshotDocument,
    suite_address,
)
from registry.leaderboards.verification import is_readable
from registry.leaderboards.wording import Fact

Context = dict[str, Any]

_QUESTIONS: dict[str, SuiteQuestion] = {"others": "other-collections", "these": "same-collections"}


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the two questions with everything that answers it."""

    key: str
    question: str
    verdict: VerdictDocument
    facts: list[Fact]
    strength: int
    coverage: str
    plumb_lines: tuple[PlumbLine, ...]
    plumb_line_text: str


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The rows as one question has them."""

    verdict: VerdictDocument
    measure: MeasureBrief
    results: Sequence[SuiteRowDocument]


def suite_context(document: SuiteDocument) -> Context:
    """What the template of a suite needs beside its document."""
    members = _members(document)
    return {
        "answers": _answers(document),
        "formats": suite_formats(document),
        "flagged": _flagged(document),
        "top_table": _top_table(document),
        "drawings": drawings(document.url),
        "members": members,
        "has_drawings": any(line for _, line in members),
    }


def _members(document: SuiteDocument) -> list[tuple[SuiteMemberDocument, str | None]]:
    """The members, each with the small drawing of the snapshot that the study took."""
    ids = {one.collection: PurePosixPath(one.snapshot).name for one in document.members}
    drawn = small_drawings([(pk, document.measure) for pk in ids.values()])
    return [(one, drawn.get(ids[one.collection])) for one in document.members]


def _answers(document: SuiteDocument) -> list[Answer]:
    if document.verdict is None or document.verdict_here is None:
        return []
    here = [
        replace(row, can_be_best=row.can_be_best_here, can_be_best_unflagged=row.can_be_best_here_unflagged)
        for row in document.results
    ]
    return [
        _answer("others", "Best on other collections like these?", document, document.verdict, document.results),
        _answer("these", "Best on these collections?", document, document.verdict_here, here),
    ]


def _answer(
    key: str, question: str, document: SuiteDocument, verdict: VerdictDocument, rows: Sequence[SuiteRowDocument]
) -> Answer:
    drawn = _Drawn(verdict, document.measure, rows)
    names = {row.id: row.system for row in rows}
    return Answer(
        key=key,
        question=question,
        verdict=verdict,
        facts=wording.facts_of(verdict, document.measure, names, document.words),
        strength=wording.STRENGTH[verdict.evidence.kind],
        coverage=wording.suite_coverage(verdict, _QUESTIONS[key]),
        plumb_lines=plumb_line.plumb_lines(drawn, words=document.words),
        plumb_line_text=plumb_line.describe(drawn, document.words),
    )


def _flagged(document: SuiteDocument) -> frozenset[int]:
    """The systems that a caution holds back."""
    cautions = document.verdict.cautions if document.verdict else ()
    return frozenset(result for caution in cautions if caution.is_flag for result in caution.results)


def suite_formats(document: SuiteDocument) -> list[Format]:
    """The formats that there are: a suite without a verdict can't be cited."""
    return [
        Format(name, MEDIA_TYPES[suffix], suite_address(document.suite.slug, document.measure["name"], suffix))
        for suffix, name in FORMAT_NAMES.items()
        if suffix != "bib" or document.verdict
    ]


def _top_table(document: SuiteDocument) -> str:
    """Where the first of its systems are for papers; blank where that is all of them."""
    if document.count - (document.n_incomplete or 0) <= TOP:
        return ""
    return suite_address(document.suite.slug, document.measure["name"], "tex") + as_query({"top": str(TOP)})


def suite_snapshot_context(document: SuiteSnapshotDocument, snapshot: Snapshot) -> Context:
    """What the template of a suite's snapshot needs beside its document."""
    if not is_readable(snapshot) or document.verdict is None or document.verdict_here is None:
        return {"stored": None}
    stored = read_snapshot(snapshot.content, SuiteSnapshot)
    names = {row.id: row.system for row in stored.inputs.rows}
    means = {one.result: one.value for one in stored.findings.means}
    return {
        "stored": stored,
        "answers": [
            (question, verdict, wording.facts_of(verdict, document.measure, names, document.words))
            for question, verdict in (
                ("On other collections like these", document.verdict),
                ("On these collections", document.verdict_here),
            )
        ],
        "systems": [(row, means[row.id]) for row in stored.inputs.rows if row.id in means],
    }
