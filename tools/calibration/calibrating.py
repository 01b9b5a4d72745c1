"""Fitting the model of variances, and measuring calibration, from the files that ship."""

import csv
import hashlib
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from analysis.boards._calibration_table import FORMAT, Calibration, CalibrationTable, LeftOutTable, MeasuredAgain
from analysis.boards._findings import EvidenceKind
from analysis.boards._methods import METHODS
from analysis.boards._prediction import FORMAT as MODEL_FORMAT
from analysis.boards._prediction import AuditRow, ShippedModel
from analysis.errors import ArgumentError
from analysis.reliability import VarianceModel, VarianceObservation, predict_variance
from analysis.reliability._variance_fit import fit_variances, left_out_error, rounded_model
from analysis.reliability._variance_model import FIRST
from analysis.scores import measure_nature, parse_score_table
from tools.calibration.boards import PREDICTED, Table, distinct, measure_table, sparse_tables
from tools.calibration.known import Known, model_without, predicted_from, with_refit
from tools.calibration.suites import (
    SuiteTable,
    complete_tables,
    measure_other_collections,
    measure_same_collections,
    most_scored,
)
from tools.calibration.summary import BoardRecord, SuiteRecord, summarize, summarize_suites

#: Tables of so many systems, of so many collections, are put together to a suite.
_MANY_SYSTEMS, _MIN_TOGETHER = 45, 3
#: Of a suite at most so many members, those with the scores of most systems.
_MOST_MEMBERS = 29
_OF_SUITES = "nDCG@10"
_SUITE_RESULTS = ("mteb.csv", "tirex.csv")
#: Who runs others' systems is no maker.
_HOSTS = ("tira-io",)
_MEMBERS = "suite_members.csv"
_LIBRARY, _DENSITIES = "variance_library.csv", "densities.csv"
#: Digits after the point that coefficients are known to: of one document, of many, of the ratios of shared tasks.
_DIGITS = (3, 4, 2)
OBSERVATIONS, REFIT = "variance_observations.csv", "variance_refit.csv"


def calibrate(data: Path, *, measured_on: str, seed: int, n_trials: int, n_processes: int = 1) -> Calibration:
    """Return how often verdicts hold, measured on every table of topic scores of a folder of shipped data."""
    tables = list(read_tables(data))
    suites: list[SuiteTable | list[Table]] = [*read_suite_tables(data), *boards_of_one_family(data, tables)]
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
        again=(),
        tables=_described(tables),
        left_out=tuple(_left_out(data, {(table.collection, table.measure) for table in tables})),
        rows=summarize(record for records in measured for record in records),
        suites=summarize_suites(record for records in measured_suites for record in records),
    )


def calibrate_predictions(data: Path, before: Calibration, *, measured_on: str, n_processes: int = 1) -> Calibration:
    """Return the calibration ``before`` with all that rests on predictions about one board measured again."""
    tables = list(read_tables(data))
    if _described(tables) != before.tables:
        raise ArgumentError("data", data, "must have the tables that the rest was measured on: measure all again")
    boards = [(data, table, before.seed + place, before.n_trials) for place, table in enumerate(tables)]
    if n_processes > 1:
        with ProcessPoolExecutor(n_processes) as pool:
            measured = list(pool.map(_measure_predictions, boards))
    else:
        measured = list(map(_measure_predictions, boards))
    others = [row for row in before.rows if row.evidence not in PREDICTED]
    again = MeasuredAgain(methods=METHODS.version, measured_on=measured_on, data_sha256=_digest(data))
    fresh = summarize(record for records in measured for record in records)
    return replace(before, again=(again,), rows=(*others, *fresh))


def _described(tables: Iterable[Table]) -> tuple[CalibrationTable, ...]:
    return tuple(
        CalibrationTable(
            collection=table.collection,
            measure=table.measure,
            n_systems=table.matrix.n_systems,
            n_topics=table.matrix.n_topics,
            is_sparse=table.is_sparse,
            relevant=table.relevant,
        )
        for table in tables
    )


def _measure(task: tuple[Path, Table, int, int]) -> list[BoardRecord]:
    data, table, seed, n_trials = task
    return measure_table(table, read_elsewhere(data, table), seed, n_trials)


def _measure_predictions(task: tuple[Path, Table, int, int]) -> list[BoardRecord]:
    data, table, seed, n_trials = task
    return measure_table(table, read_elsewhere(data, table), seed, n_trials, only_predicted=True)


def _measure_suite(task: tuple[Path, SuiteTable | list[Table], int, int]) -> list[SuiteRecord]:
    data, suite, seed, n_trials = task
    if isinstance(suite, SuiteTable):
        return measure_other_collections(suite, seed, n_trials)
    elsewhere = [(table, read_elsewhere(data, table)["predicted"]) for table in suite]
    return measure_same_collections(suite[0].family, elsewhere, seed, n_trials)


def boards_of_one_family(data: Path, tables: Iterable[Table]) -> list[list[Table]]:
    """Return tables of several collections under measures of one family, one of each collection.

    Each has many systems, and a variance that can be predicted.
    """
    families: dict[str, dict[str, Table]] = {}
    for table in tables:
        if table.is_sparse or table.matrix.n_systems < _MANY_SYSTEMS:
            continue
        known = read_elsewhere(data, table).get("predicted")
        if known and known(table.measure, table.matrix.means):
            families.setdefault(table.family, {}).setdefault(table.collection, table)
    return [list(family.values()) for family in families.values() if len(family) >= _MIN_TOGETHER]


def read_suite_tables(data: Path) -> list[SuiteTable]:
    """Return what systems score on collections that people look at together, under the measure of most of them."""
    with (data / _MEMBERS).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["part_of"] and row["measure"] == _OF_SUITES]
    members: dict[str, list[str]] = {}
    for row in rows:
        members.setdefault(row["suite"], []).append(row["collection"])
    tables: list[SuiteTable] = []
    for file_name in _SUITE_RESULTS:
        scores, families = _read_results(data / "results" / file_name)
        listed = {collection for known in scores.values() for collection in known}
        suites = {suite: collections for suite, collections in members.items() if listed.issuperset(collections)}
        suites = suites or {Path(file_name).stem: list(listed)}
        tables += complete_tables(
            {suite: most_scored(scores, collections, _MOST_MEMBERS) for suite, collections in suites.items()},
            scores,
            families,
        )
    return tables


def _read_results(path: Path) -> tuple[dict[str, dict[str, float]], dict[str, str]]:
    """Return comparable scores by system and collection, and the family of each system: its team."""
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
    """Return what is predicted for boards of a table by a model that was fitted without it: with the number of relevant
    documents, where it is needed and known, and of real tables without it."""
    model = _model_without(data, table.collection)
    is_shared = table.is_shared_task
    known: dict[EvidenceKind, Known] = {}
    needs_density = measure_nature(table.measure).family not in FIRST
    if table.relevant or not needs_density:
        known["predicted"] = predicted_from(model, table.relevant, table.share_with_one, is_shared_task=is_shared)
    if not table.is_sparse and needs_density:
        known["predicted-without-density"] = predicted_from(model, None, None, is_shared_task=is_shared)
    return known


@lru_cache(maxsize=64)
def _model_without(data: Path, collection: str) -> VarianceModel:
    """Return the model in use, fitted without a collection."""
    observations = read_observations(data / OBSERVATIONS)
    return with_refit(model_without(observations, collection), _model_of_all(data), read_refit(data))


@lru_cache(maxsize=1)
def _model_of_all(data: Path) -> VarianceModel:
    return fit_variances(read_observations(data / OBSERVATIONS))


def read_refit(data: Path) -> dict[tuple[str, str], float]:
    """Return coefficients as fitted with variances that do not ship, too, by group and name."""
    with (data / REFIT).open(encoding="utf-8", newline="") as file:
        return {(row["coefficients"], row["name"]): float(row["value"]) for row in csv.DictReader(file)}


def fit(path: Path) -> ShippedModel:
    """Return the model of the variances in a file, rounded, with its error for groups that are left out.

    The model in use has the coefficients of ``REFIT``, in the same folder.
    """
    observations, refit = read_observations(path), read_refit(path.parent)
    fitted = fit_variances(observations)
    groups = sorted({observation.group for observation in observations})
    errors = [error for group in groups for error in left_out_error(observations, group)]
    return ShippedModel(
        format=MODEL_FORMAT,
        fitted_on=path.name,
        data_sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        n_observations=len(observations),
        n_groups=len(groups),
        left_out_log_error=round(math.sqrt(float(np.mean(np.square(errors)))), 4),
        fitted=rounded_model(fitted, 4, 5, 4),
        model=rounded_model(with_refit(fitted, fitted, refit), *_DIGITS),
    )


def read_observations(path: Path) -> list[VarianceObservation]:
    """Return the variances of a file that a model is fitted on."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            VarianceObservation(
                collection=row["collection"],
                group=row["group"],
                measure=row["measure"],
                is_shared_task=row["is_shared_task"] == "true",
                n_systems=int(row["n_systems"]),
                mean=float(row["mean"]),
                best=float(row["best"]),
                top_mean=float(row["top_mean"]),
                top_square=float(row["top_square"]),
                top_square_inverse=float(row["top_square_inverse"]),
                variance=float(row["residual_variance"]),
                log_sd_topics=float(row["log_sd_topics"]),
            )
            for row in csv.DictReader(file)
        ]


#: Rows of the observations that are matrices or runs as they are, and no judgements that were thinned for the fit.
_AT_HAND = ("matrix", "runs")


def audit_variances(data: Path) -> tuple[AuditRow, ...]:
    """Return the audit of the shipped data, computed anew."""
    observations, densities = read_observations(data / OBSERVATIONS), read_densities(data)
    with (data / OBSERVATIONS).open(encoding="utf-8", newline="") as file:
        kinds = [row["kind"] for row in csv.DictReader(file)]
    at_hand = [observation for observation, kind in zip(observations, kinds, strict=True) if kind in _AT_HAND]
    models = {name: _model_without(data, name) for name in {observation.collection for observation in at_hand}}
    ratios: dict[tuple[str, str], list[float]] = defaultdict(list)
    classes: dict[tuple[str, str], str] = {}
    for observation in at_hand:
        relevant, share = densities.get((observation.collection, "(rel=2)" in observation.measure), (None, None))
        prediction = predict_variance(
            models[observation.collection],
            observation.measure,
            mean=observation.mean,
            best=observation.best,
            relevant=relevant,
            share_with_one=share,
            is_shared_task=observation.is_shared_task,
        )
        family = measure_nature(observation.measure).family
        if prediction and family:
            key = observation.collection, family
            ratios[key].append(observation.variance / prediction.value)
            classes[key] = prediction.variance_class
    return tuple(
        AuditRow(
            collection=key[0],
            family=key[1],
            variance_class=classes[key],
            n_measures=len(values),
            ratio=round(math.exp(math.fsum(map(math.log, values)) / len(values)), 3),
            lowest=round(min(values), 3),
            highest=round(max(values), 3),
        )
        for key, values in sorted(ratios.items())
    )


def read_tables(data: Path) -> Iterator[Table]:
    """Yield the tables whose measure is in a family, the first of each collection and measure; no grids of one toolkit.

    After each table of reciprocal ranks come the tables in which only the first relevant document counts.
    """
    densities = read_densities(data)
    seen = set()
    for path, row in _files(data):
        key = row["collection"], row["measure"]
        if key in seen or not path.name.endswith(".csv") or not measure_nature(row["measure"]).family:
            continue
        seen.add(key)
        matrix = distinct(parse_score_table(path.read_bytes()))
        if matrix is not None:
            relevant, share = densities.get((row["collection"], "(rel=2)" in row["measure"]), (None, None))
            is_shared = row.get("runs", "").startswith("participants") or row.get("role") == "trec_run"
            table = Table(*key, matrix, is_shared_task=is_shared, relevant=relevant, share_with_one=share)
            yield table
            yield from sparse_tables(table)


def read_densities(data: Path) -> dict[tuple[str, bool], tuple[float | None, float | None]]:
    """Return relevant documents a topic and the share of topics with one, by collection and whether from grade 2 on."""
    densities: dict[tuple[str, bool], tuple[float | None, float | None]] = {}
    with (data / _DENSITIES).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for is_graded, mean, share in (
                (False, "relevant_mean", "share_with_one"),
                (True, "grade_2_mean", "grade_2_share_with_one"),
            ):
                if row[mean]:
                    with_one = float(row[share]) if row[share] else None
                    densities[row["collection"], is_graded] = float(row[mean]), with_one
    return densities


def _left_out(data: Path, drawn: set[tuple[str, str]]) -> Iterator[LeftOutTable]:
    """Yield the matrices from which no boards are drawn, with the reason."""
    known = set()
    for path, row in _files(data):
        key = row["collection"], row["measure"]
        if not path.name.endswith(".csv"):
            yield LeftOutTable(collection=key[0], measure=key[1], why="configurations of one toolkit")
        elif key not in drawn:
            is_other = not measure_nature(row["measure"]).family
            why = "the measure is in no family" if is_other else "too few distinct systems"
            yield LeftOutTable(collection=key[0], measure=key[1], why=why)
        elif key in known:
            yield LeftOutTable(collection=key[0], measure=key[1], why="boards are drawn from another table")
        known.add(key)
    with (data / _LIBRARY).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["collection"] and (row["collection"], row["measure"]) not in known:
                why = "only its variance is known, not its scores"
                yield LeftOutTable(collection=row["collection"], measure=row["measure"], why=why)


def _files(data: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    for folder in (data / "topic_scores", data / "topic_scores" / "unnamed"):
        with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield folder / row["file"], row


def _digest(data: Path) -> str:
    """Return the digest of the names and contents of everything that goes in."""
    digest = hashlib.sha256()
    results = (data / "results" / name for name in _SUITE_RESULTS)
    for path in (
        data / _LIBRARY,
        data / OBSERVATIONS,
        data / REFIT,
        data / _DENSITIES,
        data / _MEMBERS,
        *results,
        *(path for path, _ in _files(data)),
    ):
        digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
