"""Every Eval Ever, versions 0.2 and 0.3: a JSON log of one model's evaluations.

See https://github.com/evaleval/every_eval_ever for the schema. What the import format knows beyond it stands as texts
in ``score_details`` / ``details`` of each result, where the schema has room for it: also the day of a result, which is
often that of the model's release, and no ``evaluation_timestamp``.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from analysis.readers.columns import COLUMNS
from analysis.readers.grids import Flaw
from analysis.readers.names import measure_name
from analysis.readers.numbers import PERCENT, PrintedScore, parse_printed
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.structured import Number, block_of, read_json, text_of
from analysis.readers.tables import Record, Row, as_records, filled

SCHEMA_VERSION = "0.3.0"
_READ = ("0.2.", "0.3.")
#: What the schema asks of every model, and no paper or leaderboard tells.
_UNTOLD = {"deployment_type": "unknown", "model_availability": "unknown"}
_RELATIONSHIPS = {"proposed": "first_party", "baseline": "third_party", "leaderboard": "third_party"}
_RUN_PROVENANCE = frozenset({"topic_scores", "recomputed"})
_PERCENT = frozenset({PERCENT, "percentage", "%"})
_EPOCH = re.compile(r"[0-9]{9,11}(?:\.[0-9]+)?")
_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ].*)?")


def read_every_eval_ever(text: str) -> list[Record | Rejection]:
    """Return the results of a log, a row for each entry of ``evaluation_results``."""
    try:
        log = read_json(text)
        results = _results(log)
    except Flaw as flaw:
        return [flaw.rejection]
    return as_records([_cells(log, result, number) for number, result in enumerate(results, 1)])


def _results(log: Any) -> list[Any]:
    if not isinstance(log, dict) or not isinstance(log.get("evaluation_results"), list):
        raise Flaw("shape", "is not a log: an object with a list of evaluation_results", 1, fatal=True)
    version = log.get("schema_version")
    if not isinstance(version, str) or not version.startswith(_READ):
        message = f"has the schema version {version!a}; the versions that are read begin with 0.2 or 0.3"
        raise Flaw("version", message, 1, fatal=True)
    results: list[Any] = log["evaluation_results"]
    return results


def _cells(log: Mapping[str, Any], result: Any, number: int) -> dict[str, str] | Rejection:
    if not isinstance(result, dict):
        return Rejection("shape", "is not an object", number, "value")
    model, source, metric = (
        block_of(log, "model_info"),
        block_of(log, "source_metadata"),
        block_of(result, "metric_config"),
    )
    score = block_of(result, "score_details")
    details = {key: text for key, text in block_of(score, "details").items() if isinstance(text, str)}
    printed = score.get("score")
    if not isinstance(printed, Number):
        return Rejection("type", "score_details.score is not a number", number, "value")
    cells = {
        "collection": text_of(block_of(result, "source_data").get("dataset_name"))
        or text_of(result.get("evaluation_name")),
        "measure": _measure(result, metric),
        "system": text_of(model.get("name")) or text_of(model.get("id")),
        "team": text_of(model.get("developer")),
        "source": text_of(source.get("source_name")) or text_of(source.get("source_organization_name")),
        "date": _day(text_of(result.get("evaluation_timestamp")) or text_of(log.get("evaluation_timestamp"))),
        "notes": _uncertainty(block_of(score, "uncertainty")),
    }
    if details.get("format") == "plumbline":
        cells = {}
    own = {column: details[column] for column in COLUMNS if column in details and column != "value"}
    return cells | own | _score(printed, details, metric)


def _score(score: Number, details: Mapping[str, str], metric: Mapping[str, Any]) -> dict[str, str]:
    """Return the score as the source prints it, where the log says so and means the same number; its unit."""
    printed = PrintedScore(details.get("printed", ""), details.get("unit", ""))
    try:
        if printed.value == float(score):
            return {"value": printed.printed, "unit": printed.unit}
    except ValueError:
        # What the log says is no number.
        pass
    return {"value": str(score), "unit": PERCENT if _is_percent(metric) else ""}


def _is_percent(metric: Mapping[str, Any]) -> bool:
    """Say whether the log says of its metric that it is in percent, or ends at 100."""
    highest, lowest = (metric.get(f"{end}_score") for end in ("max", "min"))
    ends_at_100 = isinstance(highest, Number) and float(highest) == 100
    begins_at_0 = lowest is None or (isinstance(lowest, Number) and float(lowest) == 0)
    return text_of(metric.get("metric_unit")).lower() in _PERCENT or (ends_at_100 and begins_at_0)


def _measure(result: Mapping[str, Any], metric: Mapping[str, Any]) -> str:
    """Return what is named as the metric; else a measure that the evaluation is named after, or described by."""
    named = text_of(metric.get("metric_name")) or text_of(metric.get("metric_id"))
    candidates = [text_of(metric.get("evaluation_description")), text_of(result.get("evaluation_name"))]
    return named or next((text for text in candidates if measure_name(text)), "")


def _day(stamp: str) -> str:
    """Return the day of a time stamp, written as a date or as seconds since 1970; blank where it is neither."""
    if match := _DAY.fullmatch(stamp):
        return match[1]
    return datetime.fromtimestamp(float(stamp), UTC).date().isoformat() if _EPOCH.fullmatch(stamp) else ""


def _uncertainty(block: Mapping[str, Any]) -> str:
    """Return what the log says of the score's uncertainty, for readers: the registry makes its own."""
    error = block_of(block, "standard_error").get("value")
    interval = block_of(block, "confidence_interval")
    figures = {
        "standard error": error,
        "standard deviation": block.get("standard_deviation"),
        "samples": block.get("num_samples"),
        "interval from": interval.get("lower"),
        "to": interval.get("upper"),
        "at level": interval.get("confidence_level"),
    }
    return "; ".join(f"{name} {value}" for name, value in figures.items() if isinstance(value, Number))


def logs_of(rows: Iterable[Row]) -> list[list[Row]]:
    """Return the rows in groups of one system from one source, which are a log each."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault((*_named(row), *_source(row).values()), []).append(row)
    return list(groups.values())


def _named(row: Row) -> tuple[str, str]:
    return row.get("system", ""), row.get("team", "")


def write_every_eval_ever(
    rows: Sequence[Row],
    *,
    retrieved: datetime | None = None,
    lower_is_better: frozenset[str] = frozenset(),
    revisions: Mapping[tuple[str, str], str] | None = None,
) -> str:
    """Return the log of one system's results; refused where the rows are of several systems, or a value is no number.

    ``retrieved`` is the moment that the log says it was made, now by default; ``lower_is_better`` names the measures
    that are errors or costs; ``revisions`` has the revisions of checkpoints by name and team.
    """
    systems = {_named(row) for row in rows}
    if len(systems) != 1:
        raise Refused("several_runs", f"the format holds one system, and these rows are of {len(systems)}")
    ((system, team),) = systems
    results = [_result(row, lower_is_better) for row in rows]
    # What is called as on a hub has its owner before the slash.
    own_id = system if "/" in system else f"{team or 'unknown'}/{system}"
    developer = team or (system.partition("/")[0] if own_id == system else "")
    revision = (revisions or {}).get((system, team), "")
    digest = hashlib.sha256(json.dumps(results, sort_keys=True).encode()).hexdigest()[:16]
    document = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"plumbline/{own_id}/{digest}",
        "retrieved_timestamp": str(int((retrieved or datetime.now(UTC)).timestamp())),
        "source_metadata": _source(rows[0]),
        "eval_library": {"name": "unknown", "version": "unknown"},
        "model_info": {
            "name": system,
            "id": own_id,
            **({"developer": developer} if developer else {}),
            "additional_details": _UNTOLD | ({"revision": revision} if revision else {}),
        },
        "evaluation_results": results,
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _source(row: Row) -> dict[str, str]:
    is_run = row.get("provenance", "") in _RUN_PROVENANCE
    name = row.get("source") or row.get("paper") or row.get("paper_url") or "unknown"
    return {
        "source_name": name,
        "source_type": "evaluation_run" if is_run else "documentation",
        "source_organization_name": "Plumbline",
        "evaluator_relationship": _RELATIONSHIPS.get(row.get("role", ""), "other"),
    }


def _result(row: Row, lower_is_better: frozenset[str]) -> dict[str, Any]:
    collection, measure, value = (row.get(column, "") for column in ("collection", "measure", "value"))
    details = {"format": "plumbline", "printed": value} | filled(row)
    del details["value"]
    return {
        "evaluation_name": collection,
        "source_data": {"dataset_name": collection, "source_type": "other"},
        "metric_config": {"metric_id": measure, "metric_name": measure, "lower_is_better": measure in lower_is_better},
        "score_details": {"score": PrintedScore(parse_printed(value), row.get("unit", "")).value, "details": details},
    }
