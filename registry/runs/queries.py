"""Judgements, uploads, collections of one's own and studies, as they stand; and which collection a run is on."""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import log2
from typing import Annotated

from django.conf import settings
from django.db.models import Count, QuerySet, prefetch_related_objects
from django.utils import timezone

from analysis.papers.shipped import ShippedRun, list_runs, read_judgements
from analysis.runs.reports import as_average_precision, is_complete
from analysis.runs.scoring import can_score
from registry.accounts.models import User
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.loading import SHIPPED
from registry.core.models import Job
from registry.core.pages import LiveExample
from registry.core.queries import read_workload
from registry.runs.models import Answer, Judgements, OwnCollection, OwnMeasure, Study, Upload, Work
from registry.runs.pipeline.packing import DECIMALS, unseal
from registry.runs.pipeline.spawning import Order, do_in_child

#: The bits that an answer can tell: which mean of all that there are at its decimals, or one of two refusals.
BITS_AN_ANSWER = log2(10**DECIMALS + 1 + 2)
#: So many of these bits there are at most for each judged document.
BITS_A_JUDGEMENT = 0.1
#: Of the run's topics, and of its first documents on them, the shares that must be judged.
TOPICS_JUDGED, DOCUMENTS_JUDGED = 0.5, 0.1
#: A collection with this share of the best one's fit is asked about, and so many at most.
ALIKE, MOST_ASKED = 0.8, 4
#: Documents that are looked for; and collections that are looked through for them, those of the nearest topics first.
_N_DOCUMENTS, _N_LOOKED_THROUGH = 200, 12
SCORE = "runs.score"
STUDY = "runs.study"
STUDY_DOCUMENTS = "runs.study_documents"
SCORE_AGAIN = "runs.score_again"
#: Which job does which kind of study.
STUDIED_BY = {Study.Kind.BOARD: STUDY, Study.Kind.DOCUMENTS: STUDY_DOCUMENTS}


def standing_judgements(collection: Collection) -> Judgements | None:
    """Return the judgements that runs on the collection are scored against, without their content."""
    standing = Judgements.objects.filter(collection=collection, ended_at=None).select_related("measure")
    return standing.defer("content").first()


def answers_of(collection: Collection | int) -> int:
    """Return how many runs sealed judgements of the collection answer in all: as set, or fewer if few are judged."""
    sealed = Judgements.objects.filter(collection=collection, ended_at=None, is_sealed=True)
    n_judged = sealed.values_list("n_judged", flat=True).first() or 0
    return min(settings.PLUMBLINE_SEALED_ANSWERS, int(BITS_A_JUDGEMENT * n_judged / BITS_AN_ANSWER))


def answers_left(collection: Collection | int) -> int:
    return max(0, answers_of(collection) - Answer.objects.filter(judgements__collection=collection).count())


def lines_of(judgements: Judgements) -> bytes:
    """Return the judgements as lines, sealed ones for the scorer alone; ``FileChanged`` if a shipped file differs."""
    if judgements.file:
        return read_judgements(settings.BASE_DIR / judgements.file, judgements.sha256)
    content = bytes(judgements.content)
    return zlib.decompress(unseal(content) if judgements.is_sealed else content)


def shipped_runs_of(collection: Collection) -> list[ShippedRun]:
    """Return the shipped runs on the collection, which anybody can take and score."""
    return [run for run in _shipped_runs() if run.collection == collection.slug]


#: The run that anybody can have scored with one click.
_EXAMPLE = ("trec-dl-2019-passage", "RepLLaMA")


def example() -> tuple[ShippedRun, Collection] | None:
    """Return the example run and its collection; None where they are not here."""
    run = next((run for run in _shipped_runs() if (run.collection, run.name) == _EXAMPLE), None)
    collection = Collection.objects.filter(
        slug=_EXAMPLE[0], judgements__ended_at=None, judgements__isnull=False
    ).first()
    return (run, collection) if run and collection else None


#: Methods that are at work on the page of every run.
ON_RUNS = ("precision-of-map", "precision-of-ap", "split-collection-validation", "meta-analysis")


def live_example() -> LiveExample | None:
    """Return where the example is scored, with which methods of runs are at work."""
    if shown := example():
        run, collection = shown
        return LiveExample.at(f"Score a run: {run.system} on {collection.name} is the example", "runs:upload-list")
    return None


@cache
def _shipped_runs() -> list[ShippedRun]:
    return list_runs(SHIPPED)


#: Measures of runs where no measure of a leaderboard of the collection can be computed.
_USUAL = ("AP", "P@10", "R@1000", "RR", "nDCG@10")


def measures_of(collection: Collection) -> tuple[dict[str, str], list[str]]:
    """Return its boards' measures as ir-measures spells them, or else the usual ones; and those not computed here."""
    prefetch_related_objects([collection], "leaderboards__measure")
    measures = sorted((board.measure for board in collection.leaderboards.all()), key=lambda measure: measure.name)
    spelled = {measure.name: measure.ir_measures for measure in measures}
    known = {name: text for name, text in spelled.items() if text and can_score(text)}
    return known or dict(zip(_USUAL, _USUAL, strict=True)), [name for name in spelled if name not in known]


def measures_to_seal(collection: Collection) -> list[Measure]:
    """Return the measures from 0 to 1 that can be computed here: at two decimals, their mean is one of 101."""
    known, _ = measures_of(collection)
    boards = collection.leaderboards.all()
    measures = [board.measure for board in boards if board.measure.name in known]
    return sorted(
        (measure for measure in measures if (measure.low, measure.high) == (0, 1)), key=lambda measure: measure.name
    )


def uploads_of(user: User) -> QuerySet[Upload]:
    """Return the uploads of somebody that are still kept, the latest first."""
    return kept_uploads().filter(owner=user)


def kept_uploads() -> QuerySet[Upload]:
    """Return all uploads that are still kept, without content."""
    related = ("collection", "measure", "own_collection", "own_measure", "work__judgements")
    kept = Upload.objects.filter(forgotten_at__gt=timezone.now())
    kept = kept.select_related(*related, "claimed__leaderboard__measure")
    return kept.defer("work__content", "work__rankings", "work__judgements__content")


def own_collections_of(user: User) -> QuerySet[OwnCollection]:
    """Return the kept collections of somebody's own, the latest first."""
    return _kept_collections().filter(owner=user)


def public_own_collections() -> QuerySet[OwnCollection]:
    """Return the public collections of people's own, the latest first; none of suspended accounts."""
    people = User.objects.public().values("pk")
    return _kept_collections().filter(visibility=OwnCollection.Visibility.PUBLIC, owner__in=people)


def delisted_collections() -> QuerySet[OwnCollection]:
    """Return collections that editors took off the list, as long as others than their owner may see them."""
    return _kept_collections().filter(visibility=OwnCollection.Visibility.UNLISTED).exclude(delisted_for="")


def _kept_collections() -> QuerySet[OwnCollection]:
    kept = OwnCollection.objects.filter(forgotten_at__gt=timezone.now()).select_related("owner")
    return kept.prefetch_related("measures").annotate(**{"n_sent": Count("uploads")}).order_by("-created_at", "pk")


def sent_to_own(collection: OwnCollection) -> list[Upload]:
    """Return the uploads to a collection of somebody's own, in that order, without content."""
    sent = collection.uploads.select_related("work", "own_collection", "own_measure").order_by("created_at", "pk")
    return list(sent.defer("work__content", "work__rankings"))


def entries_of(measure: OwnMeasure, sent: Iterable[Upload]) -> list[Upload]:
    """Return the uploads that enter a board of somebody's own: tables under its measure and runs scored under it."""
    return [
        upload
        for upload in sent
        if upload.work.state == Work.State.DONE
        and is_complete(upload.work.report)
        and (upload.own_measure_id == measure.pk if upload.own_measure_id else measure.name in upload.work.means)
    ]


def without_measure(measure: OwnMeasure, sent: Iterable[Upload]) -> list[Upload]:
    """Return the runs that were scored before the measure was there, though it can be computed."""
    return [
        upload
        for upload in sent
        if measure.ir_measures
        and upload.work.kind == Work.Kind.RUN
        and upload.work.state == Work.State.DONE
        and measure.name not in upload.work.means
    ]


def own_judgements(collection: OwnCollection) -> Judgements | None:
    """Return the judgements that runs on a collection of somebody's own are scored against, without their content."""
    return collection.judgements.filter(ended_at=None).defer("content").first()


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a worker's job; ``is_failed`` where it was given up."""

    is_done: bool
    is_failed: bool
    message: str


def progress_of_upload(upload: Upload) -> Progress:
    work = upload.work
    if work.state != Work.State.WAITING:
        return Progress(True, False, "")
    unit = "topics scored so far" if work.kind == Work.Kind.RUN else "read so far"
    return _progress(SCORE, {"digest": work.digest}, f"{upload.n_done:,} {unit}." if upload.n_done else "")


def progress_of_study(study: Study) -> Progress:
    if study.state == Study.State.DONE:
        return Progress(True, False, "")
    so_far = f"{study.n_done:,} ranked lists resampled so far." if study.n_done else ""
    return _progress(STUDIED_BY[Study.Kind(study.kind)], {"study_id": study.pk}, so_far)


def _progress(kind: str, arguments: dict[str, str | int], so_far: str) -> Progress:
    job = Job.objects.filter(key=Job.key_for(kind, dict(arguments))).order_by("-created_at").first()
    if job is None or job.state == Job.State.FAILED:
        message = "It could not be done, and was given up. Delete it and send it again; if that does not help, tell us."
        return Progress(False, True, message)
    if job.state == Job.State.RUNNING:
        return Progress(False, False, so_far or "A worker is at it.")
    if not read_workload().is_worker_alive:
        return Progress(False, False, "It waits: no worker is running at the moment. Nothing is lost.")
    return Progress(False, False, "It waits for a worker.")


@dataclass(frozen=True, slots=True)
class Agreement:
    """A run's mean beside the printed score that it is said to stand behind."""

    measure: str
    printed: Annotated[str, "As on record, on the scale of the measure."]
    mean: float
    is_same: Annotated[bool, "Whether the mean rounds to what is printed; of sealed judgements, at two decimals."]


def agreement_of(upload: Upload) -> Agreement | None:
    """Return the mean beside the printed score of the claimed result; None where none is claimed, or not scored."""
    claimed = upload.claimed
    mean = upload.work.means.get(claimed.leaderboard.measure.name) if claimed else None
    if claimed is None or mean is None:
        return None
    score = claimed.score
    decimals = score.decimals if upload.work.scores else min(score.decimals, DECIMALS)
    is_same = abs(mean - score.value) <= 0.5 * 10**-decimals + 1e-9
    return Agreement(claimed.leaderboard.measure.name, score.digits, mean, is_same)


def precision_boards_of(upload: Upload) -> dict[str, Leaderboard]:
    """Return the boards, on record or of one's own, of a run's average precisions, by measure."""
    work = upload.work
    names = [name for name, text in work.measures.items() if as_average_precision(text)]
    judgements = work.judgements
    if judgements is None or judgements.is_sealed or not Work.objects.filter(pk=work.pk).exclude(rankings=b"").exists():
        return {}
    if upload.own_collection:
        return {
            measure.name: measure.board for measure in upload.own_collection.measures.all() if measure.name in names
        }
    boards = Leaderboard.objects.filter(collection=judgements.collection_id, measure__name__in=names)
    return {board.measure.name: board for board in boards.select_related("measure").order_by("measure__name")}


def measures_of_sent(upload: Upload) -> list[str]:
    """Return the measures under which an upload has scores by topic; none where sealed, or not read yet."""
    if upload.work.state != Work.State.DONE or not upload.work.scores:
        return []
    return [upload.under.name] if upload.under else [*upload.work.means]


def sent_beside(upload: Upload, owner: User | None) -> list[Upload]:
    """Return the owner's other uploads on the same collection on record, scored and complete; none of visitors."""
    kept = Upload.objects.filter(owner=owner, own_collection=None, collection=upload.collection_id)
    kept = kept.filter(work__state=Work.State.DONE, forgotten_at__gt=timezone.now()).exclude(pk=upload.pk)
    others = kept.select_related("work", "measure", "own_collection").defer("work__content", "work__rankings")
    return [other for other in others if is_complete(other.work.report)] if owner and upload.collection_id else []


def runs_beside(upload: Upload) -> list[Upload]:
    """Return a run with its owner's other runs on the same collection; a table alone."""
    if upload.work.kind != Work.Kind.RUN:
        return [upload]
    others = [other for other in sent_beside(upload, upload.owner) if other.work.kind == Work.Kind.RUN]
    return [upload, *sorted(others, key=lambda other: (other.created_at, other.pk))]


def comparable_with(upload: Upload) -> dict[str, Upload]:
    """Return its owner's other runs whose rankings are kept, scored against the same judgements, by their keys."""
    others = Upload.objects.filter(owner=upload.owner_id, work__judgements=upload.work.judgements_id)
    others = others.exclude(work__rankings=b"").exclude(work=upload.work_id)
    return {other.pk: other for other in others.filter(forgotten_at__gt=timezone.now())}


def uploads_behind(study: Study) -> list[Upload]:
    """Return the upload of a study and those that it is studied with, as far as they are still kept."""
    keys = [study.upload_id, *study.others]
    kept = Upload.objects.filter(pk__in=keys, forgotten_at__gt=timezone.now()).defer("work__content")
    uploads = {upload.pk: upload for upload in kept.select_related("work", "own_collection")}
    return [uploads[key] for key in keys if key in uploads]


@dataclass(frozen=True, slots=True)
class Fit:
    """A collection that a run may be on; ``fit`` is what its topics and the run's share, of all of both, times the
    share of the run's first documents that are judged."""

    collection: Collection
    n_topics: int
    n_shared: int
    fit: float


def recognize(content: bytes) -> tuple[list[Fit], float]:
    """Return the collections on which a run may be, and how long it took to read; ``Unreadable`` if it is no run.

    The best fit is first, and only those nearly as good are there.
    """
    run = do_in_child(Order("topics", content, {}))
    topics: dict[str, list[str]] = run["topics"]
    fits = sorted(_fits(topics), key=lambda fit: (-fit.fit, fit.collection.slug))
    return [fit for fit in fits if fit.fit >= ALIKE * fits[0].fit][:MOST_ASKED], run["seconds"]


def _fits(topics: Mapping[str, Sequence[str]]) -> Iterator[Fit]:
    standing = Judgements.objects.filter(ended_at=None, is_sealed=False, collection__isnull=False)
    near = []
    for judgements in standing.select_related("collection").defer("content"):
        judged = _topics_of(judgements.pk, judgements.sha256)
        shared = judged & topics.keys()
        if len(shared) >= TOPICS_JUDGED * len(topics):
            near.append((len(shared) / len(judged | topics.keys()), judgements, shared, len(judged)))
    near.sort(key=lambda candidate: -candidate[0])
    for fit, judgements, shared, n_judged in near[:_N_LOOKED_THROUGH]:
        share = _share_judged(judgements, {topic: topics[topic] for topic in shared})
        if share >= DOCUMENTS_JUDGED:
            assert judgements.collection is not None
            yield Fit(judgements.collection, n_judged, len(shared), fit * share)


@lru_cache(maxsize=2000)
def _topics_of(pk: int, sha256: str) -> frozenset[str]:
    """Return the topics of public judgements; they never change, and are read once a process."""
    return frozenset(line.split(None, 1)[0].decode() for line in lines_of(Judgements.objects.get(pk=pk)).splitlines())


def _share_judged(judgements: Judgements, documents: Mapping[str, Sequence[str]]) -> float:
    """Return the share of a run's first documents on these topics that is judged."""
    pairs = [
        (topic, document)
        for rank in range(10)
        for topic, ranked in documents.items()
        for document in ranked[rank : rank + 1]
    ]
    wanted = set(pairs[:_N_DOCUMENTS])
    lines = lines_of(judgements).decode().splitlines()
    return sum((topic, document) in wanted for topic, _, document, _ in map(str.split, lines)) / len(wanted)
