"""Reading what files say of systems: one row becomes what the registry will hold of it, or is refused."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar

from analysis.readers.numbers import parse_date, parse_whole, parse_year
from analysis.readers.paper_facts import paper_facts
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record
from analysis.readers.text import clean_name, clean_url, comparison_key, did_you_mean, shorten
from registry.catalog.queries import CatalogNames
from registry.curation.lineage.models import CollectionPaper, PaperLink, SystemFacts, TrainingDeclaration
from registry.curation.lineage.pipeline.keys import parse_key

LINEAGE_COLUMNS = ("system", "team", "key", "source")
PAPER_LINK_COLUMNS = ("system", "team", "year", "paper", "paper_url", "relation", "source")
COLLECTION_PAPER_COLUMNS = ("collection", "place", "role", "paper", "paper_url", "source")
TRAINING_COLUMNS = (
    "system", "team", "declared", "dataset", "split", "evidence", "quotation", "source", "date", "confidence", "how",
    "collections",
)  # fmt: skip

#: What stands for all collections that a statement on no single data set may be asked about.
ALL = "*"

#: What stands before a key that a system does not have although its team or paper says so.
NOT = "not "

SYSTEM_FACTS_COLUMNS = (
    "system", "team", "model", "organisation", "released", "n_parameters", "n_active_parameters", "base_model",
    "superseded_by", "revision", "open_weights", "licence", "reference", "training", "training_data", "source",
)  # fmt: skip
_OPEN = {"yes": True, "no": False, "": None}
_RELATIONS = tuple(PaperLink.Relation.values)
_ROLES = tuple(CollectionPaper.Role.values)
_ANSWERS = tuple(TrainingDeclaration.Declared.values)
_EVIDENCE = tuple(kind for kind in TrainingDeclaration.Evidence.values if kind != TrainingDeclaration.Evidence.ANSWER)
_CONFIDENCE = tuple(TrainingDeclaration.Confidence.values)
_DAY = re.compile(r"\d{4}(-\d\d){0,2}")

Parsed = TypeVar("Parsed")


@dataclass(frozen=True, slots=True)
class LineageRow:
    """That the system of this name and team is of a lineage, or is not; a blank name means all systems."""

    line: int
    name_key: str
    team_key: str
    key: str
    holds: bool
    source: str


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """What a source says of the training of the system of this name and team, by column of ``TrainingDeclaration``.

    About these collections; None where it is about no single one.
    """

    line: int
    name_key: str
    team_key: str
    collection_ids: tuple[int | None, ...]
    facts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PaperLinkRow:
    """That a paper is about the system of this name and team, in results of a year or in all."""

    line: int
    name_key: str
    team_key: str
    paper_id: int
    year: int | None
    relation: str
    source: str


@dataclass(frozen=True, slots=True)
class CollectionPaperRow:
    """That a paper has a part in the collection of this slug, which stands in place of a system's name."""

    line: int
    name_key: str
    paper_id: int
    place: int
    role: str
    source: str
    team_key: str = ""


@dataclass(frozen=True, slots=True)
class SystemFactsRow:
    """What the maker of the system of this name and team says of it, by column of ``SystemFacts``."""

    line: int
    name_key: str
    team_key: str
    model: str
    facts: Mapping[str, Any]


def parse_lineage(records: Iterable[Record | Rejection]) -> Iterator[LineageRow | list[Rejection]]:
    """Every row of a table of lineages, each checked or with what is wrong with it."""
    return _parse(records, _lineage_row)


def parse_training(
    records: Iterable[Record | Rejection], names: CatalogNames
) -> Iterator[TrainingRow | list[Rejection]]:
    """Every row of a table of declared training data, each checked or with what is wrong with it."""
    return _parse(records, lambda record: _training_row(record, names))


def parse_paper_links(
    records: Iterable[Record | Rejection], papers: Mapping[str, int]
) -> Iterator[PaperLinkRow | list[Rejection]]:
    """Every row of a table of papers about systems; ``papers`` are the ids of papers by their identities."""
    return _parse(records, lambda record: _paper_link_row(record, papers))


def parse_collection_papers(
    records: Iterable[Record | Rejection], names: CatalogNames, papers: Mapping[str, int]
) -> Iterator[CollectionPaperRow | list[Rejection]]:
    """Every row of a table of papers on collections; ``papers`` are the ids of papers by their identities."""
    return _parse(records, lambda record: _collection_paper_row(record, names, papers))


def parse_system_facts(records: Iterable[Record | Rejection]) -> Iterator[SystemFactsRow | list[Rejection]]:
    """Every row of a table of what makers say of systems."""
    return _parse(records, _system_facts_row)


def _parse(
    records: Iterable[Record | Rejection], make: Callable[[Record], Parsed]
) -> Iterator[Parsed | list[Rejection]]:
    for record in records:
        try:
            yield [record] if isinstance(record, Rejection) else make(record)
        except Refused as refused:
            yield [Rejection(refused.code, refused.message, record.line)]


def _lineage_row(record: Record) -> LineageRow:
    cells = record.cells
    name, team = _names(cells)
    text = cells["key"].strip()
    holds = not text.startswith(NOT)
    if not name and holds:
        raise Refused("blank", f"names no system; only what makes no family stands for all, as “{NOT}team:a platform”")
    key = parse_key(text.removeprefix(NOT))
    return LineageRow(record.line, name, team, key, holds, _source(cells, 500))


def _training_row(record: Record, names: CatalogNames) -> TrainingRow:
    cells = record.cells
    name, team = _names(cells)
    if not name:
        raise Refused("blank", "names no system")
    facts = {
        "declared": _choice(cells["declared"], _ANSWERS),
        "dataset": clean_name(cells["dataset"], max_length=200),
        "split": clean_name(cells["split"], max_length=40),
        "evidence": _choice(cells["evidence"] or "package", _EVIDENCE),
        "quotation": clean_name(cells["quotation"], max_length=500),
        "how": clean_name(cells["how"], max_length=500),
        "source": _source(cells, 500),
        "date": cells["date"].strip(),
        "confidence": _choice(cells["confidence"] or "medium", _CONFIDENCE),
    }
    if facts["date"] and not _DAY.fullmatch(facts["date"]):
        raise Refused("date", f"{shorten(facts['date'])!r} is no year, month or day, as 2024, 2024-05 or 2024-05-17")
    slugs = cells["collections"].split("|") if cells["collections"] else []
    if facts["dataset"] and ALL in slugs:
        raise Refused("collections", "is about all data sets and names one; leave one of them out")
    if not (facts["dataset"] or slugs):
        raise Refused("blank", f"names no data set and no collection; fill in collections, with {ALL} for all")
    # A data set without a collection has no leaderboard here.
    about = [None if slug == ALL else names.collection(slug).pk for slug in slugs] or [None]
    return TrainingRow(record.line, name, team, tuple(about), facts)


def _paper_link_row(record: Record, papers: Mapping[str, int]) -> PaperLinkRow:
    cells = record.cells
    name, team = _names(cells)
    if not name:
        raise Refused("blank", "names no system")
    relation, paper = _choice(cells["relation"], _RELATIONS), _paper(cells, papers)
    year = parse_year(cells["year"], today=date.today())
    return PaperLinkRow(record.line, name, team, paper, year, relation, _source(cells, 300))


def _collection_paper_row(record: Record, names: CatalogNames, papers: Mapping[str, int]) -> CollectionPaperRow:
    cells = record.cells
    slug, role, paper = (
        names.collection(cells["collection"]).slug,
        _choice(cells["role"], _ROLES),
        _paper(cells, papers),
    )
    place = parse_whole(cells["place"], minimum=1) or 1
    return CollectionPaperRow(record.line, slug, paper, place, role, _source(cells, 300))


def _choice(text: str, known: tuple[str, ...]) -> str:
    choice = comparison_key(text)
    if choice not in known:
        raise Refused("choice", f"{shorten(choice)!r} is none of {', '.join(known)}{did_you_mean(choice, known)}")
    return choice


def _paper(cells: Mapping[str, str], papers: Mapping[str, int]) -> int:
    """The id of the paper that the cells name; refused where none of it is on record."""
    facts = paper_facts(clean_name(cells["paper"]), clean_url(cells["paper_url"]))
    if facts is None:
        raise Refused("blank", "names no paper; fill in paper, paper_url or both")
    if facts.identity not in papers:
        raise Refused("paper", f"{shorten(facts.cite or facts.url)!r} is no paper on record; load it first")
    return papers[facts.identity]


def _system_facts_row(record: Record) -> SystemFactsRow:
    cells = record.cells
    name, team = _names(cells)
    if not name:
        raise Refused("blank", "names no system")
    training, is_open = comparison_key(cells["training"]) or "unknown", comparison_key(cells["open_weights"])
    for word, known in ((training, SystemFacts.Training.values), (is_open, [word for word in _OPEN if word])):
        if word and word not in known:
            raise Refused("choice", f"{shorten(word)!r} is none of {', '.join(known)}{did_you_mean(word, known)}")
    texts = ("organisation", "base_model", "superseded_by", "revision", "licence")
    facts: dict[str, Any] = {
        column: clean_name(cells[column], max_length=100 if column == "revision" else 200) for column in texts
    }
    facts |= {
        "released": parse_date(cells["released"], today=date.today()),
        "n_parameters": parse_whole(cells["n_parameters"], minimum=1),
        "n_active_parameters": parse_whole(cells["n_active_parameters"], minimum=1),
        "has_open_weights": _OPEN[is_open],
        "reference": clean_url(cells["reference"]),
        "training": training,
        "training_data": [clean_name(one) for one in cells["training_data"].split("|") if one.strip()],
        "source": _source(cells, 300),
    }
    return SystemFactsRow(record.line, name, team, clean_name(cells["model"] or cells["system"]), facts)


def _names(cells: dict[str, str]) -> tuple[str, str]:
    """Name and team of the system, in the form in which they are compared."""
    return comparison_key(clean_name(cells["system"])), comparison_key(clean_name(cells["team"]))


def _source(cells: dict[str, str], max_length: int) -> str:
    source = clean_name(cells["source"], max_length=max_length)
    if not source:
        raise Refused("blank", "says nowhere how it is known; fill in source")
    return source
