"""Facts on systems by the makers of their models, as the mteb package records them, for models with results."""

from collections.abc import Iterable, Mapping

from builder.models import released
from builder.more import described_by_base
from builder.tables import Row

#: Columns of ours -> those of the gathered table.
_TAKEN = {
    "model": "name",
    "organisation": "organisation",
    "released": "release_date",
    "n_parameters": "n_parameters",
    "n_active_parameters": "n_active_parameters",
    "base_model": "adapted_from",
    "superseded_by": "superseded_by",
    "revision": "revision",
    "open_weights": "open_weights",
    "licence": "licence",
    "reference": "reference",
}
COLUMNS = ["system", "team", *_TAKEN, "training", "training_data", "source"]

_TRAINING = {"declared": "declared", "declared_none": "none", "unknown": "unknown"}


def build_systems(results: Iterable[Row], models: list[Row], mended: Mapping[str, Mapping[str, Row]]) -> list[Row]:
    """Return the rows of ``systems.csv``; ``mended`` has what sources say beyond the package, by model and field."""
    by_name = {name: model for model in models for name in [model["name"], *model["former_names"].split(";")] if name}
    systems = {(row["system"], row["team"]) for row in results if row["source"] == "embeddings-benchmark/results"}
    return [
        _row(system, team, by_name.get(system) or by_name[described_by_base(system)], mended.get(system, {}))
        for system, team in sorted(systems)
    ]


def _row(system: str, team: str, model: Row, mended: Mapping[str, Row]) -> Row:
    named = [*model["training_datasets"].split(";"), *model["training_datasets_not_tasks"].split(";")]
    row = {"system": system, "team": team, **{ours: model[theirs] for ours, theirs in _TAKEN.items()}}
    # The package writes 0 where nobody counted, and a word where there is no licence.
    row |= {name: "" for name in ("n_parameters", "n_active_parameters") if row[name] == "0"}
    row["licence"] = "" if row["licence"] == "not specified" else row["licence"]
    row["training"] = _TRAINING[model["training_datasets_status"]]
    row["training_data"] = "|".join(sorted(filter(None, named), key=str.casefold))
    row["source"] = f"mteb 2.26.24, {model['name']}"
    if "licence" in mended and not row["licence"]:
        row["licence"] = mended["licence"]["value"]
        row["source"] += f"; licence: {mended['licence']['source']}"
    if "released" in mended:
        day = released(mended["released"])
        row["released"] = day if len(day) == len("2024-02-08") else ""
        row["source"] += f"; released: {mended['released']['source']}"
    return row
