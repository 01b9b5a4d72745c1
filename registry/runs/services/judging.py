"""Putting judgements in: public ones, or such that the scorer alone reads."""

import hashlib
import zlib

from django.db import transaction
from django.utils import timezone

from analysis.errors import FormatError
from analysis.scores import parse_judgements
from registry.accounts.models import User
from registry.catalog.models import Collection
from registry.core.rejections import Refused
from registry.journal.services import record
from registry.runs.models import Judgements
from registry.runs.pipeline.sealing import keyed_digest, seal

JUDGEMENTS_PUT = "runs.judgements.put"


def put_judgements(
    *,
    collection: Collection,
    content: bytes,
    source: str,
    licence: str = "",
    is_sealed: bool = False,
    gives_topic_scores: bool = True,
    decimals: int = 4,
    actor: User | None = None,
) -> Judgements:
    """Have runs on the collection be scored against these judgements from now on, in place of those that stood.

    Raises
    ------
    Refused
        If a line is none of judgements.
    """
    try:
        grades = parse_judgements(content).grades
    except FormatError as error:
        raise Refused("format", str(error)) from error
    lines = "".join(
        f"{topic} 0 {document} {grade}\n" for topic, of_topic in grades.items() for document, grade in of_topic.items()
    ).encode()
    packed = zlib.compress(lines, 6)
    n_judged = sum(map(len, grades.values()))
    with transaction.atomic():
        collection = Collection.objects.select_for_update().get(pk=collection.pk)
        Judgements.objects.filter(collection=collection, ended_at=None).update(ended_at=timezone.now())
        judgements = Judgements.objects.create(
            collection=collection,
            content=seal(packed) if is_sealed else packed,
            sha256=keyed_digest(lines) if is_sealed else hashlib.sha256(lines).hexdigest(),
            is_sealed=is_sealed,
            gives_topic_scores=gives_topic_scores,
            decimals=decimals,
            n_topics=len(grades),
            n_judged=n_judged,
            source=source,
            licence=licence,
        )
        record(
            action=JUDGEMENTS_PUT,
            subject_type="collection",
            subject_id=collection.slug,
            actor=actor,
            after={"topics": len(grades), "is_sealed": is_sealed, "source": source},
        )
    return judgements
