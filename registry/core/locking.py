"""Secrets locked with the site's own key, so that a copy of the database alone does not give them away."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from registry.core.http import TryLater


class Locked(TryLater):
    """The key that something was locked with is not there."""

    def __init__(self, purpose: str) -> None:
        reason = (
            f"What is kept as {purpose} can’t be read: the site’s own key is another one than when it was locked. "
            "The people who run the site add that key to SECRET_KEY_FALLBACKS."
        )
        super().__init__(reason, retry_after=3600)


def lock(purpose: str, content: bytes) -> bytes:
    """Return the content, encrypted with a key that stands outside of the database."""
    return _cipher(purpose).encrypt(content)


def unlock(purpose: str, locked: bytes) -> bytes:
    """Return what was locked for this purpose.

    Raises
    ------
    Locked
        If neither the site's key nor an earlier one opens it.
    """
    try:
        return _cipher(purpose).decrypt(locked)
    except InvalidToken as error:
        raise Locked(purpose) from error


def keys_of(purpose: str) -> list[bytes]:
    """Return the keys for this purpose: the one that locks, then earlier ones."""
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [hashlib.sha256(f"{purpose}: {secret}".encode()).digest() for secret in secrets]


def _cipher(purpose: str) -> MultiFernet:
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys_of(purpose)])
