"""Access: each returns what was asked for, or raises 403 with the reason, or 404 for what is hidden."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeGuard

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from registry.accounts.models import ApiToken, User
from registry.core.http import must_exist
from registry.core.refusals import SIGN_IN_FIRST, refuse

AnyUser = User | AnonymousUser
View = Callable[..., HttpResponse]


def sign_in_first(view: View) -> View:
    """Return the view for people who are signed in; to all others it hands back the form that they sent, filled."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        return (
            refuse(request, SIGN_IN_FIRST) if request.method == "POST" else redirect_to_login(request.get_full_path())
        )

    return checked


def has_second_factor(user: User) -> bool:
    """Return whether somebody signs in with a code besides the password."""
    return bool(Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists())


def require_contributor(user: AnyUser) -> User:
    """Return the user who is signed in."""
    if not isinstance(user, User) or not user.is_active:
        raise PermissionDenied("Sign in first.")
    return user


def is_editor(user: AnyUser) -> TypeGuard[User]:
    """Return whether the role is that of an editor, or more; for deciding what to show."""
    return isinstance(user, User) and user.is_active and user.role != User.Role.CONTRIBUTOR


def require_editor(user: AnyUser) -> User:
    """Return the user, who is an editor or administrator."""
    editor = require_contributor(user)
    if not is_editor(editor):
        raise PermissionDenied("Only editors may do this.")
    require_second_factor(editor)
    return editor


def require_administrator(user: AnyUser) -> User:
    """Return the user, who is an administrator."""
    administrator = require_contributor(user)
    if administrator.role != User.Role.ADMINISTRATOR:
        raise PermissionDenied("Only administrators may do this.")
    require_second_factor(administrator)
    return administrator


def require_second_factor(user: User) -> None:
    """Refuse (403) those with rights over others' work and no second factor, where the site requires one."""
    if settings.PLUMBLINE_REQUIRE_SECOND_FACTOR and not has_second_factor(user):
        raise PermissionDenied("This needs a second factor. Set one up under your account, then come back.")


def get_public_person(username: str) -> User:
    """Return somebody with a public page; 404 for the others."""
    return must_exist(
        User.objects.public().named(username).prefetch_related("curated__collection").first(),
        "There is nobody of this name.",
    )


def get_existing_person(username: str) -> User:
    """Return somebody with an account; 404 where there is none."""
    return must_exist(User.objects.existing().named(username).first(), "There is no account of this name.")


def get_own_token(user: User, pk: int) -> ApiToken:
    """Return one of the user's own tokens; 404 for those of others."""
    return must_exist(user.api_tokens.filter(pk=pk).first(), "There is no such token.")
