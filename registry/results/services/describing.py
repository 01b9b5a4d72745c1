"""Saying more of a paper than its results do: title, authors and who they are, BibTeX, that it was taken back,
whether it tests for significance."""

import re
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from registry.accounts.models import User
from registry.journal.services import record
from registry.results.models import Paper
from registry.results.services.endings import required_reason

PAPER_DESCRIBED = "results.paper.described"
RETRACTION_NOTED = "results.paper.retraction_noted"
AUTHORS_IDENTIFIED = "results.paper.authors_identified"
SIGNIFICANCE_NOTED = "results.paper.significance_noted"

_ORCID = re.compile(r"(?:https://orcid\.org/)?([0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X])")


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


@transaction.atomic
def note_significance(
    *, paper: Paper, reports: bool | None, said: str, actor: User, reason: str, may_change: bool
) -> Paper:
    """The paper with whether it tests differences for significance, as a reader found; None where nobody can tell.

    Raises
    ------
    ValidationError
        If it tests and nothing says which test and where, or if somebody answered before and ``may_change`` is false.
    """
    reason, said = required_reason(reason), " ".join(said.split()).rstrip(".")
    paper = Paper.objects.select_for_update().get(pk=paper.pk)
    if paper.reports_significance is not None and not may_change:
        raise ValidationError("Somebody has answered this; if that is wrong, tell an editor.", code="answered")
    if reports and not said:
        raise ValidationError({"said": "which test, and where does the paper say so?"}, code="unsaid")
    news = {"reports_significance": reports, "significance_said": said if reports else ""}
    return _noted(paper, news, action=SIGNIFICANCE_NOTED, actor=actor, reason=reason)


@transaction.atomic
def identify_authors(*, paper: Paper, orcids: str, actor: User, reason: str) -> Paper:
    """The paper with these ORCID iDs of its authors, given with blanks, commas or lines between."""
    reason = required_reason(reason)
    paper = Paper.objects.select_for_update().get(pk=paper.pk)
    found = list(dict.fromkeys(_checked_orcid(text) for text in re.split(r"[\s,;]+", orcids) if text))
    return _noted(paper, {"author_orcids": found}, action=AUTHORS_IDENTIFIED, actor=actor, reason=reason)


def _noted(paper: Paper, said: Mapping[str, Any], *, action: str, actor: User | None, reason: str) -> Paper:
    """The paper with what is said of it, and with an entry in the journal where that is news."""
    before = {name: getattr(paper, name) for name in said}
    if before != said:
        for name, news in said.items():
            setattr(paper, name, news)
        paper.save(update_fields=list(said))
        # The log calls ORCID iDs what the form calls them.
        told = [{name.removeprefix("author_"): value for name, value in one.items()} for one in (before, said)]
        record(action=action, subject=paper, actor=actor, reason=reason, before=told[0], after=told[1])
    return paper


def _checked_orcid(text: str) -> str:
    match = _ORCID.fullmatch(text)
    if not match or not _has_right_check_digit(match[1].replace("-", "")):
        raise ValidationError(
            {"orcids": f"{text[:60]} is no ORCID iD; it looks like 0000-0002-1825-0097"}, code="orcid"
        )
    return match[1]


def _has_right_check_digit(digits: str) -> bool:
    """ISO 7064 MOD 11-2, as ORCID iDs have it."""
    total = 0
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == digits[-1]
