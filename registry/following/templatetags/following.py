"""The button that pages carry of what can be followed."""

from typing import Any

from django import template
from django.urls import reverse

from registry.following.access import get_own_following
from registry.following.models import Followable

register = template.Library()


@register.inclusion_tag("following/_button.html", takes_context=True)
def follow_button(context: dict[str, Any], thing: Followable) -> dict[str, Any]:
    """Follow, or how it is followed, and the feed. For readers without account it is always the same, so that pages
    can be kept."""
    user, kind = context["user"], str(thing._meta.model_name)
    return {
        "address": reverse("following:following-edit", args=[kind, thing.pk]),
        "feed": f"{thing.get_absolute_url().removesuffix('/')}.atom",
        "is_signed_in": user.is_authenticated,
        "following": get_own_following(user, kind, thing.pk) if user.is_authenticated else None,
    }
