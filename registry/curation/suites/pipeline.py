"""Reading files of suites: one row becomes a suite or a member, or is refused."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record, parse_cells
from analysis.readers.text import clean_name, clean_text, clean_url, comparison_key
from registry.catalog.pipeline import required_name
from registry.catalog.queries import CatalogNames

SUITES_FILE, MEMBERS_FILE = "suites.csv", "suite_members.csv"
SUITE_COLUMNS = ("slug", "name", "is_zero_shot", "is_average", "is_screen", "description", "source", "url")
MEMBER_COLUMNS, MAY_LACK = ("suite", "collection", "measure", "part_of", "has_training_part"), ("task",)

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_FLAGS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class SuiteOfFile:
    """A suite as a file describes it."""

    slug: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member of a suite, or a part of a member; ``part_of`` is the collection of the whole."""

    line: int
    suite: str
    collection_id: int
    measure_id: int
    part_of: int | None
    has_training_part: bool
    task: str

    @property
    def key(self) -> tuple[str, int, int]:
        """The key that no other row may have."""
        return self.suite, self.collection_id, self.measure_id

    @property
    def fields(self) -> tuple[int, int, int | None, bool, str]:
        """The values that are recorded."""
        return self.collection_id, self.measure_id, self.part_of, self.has_training_part, self.task


def parse_suite(record: Record) -> SuiteOfFile | list[Rejection]:
    """Read a row of ``suites.csv``."""
    parsers: dict[str, Callable[[str], Any]] = {
        "slug": _slug,
        "name": required_name(200),
        "is_zero_shot": _flag,
        "is_average": _flag,
        "is_screen": _flag,
        "description": clean_text,
        "source": required_name(300),
        "url": clean_url,
    }
    fields, rejections = parse_cells(record.cells, parsers, record.line)
    return rejections or SuiteOfFile(fields.pop("slug"), fields)


def parse_member(record: Record, names: CatalogNames) -> MemberRow | list[Rejection]:
    """Read a row of ``suite_members.csv``."""
    parsers: dict[str, Callable[[str], Any]] = {
        "suite": _slug,
        "collection": lambda text: names.collection(text).pk,
        "measure": lambda text: names.measure(text).pk,
        "part_of": lambda text: names.collection(text).pk if text.strip() else None,
        "has_training_part": _flag,
        "task": lambda text: clean_name(text, max_length=100) if text.strip() else "",
    }
    fields, rejections = parse_cells(record.cells, parsers, record.line)
    if rejections:
        return rejections
    return MemberRow(record.line, collection_id=fields.pop("collection"), measure_id=fields.pop("measure"), **fields)


def _slug(text: str) -> str:
    slug = comparison_key(clean_name(text, max_length=100))
    if not _SLUG.fullmatch(slug):
        raise Refused("slug", f"{text!r} does not fit into an address; use letters, digits and hyphens")
    return slug


def _flag(text: str) -> bool:
    if comparison_key(text) not in _FLAGS:
        raise Refused("flag", f"{text!r} is neither true nor false")
    return _FLAGS[comparison_key(text)]
