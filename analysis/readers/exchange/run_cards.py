"""ranxhub's run cards: YAML about a run, its benchmark, its paper and its model, with the scores below the run.

See https://amenra.github.io/ranxhub for the format. What the import format knows beyond it stands in a block
``plumbline`` of ours.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.readers.bibliography.papers import Author, Authors
from analysis.readers.grids import Flaw
from analysis.readers.identifiers import dblp_address, doi_address
from analysis.readers.numbers import PERCENT, PrintedScore
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.structured import block_of, read_yaml, write_yaml
from analysis.readers.tables import Record, Row, as_records, only_run

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_NOTHING = frozenset({"", "n/a", "na", "none", "null", "~"})


def read_run_card(text: str) -> list[Record | Rejection]:
    """Return the results of a run card, a row for each measure."""
    try:
        card = read_yaml(text)
        if not isinstance(card, dict) or not isinstance(card.get("run"), dict):
            raise Flaw("shape", "is not a run card: a mapping with a block run", 1, fatal=True)
        results = card["run"].get("results")
        if not isinstance(results, dict):
            message = "has no scores: run needs a block results, as nDCG@10: 0.4812"
            raise Flaw("empty", message, 1, fatal=True)
    except Flaw as flaw:
        return [flaw.rejection]
    return as_records(list(_rows(card, results)))


def _rows(card: Mapping[str, Any], results: Mapping[str, Any]) -> Iterator[dict[str, str] | Rejection]:
    shared = _shared(card)
    own = dict(block_of(card, "plumbline"))
    printed = own.pop("printed") if isinstance(own.get("printed"), dict) else {}
    shared |= {key: value if isinstance(value, str) else "" for key, value in own.items()}
    for number, (measure, value) in enumerate(results.items(), 1):
        if isinstance(value, str):
            yield shared | {"measure": measure, "value": _text(printed.get(measure)) or value}
        else:
            yield Rejection("type", "is not a number", number, "value")


def _shared(card: Mapping[str, Any]) -> dict[str, str]:
    run, paper = card["run"], block_of(card, "paper")
    date = block_of(run, "date")
    return {
        "system": _text(run.get("name")),
        "team": ", ".join(_names(run.get("team")) or _names(run.get("authors"))),
        "date": _date(date),
        "year": _text(date.get("year")) or _text(block_of(paper, "date").get("year")),
        "collection": _collection(block_of(card, "benchmark")),
        "paper": _citation(paper),
        "paper_url": _paper_address(paper),
        "source": _text(run.get("code")),
        "notes": _text(run.get("description")),
    }


def _text(value: Any) -> str:
    return "" if not isinstance(value, str) or value.strip().lower() in _NOTHING else value


def _names(value: Any) -> list[str]:
    """Return the names of a list of people or teams."""
    listed = value if isinstance(value, list) else [value]
    return [name for entry in listed if isinstance(entry, dict) and (name := _text(entry.get("name")))]


def _date(date: Mapping[str, Any]) -> str:
    """Return the date as 2004-11-19; blank where it is not complete."""
    day, month, year = (_text(date.get(key)).strip() for key in ("day", "month", "year"))
    place = next((number for number, name in enumerate(_MONTHS, 1) if month and name.startswith(month.lower())), None)
    if not (day.isdecimal() and year.isdecimal() and place and day.isascii() and year.isascii()):
        return ""
    return f"{year}-{place:02d}-{int(day[:4]):02d}"


def _collection(benchmark: Mapping[str, Any]) -> str:
    """Return the id in ir_datasets where the card knows one; else benchmark, dataset and split as they are called."""
    known = _text(benchmark.get("ir-datasets-id"))
    return known or " ".join(dict.fromkeys(_text(benchmark.get(key)) for key in ("name", "dataset", "split"))).strip()


def _citation(paper: Mapping[str, Any]) -> str:
    """Return the paper in short: its first author and year."""
    who = Authors(tuple(Author(name, name.split()[-1]) for name in _names(paper.get("authors")))).short
    year = _text(block_of(paper, "date").get("year"))
    return (f"{who} ({year})" if year else who) if who else _text(paper.get("title"))


def _paper_address(paper: Mapping[str, Any]) -> str:
    doi, dblp = _text(paper.get("doi")), _text(paper.get("dblp"))
    try:
        return doi_address(doi) if doi else re.sub(r"\?.*$", "", dblp_address(dblp) or dblp)
    except Refused:
        return doi


def write_run_card(rows: Sequence[Row]) -> str:
    """Return the run card of one run; refused where the rows are of several, or give a measure twice."""
    shared, results = only_run(rows)
    measures = [measure for measure, _ in results]
    if len(set(measures)) < len(measures):
        raise Refused("duplicate", "a run card gives each measure once")
    run: dict[str, Any] = {"name": shared.get("system", "")}
    if team := shared.get("team"):
        run["team"] = [{"name": team}]
    is_percent = shared.get("unit") == PERCENT
    run["results"] = {m: PrintedScore(value, PERCENT).digits if is_percent else value for m, value in results}
    card: dict[str, Any] = {"run": run, "benchmark": {"name": shared.get("collection", "")}}
    if cite := shared.get("paper"):
        card["paper"] = {"title": cite}
    # Whoever else reads the card knows scores of 1 at most.
    printed = {"printed": dict(results)} if is_percent else {}
    return write_yaml(card | {"plumbline": shared | printed})
