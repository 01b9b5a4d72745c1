"""Uploads, studies and collections of one's own as rows, with nothing scored."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import count
from typing import Any

from django.utils import timezone

from registry.accounts.models import User
from registry.catalog.models import Collection
from registry.runs.models import Judgements, OwnCollection, OwnMeasure, Upload, Work
from registry.runs.pipeline.packing import pack_rankings, pack_scores
from tests.registry.factory import make_collection, make_user

_numbers = count(1)


def later(**span: float) -> Any:
    """Return a time from now on: an hour, where nothing is said."""
    return timezone.now() + timedelta(**(span or {"hours": 1}))


def make_work(
    scores: Mapping[str, Sequence[float]] | None = None,
    *,
    topics: Sequence[str] = ("t1", "t2"),
    rankings: Mapping[str, str] | None = None,
    **fields: Any,
) -> Work:
    """Make a run that is scored, with the means of its scores; a table where that is its kind."""
    digest = hashlib.sha256(f"made {next(_numbers)}".encode()).hexdigest()
    means = {name: sum(column) / len(column) for name, column in (scores or {}).items()}
    known = {"kind": "run", "state": "done", "content": b"", "means": means, "measures": {name: name for name in means}}
    packed = pack_scores(topics, scores) if scores else b""
    return Work.objects.create(digest=digest, scores=packed, rankings=pack_rankings(rankings or {}), **(known | fields))


def make_upload(work: Work | None = None, *, owner: User | None = None, **fields: Any) -> Upload:
    """Return what somebody sent to a collection on record, or to one of their own."""
    if "own_collection" not in fields and "collection" not in fields:
        fields["collection"] = make_collection()
    if "own_collection" in fields:
        owner = fields["own_collection"].owner
    return Upload.objects.create(
        owner=owner or make_user(), work=work or make_work(), **({"name": "mine", "forgotten_at": later()} | fields)
    )


def make_own(*measures: str, owner: User | None = None, **fields: Any) -> OwnCollection:
    """Make a collection of somebody's own, with measures that ir-measures computes."""
    collection = OwnCollection.objects.create(
        owner=owner or make_user(), **({"name": "Mine", "forgotten_at": later(days=9)} | fields)
    )
    for name in measures:
        OwnMeasure.objects.create(collection=collection, name=name, ir_measures=name)
    return collection


def make_judgements(collection: Collection, **fields: Any) -> Judgements:
    """Judgements that nobody reads."""
    known = {"content": b"", "sha256": "0" * 64, "n_topics": 2, "n_judged": 300, "source": "the track"}
    return Judgements.objects.create(collection=collection, **(known | fields))
