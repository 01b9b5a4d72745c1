"""What the button of what can be followed asks."""

from django import template

from registry.accounts.models import User
from registry.following.access import get_own_following
from registry.following.models import Following

register = template.Library()


@register.simple_tag
def following_of(user: User, kind: str, pk: int | str) -> Following | None:
    """How somebody who is signed in follows a thing, by its kind and id; None where they don't."""
    return get_own_following(user, kind, int(pk))
