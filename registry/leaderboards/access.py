"""Who may see and do what with leaderboards: everything published is public, so this finds or answers 404.

Whoever is signed in answers a caution; who looks after the result decides on it: 403 with the reason otherwise.
"""

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import Http404

from analysis.boards import CAUTION_CODES, read_snapshot
from registry.accounts.access import AnyUser, require_contributor, require_second_factor
from registry.accounts.models import User
from registry.catalog.access import get_visible_collection, get_visible_measure, get_visible_pair
from registry.catalog.models import Leaderboard
from registry.curation.cautions.models import CautionAnswer
from registry.curation.cautions.queries import ANSWERABLE, Said, places_of, said_of
from registry.curation.suites.models import Suite
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.suite_queries import SuiteBoard, suite_boards
from registry.leaderboards.verification import is_readable
from registry.results.access import get_visible_result, may_correct
from registry.results.models import Result

__all__ = [
    "GivenCaution",
    "get_answer_to_withdraw",
    "get_answerable_caution",
    "get_decidable_caution",
    "get_visible_caution",
    "get_visible_collection",
    "get_visible_leaderboard",
    "get_visible_measure",
    "get_visible_snapshot",
    "get_visible_suite",
    "get_visible_suite_record",
]


def get_visible_leaderboard(collection: str, measure: str) -> Leaderboard:
    """The leaderboard of this collection and measure, each by any of its names."""
    found = get_visible_pair(collection, measure)
    board = Leaderboard.objects.with_names().filter(collection=found[0], measure=found[1]).first()
    if board is None:
        raise Http404(f"No results are recorded for {found[0].slug} under {found[1].name}.")
    return board


def get_visible_suite(slug: str, measure: str | None = None) -> SuiteBoard:
    """The suite under a measure by any of its names; without one, under its first."""
    boards = suite_boards([slug])
    if not boards:
        raise Http404(f"No suite whose mean people quote is called {slug}.")
    if measure is None:
        return boards[0]
    wanted = get_visible_measure(measure)
    board = next((one for one in boards if one.measure == wanted), None)
    if board is None:
        raise Http404(f"The members of {slug} are not compared under {wanted.name}.")
    return board


def get_visible_suite_record(slug: str) -> Suite:
    """The suite of this name, whether or not people quote its mean."""
    suite = Suite.objects.filter(slug=slug).first()
    if suite is None:
        raise Http404(f"No suite is called {slug}.")
    return suite


def get_visible_snapshot(snapshot_id: str) -> Snapshot:
    """The snapshot with this id."""
    named = ("leaderboard__collection", "leaderboard__measure", "suite")
    snapshot = Snapshot.objects.select_related(*named).filter(pk=snapshot_id)
    if not snapshot:
        raise Http404(f"No snapshot has the id {snapshot_id}.")
    return snapshot[0]


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


def get_visible_caution(pk: int, code: str) -> GivenCaution:
    """The caution about this result; 404 where it is neither given now, nor anything was said to it."""
    result = get_visible_result(pk)
    said = said_of(places_of([pk]))
    message = _message(result, code) if code in ANSWERABLE else ""
    if not (message or (code, pk) in said.decisions or (code, pk) in said.answers):
        raise Http404(f"Result {pk} has no caution {code} that could be answered.")
    return GivenCaution(result, code, message, said)


def get_answerable_caution(pk: int, code: str, user: AnyUser) -> tuple[GivenCaution, User]:
    """The caution, for those who may answer it, and who that is."""
    person = require_contributor(user)
    caution = get_visible_caution(pk, code)
    if not caution.message:
        raise PermissionDenied("This caution is not given any more, so there is nothing to answer.")
    return caution, person


def get_decidable_caution(pk: int, code: str, user: AnyUser) -> tuple[GivenCaution, User]:
    """The caution, for those who may decide on it, and who that is."""
    person = require_contributor(user)
    caution = get_visible_caution(pk, code)
    if not may_correct(person, caution.result):
        raise PermissionDenied("Only editors and curators of its collection decide on a caution. You can answer it.")
    require_second_factor(person)
    return caution, person


def get_answer_to_withdraw(pk: int, user: AnyUser) -> tuple[CautionAnswer, User]:
    """The answer, for who gave it and for who looks after the result, and who that is; 404 once it is taken back."""
    person = require_contributor(user)
    answer = (
        CautionAnswer.objects.known_at(None).select_related("result__leaderboard__collection").filter(pk=pk).first()
    )
    if answer is None:
        raise Http404("There is no such answer.")
    if answer.person_id != person.pk:
        if not may_correct(person, answer.result):
            raise PermissionDenied("Only who gave an answer and who looks after the result may take it back.")
        require_second_factor(person)
    return answer, person


def _message(result: Result, code: str) -> str:
    """What the verdict in force says of this result under this code; blank where it says nothing."""
    analysis = Analysis.objects.select_related("snapshot").filter(leaderboard=result.leaderboard_id).first()
    if analysis is None or analysis.snapshot is None or not is_readable(analysis.snapshot):
        return ""
    cautions = read_snapshot(analysis.snapshot.content).findings.verdict.cautions
    return next((one.message for one in cautions if one.code == code and result.pk in one.results), "")
