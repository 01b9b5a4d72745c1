"""From what stands on a leaderboard to what is found about it: steps that only read, and the one that runs them all.

A job may run twice, or twice at once: what comes out is derived from the evidence alone.
"""

import hashlib
import warnings
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from analysis.best_result import analyse_best, best_set_from_means, winner_from_means
from analysis.errors import DegenerateWarning
from analysis.rankings import confidence_set_for_best, tie_tiers, tie_tiers_from_means, verified_leader
from analysis.scores import ScoreMatrix
from analysis.variance_components import two_way_anova
from analysis.winners import estimate_winner
from registry.catalog.models import Leaderboard
from registry.leaderboards.canonical import canonical, rounded, snapshot_id
from registry.leaderboards.models import Analysis, ReferenceSet
from registry.leaderboards.queries import Evidence, Row, read_evidence, read_reference_sets
from registry.leaderboards.references import ProposedReference, propose_references, standardize_rows

#: Goes up when a method, a default or the shape of a snapshot changes: every leaderboard is stale then.
METHODS_VERSION = "2"

TAIL = 0.8
CONFIDENCE_LEVEL = 0.95
N_RESAMPLES = 10_000
SEED = 2015

#: Fewer independent results than this say too little about how results vary.
MIN_RESULTS = 5

#: Fewer systems with per-topic scores than this say too little about the residual variance.
MIN_SYSTEMS_FOR_VARIANCE = 5

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Question:
    """Who counts and who may be best.

    ``family`` limits the roles that count towards N. ``role``, ``run_type`` and ``evidence`` limit who may be best
    and leave N alone. Blank means no limit.
    """

    family: tuple[str, ...] = ()
    role: str = ""
    run_type: str = ""
    evidence: str = ""
    n_multiplier: int = 1

    @property
    def is_default(self) -> bool:
        """Whether the stored analysis answers it."""
        return self == DEFAULT_QUESTION

    @property
    def has_filters(self) -> bool:
        """Whether only some of those that count may be the best."""
        return bool(self.role or self.run_type or self.evidence)

    def family_mask(self, rows: tuple[Row, ...]) -> Mask:
        """Which rows count towards N, shape (n_rows,)."""
        return np.array([row.is_counted and (not self.family or row.role in self.family) for row in rows], dtype=bool)

    def contender_mask(self, rows: tuple[Row, ...]) -> Mask:
        """Which rows pass the filters, counted or not, shape (n_rows,)."""
        return np.array(
            [
                (not self.role or row.role == self.role)
                and (not self.run_type or row.run_type == self.run_type)
                and (not self.evidence or row.evidence == self.evidence)
                for row in rows
            ],
            dtype=bool,
        )


DEFAULT_QUESTION = Question()


@dataclass(frozen=True, slots=True)
class Variance:
    """The residual variance per topic that an analysis uses, on which scale, from where."""

    value: float
    scale: str
    source: str


def find_obstacle(evidence: Evidence, question: Question) -> str:
    """Why no analysis is possible; blank where one is."""
    family = question.family_mask(evidence.rows)
    if evidence.leaderboard.n_topics is None:
        return Analysis.Obstacle.UNKNOWN_TOPICS
    if family.sum() < MIN_RESULTS:
        return Analysis.Obstacle.TOO_FEW_RESULTS
    if np.ptp(evidence.values[family]) == 0:
        return Analysis.Obstacle.NO_VARIATION
    if not (family & question.contender_mask(evidence.rows)).any():
        return Analysis.Obstacle.NO_CONTENDER
    return Analysis.Obstacle.NONE


def choose_variance(evidence: Evidence) -> Variance | None:
    """The residual variance of this leaderboard's own topics where it can be had, else a borrowed one, else None."""
    matrix = evidence.topic_matrix
    if matrix is not None and matrix.n_systems >= MIN_SYSTEMS_FOR_VARIANCE:
        source = f"per-topic scores of {matrix.n_systems} results of this leaderboard"
        return Variance(two_way_anova(matrix).residual_variance, "residual", source)
    borrowed = evidence.residual_variance
    return Variance(borrowed.value, "borrowed", borrowed.source) if borrowed else None


def analyse(evidence: Evidence, question: Question = DEFAULT_QUESTION) -> dict[str, Any]:
    """Everything that is found about the leaderboard, for evidence without an obstacle."""
    family = question.family_mask(evidence.rows)
    rows = [row for row, counts in zip(evidence.rows, family, strict=True) if counts]
    contenders = question.contender_mask(tuple(rows))
    matrix = _matrix_of(evidence, [row for row, may_win in zip(rows, contenders, strict=True) if may_win])
    means = np.array([row.value for row in rows])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DegenerateWarning)
        variance = choose_variance(evidence)
        best_set, winner, tiers = (
            _from_topic_scores(matrix, evidence) if matrix else _from_means(evidence, rows, means, contenders, variance)
        )
        found = {
            "summary": _summary(means),
            "best_result": _bounds(evidence, question, rows, means, contenders, variance),
            "best_set": best_set,
            "winner": winner,
            "tiers": tiers,
            "residual_variance": asdict(variance) if variance else None,
            "topic_scores": _among_topic_scores(evidence) if matrix is None else None,
        }
    return found | {"cautions": _cautions(caught)}


def _cautions(caught: list[warnings.WarningMessage]) -> list[str]:
    """What the statistics warned of, once each: readers see it beside the numbers. Other warnings go where they go."""
    for other in caught:
        if not issubclass(other.category, DegenerateWarning):
            warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)
    return sorted({str(one.message) for one in caught if issubclass(one.category, DegenerateWarning)})


def _summary(means: NDArray[np.float64]) -> dict[str, Any]:
    return {
        "n_results": means.size,
        "mean": means.mean(),
        "sd": means.std(ddof=1),
        "max": means.max(),
        "min": means.min(),
    }


def _bounds(
    evidence: Evidence,
    question: Question,
    rows: list[Row],
    means: NDArray[np.float64],
    contenders: Mask,
    variance: Variance | None,
) -> dict[str, Any]:
    """Carterette's analysis by scale: as published, and with a residual standard error where one is known."""
    scales: dict[str, float | None] = {"published": None}
    if variance:
        scales[variance.scale] = variance.value
    bounds = {}
    for scale, residual_variance in scales.items():
        found = analyse_best(
            means,
            n_topics=evidence.leaderboard.n_topics,
            scale=scale,
            residual_variance=residual_variance,
            n_multiplier=question.n_multiplier,
            contenders=contenders,
            tail=TAIL,
            higher_is_better=evidence.leaderboard.measure.higher_is_better,
        ).to_dict()
        found["plausible"] = [rows[index].id for index in found["plausible"]]
        found["best_id"] = rows[found.pop("best_index")].id
        bounds[scale] = found
    return bounds


def _from_means(
    evidence: Evidence, rows: list[Row], means: NDArray[np.float64], contenders: Mask, variance: Variance | None
) -> tuple[dict[str, Any], dict[str, Any], dict[str, int]]:
    """The best set, the winner's score and the tiers that published means allow."""
    raw = rows[_first_best(means, contenders, evidence)]
    if variance is None:
        why = f"no per-topic scores under {evidence.leaderboard.measure} are known to take a residual variance from"
        return (
            {"basis": "published-means", "method": None, "why_none": why, "members": [], "n_members": 0},
            {"result": raw.id, "raw": raw.value, "estimate": None, "interval": None, "method": None, "why_none": why},
            {},
        )
    options: dict[str, Any] = {
        "n_topics": evidence.leaderboard.n_topics,
        "residual_variance": variance.value,
        "contenders": contenders,
        "higher_is_better": evidence.leaderboard.measure.higher_is_better,
    }
    found = best_set_from_means(means, confidence_level=CONFIDENCE_LEVEL, **options).to_dict()
    found["members"] = [rows[index].id for index in found["members"]]
    winner = winner_from_means(means, **options).to_dict()
    del options["contenders"]
    tiers = tie_tiers_from_means(means, confidence_level=CONFIDENCE_LEVEL, **options).tiers
    return (
        {"basis": "published-means", **found},
        {"result": raw.id, **winner},
        {str(row.id): tier for row, tier in zip(rows, tiers, strict=True)},
    )


def _from_topic_scores(
    matrix: ScoreMatrix, evidence: Evidence
) -> tuple[dict[str, Any], dict[str, Any], dict[str, int]]:
    """The best set, the winner's score and the tiers that per-topic scores allow; labels are result ids."""
    better = evidence.leaderboard.measure.higher_is_better
    options: dict[str, Any] = {"higher_is_better": better, "rng": SEED}
    drawn = options | {"confidence_level": CONFIDENCE_LEVEL, "n_resamples": N_RESAMPLES}
    found = confidence_set_for_best(matrix, **drawn).to_dict()
    best_set = {
        "basis": "topic-scores",
        "method": "max-t",
        "confidence_level": CONFIDENCE_LEVEL,
        "n_resamples": N_RESAMPLES,
        "members": [int(label) for label in found["members"]],
        "n_members": len(found["members"]),
        "pvalues": {entry["system"]: entry["pvalue"] for entry in found["entries"]},
        "why_no_badge": found["why_no_badge"],
        "leader": _leader(matrix, better),
    }
    winner = estimate_winner(matrix, measure_name=evidence.leaderboard.measure.name, **drawn).to_dict()
    winner["result"] = int(winner.pop("system"))
    winner["raw"] = winner.pop("raw_mean")
    tiers = {entry.system: entry.tier for entry in tie_tiers(matrix, **drawn).entries}
    return best_set, winner, tiers


def _leader(matrix: ScoreMatrix, higher_is_better: bool) -> dict[str, Any]:
    """Whether the best result is better than every other, and the one that it is least clearly better than."""
    found = verified_leader(matrix, confidence_level=CONFIDENCE_LEVEL, higher_is_better=higher_is_better)
    return {
        "result": int(found.leader),
        "rival": int(found.rival),
        "pvalue": found.pvalue,
        "is_verified": found.is_verified and found.why_no_badge is None,
    }


def _among_topic_scores(evidence: Evidence) -> dict[str, Any] | None:
    """What per-topic scores say of the results that have them, where not all contenders do."""
    if evidence.topic_matrix is None:
        return None
    best_set, winner, _ = _from_topic_scores(evidence.topic_matrix, evidence)
    return {"n_systems": evidence.topic_matrix.n_systems, "best_set": best_set, "winner": winner}


def _matrix_of(evidence: Evidence, rows: list[Row]) -> ScoreMatrix | None:
    labels = [str(row.id) for row in rows]
    matrix = evidence.topic_matrix
    if matrix is None or len(labels) < 2 or not set(labels) <= set(matrix.systems):
        return None
    return matrix.select(labels)


def _first_best(means: NDArray[np.float64], contenders: Mask, evidence: Evidence) -> int:
    signed = means if evidence.leaderboard.measure.higher_is_better else -means
    return int(np.argmax(np.where(contenders, signed, -np.inf)))


def compose(evidence: Evidence, references: dict[str, ReferenceSet]) -> dict[str, Any]:
    """The whole content of a snapshot: inputs, methods, libraries, results."""
    board = evidence.leaderboard
    return {
        "format": "plumbline-snapshot/1",
        "leaderboard": {
            "collection": board.collection.slug,
            "measure": board.measure.name,
            "n_topics": board.n_topics,
            "higher_is_better": board.measure.higher_is_better,
        },
        "inputs": {
            "results": [describe_row(row) for row in evidence.rows],
            "topic_scores": describe_matrix(evidence.topic_matrix),
            "borrowed_variance": asdict(evidence.residual_variance) if evidence.residual_variance else None,
            "reference_sets": {
                basis: {
                    "name": reference.name,
                    "n_systems": reference.n_systems,
                    "frozen": reference.frozen_on.isoformat(),
                    "factors": reference.factors,
                }
                for basis, reference in references.items()
            },
        },
        "methods": {
            "version": METHODS_VERSION,
            "tail": TAIL,
            "confidence_level": CONFIDENCE_LEVEL,
            "n_resamples": N_RESAMPLES,
            "seed": SEED,
            "min_results": MIN_RESULTS,
        },
        "libraries": {"numpy": np.__version__, "scipy": scipy.__version__},
        "results": rounded(analyse(evidence) | {"standing": standardize_rows(evidence, references)}),
    }


def describe_row(row: Row) -> dict[str, Any]:
    """A row as a snapshot keeps it."""
    return {
        "id": row.id,
        "system": row.system,
        "team": row.team,
        "printed": row.printed,
        "value": row.value,
        "year": row.year,
        "role": row.role,
        "run_type": row.run_type,
        "evidence": row.evidence,
        "why_not_counted": row.why_not_counted,
    }


def describe_matrix(matrix: ScoreMatrix | None) -> dict[str, Any] | None:
    """The per-topic scores that entered, by digest: the vectors stand with their results and never change."""
    if matrix is None:
        return None
    digest = hashlib.sha256(np.ascontiguousarray(matrix.scores).tobytes()).hexdigest()
    return {"results": [int(label) for label in matrix.systems], "n_topics": matrix.n_topics, "sha256": digest}


@dataclass(frozen=True, slots=True)
class Finding:
    """What one analysis found, computed and not yet written."""

    evidence: Evidence
    obstacle: str
    references: tuple[ProposedReference, ...]
    snapshot_id: str | None
    content: str
    headline: dict[str, Any]


def analyse_leaderboard(leaderboard_id: int, *, is_forced: bool = False) -> Finding | None:
    """What is to be found about a leaderboard as it stands; None when its analysis is up to date and not forced.

    Reads only; :func:`registry.leaderboards.services.save_finding` writes what is returned.
    """
    leaderboard = Leaderboard.objects.get(pk=leaderboard_id)
    if not is_forced and Analysis.objects.current(leaderboard, METHODS_VERSION).exists():
        return None
    evidence = read_evidence(leaderboard_id)
    obstacle = find_obstacle(evidence, DEFAULT_QUESTION)
    if obstacle:
        return Finding(evidence, obstacle, (), None, "", {})
    references = read_reference_sets(leaderboard)
    proposed = () if references else propose_references(evidence)
    in_force = references or {item.reference.basis: item.reference for item in proposed}
    content = compose(evidence, in_force)
    text = canonical(content)
    return Finding(evidence, obstacle, proposed, snapshot_id(text), text, headline(content["results"]))


def headline(results: dict[str, Any]) -> dict[str, Any]:
    """The numbers of an analysis that lists of leaderboards show."""
    published = results["best_result"]["published"]
    return {
        "mean": published["mean"],
        "sd": published["sd"],
        "best": published["best"],
        "adjusted_mean": published["adjusted_mean"],
        "lower": published["lower"],
        "upper": published["upper"],
        "inflation": published["inflation"],
        "n_plausible": published["n_plausible"],
        "n_best_set": results["best_set"]["n_members"] if results["best_set"]["method"] else None,
        "best_set_basis": results["best_set"]["basis"],
        "winner_estimate": results["winner"]["estimate"],
    }
