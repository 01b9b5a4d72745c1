"""What is read of an answer: its words, in which a # stands for each number, and the numbers apart.

A change of wording leaves the numbers equal to the byte: of prose they are sorted, whatever sentence they stand in;
of tables, files and drawings they stand in their order.
"""

import json
import re
import zipfile
from html.parser import HTMLParser
from io import BytesIO
from typing import Any

from django.http import HttpResponseBase

#: A day, a time or a number that is no part of a name.
_NUMBER = re.compile(
    r"\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|\+00:00)?)?"
    r"|(?<![\w@./#:-])[-−+±]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?(?![\w@]|\.\d)"
)
_RANDOM = re.compile(
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{12,64}\b"
    r"|(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{43}(?![\w-])|\bplumb_[\w-]+"
)
#: The size of a packed file, on which no two machines agree.
_SIZE = re.compile(r"\b[\d.]+(?=[ \u00a0](?:bytes|KB|MB)\b)")
_DIGITS = 9


class Words:
    """The lines of a text, and the numbers that stood in them."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names
        self.lines: list[str] = []
        self.numbers: list[str] = []
        self.prose: list[str] = []

    def say(self, text: str) -> None:
        """Add a line of prose; of a number alone, as at an axis, the number."""
        line = self.without(text)
        if line != "#":
            self.lines.append(line)

    def without(self, text: str) -> str:
        """Return prose with a # for each number, which is noted."""
        return self._without(text, self.prose)

    def row(self, cells: list[str], between: str = " | ") -> None:
        """Add a line of cells, whose numbers stand in their order."""
        numbers: list[str] = []
        self.lines.append(between.join(self._without(cell, numbers) for cell in cells))
        if numbers:
            self.numbers.append(" ".join(numbers))

    def _without(self, text: str, numbers: list[str]) -> str:
        """Return the text without its numbers, which are added to those before; links are words."""
        parts = re.split(r"(\]\([^)]*\)|https?://[^\s\"<>]+)", self.named(text))
        for place in range(0, len(parts), 2):
            numbers += _NUMBER.findall(parts[place])
            parts[place] = _NUMBER.sub("#", parts[place])
        return "".join(parts)

    def named(self, text: str) -> str:
        """Return the text with what is random in it called by what it is."""
        for key, name in self.names.items():
            text = text.replace(key, f"<{name}>")
        return _SIZE.sub("<size>", _RANDOM.sub("<id>", text))

    def texts(self) -> tuple[str, str]:
        """Return the words and the numbers, as they are kept."""
        lines = self.numbers + (["in words: " + " ".join(sorted(self.prose, key=_value))] if self.prose else [])
        return "\n".join(self.lines) + "\n", "\n".join(lines) + "\n" if lines else ""


def read_answer(response: HttpResponseBase, names: dict[str, str], *, is_whole: bool = False) -> tuple[str, str]:
    """Return words and numbers of an answer; of a page what stands in its main part, unless it is wanted whole."""
    words = Words(names)
    kind = response.get("Content-Type", "").partition(";")[0]
    head = [str(response.status_code), kind, *(response[name] for name in _HEADERS if name in response)]
    words.lines.append(words.named(" ".join(head)))
    content = response.getvalue() if response.status_code not in (301, 302, 304) else b""
    if kind == "text/html":
        _Page(words, is_whole).feed(content.decode())
    elif kind.endswith("json"):
        _read_json(words, json.loads(content))
    elif kind == "image/png":
        words.row(["size", *(str(int.from_bytes(content[place : place + 4])) for place in (16, 20))])
    elif kind == "image/svg+xml":
        _Page(words, is_whole=True).feed(content.decode())
    elif kind == "application/zip":
        words.lines += sorted(zipfile.ZipFile(BytesIO(content)).namelist())
    else:
        for line in content.decode().replace("><", ">\n<").splitlines():
            words.row([line])
    return words.texts()


_HEADERS = ("Location", "Content-Disposition")


def _value(number: str) -> tuple[float, str]:
    try:
        return float(number.replace(",", "").replace("−", "-").replace("±", "")), number
    except ValueError:
        return float("inf"), number


def _read_json(words: Words, value: Any) -> None:
    """Write lines of JSON with a # for each number; numbers as they come, those of one object or list on a line."""
    plain = json.dumps(_lifted(words, value), ensure_ascii=False, indent=1)
    words.lines += plain.replace('"#"', "#").splitlines()


def _lifted(words: Words, value: Any) -> Any:
    """Return the value with a # in place of each number, which is noted."""
    if isinstance(value, dict):
        parts = [f"{key} {_short(child)}" for key, child in value.items() if _is_number(child) and key != "bytes"]
        words.numbers += [" ".join(parts)] if parts else []
        return {key: _lifted(words, child) for key, child in value.items()}
    if isinstance(value, list):
        if value and all(_is_number(child) or child is None for child in value):
            words.numbers.append(" ".join("null" if child is None else _short(child) for child in value))
            return f"# × {len(value)}" if len(value) > 3 else ["#"] * len(value)
        return [_lifted(words, child) for child in value]
    if isinstance(value, str):
        return words.without(value)
    return "#" if _is_number(value) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _short(number: float) -> str:
    """Return a number in as many digits as two machines agree on."""
    return str(number) if isinstance(number, int) else f"{number:.{_DIGITS}g}"


_VOID = {*("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr")}
_UNREAD = {"script", "style", "template", "noscript"}
_BLOCKS = {
    *("p", "div", "section", "article", "ul", "ol", "li", "dl", "dt", "dd", "form", "fieldset", "legend", "figure"),
    *("figcaption", "header", "footer", "nav", "main", "details", "summary", "h1", "h2", "h3", "h4", "tr", "caption"),
    *("table", "thead", "tbody", "tfoot", "pre", "blockquote", "title", "text", "svg", "option", "select", "textarea"),
    *("aside", "br", "hr", "address", "label", "button", "datalist"),
}
_GEOMETRY = ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height", "d", "points", "transform")
_BEFORE = {"h1": "# ", "h2": "## ", "h3": "### ", "h4": "#### ", "li": "- ", "legend": "* ", "summary": "> "}


class _Page(HTMLParser):
    """A page as it is read: blocks on lines, cells between bars, where links lead, what is in the fields of forms."""

    def __init__(self, words: Words, is_whole: bool) -> None:
        super().__init__()
        self.words = words
        self.open: list[str] = []
        self.is_read = is_whole
        self.block = ""
        self.cells: list[str] | None = None
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.is_read |= tag == "main"
        if tag == "meta" and attributes.get("name") == "description":
            self.words.say(f"description: {attributes['content']}")
        if tag not in _VOID:
            self.open.append(tag)
        if not self.is_read and tag != "title":
            return
        if tag in _BLOCKS:
            self._end_block()
            self.block = _BEFORE.get(tag, "")
        if tag == "tr":
            self.cells = []
        elif tag == "a":
            self.links.append(attributes.get("href", ""))
            self.block += "["
        elif tag == "img":
            self.block += f"![{attributes.get('alt', '')}]({attributes.get('src', '')})"
        elif tag in {"input", "select", "textarea", "button"}:
            self._field(tag, attributes)
        elif tag == "option":
            self.block = "(x) " if "selected" in attributes else "( ) "
        elif tag == "form" and attributes.get("method", "").lower() == "post":
            self.words.lines.append(self.words.named(f"form to {attributes.get('action') or 'here'}"))
        elif "svg" in self.open:
            self._geometry(tag, attributes)

    def _field(self, tag: str, attributes: dict[str, str]) -> None:
        name, kind = attributes.get("name", ""), attributes.get("type", tag)
        if name == "csrfmiddlewaretoken":
            return
        value = f"={attributes['value']}" if "value" in attributes else ""
        checked = " (x)" if "checked" in attributes else ""
        self.block += f" <{kind} {name}{value}{checked}> "

    def _geometry(self, tag: str, attributes: dict[str, str]) -> None:
        places = [attributes[name] for name in _GEOMETRY if attributes.get(name)]
        if places:
            numbers = re.findall(r"-?\d+(?:\.\d+)?", " ".join(places))
            self.words.numbers.append(f"{tag} {' '.join(numbers)}")

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass
        if not self.is_read and tag != "title":
            return
        if tag == "a":
            self.block += f"]({self.links.pop()})"
        elif tag in {"td", "th"} and self.cells is not None:
            self.cells.append(" ".join(self.block.split()))
            self.block = ""
        elif tag == "tr" and self.cells is not None:
            cells, self.cells = self.cells, None
            self.words.row(cells)
        elif tag in _BLOCKS:
            self._end_block()
        if tag == "main":
            self.is_read = False

    def _end_block(self) -> None:
        text = " ".join(self.block.split())
        if self.cells is not None and ("td" in self.open or "th" in self.open):
            self.block = text + " " if text else ""
            return
        if text and text not in {mark.strip() for mark in _BEFORE.values()}:
            self.words.say(text)
        self.block = ""

    def handle_data(self, data: str) -> None:
        if (self.is_read or self.open[-1:] == ["title"]) and not _UNREAD & {*self.open}:
            self.block += data

    def close(self) -> None:
        super().close()
        self._end_block()
