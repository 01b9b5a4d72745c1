"""A registry with something in every corner, dumps of it, and an empty place to load them into."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from registry.accounts.services import delete_account
from registry.curation.lineage.models import PaperLink
from registry.dumps.manifest import MANIFEST, Manifest
from registry.dumps.services import export_dump
from registry.results.models import Result, Source
from registry.results.services.corrections import decline_correction, request_correction, show_dispute
from registry.runs.services.own_collections import add_measure, begin
from registry.runs.services.uploading import hand_in_table
from registry.submissions.services.reviewing import add_comment
from registry.tools.models import Resolution
from tests.registry.factory import make_paper, make_question, make_topic_scores, make_topics, make_user
from tests.registry.leaderboards.boards import make_apart
from tests.registry.submissions.world import make_published, make_robust04, make_submission, make_submitted, row

#: Of no dump.
PRIVATE = (
    "reader@mail.example", "author@mail.example", "Rea Der", "Hidden Model", "hidden-author", "Draft Model",
    "whispered comment", "note for reviewers", "gone@mail.example",
    "Hushed Collection", "Hushed Measure", "hushed topic", "Hushed Table", "hushed-system", "hushed dispute",
)  # fmt: skip


def make_registry() -> Result:
    """Make a leaderboard with a disputed result, its analysis, what goes with them, and the private things beside."""
    contributor = make_user("reader", email="reader@mail.example", full_name="Rea Der")
    editor = make_user("an-editor", is_editor=True)
    apart = make_apart(
        paper=make_paper("Müller & 李 (2020)", title='=cmd|"quoted", and\nbroken', authors="Müller, Ä; 李")
    )
    asked = request_correction(result=apart, requester=contributor, kind="dispute", reason="It is published otherwise.")
    decline_correction(request=asked, actor=editor, reason="It is not.")
    board = apart.leaderboard
    labels = [f"t{number}" for number in range(board.collection.n_topics or 0)]
    make_topics(board.collection, labels)
    make_topic_scores(apart, [None, *(0.1 + 1e-9 * number for number in range(1, len(labels)))])
    make_question("Which?", ["apart"], [board.collection])
    Source.objects.create(name="test", what="Made for tests", address="https://example.org/source", licence="MIT")
    PaperLink.objects.create(
        system=apart.system, paper=make_paper(), relation="cited", source="test", recorded_at=timezone.now()
    )
    Resolution.objects.create(digest="0" * 64, content='{"a": 1}')
    gone = make_user("gone", email="gone@mail.example")
    show_dispute(request_correction(result=apart, requester=gone, kind="dispute", reason="Somebody ran it again."))
    request_correction(result=apart, requester=contributor, kind="dispute", reason="hushed dispute")
    delete_account(user=gone)
    _hand_in(contributor, editor)
    for visibility in ("private", "unlisted", "public"):
        place = begin(owner=contributor, name="Hushed Collection", visibility=visibility, topics=["hushed topic"])
        measure = add_measure(collection=place, facts={"name": "Hushed Measure"})
        hand_in_table(name="Hushed Table", measure=measure, content=b"topic,hushed-system\nhushed topic,0.5\n")
    return apart


def _hand_in(contributor: Any, editor: Any) -> None:
    """Make a published submission; a draft, and one that waits for review."""
    make_robust04()
    make_published()
    make_submission(contributor, rows=[row(system="Draft Model")], note="note for reviewers")
    author = make_user("hidden-author", email="author@mail.example")
    hidden = make_submitted(author, rows=[row(system="Hidden Model")])
    add_comment(submission=hidden, author=editor, text="whispered comment")


@contextmanager
def elsewhere() -> Iterator[None]:
    """Undo afterwards what is made inside, so that the database is empty again."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def export() -> tuple[Path, Manifest]:
    """Make a new dump; return its folder and manifest."""
    manifest = export_dump()
    return settings.DUMPS / manifest.name, manifest


def rewrite(folder: Path, **changed: Any) -> None:
    """Change what the manifest says."""
    path = folder / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))
