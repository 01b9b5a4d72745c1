"""Sealing what nobody is to read: not in the database, not in a copy of it, not in a dump."""

import base64
import hashlib
import hmac

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings

#: Of the one mean that an answer is.
DECIMALS = 2
_PURPOSE = "sealed judgements"


def seal(content: bytes) -> bytes:
    """The content, encrypted with a key that stands outside of the database."""
    return _cipher().encrypt(content)


def unseal(sealed: bytes) -> bytes:
    """What was sealed; raises ``cryptography.fernet.InvalidToken`` where the site's secret is another now."""
    return _cipher().decrypt(sealed)


def keyed_digest(content: bytes) -> str:
    """A digest that tells the same content from other, and tells nothing to those without the key."""
    return hmac.new(_keys()[0], content, hashlib.sha256).hexdigest()


def _cipher() -> MultiFernet:
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in _keys()])


def _keys() -> list[bytes]:
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [hashlib.sha256(f"{_PURPOSE}: {secret}".encode()).digest() for secret in secrets]
