"""What people read is in plain words: words and turns that nobody says are counted, and may only become fewer."""

import ast as python
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from fluent.syntax import ast
from fluent.syntax.visitor import Visitor

from registry.core.messages import message_files, read_messages

ROOT = Path(__file__).parents[1]
MOST_WORDS, MOST_COMMAS = 25, 2

KINDS = [
    *(f"{what} in {where}" for what in ("word", "turn", "space before %", "long sentence")
      for where in ("templates", "messages", "code", "pages")),
    "label with many commas in templates",
]  # fmt: skip
#: Of each kind as many as there are, none of the others. Whoever mends some lowers the number.
BASELINE = {
    "word in code": 41, "word in pages": 943, "turn in code": 5, "turn in pages": 9, "space before % in pages": 86,
    "long sentence in code": 20, "long sentence in pages": 0,
    "label with many commas in templates": 3,
}  # fmt: skip

_WORDS = re.compile(
    r"\b(?:prints|printed|held back|famil(?:y|ies)|toolkit(?:s?[’']s?) runs?|draws|told apart|told from|ruled out|worth"
    r"|contenders?|standing|thereof|likewise|whoever|somebody|e-mails?)\b|^Of (?:a model|it)\b",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"can.t be told|may be the best|say nothing|declares? (?:none|some|it)|nothing to train|as known|once the luck"
    r"|in truth|what is (?:done|known|said)|^Of (?:all|the) \d|by its (?:looks|maker)|is to be |, and \w+ nobody"
    r"|stands? (?:for|on|as)|goes with|takes? 0\."
)
_PERCENT = re.compile(r"(?<=[\d#}X])[ \u202f]%")
_SENTENCE_ENDS = re.compile(r"(?<=[.?!…])(?<!e\.g\.)\s+|\s[·|]\s|\n")
#: Code, records of BibTeX, lists of links and of digests.
_NO_SENTENCE = re.compile(r"[$@<{]|>>>|import |BoardRow|\[#\]\(|> #")
_LABELS = re.compile(r"<(th|label|summary|button|legend|h[1-6])\b[^>]*>(.*?)</\1>", re.DOTALL)
_TAGS = re.compile(r"{#.*?#}|{% comment.*?endcomment %}|<!--.*?-->", re.DOTALL)
_BLOCKS = re.compile(
    r"</?(?:p|li|td|th|h[1-6]|dt|dd|div|section|tr|summary|label|button|option|legend|caption|br)\b[^>]*>"
)


def _text_of(template: str) -> str:
    """Return what a template shows: a block a line, X for each value."""
    branches = re.sub(r"{% el(?:se|if\b.*?) %}", "<br>", _TAGS.sub(" ", template))
    shown = re.sub(r"{{.*?}}", "X", re.sub(r"{%.*?%}", " ", branches))
    return re.sub(r"<[^>]*>", "", _BLOCKS.sub("\n", re.sub(r"\s+", " ", shown)))


class _Texts(Visitor):
    """Collects the text of a message: the default of each choice within it, every other choice by itself."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def visit_Pattern(self, pattern: ast.Pattern) -> None:
        self.texts.append("".join(map(self._default, pattern.elements)))
        self.generic_visit(pattern)

    def _default(self, element: ast.TextElement | ast.Placeable) -> str:
        if isinstance(element, ast.TextElement):
            return str(element.value)
        if not isinstance(element.expression, ast.SelectExpression):
            return "X"
        (variant,) = (one for one in element.expression.variants if one.default)
        return "".join(map(self._default, variant.value.elements))


_CODE, _LEAST_WORDS = re.compile("`[^`]*`"), 4


def _said_in(file: Path) -> Iterator[str]:
    """Yield what forms, errors, commands and the API say: texts in code that begin with a capital, X for each value."""
    tree = python.parse(file.read_text())
    joined = {id(part) for node in python.walk(tree) for part in getattr(node, "values", ())}
    joined |= {id(node.value) for node in python.walk(tree) if isinstance(node, python.Expr)}
    for node in python.walk(tree):
        parts = node.values if isinstance(node, python.JoinedStr) else [node]
        text = _CODE.sub("X", "".join(str(one.value) if isinstance(one, python.Constant) else "X" for one in parts))
        if id(node) not in joined and len(text.split()) >= _LEAST_WORDS and text[0].isupper():
            yield text


def _texts() -> Iterator[tuple[str, str, str]]:
    """Yield where a text is from, its file and the text."""
    for file in sorted((ROOT / "templates").rglob("*.*")):
        ends = {".txt": "\n", ".xml": "><"}.get(file.suffix, "<br>")
        yield "templates", str(file.relative_to(ROOT)), _text_of(file.read_text().replace(ends, "<br>"))
    for file in message_files():
        for key, message in read_messages(file).items():
            visitor = _Texts()
            visitor.visit(message)
            yield from (("messages", key, text) for text in visitor.texts)
    for file in sorted((ROOT / "registry").rglob("*.py")):
        if "migrations" not in file.parts:
            yield from (("code", str(file.relative_to(ROOT)), text) for text in _said_in(file))
    for file in sorted((ROOT / "tests/world/approved").rglob("*.words.txt")):
        yield "pages", file.name, file.read_text()


def _found(text: str) -> Iterator[tuple[str, str]]:
    for line in filter(None, map(str.strip, text.splitlines())):
        yield from (("word", found[0]) for found in _WORDS.finditer(line))
        yield from (("turn", found[0]) for found in _TURNS.finditer(line))
        yield from (("space before %", line) for _ in _PERCENT.finditer(line))
        sentences = [one for one in _SENTENCE_ENDS.split(line) if len(one.split()) > MOST_WORDS]
        yield from (("long sentence", one) for one in sentences if not any(map(_NO_SENTENCE.match, (line, one))))


@cache
def faults() -> dict[str, list[str]]:
    """Return what is found of each kind, with its place."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for where, place, text in _texts():
        for kind, what in _found(text):
            found[f"{kind} in {where}"].append(f"{place}: {what[:200]}")
    for file in (ROOT / "templates").rglob("*.html"):
        for _, label in _LABELS.findall(file.read_text()):
            if _text_of(label).count(",") > MOST_COMMAS:
                found["label with many commas in templates"].append(f"{file.name}: {_text_of(label)}")
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_no_more_of_them(kind: str) -> None:
    found = faults()[kind]
    places = Counter(one.partition(":")[0] for one in found).most_common(5)
    assert len(found) <= BASELINE.get(kind, 0), (
        f"words for people (tests/test_words.py): {places}; the last {found[-5:]}"
    )
