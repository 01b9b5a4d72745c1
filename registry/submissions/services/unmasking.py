"""Looking up who handed an anonymous submission in: by administrators alone, with a reason that everybody can read."""

import re

from django.core.exceptions import ValidationError
from django.db import transaction

from registry.accounts.models import User
from registry.journal.models import Entry
from registry.journal.services import record
from registry.submissions.models import Submission
from registry.submissions.queries.changes import SUBJECT, UNMASKED, is_hidden_contributor, unmasking_by
from registry.submissions.services.telling import tell_contributor_later


@transaction.atomic
def unmask_contributor(*, submission: Submission, actor: User, reason: str) -> Entry:
    """The entry of the public log; from then on ``actor``, and nobody else, is shown the contributor's name.

    Where the reason names the contributor, the entry does not. The contributor is told by mail. A second time by the
    same person is the first.

    Raises
    ------
    ValidationError
        If there is no reason, or if the name is not kept back any more.
    """
    reason = reason.strip()
    # One at a time, so that two clicks at the same moment are one.
    submission = Submission.objects.select_for_update().get(pk=submission.pk)
    known = unmasking_by(submission, actor)
    if known:
        return known
    if not is_hidden_contributor(submission):
        raise ValidationError("the name is not kept back any more; the page shows it", code="known")
    if not reason:
        raise ValidationError("say why: everybody can read the reason", code="reason")
    # Left out and not refused: a refusal would tell whoever tries one name after the other, without a trace. Nothing
    # else about the submission either: the entry is public, the submission is not.
    reason = _without_names(reason, submission.contributor)
    entry = record(action=UNMASKED, subject_type=SUBJECT, subject_id=submission.pk, actor=actor, reason=reason)
    tell_contributor_later(submission)
    return entry


def _without_names(text: str, person: User) -> str:
    """The text with “[contributor]” in place of each of the person's names, as words of their own."""
    names = {person.username, person.email, person.email.partition("@")[0], person.orcid, person.full_name}
    names |= {word for word in person.full_name.split() if len(word) > 1}
    longest_first = sorted(filter(None, names), key=len, reverse=True)
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"
    return re.sub(pattern, "[contributor]", text, flags=re.IGNORECASE)
