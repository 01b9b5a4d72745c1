"""Reading a published result: from cells of text to a checked row, or to everything that is wrong with it.

Files, tables pasted into a form, and the API all come through here.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from typing import Any

from django.db.models import TextChoices

from analysis.readers.identifiers import PaperFacts, identifier_address, paper_facts
from analysis.readers.names import says_no_team
from analysis.readers.numbers import (
    FRACTION,
    PrintedScore,
    is_number,
    parse_date,
    parse_score,
    parse_unit,
    parse_year,
)
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record, parse_cells
from analysis.readers.text import clean_name, clean_text, clean_url, comparison_key, did_you_mean, shorten
from registry.catalog.models import Measure
from registry.catalog.pipeline import name_up_to, parse_count, required_name
from registry.catalog.queries import CatalogNames
from registry.results.models import Paper, Result, System

MAX_NAME_LENGTH = 300
#: The most characters of a name in the form in which names are compared.
MAX_KEY_LENGTH = 600
_OFTEN_NEW = frozenset({"system", "locator", "notes"})
_YES, _NO = frozenset({"yes", "true", "1"}), frozenset({"", "no", "false", "0"})


@dataclass(frozen=True)
class ResultRow:
    """A published result, checked: what the registry will hold of it.

    ``replicate_of`` is the name of the first instance, in the form in which names are compared; blank for none.
    ``first_team_key`` is its team: the same, unless either system was merged into one of another team.
    """

    line: int
    collection_id: int
    measure_id: int
    system: str
    team: str
    name_key: str
    team_key: str
    paper: PaperFacts | None
    printed: str
    unit: str
    year: int | None
    date: date | None
    role: str
    run_type: str
    provenance: str
    comparability: str
    replicate_of: str
    first_team_key: str
    n_topics_here: int | None
    is_self_reported: bool
    locator: str
    source: str
    notes: str
    evaluator: str = ""
    dataset_revision: str = ""

    @property
    def score(self) -> PrintedScore:
        """The score as its source prints it, with the number that this stands for."""
        return PrintedScore(self.printed, self.unit)

    @property
    def key(self) -> bytes:
        """The key of the result: a digest of leaderboard, system, paper and source."""
        identity = self.paper.identity if self.paper else ""
        return self._digest(self.name_key, self.team_key, identity, self.source)

    @property
    def system_key(self) -> bytes:
        """The key of the system on its leaderboard."""
        return self._digest(self.name_key, self.team_key)

    @property
    def first_instance_key(self) -> bytes | None:
        """The key of the system, on the same leaderboard, of whose result this one is a replicate."""
        return self._digest(self.replicate_of, self.first_team_key) if self.replicate_of else None

    def _digest(self, *parts: str) -> bytes:
        """Return a digest of the leaderboard and these parts."""
        text = "\x1f".join((str(self.collection_id), str(self.measure_id), *parts))
        return hashlib.blake2b(text.encode(), digest_size=16).digest()

    def spelled(self) -> str:
        """Return the names as this row spells them, for messages."""
        return f"{self.system!r}" + (f" of {self.team!r}" if self.team else "")


def parse_results(
    records: Iterable[Record | Rejection],
    names: CatalogNames,
    *,
    today: date,
    default_source: str = "",
    default_unit: str = "",
) -> Iterator[ResultRow | list[Rejection]]:
    """Yield every row of a table as a checked result or as what is wrong with it; an empty table is wrong too.

    ``default_source`` is the source of results that name neither source nor paper: the table itself, if it may vouch
    for them. ``default_unit`` is the unit of scores that name none.
    """
    if names.is_empty:
        message = "there are no collections to load results of yet; run load_catalog first"
        yield [Rejection("empty_catalog", message, fatal=True)]
        return
    record = None
    read = result_reader(names, today=today)
    for record in records:
        if isinstance(record, Rejection):
            yield [record]
        else:
            cells = record.cells | {"unit": record.cells["unit"] or default_unit}
            yield read(cells, record.line, default_source)
    if record is None:
        yield [Rejection("empty", "has a header and no results", fatal=True)]


def result_reader(names: CatalogNames, *, today: date) -> Callable[..., ResultRow | list[Rejection]]:
    """Return a reader of rows, which takes the cells, the line and the default source.

    It returns the result, or all faults of its cells. All columns must be there, but may be blank. Rows of a table
    repeat each other, so most cells have been read before.
    """
    parsers = _PARSERS | {"year": partial(parse_year, today=today), "date": partial(parse_date, today=today)}
    cached = {
        column: parse if column in _OFTEN_NEW else lru_cache(maxsize=1024)(parse) for column, parse in parsers.items()
    }
    return partial(_parse, names=names, parsers=cached)


def _parse(
    cells: Mapping[str, str],
    line: int,
    default_source: str = "",
    *,
    names: CatalogNames,
    parsers: Mapping[str, Callable[[str], Any]],
) -> ResultRow | list[Rejection]:
    fields: dict[str, Any] = {}
    rejections: list[Rejection] = []
    # An ambiguous name of a collection is resolved by the measure, and one of a measure by the collection.
    try:
        fields["collection"] = names.collection(cells["collection"], under=cells["measure"])
    except Refused as refused:
        rejections.append(refused.at(line, "collection"))
    try:
        fields["measure"] = names.measure(cells["measure"], on=fields.get("collection"))
    except Refused as refused:
        rejections.append(refused.at(line, "measure"))
    parsed, faults = parse_cells(cells, parsers, line)
    fields |= parsed
    rejections += faults
    if "system" in fields and is_no_name(fields["system"], fields.get("team", "")):
        message = (
            f"{shorten(fields['system'])!r} is a number, not the name of a system; write the name. Where a team calls "
            "its run by a number, name the team as well"
        )
        rejections.append(Rejection("number", message, line, "system"))
    try:
        fields["score"] = _score(cells["value"], fields.get("unit", ""), fields.get("measure"))
    except Refused as refused:
        rejections.append(refused.at(line, "value"))
    return rejections or _as_row(fields, line, default_source)


def is_no_name(system: str, team: str = "") -> bool:
    """Return whether a number stands in place of the name of a system, as in tables that are read askew.

    A whole number may be the name of a run if its team is named.

    >>> is_no_name("0.2031"), is_no_name("20.3%", "a team"), is_no_name("2"), is_no_name("2", "a team")
    (True, True, True, False)
    """
    text = system.strip().removesuffix("%").replace(",", ".", 1)
    return is_number(text) and not (team.strip() and system.strip().isdecimal())


#: Fields of a row that are taken from the column of the same name as they are.
_AS_READ = (
    "system", "team", "role", "run_type", "provenance", "comparability", "locator", "notes", "evaluator",
    "dataset_revision",
)  # fmt: skip


def _as_row(fields: dict[str, Any], line: int, default_source: str) -> ResultRow | list[Rejection]:
    name_key, team_key = comparison_key(fields["system"]), comparison_key(fields["team"])
    first = comparison_key(fields["replicate_of"])
    for column, key in (("system", name_key), ("team", team_key)):
        if len(key) > MAX_KEY_LENGTH:
            return [Rejection("too_long", "is too long once written in plain characters", line, column)]
    if first == name_key:
        return [Rejection("own_replicate", "names the system itself; name its first instance", line, "replicate_of")]
    paper, address = fields["paper"], fields["paper_url"]
    if paper and not address:
        # An identifier in place of the citation is the paper's address.
        with suppress(Refused):
            paper, address = "", clean_url(identifier_address(paper))
    source = fields["source"] or paper or address or default_source
    if not source:
        message = "says nowhere where the figure was taken from; fill in source, paper or paper_url"
        return [Rejection("blank", message, line, "source")]
    day = fields["date"]
    return ResultRow(
        line=line,
        collection_id=fields["collection"].pk,
        measure_id=fields["measure"].pk,
        name_key=name_key,
        team_key=team_key,
        paper=paper_facts(paper, address),
        printed=fields["score"].printed,
        unit=fields["score"].unit,
        year=fields["year"] or (day and day.year),
        date=day,
        replicate_of=first,
        first_team_key=team_key,
        n_topics_here=fields["n_topics"],
        is_self_reported=fields["self_reported"],
        source=source,
        **{name: fields[name] for name in _AS_READ},
    )


def _score(text: str, unit: str, measure: Measure | None) -> PrintedScore:
    if unit == FRACTION and text.strip().endswith("%"):
        raise Refused("unit", f"{shorten(text)!r} has the sign for percent, and the unit says {FRACTION}; keep one")
    if measure is None:
        return parse_score(text, unit)
    return parse_score(text, unit, low=measure.low, high=measure.high, name=measure.name)


def _one_of(choices: type[TextChoices], default: str | None = None) -> Callable[[str], str]:
    """Return a parser of choices in any case, with blanks or hyphens for underscores; ``default`` is for blank."""
    known = {comparison_key(value).replace("-", "_").replace(" ", "_"): value for value in choices.values if value}
    listed = ", ".join(known.values())

    def parse(text: str) -> str:
        value = known.get(text)
        if value is not None:
            return value
        key = comparison_key(text).replace("-", "_").replace(" ", "_")
        if not key and default is not None:
            return default
        if not key:
            raise Refused("blank", f"is blank; write one of {listed}")
        if key not in known:
            raise Refused("choice", f"{shorten(text)!r} is none of {listed}{did_you_mean(key, known)}")
        return known[key]

    return parse


def _paper_address(text: str) -> str:
    """Return the address of the paper, given as an address or a DOI, arXiv, ACL Anthology or DBLP identifier."""
    if "://" in text:
        return clean_url(text)
    try:
        return clean_url(identifier_address(text.strip()))
    except Refused as refused:
        if refused.code == "doi":
            raise
        return clean_url(text)


def choice_of(text: str, known: Collection[str]) -> str:
    """Return which of these words a text is, in any case; refuse others."""
    key = comparison_key(text)
    if key not in known:
        words = [word for word in known if word]
        raise Refused("choice", f"{shorten(text)!r} is none of {', '.join(words)}{did_you_mean(key, words)}")
    return key


def parse_yes(text: str) -> bool:
    """Return True for yes, False for no or blank."""
    key = comparison_key(text)
    if key not in _YES | _NO:
        raise Refused("choice", f"{shorten(text)!r} is neither yes nor no; blank is no")
    return key in _YES


#: The readers of columns by their own text; year and date need today, too, and the missing ones need the catalog.
_PARSERS: dict[str, Callable[[str], Any]] = {
    "system": required_name(MAX_NAME_LENGTH),
    "role": _one_of(Result.Role),
    "unit": parse_unit,
    "source": name_up_to(500),
    "year": str,
    "date": str,
    "run_type": _one_of(Result.RunType, default=""),
    "team": lambda text: "" if says_no_team(text) else clean_name(text),
    "paper": clean_name,
    "paper_url": _paper_address,
    "provenance": _one_of(Result.Provenance, default=Result.Provenance.TRANSCRIBED.value),
    "comparability": _one_of(Result.Comparability, default=Result.Comparability.STANDARD.value),
    "replicate_of": clean_name,
    "n_topics": parse_count,
    "self_reported": parse_yes,
    "locator": name_up_to(200),
    "evaluator": name_up_to(100),
    "dataset_revision": name_up_to(100),
    "notes": clean_text,
}


@dataclass(frozen=True)
class MergedNames:
    """The names of today of systems and papers that were merged into others: read once, for many rows."""

    systems: dict[tuple[str, str], tuple[str, str]]
    papers: dict[str, str]

    @classmethod
    def read(cls) -> "MergedNames":
        # No "is not null" and no order: with either SQLite reads the whole table.
        systems = System.objects.order_by().filter(merged_into__gt=0)
        papers = Paper.objects.order_by().filter(merged_into__gt=0)
        names = systems.values_list("name_key", "team_key", "merged_into__name_key", "merged_into__team_key")
        return cls({row[:2]: row[2:] for row in names}, dict(papers.values_list("identity", "merged_into__identity")))

    def today(self, row: ResultRow) -> ResultRow:
        """Return the row under the names of today, spelled as it came, so that its key is the same under each name."""
        named, first = (row.name_key, row.team_key), (row.replicate_of, row.first_team_key)
        name_key, team_key = self.systems.get(named, named)
        replicate_of, first_team_key = self.systems.get(first, first)
        paper = row.paper
        if paper and paper.identity in self.papers:
            paper = replace(paper, identity=self.papers[paper.identity])
        today: dict[str, Any] = {
            "name_key": name_key, "team_key": team_key, "replicate_of": replicate_of, "first_team_key": first_team_key,
            "paper": paper,
        }  # fmt: skip
        return row if all(getattr(row, name) == value for name, value in today.items()) else replace(row, **today)
