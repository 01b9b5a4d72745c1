"""The shapes of results that are handed in, as our own reader takes them."""

from typing import Any

from registry.api.shapes import Schema, keep

#: Digits come as text, or as a number, of which the digits are kept as they are written.
_DIGITS = {"value", "year", "n_topics"}
_CELLS = {
    "collection": "Slug, id in ir_datasets or alias.",
    "measure": "Name or alias, as `nDCG@10`.",
    "system": "As the source calls it.",
    "value": 'The score exactly as printed: best as text, `"0.30"`.',
    "unit": "`percent` where the score is; blank for the unit of the measure.",
    "role": "`proposed`, `baseline`, `trec_run`, `leaderboard` or `reference_implementation`.",
    "source": "Where the figure was taken from; the paper, where it says none.",
    "year": "When it was published.",
    "date": "As 2004-11-19, where the day is known.",
    "run_type": "`automatic` or `manual`.",
    "team": "Who ran the system.",
    "paper": "Short citation, as `Diaz (CIKM 2005)`.",
    "paper_url": "Address of the paper; best one with its DOI, arXiv, ACL or DBLP id.",
    "provenance": "Left blank: it is raised by others who read the same, or by per-topic scores.",
    "comparability": "`standard`, or how the setting departs from it.",
    "replicate_of": "The first instance, where this is another execution of the same system.",
    "n_topics": "Topics behind this mean, where not all of the collection's.",
    "self_reported": "`yes` where nobody but who made the system ran it, and the source says so.",
    "locator": "Where in the source: Table 2, row 3.",
    "evaluator": "The program that computed it, with its version.",
    "dataset_revision": "The commit or version of the data set that was evaluated.",
    "notes": "Anything else.",
}
_OF_ALL = {
    "collection": "Of the results that name none; so are the others.",
    "measure": "As `nDCG@10`.",
    "system": "As the source calls it.",
    "role": "As `baseline`.",
    "unit": "`percent` where the scores are.",
    "paper": "Short citation.",
    "paper_url": "Address or identifier of the paper.",
    "year": "When it was published.",
    "source": "Where the figures were taken from.",
    "locator": "Where in the source: Table 2.",
}


def _cells(meanings: dict[str, str]) -> Schema:
    text = {"type": ["string", "null"], "maxLength": 20_000}
    digits = {"type": ["string", "number", "null"]}
    return {name: (digits if name in _DIGITS else text) | {"description": said} for name, said in meanings.items()}


def _body(name: str, meaning: str, properties: Schema, **options: Any) -> Schema:
    return keep(name, {"type": "object", "description": meaning, "properties": properties, **options})


CELLS = _body(
    "Cells",
    "A result as its source gives it; columns that are left out are blank. docs/importing.md explains each.",
    _cells(_CELLS),
    additionalProperties=False,
)
_ROWS = _cells(_OF_ALL) | {
    "format": {"enum": ["plumbline-results"], "type": "string", "description": "As our own files say."},
    "version": {"type": "integer", "minimum": 1, "maximum": 1, "description": "As our own files say."},
    "results": {"type": "array", "items": CELLS, "minItems": 1, "maxItems": 10_000},
}
ROWS_BODY = _body(
    "RowsBody",
    "Results in our format; as CSV and in the other formats the body is a text.\n\n"
    "What stands beside the results holds for those that leave it blank.",
    _ROWS,
    required=["results"],
    additionalProperties=False,
)
RESULTS_BODY = _body(
    "ResultsBody",
    "Results in our format, with what is wished for them.",
    _ROWS | {"note": {"type": ["string", "null"], "maxLength": 5_000}, "submit": {"type": ["boolean", "null"]}},
    required=["results"],
    additionalProperties=False,
)
DECISION = _body(
    "Decision",
    "What becomes of a submission of somebody else.",
    {
        "decision": {"type": "string", "enum": ["publish", "return", "refuse"]},
        "reason": {"type": "string", "maxLength": 5_000, "description": "Needed to return or refuse."},
        "confirmed_rows": {
            "type": ["integer", "null"],
            "minimum": 1,
            "description": "How many results it takes off the record, where it was refused as `mass_change`.",
        },
    },
    required=["decision"],
    additionalProperties=False,
)
RESULTS_FILE = _body(
    "ResultsFile",
    "Results in our format, which can be handed in again. Every Eval Ever is JSON as well, and has a schema of its"
    " own.",
    {
        "format": {"type": "string"},
        "version": {"type": "integer", "minimum": 0},
        "results": {"type": "array", "items": CELLS},
    },
)
