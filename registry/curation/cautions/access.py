"""Who may see, answer and decide on a caution.

Whoever is signed in answers a caution; who looks after the result decides on it: 403 with the reason otherwise.
"""

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import Http404

from analysis.boards import CAUTION_CODES
from registry.accounts.access import AnyUser, require_contributor, require_second_factor
from registry.accounts.models import User
from registry.core.http import must_exist
from registry.curation.cautions.models import CautionAnswer
from registry.curation.cautions.queries import ANSWERABLE, Said, said_of, scores_of
from registry.curation.cautions.verdicts import message_of
from registry.results.access import get_visible_result, may_correct
from registry.results.models import Result


@dataclass(frozen=True, slots=True)
class GivenCaution:
    """A caution about a result, with what was said to it; ``message`` is blank where it is not given now."""

    result: Result
    code: str
    message: str
    said: Said

    @property
    def meaning(self) -> str:
        return CAUTION_CODES[self.code]

    @property
    def is_flag(self) -> bool:
        """Whether it holds the result back now."""
        return bool(self.message) and self.code in ("stands-apart", "outlier-elsewhere")


def get_visible_caution(pk: int, code: str) -> GivenCaution:
    """The caution about this result; 404 where it is neither given now, nor anything was said to it."""
    result = get_visible_result(pk)
    said = said_of(scores_of([pk]))
    message = message_of(result, code) if code in ANSWERABLE else ""
    if not (message or (code, pk) in said.decisions or (code, pk) in said.answers):
        raise Http404(f"Nothing of the kind {code} is said of result {pk}.")
    return GivenCaution(result, code, message, said)


def get_answerable_caution(pk: int, code: str, user: AnyUser) -> tuple[GivenCaution, User]:
    """The caution, for those who may answer it, and who that is."""
    person = require_contributor(user)
    caution = get_visible_caution(pk, code)
    if not caution.message:
        raise PermissionDenied("This is not said of the score any more, so there is nothing to answer.")
    return caution, person


def get_decidable_caution(pk: int, code: str, user: AnyUser) -> tuple[GivenCaution, User]:
    """The caution, for those who may decide on it, and who that is."""
    person = require_contributor(user)
    caution = get_visible_caution(pk, code)
    if not may_correct(person, caution.result):
        why = "Only editors and curators of its collection decide on this. You can say what you know about it."
        raise PermissionDenied(why)
    require_second_factor(person)
    return caution, person


def get_answer_to_withdraw(pk: int, user: AnyUser) -> tuple[CautionAnswer, User]:
    """The answer, for who gave it and for who looks after the result, and who that is; 404 once it is taken back."""
    person = require_contributor(user)
    answer = must_exist(
        CautionAnswer.objects.standing().select_related("result__leaderboard__collection").filter(pk=pk).first(),
        "There is no such answer.",
    )
    if answer.person_id != person.pk:
        if not may_correct(person, answer.result):
            raise PermissionDenied("Only who gave an answer and who looks after the result may take it back.")
        require_second_factor(person)
    return answer, person
