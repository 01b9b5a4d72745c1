"""The sentences of the site: each app keeps its own in ``messages.ftl``, in Fluent's format.

Code names a message and gives its variables; numbers, plurals and choices between words are the message's own.
``docs/decisions/0025-messages.md`` says why.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import ast

FILE = "messages.ftl"


def say(key: str, /, **values: Any) -> str:
    """Return a message as plain text, with these values.

    Raises
    ------
    KeyError
        If no app has such a message.
    ValueError
        If it names a variable that is not given.
    """
    pattern = _bundle().get_message(key).value
    if pattern is None:
        raise KeyError(key)
    text, errors = _bundle().format_pattern(pattern, values)
    if errors:
        raise ValueError(f"{key}: {errors[0]}")
    return str(text)


def say_html(key: str, /, **values: Any) -> SafeString:
    """Return a message as HTML: values are escaped unless they are HTML already, and the message may hold elements."""
    escaped = {name: conditional_escape(value) if isinstance(value, str) else value for name, value in values.items()}
    return mark_safe(say(key, **escaped))


def message_files() -> Iterator[Path]:
    """Yield the file of each app that has messages."""
    for app in apps.get_app_configs():
        file = Path(app.path, FILE)
        if app.name.startswith("registry.") and file.is_file():
            yield file


def read_messages(file: Path) -> dict[str, ast.Message]:
    """Return the messages of a file by their keys.

    Raises
    ------
    ValueError
        If a line can't be read, or a key stands twice.
    """
    messages: dict[str, ast.Message] = {}
    for entry in FluentResource(file.read_text(encoding="utf-8")).body:
        if isinstance(entry, ast.Junk):
            start = (entry.content or "").partition("\n")[0]
            raise ValueError(f"{file} can't be read from “{start}” on.")
        if isinstance(entry, ast.Message):
            if entry.id.name in messages:
                raise ValueError(f"{file}: {entry.id.name} stands twice.")
            messages[entry.id.name] = entry
    return messages


#: English with narrow spaces between thousands, as everywhere on the site. Scores are given as text.
_LOCALE = "en-FR"


def load_messages() -> None:
    """Read the messages of all apps, so that no reader waits for it, and what can't be read stops the site."""
    _bundle()


@cache
def _bundle() -> FluentBundle:
    bundle = FluentBundle([_LOCALE], use_isolating=False)
    known: set[str] = set()
    for file in message_files():
        messages = read_messages(file)
        if known & messages.keys():
            raise ValueError(f"{file}: {min(known & messages.keys())} is a message of another app.")
        known |= messages.keys()
        bundle.add_resource(ast.Resource([*messages.values()]))
    return bundle
