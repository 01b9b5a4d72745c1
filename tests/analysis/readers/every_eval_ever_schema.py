"""What Every Eval Ever 0.3.0 asks of a log, as JSON Schema: the parts that we write, in our own words.

The facts are those of ``every_eval_ever/schemas/eval.schema.json`` and of the checks that ``every_eval_ever validate``
makes beyond it, at https://github.com/evaleval/every_eval_ever. Parts that we never write are left out. That package
itself needs a newer Python than this project.
"""

from typing import Any

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "object", "additionalProperties": _TEXT}


def _object(needed: str, **parts: Schema) -> Schema:
    """Describe an object with these parts, those named in ``needed`` at least."""
    return {"type": "object", "required": needed.split(), "properties": parts}


def _one_of(*values: str) -> Schema:
    return {"enum": list(values)}


_SOURCE = _object(
    "source_type source_organization_name evaluator_relationship",
    source_name=_TEXT,
    source_type=_one_of("documentation", "evaluation_run"),
    source_organization_name=_TEXT,
    evaluator_relationship=_one_of("first_party", "third_party", "collaborative", "other"),
    additional_details=_TEXTS,
)
_MODEL = _object(
    "name id additional_details",
    name=_TEXT,
    id=_TEXT,
    developer=_TEXT,
    additional_details=_TEXTS
    | _object(
        "deployment_type model_availability",
        deployment_type=_one_of("self_deployed", "externally_managed", "unknown"),
        model_availability=_one_of("open_weights", "closed_weights", "unknown"),
    ),
)
_DATA = {
    "oneOf": [
        _object("dataset_name source_type", dataset_name=_TEXT, source_type={"const": "other"}),
        _object(
            "dataset_name source_type url",
            dataset_name=_TEXT,
            source_type={"const": "url"},
            url={"type": "array", "items": _TEXT, "minItems": 1},
        ),
        _object("dataset_name source_type", dataset_name=_TEXT, source_type={"const": "hf_dataset"}),
    ]
}
_METRIC = _object("lower_is_better", metric_id=_TEXT, metric_name=_TEXT, lower_is_better={"type": "boolean"})
_RESULT = _object(
    "evaluation_name source_data metric_config score_details",
    evaluation_name=_TEXT,
    source_data=_DATA,
    evaluation_timestamp=_TEXT,
    metric_config=_METRIC,
    score_details=_object("score", score={"type": "number"}, details=_TEXTS),
)

SCHEMA: Schema = _object(
    "schema_version evaluation_id retrieved_timestamp source_metadata model_info eval_library evaluation_results",
    schema_version=_TEXT,
    evaluation_id=_TEXT,
    evaluation_timestamp=_TEXT,
    retrieved_timestamp=_TEXT,
    source_metadata=_SOURCE,
    eval_library=_object("name version", name=_TEXT, version=_TEXT, additional_details=_TEXTS),
    model_info=_MODEL,
    evaluation_results={"type": "array", "items": _RESULT},
) | {"$schema": "http://json-schema.org/draft-07/schema#", "additionalProperties": False}
