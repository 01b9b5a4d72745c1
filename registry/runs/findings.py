"""What studies found as pages lay it out: of documents, on several collections, of how much scores vary."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
from django.utils import timezone

from analysis.boards import Verdict, read_snapshot
from analysis.comparisons import MetaAnalysis, meta_analysis
from analysis.figures import Axis, Panel, series
from registry.core.charts import Chart, draw
from registry.leaderboards.stored import read_stored
from registry.leaderboards.wording import ENOUGH, NOT_MEASURED_HERE
from registry.runs.models import Study, Upload
from registry.runs.pipeline.precision import NO_ERROR, DocumentStudy, TopicPrecision


@dataclass(frozen=True, slots=True)
class PairedTopic:
    """The difference of logit AP on one topic, with its standard error."""

    topic: str
    difference: float
    standard_error: float


def read_study(study: Study) -> DocumentStudy:
    """What was found, of a study that found something."""
    return msgspec.json.decode(study.content, type=DocumentStudy)


def draw_topics(topics: Sequence[TopicPrecision]) -> Chart:
    """Return intervals and estimates of AP by topic, in the order given."""
    xs = range(1, len(topics) + 1)
    labels = [f"{topic.topic}: {topic.estimate:.3f}" for topic in topics]
    estimates = [topic.estimate for topic in topics]
    ends = [(topic.logit.low, topic.logit.high) if topic.logit else (None, None) for topic in topics]
    low, high = ([end[place] for end in ends] for place in (0, 1))
    panel = Panel(
        data=f"{len(topics)} topics",
        series=(
            series("95 % interval", xs, estimates, low=low, high=high, labels=labels, mark="columns"),
            series("AP", xs, estimates, labels=labels, mark="points", is_highlighted=True),
        ),
    )
    x, y = Axis(label="topics, by AP", low=0.5, high=len(topics) + 0.5), Axis(label="AP", low=0, high=1)
    return draw(panel, x, y, name="topics", text="AP of each topic with its interval")


def documents_context(found: DocumentStudy) -> dict[str, object]:
    """What the template shows of a study."""
    topics = sorted(found.topics, key=lambda one: -one.estimate)
    pair = found.pair
    differences = []
    if pair:
        rows = zip(pair.topics, pair.logit.topic_differences, pair.logit.topic_standard_errors, strict=True)
        differences = sorted((PairedTopic(*row) for row in rows), key=lambda one: -one.difference)
    return {
        "found": found,
        "mean": found.means[0],
        "topics": topics,
        "chart": draw_topics(topics),
        "n_few": sum(one.n_relevant < FEW for one in topics),
        "few": FEW,
        "differences": differences,
    }


#: With fewer relevant documents the intervals are known to be too short (docs/methods/precision-of-ap.md).
FEW = 10


@dataclass(frozen=True, slots=True)
class OnCollection:
    """What a study of two systems found on one collection."""

    collection: Annotated[str, "Its name."]
    url: Annotated[str, "Of the study."]
    n_topics: int
    difference: Annotated[float, "Mean difference of logit AP."]
    standard_error: Annotated[float, "Its standard error against other documents."]


@dataclass(frozen=True, slots=True)
class Across:
    """Two systems on the collections on which both were studied."""

    rows: Annotated[tuple[OnCollection, ...], "The study at hand first."]
    n_without_error: Annotated[int, "Collections on which no resample changes the difference; they are not combined."]
    combined: Annotated[
        MetaAnalysis | None, "Each collection as a test of its own (random effects); None of fewer than two."
    ]


def across_collections(study: Study) -> Across | None:
    """The study with those that its owner had made of systems of the same two names, under the same measure on other
    collections; None where there are none."""
    rows = tuple(_rows(study))
    if len(rows) < 2:
        return None
    tests = [(row.difference, row.standard_error) for row in rows if row.standard_error > NO_ERROR]
    combined = meta_analysis(*zip(*tests, strict=True)) if len(tests) > 1 else None
    return Across(rows, len(rows) - len(tests), combined)


def _rows(study: Study) -> Iterator[OnCollection]:
    names = _names(study)
    if len(set(names)) < 2:
        return
    measure = study.board.measure_id
    others = Study.objects.filter(kind=Study.Kind.DOCUMENTS, state=Study.State.DONE, leaderboard__measure=measure)
    others = others.filter(upload__owner=study.upload.owner_id, upload__forgotten_at__gt=timezone.now())
    others = others.filter(upload__name__in=names).exclude(content="")
    seen = set()
    for one in [study, *others.select_related("upload", "leaderboard__collection")]:
        found = _names(one)
        collection = one.board.collection
        if collection.pk in seen or sorted(found) != sorted(names):
            continue
        pair = read_study(one).pair
        assert pair is not None
        seen.add(collection.pk)
        sign = 1.0 if found == names else -1.0
        logit = pair.logit
        yield OnCollection(
            str(collection), one.get_absolute_url(), len(pair.topics), sign * logit.estimate, logit.standard_error
        )


def _names(study: Study) -> list[str]:
    kept = Upload.objects.filter(pk__in=study.others, forgotten_at__gt=timezone.now())
    names = dict(kept.values_list("pk", "name"))
    return [study.upload.name, *(names[key] for key in study.others if key in names)]


@dataclass(frozen=True, slots=True)
class Band:
    """What a verdict rests on, and how much it leaves open."""

    evidence: Annotated[str, "Kind of evidence."]
    residual_variance: Annotated[float | None, "How much scores vary beyond system and topic."]
    degrees_of_freedom: Annotated[float | None, "As how surely that is known."]
    margin: Annotated[float | None, "How far a result may be behind the best without being told from it."]
    n_members: Annotated[int | None, "Results that can't be told from the best; None without a set."]


@dataclass(frozen=True, slots=True)
class Settled:
    """A leaderboard before runs with scores by topic came, and with them among its results."""

    n_systems: Annotated[int, "Systems with scores by topic, and topics."]
    n_topics: Annotated[int, "Systems with scores by topic, and topics."]
    is_enough: Annotated[bool, "Whether they are five or more."]
    before: Band
    after: Band


def settled_by(study: Study) -> Settled | None:
    """What the uploads of a study changed; None where the leaderboard's own topics were known before, or aren't yet."""
    if study.is_alone or study.leaderboard_id is None or not study.content:
        return None
    stored = read_stored([study.leaderboard_id]).get(study.leaderboard_id)
    if stored is None or stored.findings.verdict.evidence.kind not in NOT_MEASURED_HERE:
        return None
    after = read_snapshot(study.content).findings.verdict
    evidence = after.evidence
    is_own = evidence.kind in ("own-and-predicted", "own-variance", "own-topics")
    if not is_own or not (evidence.n_systems and evidence.n_topics):
        return None
    return Settled(
        n_systems=evidence.n_systems,
        n_topics=evidence.n_topics,
        is_enough=evidence.n_systems >= ENOUGH,
        before=_band(stored.findings.verdict),
        after=_band(after),
    )


def _band(verdict: Verdict) -> Band:
    found = verdict.shown.set
    return Band(
        evidence=verdict.evidence.kind,
        residual_variance=verdict.evidence.residual_variance,
        degrees_of_freedom=verdict.evidence.degrees_of_freedom,
        margin=found.margin if found else None,
        n_members=found.n_members if found else None,
    )
