"""The button that pages carry of what can be followed."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse

from registry.accounts.access import AnyUser
from registry.accounts.models import User
from registry.following.access import get_own_following
from registry.following.models import Followable, Following

register = template.Library()


@dataclass(frozen=True, slots=True)
class OwnFollowing:
    """Whether somebody follows a thing, and where they say so."""

    address: str
    following: Following | None


@register.inclusion_tag("following/_button.html", takes_context=True)
def follow_button(context: dict[str, Any], thing: Followable, *, feed: bool = True) -> dict[str, Any]:
    """Follow, or how it is followed, and the feed where it stands here.

    Whether it is followed is a reader's own (``core.own_parts``).
    """
    return {
        "about": f"{thing._meta.model_name} {thing.pk}",
        "feed": f"{thing.get_absolute_url().removesuffix('/')}.atom" if feed else "",
        "user": context["user"],
    }


@register.simple_tag
def following_of(user: AnyUser, about: str) -> OwnFollowing:
    """How a thing, by its kind and id, is followed by whoever reads of it."""
    kind, _, pk = about.partition(" ")
    following = get_own_following(user, kind, int(pk)) if isinstance(user, User) else None
    return OwnFollowing(reverse("following:following-edit", args=[kind, pk]), following)
