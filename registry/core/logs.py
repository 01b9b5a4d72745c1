"""The log, without what would let its reader in: links that work once, tokens, cookies."""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

#: The name of the request, job or routine at hand, in every line about it and in the answer; blank outside of these.
request_id: ContextVar[str] = ContextVar("request_id", default="")


@contextmanager
def about(name: str) -> Iterator[None]:
    """Meanwhile lines of the log are about this job or routine."""
    token = request_id.set(name)
    try:
        yield
    finally:
        request_id.reset(token)


#: Each pattern has a group for what stands before the secret, which stays.
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


class AsJson(WithoutKeys):
    """The same as one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "request": request_id.get(),
            "logger": record.name,
            "message": without_keys(record.getMessage()),
        }
        if record.exc_info:
            line["traceback"] = without_keys(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def without_keys(text: str) -> str:
    """Return the text with ``[key]`` in place of each secret."""
    for secret in _SECRETS:
        text = secret.sub(r"\1[key]", text)
    return text


def log_to_console(choice: str) -> dict[str, Any]:
    """Return logging for the settings: a line for each record of the level and above; JSON after ``WARNING JSON``."""
    level, *form = choice.split()
    logging.captureWarnings(True)  # Python's would be printed as they are.
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "plain": {
                "()": f"registry.core.logs.{'AsJson' if form else 'WithoutKeys'}",
                "format": "%(asctime)s %(levelname)s %(request_id)s %(name)s: %(message)s",
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
        "loggers": {
            # All of Django's goes through ours: its own handlers print whole addresses.
            "django": {"handlers": []},
            "django.db.backends": {"level": "INFO"},  # It would print every query with its values.
            "django.server": {"handlers": ["console"], "propagate": False},
        },
        "root": {"handlers": ["console"], "level": level},
    }
