"""The sentences of pages as patterns: what varies, names and numbers, stands in braces."""

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_INLINE = {"a", "abbr", "b", "bdi", "code", "em", "i", "label", "s", "small", "span", "strong", "sub", "sup", "time"}
_VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "path", "circle", "line", "rect", "polygon"}
#: What is no text, or is set out elsewhere: code, and the documents that docs/ has.
_SILENT = {"script", "style", "pre", "textarea"}
#: Stands beside a name, and is no part of a sentence with it.
_APART = {"by", "why", "visually-hidden", "muted", "muted small", "mark", "mark held", "mark not"}
_READ_ALOUD = ("aria-label", "alt", "placeholder", "title", "data-label")
#: As COinS begin, which reference managers read.
_FOR_MACHINES = "ctx_ver="
_NAMES = {"bdi", "code"}
_NUMBER_WORDS = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_VARYING = re.compile(
    rf"https?://[^\s“”]+|\b10\.\d{{4,}}/\S+|\b\d{{1,2}} (?:{_MONTHS})(?: \d{{4}})?|\b[0-9a-f]{{8,64}}\b"
    rf"|(?<![\w@])[−-]?\d(?:[\d.,:\u202f]*\d)?(?:[\u00a0\u202f ]?%)?(?![\w@])|\b(?:{_NUMBER_WORDS})\b"
)
_LIST = re.compile(r"\{([^{}]*)\}((?:,? and |, | and |; | · | )\{[^{}]*\})+")
_END = re.compile(r"(?<=[.!?])(?<!\bal\.)(?<!e\.g\.)(?<!vs\.)(?<!Mr\.)(?<!\d\.)[”’)]? +(?=[A-Z“{])")
_WORD = re.compile(r"[A-Za-z]{2,}")
_MOST_WORDS_OF_A_NAME, _MOST_BEHIND = 12, 5


class _Blocks(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _INLINE or dict(attrs).get("class") in _APART:
            self._close()
        self.found.extend(value for name, value in attrs if name in _READ_ALOUD and value)
        if tag not in _VOID:
            self.open.append(tag)
        if tag in _NAMES:
            self.words.append("\x02")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in _NAMES:
            self.words.append("\x03")
        if tag not in _INLINE:
            self._close()
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not _SILENT.intersection(self.open):
            self.words.append(data)

    def _close(self) -> None:
        self.found.append("".join(self.words))
        self.words = []


def blocks_of(source: str) -> Iterator[str]:
    """What stands together on a page, names between \\x02 and \\x03."""
    reader = _Blocks()
    reader.feed(source)
    reader.close()
    for text in reader.found:
        if said := " ".join(text.replace("{", "(").replace("}", ")").split()):
            yield said


def sentences_of(source: str, names: Container[str] = frozenset()) -> set[str]:
    """Every sentence of a page, what varies in braces; what has no word of ours is left out."""
    found = set()
    for block in blocks_of(source):
        found.update(sentence.strip(" “”") for sentence in _END.split(varying(block, names)))
    return {one for one in found if _WORD.search(pattern_of(one)) and not one.startswith(_FOR_MACHINES)}


def varying(text: str, names: Container[str] = frozenset()) -> str:
    """A text with names, numbers and days in braces, and of several of them in a row one pair."""
    parts = re.split(r"\x02([^\x02\x03]*)\x03", text)
    marked = [f"{{{part}}}" if place % 2 else _named(part, names) for place, part in enumerate(parts)]
    joined = re.sub(r"[\x02\x03]", "", "".join(marked))
    listed = _LIST.sub(lambda found: f"{{{re.sub(r'[{}]', '', found[0])}}}", joined)
    parts = re.split(r"(\{[^{}]*\})", listed)
    return "".join(part if part.startswith("{") else _VARYING.sub(r"{\g<0>}", part) for part in parts)


def _named(text: str, names: Container[str]) -> str:
    words, said, place = text.split(" "), [], 0
    while place < len(words):
        for n in range(min(_MOST_WORDS_OF_A_NAME, len(words) - place), 0, -1):
            if marked := _marked(" ".join(words[place : place + n]), names):
                said.append(marked)
                place += n
                break
        else:
            said.append(words[place])
            place += 1
    return " ".join(said)


def _marked(text: str, names: Container[str]) -> str:
    """A name with what stands around it; blank where there is none."""
    rest = text.lstrip("“(")
    for n in range(_MOST_BEHIND):
        name = rest[: len(rest) - n]
        if name in names and (" " in name or _is_name(name)):
            return f"{text[: len(text) - len(rest)]}{{{name}}}{rest[len(name) :]}"
        if n < len(rest) and rest[len(rest) - n - 1] not in "’s.,;:?”)":
            break
    return ""


def _is_name(word: str) -> bool:
    """Whether one word is the name of something, and not a word that something has for a name."""
    looks_so = re.search(r"\d|[a-z][A-Z]|[A-Z]{2}|[-_/@].", word)
    return len(word) > 2 and (looks_so is not None or (word.istitle() and len(word) > 6))


def pattern_of(sentence: str) -> str:
    """A sentence without what varies."""
    return re.sub(r"\{[^{}]*\}", "{}", sentence)


@dataclass
class Patterns:
    """Patterns with the pages on which they were met: by kind of page, how many, and the shortest example."""

    kinds: dict[str, set[str]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, sentences: Iterable[str]) -> None:
        """Those of one more page."""
        shortest: dict[str, str] = {}
        for one in sentences:
            pattern = pattern_of(one)
            shortest[pattern] = min(shortest.get(pattern, one), one, key=lambda said: (len(said), said))
        for pattern, one in shortest.items():
            self.kinds.setdefault(pattern, set()).add(kind)
            self.counts[pattern] = self.counts.get(pattern, 0) + 1
            known = self.examples.get(pattern, one)
            self.examples[pattern] = min(known, one, key=lambda said: (len(said), said))
