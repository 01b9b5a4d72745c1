"""Fitting the model of variances, and measuring calibration, from the files that ship."""

import csv
import hashlib
import math
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from analysis.boards._calibration import (
    BoardRecord,
    Known,
    Table,
    Variance,
    measure_table,
    predicted_from,
    related_to,
    summarize,
    transferred_from,
)
from analysis.boards._calibration_table import FORMAT, Calibration, CalibrationTable
from analysis.boards._findings import EvidenceKind
from analysis.boards._methods import METHODS
from analysis.boards._prediction import FORMAT as MODEL_FORMAT
from analysis.boards._prediction import ShippedModel
from analysis.reliability import VarianceModel, VarianceObservation, fit_variances, predict_variance
from analysis.reliability._measure_families import measure_family
from analysis.scores import ScoreMatrix, parse_score_table

#: Fewer systems than this make no board.
_MIN_SYSTEMS = 3
_LIBRARY, _COLLECTIONS, SAMPLE = "variance_library.csv", "collections.csv", "variance_sample.csv"


def calibrate(data: Path, *, measured_on: str, seed: int, n_trials: int, n_processes: int = 1) -> Calibration:
    """How often verdicts hold, measured on every table of topic scores of a folder of shipped data."""
    tables = list(read_tables(data))
    tasks = [(data, table, seed + place, n_trials) for place, table in enumerate(tables)]
    if n_processes > 1:
        with ProcessPoolExecutor(n_processes) as pool:
            measured = list(pool.map(_measure, tasks))
    else:
        measured = list(map(_measure, tasks))
    return Calibration(
        format=FORMAT,
        methods=METHODS.version,
        measured_on=measured_on,
        seed=seed,
        n_trials=n_trials,
        data_sha256=_digest(data),
        tables=tuple(
            CalibrationTable(
                collection=table.collection,
                measure=table.measure,
                n_systems=table.matrix.n_systems,
                n_topics=table.matrix.n_topics,
            )
            for table in tables
        ),
        rows=summarize(record for records in measured for record in records),
    )


def _measure(task: tuple[Path, Table, int, int]) -> list[BoardRecord]:
    data, table, seed, n_trials = task
    library, stands_in = read_library(data)
    with (data / _COLLECTIONS).open(encoding="utf-8", newline="") as file:
        known = {row["slug"]: row["relevant_per_topic"] for row in csv.DictReader(file)}
    relevant = float(known[table.collection]) if known.get(table.collection) else None
    elsewhere: dict[EvidenceKind, Known] = {
        "transferred": transferred_from(library, stands_in, table.collection),
        "predicted": predicted_from(read_observations(data / SAMPLE), relevant, table.collection),
    }
    return measure_table(table, elsewhere, seed, n_trials)


def fit(sample: Path) -> ShippedModel:
    """The model of the variances in a file, with how far off it is for collections that are left out."""
    observations = read_observations(sample)
    errors = []
    for left_out in sorted({related_to(one.collection) for one in observations}, key=sorted):
        model = fit_variances([one for one in observations if one.collection not in left_out])
        for one in observations:
            found = predict_variance(model, one.measure, one.mean) if one.collection in left_out else None
            if found is not None:
                errors.append(math.log(one.variance / found.value))
    return ShippedModel(
        format=MODEL_FORMAT,
        fitted_on=sample.name,
        data_sha256=hashlib.sha256(sample.read_bytes()).hexdigest(),
        left_out_log_error=round(math.sqrt(float(np.mean(np.square(errors)))), 4),
        left_out_within_factor_2=round(float(np.mean(np.abs(errors) <= math.log(2.0))), 4),
        model=_rounded(fit_variances(observations)),
    )


def _rounded(model: VarianceModel) -> VarianceModel:
    """At four significant digits, so that another processor fits the same."""
    return msgspec.convert(_digits(model.to_dict()), VarianceModel)


def _digits(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _digits(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_digits(item) for item in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def read_observations(sample: Path) -> list[VarianceObservation]:
    """The variances of a file that a model is fitted on."""
    with sample.open(encoding="utf-8", newline="") as file:
        return [
            VarianceObservation(row["collection"], row["measure"], float(row["mean"]), float(row["residual_variance"]))
            for row in csv.DictReader(file)
        ]


def read_tables(data: Path) -> Iterator[Table]:
    """The tables whose measure is in a family, the first of each collection and measure; no grids of one toolkit."""
    seen = set()
    for path, row in _files(data):
        key = row["collection"], row["measure"]
        if key in seen or measure_family(row["measure"]) is None:
            continue
        seen.add(key)
        matrix = _distinct(parse_score_table(path.read_bytes()))
        if matrix is not None and matrix.n_systems >= _MIN_SYSTEMS:
            yield Table(*key, matrix)


def read_library(data: Path) -> tuple[list[Variance], dict[str, str]]:
    """What was measured on collections, and which measure stands in for which."""
    with (data / _LIBRARY).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    seen = [Variance(row["collection"], row["measure"], float(row["mean_square"])) for row in rows if row["collection"]]
    return seen, {row["measure"]: row["stands_in"] for row in rows if row["stands_in"]}


def _files(data: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    for folder in (data / "topic_scores", data / "topic_scores" / "unnamed"):
        with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["file"].endswith(".csv"):
                    yield folder / row["file"], row


def _distinct(matrix: ScoreMatrix) -> ScoreMatrix | None:
    """Without systems that scored the same on every topic, or exactly as another did."""
    kept = {
        scores.tobytes(): name for name, scores in zip(matrix.systems, matrix.scores, strict=True) if np.ptp(scores) > 0
    }
    return matrix.select(list(kept.values())) if len(kept) > 1 else None


def _digest(data: Path) -> str:
    """Of the names and contents of everything that goes in."""
    found = hashlib.sha256()
    for path in (data / _LIBRARY, data / SAMPLE, *(path for path, _ in _files(data))):
        found.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()
