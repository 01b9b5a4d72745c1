"""Saying more of a paper than its results do: title, authors, venue, BibTeX."""

from collections.abc import Mapping

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
    if news:
        for name, text in news.items():
            setattr(paper, name, text)
        paper.save(update_fields=list(news))
        record(
            action=PAPER_DESCRIBED,
            subject_type="paper",
            subject_id=paper.pk,
            actor=actor,
            reason=reason,
            before=dict.fromkeys(news, ""),
            after=news,
        )
    return paper


@transaction.atomic
def note_retraction(*, paper: Paper, retraction: str, actor: User | None, reason: str) -> Paper:
    """The paper with what is said of its being taken back; blank where that turns out to be wrong.

    Its results stand: what a retraction means for each is for whoever withdraws them.
    """
    reason, retraction = required_reason(reason), " ".join(retraction.split()).rstrip(".")
    paper = Paper.objects.select_for_update().get(pk=paper.pk)
    if retraction != paper.retraction:
        record(
            action=RETRACTION_NOTED,
            subject_type="paper",
            subject_id=paper.pk,
            actor=actor,
            reason=reason,
            before={"retraction": paper.retraction},
            after={"retraction": retraction},
        )
        paper.retraction = retraction
        paper.save(update_fields=["retraction"])
    return paper
