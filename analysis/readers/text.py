"""Text that people type and copy: weighed, cleaned for storage, reduced for comparison, matched to what is known."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from urllib.parse import urlsplit

from analysis.readers.rejections import Refused

#: Signs stacked on one letter beyond this are not writing but an attack on the line above.
MAX_COMBINING = 8
_COMBINING_RUN = re.compile(r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{9,}")
_ALWAYS_ALLOWED = frozenset("\t\n\r")


def clean_name(text: str, *, max_length: int = 300) -> str:
    """Return the text in Unicode's composed form (NFC) on one line, with single blanks and none around it.

    Refuses what cannot be seen and could make two names look alike: control, zero-width and direction characters,
    private and unassigned ones; and towers of combining signs.
    """
    text = " ".join(text.split())
    if not (text.isascii() and text.isprintable()):
        text = unicodedata.normalize("NFC", text)
        _refuse_invisible(text)
    return _refuse_long(text, max_length)


def clean_text(text: str, *, max_length: int = 10_000) -> str:
    """Return the text as ``clean_name`` does, but with lines and blanks as they are."""
    text = text.strip()
    if not (text.isascii() and text.isprintable()):
        text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
        _refuse_invisible(text)
    return _refuse_long(text, max_length)


@lru_cache(maxsize=4096)
def comparison_key(text: str) -> str:
    """Return the form in which names are compared: compatibility characters unified (NFKC), no case, single blanks."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(text.casefold().split())


def clean_url(text: str, *, max_length: int = 500) -> str:
    """Return an absolute http or https address without user name or password; blank stays blank."""
    text = text.strip()
    if not text:
        return ""
    if not text.isprintable() or " " in text:
        raise Refused("url", f"{shorten(text)!r} has blanks or control characters in it; percent-encode them")
    try:
        parts = urlsplit(text)
        port_and_host = (parts.port, parts.hostname)
    except ValueError as error:
        raise Refused("url", f"{shorten(text)!r} is not a web address: {error}") from error
    if parts.scheme.lower() not in {"http", "https"} or not port_and_host[1]:
        raise Refused("url", f"{shorten(text)!r} is not a web address; write it in full, as https://example.org/paper")
    if "@" in parts.netloc:
        raise Refused("url", f"{shorten(text)!r} carries a user name or password; leave them out")
    return _refuse_long(text, max_length)


def nearest(word: str, known: Iterable[str], *, n: int = 1) -> list[str]:
    """Return up to ``n`` known words that are spelled most like the word, whatever the case."""
    by_key = {comparison_key(candidate): candidate for candidate in known}
    return [by_key[key] for key in get_close_matches(comparison_key(word), list(by_key), n=n, cutoff=0.6)]


def did_you_mean(word: str, known: Iterable[str], *, n: int = 1) -> str:
    """Return ``; did you mean X?``, or nothing where no known word is near."""
    matches = nearest(word, known, n=n)
    return f"; did you mean {' or '.join(matches)}?" if matches else ""


def shorten(text: str, length: int = 60) -> str:
    """Return the text, cut to fit into a message."""
    return text if len(text) <= length else text[: length - 1] + "…"


def end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Return where the pattern ends that begins at a place; the place itself where it doesn't."""
    return match.end() if (match := pattern.match(text, start)) else start


def _refuse_long(text: str, max_length: int) -> str:
    if len(text) > max_length:
        raise Refused("too_long", f"has {len(text):,} characters; the most is {max_length:,}")
    return text


def _refuse_invisible(text: str) -> None:
    for character in text:
        if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"} and character not in _ALWAYS_ALLOWED:
            name = unicodedata.name(character, "control character").lower()
            raise Refused(
                "invisible_character", f"contains U+{ord(character):04X} ({name}), which cannot be seen; delete it"
            )
    if _COMBINING_RUN.search(text):
        raise Refused("combining", f"stacks more than {MAX_COMBINING} combining signs on one letter; remove them")


#: A row that says where it is from has more characters than this.
_CHARACTERS = 100


def weigh(text: str | bytes) -> int:
    """Return as many rows as the text may be worth: its lines, or its hundreds of characters where those are more.

    A wide table has several results in a line; they are counted once it is read.

    >>> weigh("system,AP\\nBM25,0.25\\n"), weigh("x" * 10_001), weigh("")
    (2, 101, 1)
    """
    n_lines = text.count("\n") if isinstance(text, str) else text.count(b"\n")
    return max(n_lines, -(-len(text) // _CHARACTERS), 1)
