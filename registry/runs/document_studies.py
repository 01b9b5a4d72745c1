"""Studying how far the average precision of a run would move with other documents."""

import json
from collections.abc import Sequence

from django.utils import timezone

from registry.catalog.models import Leaderboard
from registry.runs.models import Study, Upload, Work
from registry.runs.pipeline.packing import unpack_rankings
from registry.runs.pipeline.precision import AveragePrecision, as_average_precision
from registry.runs.pipeline.reading import Unreadable
from registry.runs.pipeline.spawning import Order, Stopped, do_in_child
from registry.runs.queries import lines_of
from registry.runs.studies import Found, uploads_behind


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


def study(study_id: int) -> Found | None:
    """What other documents would change; None where nobody wants to know any more."""
    asked = Study.objects.select_related("leaderboard__measure").filter(pk=study_id).first()
    if asked is None or asked.state == Study.State.DONE:
        return None
    known = Study.objects.filter(digest=asked.digest, state=Study.State.DONE, obstacle="").first()
    if known:
        return Found(asked.digest, known.content, known.obstacle)
    works = [upload.work for upload in uploads_behind(asked)]
    kind = as_average_precision(asked.board.measure.ir_measures)
    if kind is None or len(works) <= len(asked.others) or not all(work.rankings for work in works):
        return Found(asked.digest, obstacle="a run of it is no longer kept")
    wanted = Study.objects.filter(digest=asked.digest)
    try:
        found = do_in_child(
            _order(works, kind),
            tell=lambda done: wanted.filter(n_done__lt=done).update(n_done=done),
            is_wanted=wanted.exists,
        )
    except Stopped:
        return None
    except Unreadable as refused:
        return Found(asked.digest, obstacle=str(refused)[:300])
    return Found(asked.digest, found["content"])


def _order(works: Sequence[Work], kind: AveragePrecision) -> Order:
    judgements = works[0].judgements
    assert judgements is not None
    rankings = [unpack_rankings(bytes(work.rankings)) for work in works]
    content = {"runs": rankings, "grade": kind.grade, "depth": kind.depth}
    return Order("documents", json.dumps(content).encode(), {}, lines_of(judgements))
