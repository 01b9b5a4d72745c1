"""Sealing what nobody is to read: not in the database, not in a copy of it, not in a dump."""

import hashlib
import hmac

from registry.core.locking import keys_of, lock, unlock

#: Of the one mean that an answer is.
DECIMALS = 2
_PURPOSE = "sealed judgements"


def seal(content: bytes) -> bytes:
    """The content, encrypted with a key that stands outside of the database."""
    return lock(_PURPOSE, content)


def unseal(sealed: bytes) -> bytes:
    """What was sealed; raises ``registry.core.locking.Locked`` where the site's secret is another now."""
    return unlock(_PURPOSE, sealed)


def keyed_digest(content: bytes) -> str:
    """A digest that tells the same content from other, and tells nothing to those without the key."""
    return hmac.new(keys_of(_PURPOSE)[0], content, hashlib.sha256).hexdigest()
