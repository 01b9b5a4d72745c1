"""Saying more of a paper than its results do: title, authors, BibTeX, that it was taken back."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from registry.accounts.models import User
from registry.journal.services import record
from registry.results.models import Paper
from registry.results.services.endings import required_reason

PAPER_DESCRIBED = "results.paper.described"
RETRACTION_NOTED = "results.paper.retraction_noted"


@transaction.atomic
def describe_paper(*, paper: Paper, description: Mapping[str, str], actor: User | None, reason: str = "") -> Paper:
    """The paper with what was not known of it so far; what is recorded already stays as it is."""
    paper = Paper.objects.select_for_update().get(pk=paper.pk)
    news = {name: text for name, text in description.items() if text and not getattr(paper, name)}
    return _noted(paper, news, action=PAPER_DESCRIBED, actor=actor, reason=reason)


@transaction.atomic
def note_retraction(*, paper: Paper, retraction: str, actor: User | None, reason: str) -> Paper:
    """The paper with what is said of its being taken back; blank where that turns out to be wrong.

    Its results stand: what a retraction means for each is for whoever withdraws them.
    """
    reason, retraction = required_reason(reason), " ".join(retraction.split()).rstrip(".")
    paper = Paper.objects.select_for_update().get(pk=paper.pk)
    return _noted(paper, {"retraction": retraction}, action=RETRACTION_NOTED, actor=actor, reason=reason)


def _noted(paper: Paper, said: Mapping[str, Any], *, action: str, actor: User | None, reason: str) -> Paper:
    """The paper with what is said of it, and with an entry in the journal where that is news."""
    before = {name: getattr(paper, name) for name in said}
    if before != said:
        for name, news in said.items():
            setattr(paper, name, news)
        paper.save(update_fields=list(said))
        record(action=action, subject=paper, actor=actor, reason=reason, before=before, after=dict(said))
    return paper
