"""Reading the catalog's tables: a row of a file becomes the fields of a row of the database, or is refused."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import models

from analysis.readers.numbers import in_digits, parse_number, parse_whole, parse_year
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record, parse_cells
from analysis.readers.text import clean_name, clean_text, clean_url, comparison_key, did_you_mean, shorten
from registry.catalog.models import Collection, CollectionLink, Density, Measure, ResidualVariance
from registry.catalog.relatives import RELATIONS

_SLUG = re.compile(r"[-a-zA-Z0-9_]+")
_TRUE, _FALSE = {"true", "yes", "1"}, {"false", "no", "0"}


@dataclass(frozen=True, slots=True)
class CatalogRow:
    """One row of a catalog file: its line, its fields as the model has them, and its aliases."""

    line: int
    fields: dict[str, Any]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a catalog file, each with its parser."""

    file: str
    required: tuple[str, ...]
    parsers: dict[str, Callable[[str], Any]] = field(default_factory=dict)

    @property
    def optional(self) -> tuple[str, ...]:
        return tuple(column for column in self.parsers if column not in self.required)


def name_up_to(max_length: int) -> Callable[[str], str]:
    """Return a parser of names of so many characters at most, or blank."""
    return lambda text: clean_name(text, max_length=max_length)


def required_name(max_length: int) -> Callable[[str], str]:
    """Return the same parser where blank is refused."""

    def parse(text: str) -> str:
        name = clean_name(text, max_length=max_length)
        if not name:
            raise Refused("blank", "is blank")
        return name

    return parse


def _slug(text: str) -> str:
    slug = required_name(100)(text)
    if not _SLUG.fullmatch(slug):
        raise Refused("slug", f"{slug!r} does not fit into an address; use letters, digits, hyphens, underscores")
    return slug


def _measure_name(text: str) -> str:
    name = required_name(100)(text)
    if "/" in name:
        raise Refused("slash", f"{name!r} contains a slash, which does not fit into an address")
    return name


def _kind(text: str) -> str:
    kind = text.strip().lower()
    if kind not in ("collection", "measure"):
        raise Refused("choice", f"{text!r} is neither collection nor measure")
    return kind


def _one_of(values: Sequence[str]) -> Callable[[str], str]:
    known = {comparison_key(value): value for value in values}

    def parse(text: str) -> str:
        key = comparison_key(text)
        if key not in known:
            listed = ", ".join(value or "blank" for value in known.values())
            raise Refused("choice", f"{shorten(text)!r} is none of {listed}{did_you_mean(key, known)}")
        return known[key]

    return parse


def _sources(text: str) -> list[str]:
    """Return the sources between bars, at least one."""
    sources = [source for part in text.split("|") if (source := clean_name(part, max_length=300))]
    if not sources:
        raise Refused("blank", "is blank")
    return sources


def _names(text: str) -> tuple[str, ...]:
    """Return the names between bars, each once."""
    names = [clean_name(name, max_length=100) for name in text.split("|")]
    return tuple({comparison_key(name): name for name in reversed(names) if name}.values())[::-1]


def _some_names(text: str) -> tuple[str, ...]:
    """Return the names between bars, each spelling once."""
    names = tuple(dict.fromkeys(name for part in text.split("|") if (name := clean_name(part, max_length=100))))
    if not names:
        raise Refused("blank", "is blank")
    return names


def _flag(text: str) -> bool:
    key = text.strip().lower()
    if key not in _TRUE | _FALSE | {""}:
        raise Refused("flag", f"{text!r} is neither true nor false")
    return key not in _FALSE


def _flag_or_none(text: str) -> bool | None:
    return _flag(text) if text.strip() else None


def _number(text: str) -> float | None:
    return parse_number(text) if text.strip() else None


def _share(text: str) -> float | None:
    share = _number(text)
    if share is not None and not 0 <= share <= 1:
        raise Refused("range", f"{text} is not between 0 and 1")
    return share


def _positive(text: str) -> float:
    if not text.strip():
        raise Refused("blank", "is blank")
    number = parse_number(text)
    if number <= 0:
        raise Refused("range", f"{text} is not above 0")
    return number


def parse_count(text: str) -> int | None:
    """Return how many topics, or others, there are: 1 or more; None for blank."""
    return parse_whole(text, minimum=1, maximum=10_000_000)


def _known_count(text: str) -> int | None:
    if not text.strip():
        raise Refused("blank", "is blank; how sure an own variance is follows from it")
    return parse_count(text)


def _positive_or_none(text: str) -> float | None:
    return _positive(text) if text.strip() else None


def _columns(model: type[models.Model], **own: Callable[[str], Any]) -> dict[str, Callable[[str], Any]]:
    """Return parsers of the columns that are called as the fields of a model: each as its field takes it, but for
    ``own`` ones, some of which the model has no field for."""
    fields = (field for field in model._meta.concrete_fields if not field.primary_key)
    return {field.name: own.get(field.name) or _reader(field) for field in fields} | own


def _reader(field: "models.Field[Any, Any]") -> Callable[[str], Any]:
    length = field.max_length or 0
    kinds: dict[type[models.Field[Any, Any]], Callable[[str], Any]] = {
        models.ForeignKey: str,
        models.URLField: clean_url,
        models.CharField: name_up_to(length) if field.blank else required_name(length),
        models.TextField: clean_text,
        models.FloatField: _number,
        models.IntegerField: parse_count,
        models.BooleanField: _flag_or_none if field.null else _flag,
    }
    if field.choices:
        return _one_of([value for value, _ in field.flatchoices])
    return next(read for kind, read in kinds.items() if isinstance(field, kind))


COLLECTIONS = Schema(
    "collections.csv",
    ("slug", "name"),
    _columns(
        Collection,
        slug=_slug,
        aliases=_names,
        n_documents=parse_whole,
        relevant_per_topic=_positive_or_none,
        year=lambda text: parse_year(text, today=date.today()),
    ),
)
MEASURES = Schema(
    "measures.csv",
    ("name",),
    _columns(
        Measure,
        name=_measure_name,
        aliases=_names,
        decimals=lambda text: 4 if (n := parse_whole(text, maximum=12)) is None else n,
    ),
)
QUESTIONS = Schema(
    "questions.csv",
    ("kind", "names", "question"),
    {"kind": _kind, "names": _some_names, "question": required_name(300), "choices": _names, "only_with": _names},
)
LEADERBOARDS = Schema(
    "leaderboards.csv",
    ("collection", "measure"),
    {
        "collection": str,
        "measure": str,
        "n_topics": parse_count,
        "note": name_up_to(300),
        "is_doubtful": lambda text: bool(_flag_or_none(text)),
    },
)
VARIANCES = Schema(
    "variance_library.csv",
    ("collection", "measure", "kind", "residual_variance", "n_topics", "n_systems", "sources"),
    _columns(
        ResidualVariance,
        kind=_one_of(["own-variance"]),
        residual_variance=_positive,
        mean_square=_positive_or_none,
        n_topics=_known_count,
        n_systems=_known_count,
        sources=_sources,
    ),
)
DENSITIES = Schema(
    "densities.csv",
    ("collection", "unit"),
    _columns(
        Density,
        share_with_one=_share,
        mean_inverse=_share,
        grade_2_share_with_one=_share,
        relevant_grade=lambda text: parse_whole(text, minimum=1, maximum=2) or 1,
    ),
)
LINKS = Schema(
    "collection_links.csv",
    ("collection", "base", "relation"),
    _columns(
        CollectionLink, relation=_one_of(list(RELATIONS)), is_inferred=lambda text: bool(text.strip()) and _flag(text)
    ),
)
#: In the order in which they need each other.
SCHEMAS = (COLLECTIONS, MEASURES, QUESTIONS, LEADERBOARDS, VARIANCES, DENSITIES, LINKS)


def parse_catalog_row(record: Record, schema: Schema) -> CatalogRow | list[Rejection]:
    """Return the row, or everything that is wrong with it."""
    fields, rejections = parse_cells(record.cells, schema.parsers, record.line)
    aliases = fields.pop("aliases", ())
    low, high = fields.get("low"), fields.get("high")
    if low is not None and high is not None and low >= high:
        rejections.append(
            Rejection("range", f"{in_digits(low)} is not below the upper end, {in_digits(high)}", record.line, "low")
        )
    return rejections or CatalogRow(record.line, fields, aliases)


def name_clashes(rows: list[CatalogRow], name_field: str) -> Iterator[Rejection]:
    """Yield a rejection for every name or alias that an earlier row of the file has already taken."""
    taken: dict[str, tuple[int, str]] = {}
    for row in rows:
        taken_by = taken.setdefault(comparison_key(row.fields[name_field]), (row.line, row.fields[name_field]))
        if taken_by[0] != row.line:
            message = f"{row.fields[name_field]!r} is there already, in line {taken_by[0]}"
            yield Rejection("duplicate", message, row.line, name_field)
    for row in rows:
        for alias in row.aliases:
            line, owner = taken.setdefault(comparison_key(alias), (row.line, row.fields[name_field]))
            if line != row.line:
                message = f"the alias {alias!r} already belongs to {owner!r} (line {line})"
                yield Rejection("alias_taken", message, row.line, "aliases")
