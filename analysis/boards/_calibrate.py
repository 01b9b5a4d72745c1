"""Fitting the model of variances, and measuring calibration, from the files that ship."""

import csv
import hashlib
import math
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from analysis.boards._calibration import Table, distinct, measure_table, sparse_tables
from analysis.boards._calibration_known import Known, Variance, predicted_from, related_to, transferred_from
from analysis.boards._calibration_suites import (
    SuiteTable,
    complete_tables,
    measure_other_collections,
    measure_same_collections,
    most_scored,
)
from analysis.boards._calibration_summary import BoardRecord, SuiteRecord, summarize, summarize_suites
from analysis.boards._calibration_table import FORMAT, Calibration, CalibrationTable
from analysis.boards._findings import EvidenceKind
from analysis.boards._methods import METHODS
from analysis.boards._prediction import FORMAT as MODEL_FORMAT
from analysis.boards._prediction import ShippedModel
from analysis.reliability import VarianceModel, VarianceObservation, fit_variances, predict_variance
from analysis.reliability._measure_families import measure_family
from analysis.scores import parse_score_table

#: Whose typical variance stands in where one document is right.
_FIRST_RANK = "RR"
#: Tables of so many systems, of so many collections, are put together to a suite.
_MANY_SYSTEMS, _MIN_TOGETHER = 45, 3
#: Of a suite at most so many members, those with the scores of most systems.
_MOST_MEMBERS = 29
_OF_SUITES = "nDCG@10"
_SUITE_RESULTS = ("mteb.csv", "tirex.csv")
#: Who runs others' systems is no maker.
_HOSTS = ("tira-io",)
_MEMBERS = "suite_members.csv"
_LIBRARY, _COLLECTIONS, SAMPLE = "variance_library.csv", "collections.csv", "variance_sample.csv"


def calibrate(data: Path, *, measured_on: str, seed: int, n_trials: int, n_processes: int = 1) -> Calibration:
    """How often verdicts hold, measured on every table of topic scores of a folder of shipped data."""
    tables = list(read_tables(data))
    suites: list[SuiteTable | list[Table]] = [*read_suite_tables(data), *_of_one_family(data, tables)]
    boards = [(data, table, seed + place, n_trials) for place, table in enumerate(tables)]
    of_suites = [(data, suite, seed + place, n_trials) for place, suite in enumerate(suites, start=len(tables))]
    if n_processes > 1:
        with ProcessPoolExecutor(n_processes) as pool:
            measured = list(pool.map(_measure, boards))
            measured_suites = list(pool.map(_measure_suite, of_suites))
    else:
        measured = list(map(_measure, boards))
        measured_suites = list(map(_measure_suite, of_suites))
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
                is_sparse=table.is_sparse,
            )
            for table in tables
        ),
        rows=summarize(record for records in measured for record in records),
        suites=summarize_suites(record for records in measured_suites for record in records),
    )


def _measure(task: tuple[Path, Table, int, int]) -> list[BoardRecord]:
    data, table, seed, n_trials = task
    return measure_table(table, read_elsewhere(data, table), seed, n_trials)


def _measure_suite(task: tuple[Path, SuiteTable | list[Table], int, int]) -> list[SuiteRecord]:
    data, suite, seed, n_trials = task
    if isinstance(suite, SuiteTable):
        return measure_other_collections(suite, seed, n_trials)
    elsewhere = [(table, read_elsewhere(data, table)["transferred"]) for table in suite]
    return measure_same_collections(suite[0].family, elsewhere, seed, n_trials)


def _of_one_family(data: Path, tables: Iterable[Table]) -> list[list[Table]]:
    """Tables of several collections under measures of one family, one of each collection.

    Each of many systems, and with a variance that is typical of its measure in others.
    """
    families: dict[str, dict[str, Table]] = {}
    for table in tables:
        if table.is_sparse or table.matrix.n_systems < _MANY_SYSTEMS:
            continue
        if read_elsewhere(data, table)["transferred"](table.measure, float(table.matrix.means.mean())):
            families.setdefault(table.family, {}).setdefault(table.collection, table)
    return [list(found.values()) for found in families.values() if len(found) >= _MIN_TOGETHER]


def read_suite_tables(data: Path) -> list[SuiteTable]:
    """What systems score on collections that people look at together, under the measure of most of them."""
    with (data / _MEMBERS).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["part_of"] and row["measure"] == _OF_SUITES]
    members: dict[str, list[str]] = {}
    for row in rows:
        members.setdefault(row["suite"], []).append(row["collection"])
    found: list[SuiteTable] = []
    for file_name in _SUITE_RESULTS:
        scores, families = _read_results(data / "results" / file_name)
        listed = {one for known in scores.values() for one in known}
        suites = {suite: collections for suite, collections in members.items() if listed.issuperset(collections)}
        suites = suites or {Path(file_name).stem: list(listed)}
        found += complete_tables(
            {suite: most_scored(scores, collections, _MOST_MEMBERS) for suite, collections in suites.items()},
            scores,
            families,
        )
    return found


def _read_results(path: Path) -> tuple[dict[str, dict[str, float]], dict[str, str]]:
    """Comparable scores by system and collection, and the family of each system: its team."""
    scores: dict[str, dict[str, float]] = {}
    families: dict[str, str] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["measure"] == _OF_SUITES and row["comparability"] == "standard":
                scores.setdefault(row["system"], {}).setdefault(row["collection"], float(row["value"]))
                hosts = row["team"].casefold() in _HOSTS
                families[row["system"]] = row["system"] if hosts else row["team"].casefold() or row["system"]
    return scores, families


def read_elsewhere(data: Path, table: Table) -> dict[EvidenceKind, Known]:
    """What other collections of a folder of shipped data say of boards like those of a table."""
    library, stands_in = read_library(data)
    with (data / _COLLECTIONS).open(encoding="utf-8", newline="") as file:
        known = {row["slug"]: row["relevant_per_topic"] for row in csv.DictReader(file)}
    relevant = float(known[table.collection]) if known.get(table.collection) else None
    if table.is_sparse:
        stands_in, relevant = {table.measure: _FIRST_RANK}, 1.0
    return {
        "transferred": transferred_from(library, stands_in, table.collection),
        "predicted": predicted_from(
            read_observations(data / SAMPLE), relevant, table.collection, is_sparse=table.is_sparse
        ),
    }


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
    """The tables whose measure is in a family, the first of each collection and measure; no grids of one toolkit.

    After each of reciprocal ranks, what follows for sparse collections.
    """
    seen = set()
    for path, row in _files(data):
        key = row["collection"], row["measure"]
        if key in seen or measure_family(row["measure"]) is None:
            continue
        seen.add(key)
        matrix = distinct(parse_score_table(path.read_bytes()))
        if matrix is not None:
            table = Table(*key, matrix)
            yield table
            yield from sparse_tables(table)


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


def _digest(data: Path) -> str:
    """Of the names and contents of everything that goes in."""
    found = hashlib.sha256()
    results = (data / "results" / name for name in _SUITE_RESULTS)
    for path in (data / _LIBRARY, data / SAMPLE, data / _MEMBERS, *results, *(path for path, _ in _files(data))):
        found.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()
