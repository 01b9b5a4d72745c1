"""What the log says, without what would let its reader in: links that work once, tokens, cookies."""

import logging
import re
from contextvars import ContextVar
from typing import Any

#: What the request that is answered here is called, in its answer and in every line about it; blank outside of one.
request_id: ContextVar[str] = ContextVar("request_id", default="")

#: Each keeps what stands before the secret.
_SECRETS = [
    re.compile(r"(/accounts/(?:password/reset/key|confirm-email)/)[^/\s?#\"'<>]+"),
    re.compile(
        r"(/runs/(?:own/)?)[^/\s?#\"'<>]+"
        r"(?:/(?:studies|boards|measures)/[^/\s?#\"'<>]+|/figures/[^/\s?#\"'<>]+(?:/[^/\s?#\"'<>]+)?)*"
    ),
    re.compile(r"\b(plumb_)[\w-]+"),
    re.compile(r"\b((?:__Host-)?(?:sessionid|csrftoken)=)[^\s;,\"'<>]+"),
    re.compile(r"([?&](?:code|state|key|token)=)[^\s&#\"'<>]+"),
]


class WithoutKeys(logging.Formatter):
    """The usual lines, tracebacks too, with ``[key]`` in place of each secret, and the request that they are about."""

    def format(self, record: logging.LogRecord) -> str:
        record.request_id = request_id.get() or "-"
        return without_keys(super().format(record))


def without_keys(text: str) -> str:
    """The text with ``[key]`` in place of each secret."""
    for secret in _SECRETS:
        text = secret.sub(r"\1[key]", text)
    return text


def log_to_console(level: str) -> dict[str, Any]:
    """Logging for the settings: everything of this level and above, in one line each."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "plain": {
                "()": "registry.core.logs.WithoutKeys",
                "format": "%(asctime)s %(levelname)s %(request_id)s %(name)s: %(message)s",
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
        "loggers": {
            # All of Django's goes through ours: its own handlers print whole addresses.
            "django": {"handlers": []},
            # It would print every query with its values.
            "django.db.backends": {"level": "INFO"},
            "django.server": {"handlers": ["console"], "propagate": False},
        },
        "root": {"handlers": ["console"], "level": level},
    }
