"""JSON and YAML that strangers send: read with bounds on size, depth and repetition, numbers as they were written."""

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any, NoReturn, Protocol

import yaml

from analysis.readers.grids import Flaw
from analysis.readers.text import shorten

MAX_DEPTH = 32
MAX_JSON_LENGTH = 5_000_000
MAX_YAML_LENGTH = 128_000
MAX_NODES = 400_000
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?$)|[\[\]{}]', re.DOTALL)
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*+"|NaN|-?Infinity', re.DOTALL)
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class Number(str):
    """A number as it was written: ``0.30`` is not ``0.3``, and 5,000 digits are text as any other."""


def block_of(value: Any, key: str) -> Mapping[str, Any]:
    """Return the object under a key; an empty one where there is none."""
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def text_of(value: Any) -> str:
    """Return a value that is text; blank for any other."""
    return value if isinstance(value, str) else ""


def read_json(text: str) -> Any:
    """Return the value of a JSON text, with every number a ``Number``; a Flaw, with its place, if there is none."""
    text = text.removeprefix("\ufeff")
    if len(text) > MAX_JSON_LENGTH:
        raise Flaw("too_long", f"has {len(text):,} characters; the most is {MAX_JSON_LENGTH:,}", 1, fatal=True)
    _refuse_depth(text)
    try:
        return json.loads(
            text,
            parse_float=Number,
            parse_int=Number,
            parse_constant=partial(_refuse_constant, text),
            object_pairs_hook=_unique,
        )
    except json.JSONDecodeError as error:
        raise Flaw("json", f"is not JSON: {error.msg}", error.lineno, error.colno, fatal=True) from error


def _refuse_depth(text: str) -> None:
    """Refuse deep nesting before anything recursive sees the text."""
    depth = nodes = 0
    for match in _BRACKET.finditer(text):
        if match[0] in "[{":
            depth, nodes = depth + 1, nodes + 1
        elif match[0] in "]}":
            depth -= 1
        if depth > MAX_DEPTH or nodes > MAX_NODES:
            line = text.count("\n", 0, match.start()) + 1
            message = f"is nested more than {MAX_DEPTH} deep, or has more than {MAX_NODES:,} parts"
            raise Flaw("nesting", message, line, fatal=True)


def _refuse_constant(text: str, name: str) -> NoReturn:
    """Refuse the constant that the parser met: the first of its kind outside of a string."""
    start = next(match.start() for match in _CONSTANT.finditer(text) if match[0] == name)
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    message = f"{name} is not a number of JSON; leave out results that have none"
    raise Flaw("not_finite", message, line, column, fatal=True)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise Flaw("duplicate_key", f"the key {shorten(key)!a} stands twice in one object", 1, fatal=True)
        members[key] = value
    return members


def read_yaml(text: str) -> Any:
    """Return the value of a YAML text, with every scalar as text; a Flaw, with its place, where it cannot be taken.

    One document, without anchors, aliases and tags, so that a short text cannot stand for a huge one, nor make objects.
    """
    text = text.removeprefix("\ufeff")
    if len(text) > MAX_YAML_LENGTH:
        raise Flaw("too_long", f"has {len(text):,} characters; the most is {MAX_YAML_LENGTH:,}", 1, fatal=True)
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        line, column = _place_of(error.problem_mark or error.context_mark)
        raise Flaw("yaml", f"is not YAML: {error.problem or error.context}", line, column, fatal=True) from error
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        # The reader's own error: a character that YAML has no place for.
        position = getattr(error, "position", getattr(error, "start", 0)) or 0
        line = text.count("\n", 0, position) + 1
        raise Flaw("yaml", "is not YAML: it contains a character that is not allowed", line, fatal=True) from error
    return builder.document


class _Builder:
    """Puts a document together from the parser's events, without recursion."""

    def __init__(self) -> None:
        self.document: Any = None
        self._open: list[Any] = []
        #: Of the mapping that is open, while its value is waited for.
        self._key: str | None = None
        self._n_nodes = 0
        self._n_documents = 0

    def take(self, event: yaml.Event) -> None:
        line, column = _place_of(event.start_mark)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise Flaw("alias", "anchors and aliases are not taken; write the text out", line, column, fatal=True)
        if tag := _tag_of(event):
            raise Flaw("tag", f"the tag {shorten(tag)!a} is not taken", line, column, fatal=True)
        if isinstance(event, yaml.DocumentStartEvent):
            self._n_documents += 1
            if self._n_documents > 1:
                raise Flaw("several_documents", "a second document begins here", line, column, fatal=True)
        elif isinstance(event, yaml.ScalarEvent):
            self._add(event.value, line, column)
        elif isinstance(event, yaml.MappingStartEvent):
            self._begin({}, line, column)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._begin([], line, column)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()

    def _begin(self, collection: Any, line: int, column: int) -> None:
        self._add(collection, line, column)
        self._open.append(collection)
        if len(self._open) > MAX_DEPTH:
            raise Flaw("nesting", f"is nested more than {MAX_DEPTH} deep", line, column, fatal=True)

    def _add(self, value: Any, line: int, column: int) -> None:
        self._n_nodes += 1
        if self._n_nodes > MAX_NODES:
            raise Flaw("nesting", f"has more than {MAX_NODES:,} parts", line, column, fatal=True)
        if not self._open:
            self.document = value
        elif isinstance(self._open[-1], list):
            self._open[-1].append(value)
        elif self._key is None:
            if not isinstance(value, str):
                raise Flaw("key", "a key is text, not a list or a mapping", line, column, fatal=True)
            if value in self._open[-1]:
                raise Flaw("duplicate_key", f"the key {shorten(value)!a} stands twice", line, column, fatal=True)
            self._key = value
        else:
            self._open[-1][self._key] = value
            self._key = None


class _Mark(Protocol):
    """A place in a text, counted from 0, as the parser in C or in Python has it."""

    line: int
    column: int


def _place_of(mark: _Mark | None) -> tuple[int, int]:
    """Return line and column, counted from 1."""
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def _tag_of(event: yaml.Event) -> str:
    """Return the tag that is written out; blank where there is none. A lone ! only says that the text is text."""
    tag = getattr(event, "tag", None)
    return "" if tag in (None, "!") else str(tag)


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines with escapes, so that a line of the file is always one of its own."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def write_yaml(value: Any) -> str:
    """Return the value as YAML, keys in their order, each text on one line."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1_000_000)
