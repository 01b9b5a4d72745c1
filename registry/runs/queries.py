"""What stands of judgements, uploads and studies."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import Annotated

from django.conf import settings
from django.db.models import Count, QuerySet, prefetch_related_objects
from django.utils import timezone

from analysis.papers.shipped import ShippedRun, list_runs, read_judgements
from analysis.runs.said import is_complete
from analysis.runs.scoring import can_score
from registry.accounts.models import User
from registry.catalog.models import Collection, Measure
from registry.core.loading import SHIPPED
from registry.core.models import Job
from registry.core.pages import LiveExample
from registry.core.queries import read_workload
from registry.runs.models import Answer, Judgements, OwnCollection, OwnMeasure, Study, Upload, Work
from registry.runs.pipeline.packing import DECIMALS, unseal

#: What an answer can tell: which mean of all that there are at its decimals, or one of two refusals.
BITS_AN_ANSWER = log2(10**DECIMALS + 1 + 2)
#: So many of these bits there are at most for each judged document.
BITS_A_JUDGEMENT = 0.1
SCORE = "runs.score"
STUDY = "runs.study"
STUDY_DOCUMENTS = "runs.study_documents"
SCORE_AGAIN = "runs.score_again"
#: Which job does which kind of study.
STUDIED_BY = {Study.Kind.BOARD: STUDY, Study.Kind.DOCUMENTS: STUDY_DOCUMENTS}


def standing_judgements(collection: Collection) -> Judgements | None:
    """The judgements that runs on the collection are scored against, without their content."""
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
    """The judgements as lines, of sealed ones for the scorer alone; ``FileChanged`` if a file that ships is another."""
    if judgements.file:
        return read_judgements(settings.BASE_DIR / judgements.file, judgements.sha256)
    content = bytes(judgements.content)
    return zlib.decompress(unseal(content) if judgements.is_sealed else content)


def shipped_runs_of(collection: Collection) -> list[ShippedRun]:
    """The runs on the collection that ship, which anybody can take and score."""
    return [run for run in _shipped_runs() if run.collection == collection.slug]


#: The run that anybody has scored with one click.
_EXAMPLE = ("trec-dl-2019-passage", "RepLLaMA")


def example() -> tuple[ShippedRun, Collection] | None:
    """The run that is the example, and its collection; None where they are not here."""
    run = next((one for one in _shipped_runs() if (one.collection, one.name) == _EXAMPLE), None)
    collection = Collection.objects.filter(
        slug=_EXAMPLE[0], judgements__ended_at=None, judgements__isnull=False
    ).first()
    return (run, collection) if run and collection else None


#: Methods that are at work on the page of every run.
ON_RUNS = ("precision-of-map", "precision-of-ap", "split-collection-validation", "meta-analysis")


def live_example() -> LiveExample | None:
    """Return where the example is scored, with which methods of runs are at work."""
    found = example()
    title = f"Score a run: {found[0].system} on {found[1].name} is the example" if found else ""
    return LiveExample.at(title, "runs:upload-list") if found else None


@cache
def _shipped_runs() -> list[ShippedRun]:
    return list_runs(SHIPPED)


#: Under which runs are scored where no measure of a leaderboard of the collection can be computed.
_USUAL = ("AP", "P@10", "R@1000", "RR", "nDCG@10")


def measures_of(collection: Collection) -> tuple[dict[str, str], list[str]]:
    """The measures of its boards as ir-measures spells them, or else the usual ones; and those not computed here."""
    prefetch_related_objects([collection], "leaderboards__measure")
    measures = sorted((board.measure for board in collection.leaderboards.all()), key=lambda measure: measure.name)
    spelled = {measure.name: measure.ir_measures for measure in measures}
    known = {name: text for name, text in spelled.items() if text and can_score(text)}
    return known or dict(zip(_USUAL, _USUAL, strict=True)), [name for name in spelled if name not in known]


def measures_to_seal(collection: Collection) -> list[Measure]:
    """The measures from 0 to 1 that can be computed here: a mean of one at two decimals is one of 101."""
    known, _ = measures_of(collection)
    boards = collection.leaderboards.all()
    measures = [board.measure for board in boards if board.measure.name in known]
    return sorted((one for one in measures if (one.low, one.high) == (0, 1)), key=lambda measure: measure.name)


def uploads_of(user: User) -> QuerySet[Upload]:
    """Return what somebody handed in and is still kept, the latest first."""
    return kept_uploads().filter(owner=user)


def kept_uploads() -> QuerySet[Upload]:
    """Return what is still kept of all that was handed in, without content."""
    related = ("collection", "measure", "own_collection", "own_measure", "work__judgements")
    kept = Upload.objects.filter(forgotten_at__gt=timezone.now())
    kept = kept.select_related(*related, "claimed__leaderboard__measure")
    return kept.defer("work__content", "work__rankings", "work__judgements__content")


def own_collections_of(user: User) -> QuerySet[OwnCollection]:
    """The collections that somebody named and that are still kept, the latest first."""
    return _kept_collections().filter(owner=user)


def public_own_collections() -> QuerySet[OwnCollection]:
    """The collections that people show to everybody, the latest first; none of people whose accounts are suspended."""
    people = User.objects.public().values("pk")
    return _kept_collections().filter(visibility=OwnCollection.Visibility.PUBLIC, owner__in=people)


def delisted_collections() -> QuerySet[OwnCollection]:
    """Those that editors took off the list, as long as others than their owner may see them."""
    return _kept_collections().filter(visibility=OwnCollection.Visibility.UNLISTED).exclude(delisted_for="")


def _kept_collections() -> QuerySet[OwnCollection]:
    kept = OwnCollection.objects.filter(forgotten_at__gt=timezone.now()).select_related("owner")
    return kept.prefetch_related("measures").annotate(**{"n_sent": Count("uploads")}).order_by("-created_at", "pk")


def sent_to_own(collection: OwnCollection) -> list[Upload]:
    """Return what was sent to a collection of somebody's own, in that order, without content."""
    sent = collection.uploads.select_related("work", "own_collection", "own_measure").order_by("created_at", "pk")
    return list(sent.defer("work__content", "work__rankings"))


def entries_of(measure: OwnMeasure, sent: Iterable[Upload]) -> list[Upload]:
    """Return what enters a board of somebody's own: tables under its measure and runs that were scored under it."""
    return [
        upload
        for upload in sent
        if upload.work.state == Work.State.DONE
        and is_complete(upload.work.report)
        and (upload.own_measure_id == measure.pk if upload.own_measure_id else measure.name in upload.work.means)
    ]


def without_measure(measure: OwnMeasure, sent: Iterable[Upload]) -> list[Upload]:
    """Runs that were scored before the measure was there, though it can be computed."""
    return [
        upload
        for upload in sent
        if measure.ir_measures
        and upload.work.kind == Work.Kind.RUN
        and upload.work.state == Work.State.DONE
        and measure.name not in upload.work.means
    ]


def own_judgements(collection: OwnCollection) -> Judgements | None:
    """The judgements that runs on a collection of somebody's own are scored against, without their content."""
    return collection.judgements.filter(ended_at=None).defer("content").first()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far something is that a worker does; ``is_failed`` where it was given up."""

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
    """The mean beside the printed score of the claimed result; None where none is claimed, or not scored."""
    claimed = upload.claimed
    mean = upload.work.means.get(claimed.leaderboard.measure.name) if claimed else None
    if claimed is None or mean is None:
        return None
    score = claimed.score
    decimals = score.decimals if upload.work.scores else min(score.decimals, DECIMALS)
    is_same = abs(mean - score.value) <= 0.5 * 10**-decimals + 1e-9
    return Agreement(claimed.leaderboard.measure.name, score.digits, mean, is_same)
