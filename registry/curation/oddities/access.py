"""Who sees oddities and decides on them: editors all, curators those about results of their collections."""

from django.core.exceptions import PermissionDenied

from registry.accounts.access import AnyUser, is_editor, require_contributor, require_second_factor
from registry.accounts.models import User
from registry.catalog.access import is_curator
from registry.core.http import must_exist
from registry.curation.oddities.models import Oddity, OddityQuerySet


def require_curator(user: AnyUser) -> User:
    """Somebody who looks after all collections, or some."""
    person = require_contributor(user)
    if not (is_editor(person) or is_curator(person)):
        raise PermissionDenied("Only editors and curators look through what is odd.")
    require_second_factor(person)
    return person


def oddities_of(person: User) -> OddityQuerySet:
    """Those on which somebody may decide."""
    if is_editor(person):
        return Oddity.objects.all()
    return Oddity.objects.filter(result__leaderboard__collection__curators__user=person)


def get_decidable_oddity(pk: int, person: User) -> Oddity:
    """The oddity, to those who decide on it; what is another collection's is not there."""
    return must_exist(oddities_of(person).for_listing().filter(pk=pk).first(), "There is no such oddity.")
