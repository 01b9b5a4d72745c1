"""Pages as a reader has them: words, headings, links and tables, taken from the HTML without a browser."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client

_INLINE = {"a", "b", "bdi", "code", "em", "s", "span", "strong"}
_VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta"}


@dataclass
class Page:
    """What one page says. ``rows`` has the cells of every row of every table; ``classes`` those of the rows."""

    status: int
    source: str
    title: str = ""
    words: list[str] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Everything that can be read, with single blanks."""
        return " ".join("".join(self.words).split())

    def link(self, text: str) -> str:
        """Return where the only link with this text leads."""
        (address,) = {address for address, words in self.links if words == text}
        return address

    def row(self, text: str) -> list[str]:
        """The only row with a cell of this text."""
        (row,) = [row for row in self.rows if text in row]
        return row

    def of(self, tag: str) -> list[dict[str, str]]:
        """The attributes of every element of this kind."""
        return [attributes for name, attributes in self.elements if name == tag]


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        self.open: list[str] = []
        self.parts: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.page.elements.append((tag, attributes))
        self._separate(tag)
        if tag in _VOID:
            return
        self.open.append(tag)
        if tag == "tr":
            self.page.rows.append([])
            self.page.classes.append(attributes.get("class", ""))
        self.parts[tag] = []
        if tag == "a":
            self.page.links.append((attributes.get("href", ""), ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes something else"
        self._separate(tag)
        text = " ".join("".join(self.parts.get(tag, [])).split())
        if tag == "title":
            self.page.title = text
        elif tag in {"h1", "h2", "h3"}:
            self.page.headings.append((int(tag[1]), text))
        elif tag == "a":
            self.page.links[-1] = (self.page.links[-1][0], text)
        elif tag in {"td", "th"}:
            self.page.rows[-1].append(text)

    def _separate(self, tag: str) -> None:
        if tag not in _INLINE:
            self.page.words.append(" ")

    def handle_data(self, data: str) -> None:
        if "script" in self.open:
            return
        self.page.words.append(data)
        for tag in set(self.open):
            self.parts.setdefault(tag, []).append(data)


def read(client: Client, path: str, *, status: int = 200, **headers: Any) -> Page:
    """The page at this address, which must answer with this status and close every element that it opens."""
    response = client.get(path, headers=headers or None)
    assert response.status_code == status, response.content.decode()[:2000]
    return page_of(response)


def page_of(response: HttpResponse) -> Page:
    """The page that was answered, which must close every element that it opens."""
    page = Page(response.status_code, response.content.decode())
    reader = _Reader(page)
    reader.feed(page.source)
    assert not reader.open, f"{reader.open} are never closed"
    return page
