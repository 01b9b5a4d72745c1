"""Programs that act for people: ``Authorization: Bearer plumb_…``."""

from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from registry.accounts.models import ApiToken, User
from registry.accounts.services import digest_of_token, note_use
from registry.core.http import AT_HEADERS


class TokenAuthentication(BaseAuthentication):
    """The owner of the token, with the token as ``request.auth``; 401 with the reason for one that opens nothing."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        digest = digest_of_token(secret.strip()) if secret.isascii() else ""
        token = _live(ApiToken.objects.select_related("user").filter(digest=digest).first())
        if AT_HEADERS not in request.META:
            note_use(token=token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="plumbline"'


def _live(token: ApiToken | None) -> ApiToken:
    if token is None or not token.user.is_active:
        raise AuthenticationFailed("There is no such token.", code="unknown_token")
    if token.revoked_at is not None:
        raise AuthenticationFailed("This token was revoked.", code="revoked_token")
    if token.expires_at <= timezone.now():
        raise AuthenticationFailed(f"This token expired on {token.expires_at:%Y-%m-%d}.", code="expired_token")
    return token


class TokenHasScope(BasePermission):
    """403 where the token's scopes leave out what the view needs: ``read`` for reading, else the view's ``scope``.

    Who is signed in in a browser has no token, and all scopes.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        reading = request.method in SAFE_METHODS
        require_scope(request, ApiToken.Scope.READ if reading else getattr(view, "scope", ApiToken.Scope.SUBMIT))
        return True


def require_scope(request: Request, needed: str) -> None:
    """Refuse (403), naming the scope, a request whose token lacks it."""
    token = request.auth
    if isinstance(token, ApiToken) and not token.allows(needed):
        scopes = ", ".join(token.scopes)
        raise PermissionDenied(f"This needs a token with the scope “{needed}”; this one has: {scopes}.", "wrong_scope")
