"""What is said of uploads and studies, as objects that pages and programs share."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from typing_extensions import Doc

from analysis.readers.exchange.ir_metadata import read_ir_metadata
from analysis.readers.rejections import Rejection
from analysis.scores import ScoreMatrix
from registry.core.templatetags.formatting import plural
from registry.runs.across import Across, across_collections
from registry.runs.models import Study, Upload, Work
from registry.runs.pipeline.reading import ReportLine
from registry.runs.queries import Agreement, Progress, agreement_of, measures_of, progress_of_study, progress_of_upload
from registry.runs.settling import Settled, settled_by
from registry.tools.pairs.paired_tests import AppliedTest, paired_tests


@dataclass(frozen=True, slots=True)
class UploadDocument:
    """What was found of a run, or of a table of topic scores, that somebody sent."""

    url: Annotated[str, Doc("Its page, at an address that nobody guesses; `/api/v1` before it has this object.")]
    name: str
    collection: Annotated[str, Doc("Slug of the collection; blank of what is on one's own collection.")]
    own_collection: Annotated[str, Doc("Address of the collection of one's own that it is on; else blank.")]
    kind: str
    state: str
    message: Annotated[str, Doc("How far it is, or why it was refused.")]
    is_failed: Annotated[bool, Doc("Whether it was given up without an answer.")]
    is_sealed: Annotated[bool, Doc("Whether it was scored against sealed judgements.")]
    forgotten: Annotated[str, Doc("When it is deleted.")]
    means: Annotated[dict[str, float], Doc("By measure, or by system.")]
    has_topic_scores: bool
    agreement: Agreement | None
    report: tuple[ReportLine, ...]
    not_computed: Annotated[tuple[str, ...], Doc("Measures of the collection under which no run can be scored here.")]
    described: Annotated[dict[str, str], Doc("What the file says of its run in ir_metadata.")]


def upload_document(upload: Upload) -> UploadDocument:
    """The upload as its page and the API show it."""
    work, collection = upload.work, upload.collection
    progress = progress_of_upload(upload)
    return UploadDocument(
        url=upload.get_absolute_url(),
        name=upload.name,
        collection=collection.slug if collection else "",
        own_collection=upload.own_collection.get_absolute_url() if upload.own_collection else "",
        kind=work.kind,
        state=work.state,
        message=work.refusal or progress.message,
        is_failed=progress.is_failed,
        is_sealed=bool(work.judgements and work.judgements.is_sealed),
        forgotten=upload.forgotten_at.isoformat(timespec="seconds"),
        means=work.means,
        has_topic_scores=bool(work.scores),
        agreement=agreement_of(upload),
        report=tuple(_report(work.report)),
        not_computed=tuple(_not_computed(upload)) if work.kind == Work.Kind.RUN else (),
        described=_described(work.head),
    )


def _not_computed(upload: Upload) -> list[str]:
    if upload.own_collection:
        return [one.name for one in upload.own_collection.measures.all() if not one.ir_measures]
    assert upload.collection is not None
    return measures_of(upload.collection)[1]


def _report(report: dict[str, Any]) -> Iterator[ReportLine]:
    """What the report counts, in the order in which somebody should look at it."""
    yield from (ReportLine(**one) for one in report.get("remarks", ()))
    said = (
        ("missing", "Topics without an answer", "Each counts as 0, as with trec_eval -c."),
        ("foreign", "Topics without judgements", "They are left out; the mean is over the judged topics."),
        ("disordered", "Topics whose ranks contradict the scores", "The scores count, as in trec_eval."),
        ("tied", "Topics with equal scores", "Ties are ordered by document, descending, as in trec_eval."),
    )
    for key, name, policy in said:
        count = report.get(f"n_{key}", 0)
        if count:
            yield ReportLine(name, count, policy, _where(report[key], count))
    if report.get("n_unjudged"):
        n_first, n_unjudged = report["n_at_10"], report["n_unjudged_at_10"]
        where = f"{n_unjudged:,} of the {plural(n_first, 'document,documents')} in first ten places"
        yield ReportLine("Documents without a judgement", report["n_unjudged"], "They count as not relevant.", where)


def _where(named: list[Any], count: int) -> str:
    texts = [one if isinstance(one, str) else f"{one[1]} (line {one[0]:,})" for one in named]
    rest = f" and {count - len(named):,} more" if count > len(named) else ""
    return f"{', '.join(texts)}{rest}"


def _described(head: str) -> dict[str, str]:
    """What ir_metadata at the head of a run say of it; empty where there are none, or they can't be read."""
    if "ir_metadata.start" not in head:
        return {}
    found = read_ir_metadata(head)
    if not found or isinstance(found[0], Rejection):
        return {}
    return {name: text for name, text in found[0].cells.items() if text and name not in ("measure", "value")}


@dataclass(frozen=True, slots=True)
class StudyDocument:
    """Where a study stands, and what was found as a snapshot has it."""

    url: str
    leaderboard: Annotated[str, Doc("Its address; blank where none is recorded.")]
    is_alone: Annotated[bool, Doc("Whether the uploads are compared with each other only.")]
    state: str
    message: Annotated[str, Doc("How far it is, or why there is nothing to find.")]
    is_failed: bool
    content: Annotated[Any, Doc("Inputs, methods and findings, in the format of snapshots.")]
    settled: Annotated[
        Settled | None,
        Doc(
            "What the uploads say of how much scores vary, where that was not measured on the leaderboard's collection."
        ),
    ]
    across: Annotated[Across | None, Doc("For its owner: the same two systems on several collections.")]


def study_document(study: Study, *, is_own: bool) -> StudyDocument:
    """The study as its page and its JSON show it; to its owner with what only they may see."""
    progress: Progress = progress_of_study(study)
    return StudyDocument(
        url=study.get_absolute_url(),
        leaderboard=study.leaderboard.get_absolute_url() if study.leaderboard else "",
        is_alone=study.is_alone,
        state=study.state,
        message=study.obstacle or progress.message,
        is_failed=progress.is_failed,
        content=msgspec.json.decode(study.content) if study.content else None,
        settled=settled_by(study) if study.kind == Study.Kind.BOARD else None,
        across=across_collections(study) if is_own and study.content and _is_on_record(study) else None,
    )


def _is_on_record(study: Study) -> bool:
    """Whether it is of documents, of runs on a collection that is on record."""
    return study.kind == Study.Kind.DOCUMENTS and study.leaderboard_id is not None


@dataclass(frozen=True, slots=True)
class PairOfSent:
    """Two systems on the same topics: their means, and five tests of the difference."""

    first: str
    second: str
    means: tuple[float, float]
    difference: float
    tests: tuple[AppliedTest, ...]


def pair_document(matrix: ScoreMatrix, first: str, second: str) -> PairOfSent:
    """The paired tests of two of the systems."""
    two = matrix.select([first, second])
    one, other = (float(mean) for mean in two.means)
    return PairOfSent(first, second, (one, other), one - other, paired_tests(two))
