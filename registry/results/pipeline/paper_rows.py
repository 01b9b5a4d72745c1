"""Reading a table of papers: a row becomes what the registry will say of a paper, or is refused."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from analysis.readers.identifiers import PaperFacts, arxiv_address, dblp_address, doi_address, paper_facts
from analysis.readers.numbers import parse_year
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record, parse_cells
from analysis.readers.text import clean_name, clean_text, clean_url, shorten
from registry.catalog.pipeline import name_up_to
from registry.results.models import Paper
from registry.results.pipeline.rows import choice_of

REQUIRED_COLUMNS = ("paper", "paper_url", "source")
_ORCID = re.compile(r"(?:https://orcid\.org/)?([0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X])")
#: Where a paper was published, in the words of BibTeX.
IMPRINT = ("booktitle", "series", "volume", "publisher", "pages")
OPTIONAL_COLUMNS = (
    "title", "authors", "venue", "year", "kind", *IMPRINT, "doi", "arxiv", "acl", "dblp", "also",
    "orcids", "significance", "significance_said",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A paper as a file describes it: its identity, its fields, and other identities of the same paper."""

    line: int
    facts: PaperFacts
    fields: Mapping[str, object]
    also: tuple[PaperFacts, ...]


def parse_paper(record: Record, *, today: date) -> PaperRow | list[Rejection]:
    """Return a row of a table of papers, checked, or everything that is wrong with it."""
    parsers = _PARSERS | {"year": lambda text: parse_year(text, today=today)}
    parsed, faults = parse_cells(record.cells, parsers, record.line)
    if faults:
        return faults
    facts = paper_facts(parsed["paper"], parsed["paper_url"])
    if facts is None:
        return [Rejection("blank", "names no paper; fill in paper, paper_url or both", record.line, "paper")]
    if not parsed["source"]:
        return [Rejection("blank", "says nowhere where this is known from; fill in source", record.line, "source")]
    if parsed["significance"] and not parsed["significance_said"]:
        message = "which test, and where does the paper say so? Fill in significance_said"
        return [Rejection("blank", message, record.line, "significance_said")]
    identifier_year, month = facts.published
    year = parsed["year"] or identifier_year
    fields = {
        **{name: parsed[name] for name in ("title", "authors", "venue", "kind")},
        "year": year,
        "month": month if year == identifier_year else None,
        "doi": facts.doi or parsed["doi"].removeprefix("https://doi.org/").lower(),
        "arxiv_id": facts.arxiv_id or parsed["arxiv"].removeprefix("https://arxiv.org/abs/"),
        "acl_id": facts.acl_id or parsed["acl"],
        "dblp_key": facts.dblp_key or parsed["dblp"],
        "imprint": {name: parsed[name] for name in IMPRINT if parsed[name]},
        "described_from": parsed["source"],
        "author_orcids": parsed["orcids"],
        "reports_significance": parsed["significance"],
        "significance_said": parsed["significance_said"],
    }
    return PaperRow(record.line, facts, fields, parsed["also"])


def _significance(text: str) -> bool | None:
    answer = choice_of(text, ("", "yes", "no"))
    return answer == "yes" if answer else None


def _orcids(text: str) -> list[str]:
    return list(dict.fromkeys(_orcid(part) for part in re.split(r"[\s,;]+", text) if part))


def _orcid(text: str) -> str:
    match = _ORCID.fullmatch(text)
    if not match or not _has_right_check_digit(match[1].replace("-", "")):
        raise Refused("orcid", f"{shorten(text)!r} is no ORCID iD; it looks like 0000-0002-1825-0097")
    return match[1]


def _has_right_check_digit(digits: str) -> bool:
    """Return whether the last digit is the check digit by ISO 7064 MOD 11-2."""
    total = 0
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == digits[-1]


def _where_given(parse: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: parse(text) if text.strip() else ""


def _dblp(text: str) -> str:
    if not dblp_address(text):
        raise Refused("dblp", f"{shorten(text)!r} is no DBLP key; write it as conf/sigir/Doe01")
    return text.strip()


def _also(text: str) -> tuple[PaperFacts, ...]:
    addresses = (clean_url(address) for address in text.split("|"))
    return tuple(facts for address in addresses if (facts := paper_facts("", address)))


_PARSERS: dict[str, Callable[[str], Any]] = {
    "paper": clean_name,
    "paper_url": clean_url,
    "title": name_up_to(500),
    "authors": lambda text: "; ".join(filter(None, map(clean_name, clean_text(text).split(";")))),
    "venue": name_up_to(200),
    "kind": lambda text: choice_of(text, Paper.Kind.values),
    **dict.fromkeys(IMPRINT, clean_name),
    "doi": _where_given(doi_address),
    "arxiv": _where_given(arxiv_address),
    "acl": name_up_to(60),
    "dblp": _where_given(_dblp),
    "also": _also,
    "orcids": _orcids,
    "significance": _significance,
    "significance_said": name_up_to(300),
    "source": clean_name,
}
