"""ir_metadata (PRIMAD): the YAML that stands at the head of a run file, or beside it.

The format describes a run and names the measures that were reported, not their values. The values stand below
``research goal`` / ``evaluation`` / ``results``, an addition of ours; without it, each reported measure becomes a row
whose value is blank, for people to fill in.

See https://www.ir-metadata.org, version 0.1, for the format.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from analysis.readers.columns import COLUMNS
from analysis.readers.grids import Flaw
from analysis.readers.identifiers import arxiv_address, dblp_address, doi_address
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.structured import MAX_YAML_LENGTH, read_yaml, text_of, write_yaml
from analysis.readers.tables import Record, Row, as_records, only_run

_START = re.compile(r"^(?:# ?)?ir_metadata\.start[ \t]*\r?$", re.MULTILINE)
_END = re.compile(r"^(?:# ?)?ir_metadata\.end[ \t]*\r?$", re.MULTILINE)
_RUN_TYPES = dict.fromkeys(["true", "yes", "on", "1"], "automatic") | dict.fromkeys(
    ["false", "no", "off", "0"], "manual"
)


def read_ir_metadata(text: str) -> list[Record | Rejection]:
    """Return the results of the run that the metadata describes: the head of a run file, or YAML alone."""
    try:
        document = read_yaml(_header(text.removeprefix("\ufeff")))
        if not isinstance(document, dict):
            raise Flaw("shape", "is not a mapping that begins with schema-version or tag", 1, fatal=True)
    except Flaw as flaw:
        return [flaw.rejection]
    return as_records(list(_rows(document)))


def _header(text: str) -> str:
    """Return the YAML between the marks, freed of the comment signs that keep it apart from the run's lines."""
    start = _START.search(text[:MAX_YAML_LENGTH])
    if start is None:
        return text
    end = _END.search(text, start.end(), start.end() + 2 * MAX_YAML_LENGTH)
    if end is None:
        line = text.count("\n", 0, start.start()) + 1
        raise Flaw("cut_off", "the metadata begins here, and ir_metadata.end is missing", line, fatal=True)
    header = text[start.end() : end.start()]
    return re.sub(r"^# ?", "", header, flags=re.MULTILINE) if start[0].startswith("#") else header


def _rows(document: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    goal = _at(document, "research goal")
    evaluation = _at(goal, "evaluation")
    automatic = text_of(_at(document, "method", "automatic"))
    shared = {
        "system": text_of(_at(document, "tag")) or text_of(_at(document, "method", "name")),
        "team": text_of(_at(document, "actor", "team")) or text_of(_at(document, "actor", "name")),
        "run_type": _RUN_TYPES.get(automatic.lower(), automatic),
        "collection": _collection(_at(document, "data", "test collection")),
        "year": text_of(_at(goal, "venue", "year")),
        "paper_url": _paper_address(_at(goal, "publication")),
    }
    results = _at(evaluation, "results")
    for result in results if isinstance(results, list) else []:
        own = {_column(key): text_of(value) for key, value in result.items()} if isinstance(result, dict) else {}
        yield shared | own
    if not results:
        reported = _at(evaluation, "reported measures")
        for measure in reported if isinstance(reported, list) and reported else [""]:
            yield shared | {"measure": text_of(measure)}


def _at(value: Any, *path: str) -> Any:
    """Return what stands at the path, however its keys are separated; of a list, in its first member."""
    for key in path:
        if isinstance(value, list) and value:
            value = value[0]
        if not isinstance(value, dict):
            return None
        value = next((inner for name, inner in value.items() if re.sub(r"[_-]", " ", name.lower()) == key), None)
    return value


def _column(key: str) -> str:
    column = re.sub(r"[ -]", "_", key.strip().lower())
    return column if column in COLUMNS else key


def _collection(value: Any) -> str:
    """Return the id in ir_datasets, with or without the address of its page; else the name."""
    identifier = text_of(_at(value, "ir datasets")).strip()
    if "://" in identifier:
        parts = urlsplit(identifier)
        identifier = unquote(parts.fragment) or unquote(parts.path).strip("/").removesuffix(".html")
    return identifier or text_of(_at(value, "name"))


def _paper_address(publication: Any) -> str:
    """Return the address of the strongest identifier; what is none is left for the check of the cell to refuse."""
    makers: tuple[tuple[str, Callable[[str], str]], ...] = (
        ("doi", doi_address),
        ("arxiv", lambda text: text if "://" in text else arxiv_address(text)),
        ("dblp", lambda text: dblp_address(text) or text),
    )
    for key, make in makers:
        text = text_of(_at(publication, key))
        if text.strip():
            try:
                return make(text)
            except Refused:
                return text
    return text_of(_at(publication, "url"))


def write_ir_metadata(rows: Sequence[Row]) -> str:
    """Return the metadata of one run with its results, between the marks; rows of several runs are refused."""
    shared, results = only_run(rows)
    take = shared.pop
    document: dict[str, Any] = {"schema-version": 0.1, "run-version": 1.0, "tag": take("system", "")}
    goal: dict[str, Any] = {}
    if year := take("year", ""):
        goal["venue"] = {"year": year}
    if address := take("paper_url", ""):
        goal["publication"] = {"url": address}
    run_type = take("run_type", "")
    if run_type in {"automatic", "manual"}:
        document["method"] = {"automatic": run_type == "automatic"}
    elif run_type:
        shared["run_type"] = run_type
    if team := take("team", ""):
        document["actor"] = {"team": team}
    if collection := take("collection", ""):
        document["data"] = {"test collection": {"name": collection}}
    goal["evaluation"] = {
        "reported measures": [measure for measure, _ in results],
        "results": [{"measure": measure, "value": value} | shared for measure, value in results],
    }
    order = ("schema-version", "run-version", "tag", "research goal", "method", "actor", "data")
    document["research goal"] = goal
    return write_yaml({key: document[key] for key in order if key in document})
