"""The documents of ``docs/`` and ``data/`` as pages: methods, API, settings, data sources."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import islice, pairwise
from os.path import normpath
from pathlib import Path
from typing import Self
from urllib.parse import urldefrag
from xml.etree import ElementTree

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from markdown_it import MarkdownIt
from markdown_it.token import Token

_ROOT = settings.BASE_DIR
_DOCS = _ROOT / "docs"
#: A word of the glossary that has a method page of its own.
_HEADED = re.compile(r"^#+ (.+)$|`([a-z_]+)`", re.MULTILINE)
_GLOSSED = re.compile(r"^\| \[([^]]+)\]\(methods/([\w-]+)\.md\)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    """One page: its name in the address, title, first paragraph as plain text, and HTML."""

    name: str
    title: str
    summary: str
    html: str


@cache
def addresses() -> dict[Path, str]:
    """Return the address of every document that the site shows, by its file."""
    known = {}
    for kind, files in (("method", _methods()), ("document", _documents())):
        for name, path in files.items():
            known[path] = reverse(f"core:{kind}-detail", args=[name]) if name else reverse(f"core:{kind}-list")
    return known


def _files(folder: Path, index: str = "") -> dict[str, Path]:
    """Return the documents of a folder by their names in addresses; that of the list of all is ``index``."""
    return {index if path.stem == "README" else path.stem: path for path in sorted(folder.glob("*.md"))}


@cache
def _methods() -> dict[str, Path]:
    return _files(_DOCS / "methods")


@cache
def _documents() -> dict[str, Path]:
    """Return the files of all documents outside of docs/methods, by their names in addresses."""
    data = {"data": _ROOT / "data" / "README.md", "sources": _ROOT / "data" / "SOURCES.md"}
    return _files(_DOCS) | _files(_DOCS / "decisions", "decisions") | data


def read_method(name: str) -> Document | None:
    """Return the method page of this name, without a name the list of all; None where there is none."""
    path = _methods().get(name)
    return _read(path, name) if path else None


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a method page: words of the glossary that lead to it, headings, functions, all that it says."""

    name: str
    title: str
    summary: str
    glossed: list[str]
    headed: list[str]
    text: str


def method_subjects() -> Iterator[Subject]:
    """Yield every method page with its subject."""
    glossary = _GLOSSED.findall((_DOCS / "glossary.md").read_text(encoding="utf-8"))
    for name, path in _methods().items():
        if not name:
            continue  # The list of all.
        text = path.read_text(encoding="utf-8")
        yield Subject(
            name,
            *_opening(_markdown().parse(text)),
            [word for word, method in glossary if method == name],
            [heading or code for heading, code in _HEADED.findall(text)],
            text,
        )


def read_document(name: str) -> Document | None:
    """Return the document of this name, without a name the list of all; None where there is none. Not for methods."""
    path = _documents().get(name)
    return _read(path, name) if path else None


def section_about(name: str, subject: str) -> str:
    """Return the HTML below the headings of a document that name the subject; blank for none."""
    document = read_document(name) or read_method(name)
    sections = re.split(r"<h2[^>]*>(.*?)</h2>", document.html, flags=re.DOTALL) if document else [""]
    return "".join(text for heading, text in zip(sections[1::2], sections[2::2], strict=True) if subject in heading)


@cache
def _read(path: Path, name: str) -> Document:
    markdown = _markdown()
    tokens = markdown.parse(path.read_text(encoding="utf-8"))
    title, summary = _opening(tokens)
    _name_headings(tokens)
    for token in _walk(tokens):
        _resolve(token, path)
        _align(token)
    return Document(name, title, summary, html=markdown.renderer.render(tokens, markdown.options, {}))


def _markdown() -> MarkdownIt:
    """Return a reader of Markdown that takes no HTML, so that its result is safe whatever stands in the file."""
    markdown = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}).enable("table")
    frame = '<div class="table-frame" role="group" aria-label="Table" tabindex="0">'
    markdown.add_render_rule("table_open", lambda *_: f"{frame}<table>\n")
    markdown.add_render_rule("table_close", lambda *_: "</table></div>\n")
    for rule in ("fence", "code_block"):
        markdown.add_render_rule(rule, _code)
    return markdown


def _opening(tokens: list[Token]) -> tuple[str, str]:
    """Return the title of a document and its first paragraph."""
    first, second = islice((_plain(token) for token in tokens if token.type == "inline"), 2)
    return first, second


def _walk(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _walk(token.children or [])


def _plain(inline: Token) -> str:
    """Return the words of a paragraph or heading, without its markup."""
    words = (" " if child.type.endswith("break") else child.content for child in _walk(inline.children or []))
    return "".join(words)


def _name_headings(tokens: list[Token]) -> None:
    """Give headings the ids that other sites give them, so that links to a part of a page work everywhere."""
    seen: dict[str, int] = {}
    for heading, inline in pairwise(tokens):
        if heading.type == "heading_open":
            slug = re.sub(r"[^\w\- ]", "", _plain(inline).lower()).replace(" ", "-")
            seen[slug] = seen.get(slug, -1) + 1
            heading.attrSet("id", f"{slug}-{seen[slug]}" if seen[slug] else slug)


def _resolve(token: Token, path: Path) -> None:
    """Turn a link to another file of the repository into the address of its page, and the same for images."""
    name = {"link_open": "href", "image": "src"}.get(token.type)
    target = str(token.attrGet(name)) if name else ""
    if not target or target.startswith(("#", "/")) or ":" in target:
        return
    file, fragment = urldefrag(target)
    linked = Path(normpath(path.parent / file))
    if name == "src":
        token.attrSet("src", static(f"docs/{linked.relative_to(_DOCS / 'images').as_posix()}"))
        if linked.suffix == ".svg":
            # With its size known, the text below does not jump when the picture has loaded.
            size = ElementTree.parse(linked).getroot().attrib
            token.attrSet("width", size["width"])
            token.attrSet("height", size["height"])
    elif linked in addresses():
        token.attrSet("href", addresses()[linked] + (f"#{fragment}" if fragment else ""))


def _align(token: Token) -> None:
    """Align columns of numbers by a class: the page forbids styles in the text."""
    if token.type in {"th_open", "td_open"} and "style" in token.attrs:
        style = str(token.attrs.pop("style"))
        if style == "text-align:right":
            token.attrSet("class", "number")


def _code(renderer: object, tokens: list[Token], index: int, *_: object) -> str:
    """Return a block of code that can be scrolled from the keyboard."""
    return f'<pre tabindex="0"><code>{escape(tokens[index].content)}</code></pre>\n'


@dataclass(frozen=True, slots=True)
class LiveExample:
    """A page on which a method is at work, with its statement if that is one sentence."""

    title: str
    url: str
    sentence: str = ""

    @classmethod
    def at(cls, title: str, view: str, *names: object) -> Self:
        """Return the page of a view, about what ``names`` say."""
        return cls(title, reverse(view, args=names))


Finder = Callable[[], LiveExample | None]

#: Who finds a page for a method.
FINDERS: dict[str, list[Finder]] = defaultdict(list)


def register_live_example(find: Finder, *methods: str) -> None:
    """Have the pages of these methods lead to the page that ``find`` returns; None if there is none yet."""
    for method in methods:
        if find not in FINDERS[method]:
            FINDERS[method].append(find)


def live_examples(method: str) -> list[LiveExample]:
    """Return the pages of today on which a method is at work."""
    return [example for find in FINDERS.get(method, []) if (example := find()) is not None]
