"""Two systems compared on the same topics."""

import warnings
from dataclasses import dataclass, replace
from typing import Annotated

import msgspec
import numpy as np

from analysis.boards import METHODS
from analysis.comparisons import (
    EquivalenceTest,
    MeanInterval,
    PairedTest,
    compare,
    equivalence_test,
    interval_against_margin,
    mean_interval,
    ttest_rel,
)
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.core.messages import say
from registry.core.templatetags.formatting import pvalue
from registry.tools.pairs.documents import LEVEL, OfLeaderboard, ScoredSystem, compared, page_of
from registry.tools.pairs.execution_documents import (
    DifferenceOfExecuted,
    ExecutedSystem,
    difference_of_executed,
    executed_system,
)
from registry.tools.pairs.pipeline import SEED, TESTS, PairFindings, adjusted
from registry.tools.pairs.queries import read_executions, read_known, results_of
from registry.tools.resolution.queries import Reversals, read_reversals, reversals_of

_RESAMPLED = ("randomization", "bootstrap-shift")
#: Resampling more topics keeps others waiting, and tells nothing that the t test doesn't.
_MOST_RESAMPLED = 2_000
_TOO_MANY = f"it resamples up to {_MOST_RESAMPLED:,} topics, and these are {{n:,}}; the t test says as much of so many"


@dataclass(frozen=True, slots=True)
class AppliedTest:
    """One test of two systems."""

    test: Annotated[str, "Which."]
    found: Annotated[PairedTest | None, "What it says; None where it can't treat these scores."]
    why_none: Annotated[str, "Why it can't; else blank."] = ""
    adjusted: Annotated[float | None, "Its p-value among all pairs of the leaderboard, by Holm; or None."] = None


@dataclass(frozen=True, slots=True)
class TopicDifference:
    """One topic."""

    topic: str
    first: Annotated[float, "Scores of both systems, and first minus second."]
    second: Annotated[float, "Scores of both systems, and first minus second."]
    difference: Annotated[float, "Scores of both systems, and first minus second."]


def paired_tests(matrix: ScoreMatrix) -> tuple[AppliedTest, ...]:
    """Return every paired test of the two systems; those that resample always begin from the same seed."""
    if not differences_of(matrix).any():
        return tuple(AppliedTest(test, None, "both have the same score on every topic") for test in TESTS)
    first, second = matrix.systems
    tests = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)  # Said by the tests themselves.
        for test in TESTS:
            if test in _RESAMPLED and matrix.n_topics > _MOST_RESAMPLED:
                tests.append(AppliedTest(test, None, _TOO_MANY.format(n=matrix.n_topics)))
                continue
            drawn = {"rng": SEED} if test in _RESAMPLED else {}
            try:
                tests.append(AppliedTest(test, compare(matrix, first, second, test=test, **drawn)))  # type: ignore[arg-type]  # one of TESTS
            except ArgumentError as error:
                tests.append(AppliedTest(test, None, f"the {error.argument} {error.reason}"))
    return tuple(tests)


def differences_of(matrix: ScoreMatrix) -> np.ndarray:
    """Return first minus second by topic; rounding of the scores is no difference."""
    first, second = matrix.scores
    return np.where(np.abs(first - second) <= 1e-12, 0.0, first - second)


def topic_differences(matrix: ScoreMatrix) -> tuple[TopicDifference, ...]:
    """Return the topics by the difference of the two systems, the largest first."""
    first, second = matrix.scores
    differences = differences_of(matrix)
    return tuple(
        TopicDifference(matrix.topics[place], float(first[place]), float(second[place]), float(differences[place]))
        for place in np.argsort(-differences, kind="stable")
    )


_N_DECIDING = 5


class Vectors(msgspec.Struct, forbid_unknown_fields=True):
    """The scores of two systems on the same topics, in the same order."""

    first: list[float]
    second: list[float]
    topics: Annotated[list[str] | None, "Names of the topics, each once; without them they are counted."] = None
    margin: Annotated[float | None, "The largest difference that makes none, chosen before seeing the scores."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorsDocument:
    """What the scores of two systems by topic say; differences are first minus second."""

    n_topics: int
    first_mean: float
    second_mean: float
    mean_difference: float
    tests: Annotated[tuple[PairedTest, ...], "Randomization, t, bootstrap, Wilcoxon, sign; those that can treat these."]
    refused: Annotated[tuple[str, ...], "Why the others are missing."]
    equivalence: Annotated[EquivalenceTest | None, "Two one-sided tests; None without a margin."]
    n_wins: Annotated[int, "Topics on which the first scores higher, lower, the same."]
    n_losses: Annotated[int, "Topics on which the first scores higher, lower, the same."]
    n_ties: Annotated[int, "Topics on which the first scores higher, lower, the same."]
    most: Annotated[tuple[TopicDifference, ...], "The topics with the largest differences."]

    @property
    def t(self) -> PairedTest | None:
        """The t test, whose interval and effect size the page leads with."""
        return next((test for test in self.tests if test.test == "t"), None)

    @property
    def n_significant(self) -> int:
        return sum(test.pvalue <= 1 - METHODS.confidence_level for test in self.tests)


def vectors_document(matrix: ScoreMatrix, margin: float | None) -> VectorsDocument:
    """Return every paired test of the two systems of the matrix; the same scores give the same answers."""
    first, second = matrix.scores
    applied = paired_tests(matrix)
    refused = [f"{test.test}: {test.why_none}" for test in applied if test.found is None]
    equivalence = None
    if margin is not None:
        try:
            equivalence = equivalence_test(first, second, margin=margin)
        except ArgumentError as error:
            refused.append(f"equivalence: {error}")
    topics = topic_differences(matrix)
    return VectorsDocument(
        n_topics=matrix.n_topics, first_mean=float(first.mean()), second_mean=float(second.mean()),
        mean_difference=float((first - second).mean()), tests=tuple(test.found for test in applied if test.found),
        refused=tuple(refused), equivalence=equivalence, n_wins=sum(topic.difference > 0 for topic in topics),
        n_losses=sum(topic.difference < 0 for topic in topics), n_ties=sum(topic.difference == 0 for topic in topics),
        most=tuple(sorted(topics, key=lambda topic: -abs(topic.difference))[:_N_DECIDING]),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PairDocument(OfLeaderboard):
    """Two systems of a leaderboard on the same topics."""

    first: ScoredSystem
    second: ScoredSystem
    first_mean: Annotated[MeanInterval | None, "With its BCa interval; None where all scores are the same."]
    second_mean: Annotated[MeanInterval | None, "Likewise."]
    difference: Annotated[float, "First minus second, in the unit of the measure."]
    conclusion: Annotated[str, "In a sentence."]
    n_pairs: Annotated[int | None, "Pairs of the family behind the adjusted p-values; None where there are none."]
    tests: tuple[AppliedTest, ...]
    by_group: Annotated[PairedTest | None, "The t test of groups of topics, where they come in groups; else None."]
    by_group_in_words: Annotated[str, "What it says beside that with each topic by itself, in a sentence; else blank."]
    margin: Annotated[float | None, "The smallest difference that matters, where the reader gave one."]
    equivalence: Annotated[EquivalenceTest | None, "Two one-sided t tests against it."]
    margin_conclusion: Annotated[str, "What the t interval says against it, in a sentence; else blank."]
    reversals: Annotated[Reversals | None, "Where the t test finds it, and 100 comparisons or more were as large."]
    n_deciding: Annotated[int | None, "How many topics of the largest differences must go before the order turns."]
    executed: Annotated[tuple[ExecutedSystem, ...], "Those of the two that were executed several times; perhaps none."]
    by_executions: Annotated[DifferenceOfExecuted | None, "What their executions say of the difference; None without."]
    n_execution_topics: Annotated[int, "Topics that every execution has a score on; 0 without several executions."]
    topics: Annotated[tuple[TopicDifference, ...], "By difference, the largest first."]


def pair_document(board: Leaderboard, matrix: ScoreMatrix, margin: float | None) -> PairDocument:
    """Return the two systems of the matrix compared; ``margin`` is the smallest difference that matters, if any."""
    first, second = matrix.systems
    results = results_of(matrix)
    scores, other = matrix.scores
    differences = differences_of(matrix)
    tests, n_pairs = _tests(board, matrix)
    t_test = next(test.found for test in tests if test.test == "t")
    groups = board.collection.groups_of(matrix.topics)
    by_group = ttest_rel(scores, other, topic_groups=groups) if groups and t_test else None
    executions = _executions(board, first, second)
    return PairDocument(
        **page_of(board, "pair", first, second),
        first=compared(results[first], float(scores.mean())),
        second=compared(results[second], float(other.mean())),
        first_mean=_mean(scores),
        second_mean=_mean(other),
        difference=float(differences.mean()),
        conclusion=_conclusion(
            board, tests, differences, n_pairs, (results[first].system.name, results[second].system.name)
        ),
        n_pairs=n_pairs,
        tests=tests,
        by_group=by_group,
        by_group_in_words=_by_group(board, len(set(groups)), by_group, t_test),
        margin=margin,
        equivalence=equivalence_test(scores, other, margin=margin) if margin and t_test else None,
        margin_conclusion=_against_margin(t_test, margin, board.measure.higher_is_better),
        reversals=reversals_of(lambda: read_reversals(board), t_test),
        n_deciding=_n_deciding(differences),
        executed=_executed(board, executions),
        by_executions=_by_executions(executions, margin, board.measure.higher_is_better),
        n_execution_topics=next((execution.n_topics for execution in executions.values()), 0),
        topics=topic_differences(matrix),
    )


def _executions(board: Leaderboard, first: str, second: str) -> dict[str, ScoreMatrix]:
    """Return the executions of both systems, by the first of each; empty where neither has two that differ."""
    known = read_executions(board)
    both = {label: known[label] for system in (first, second) for label in known if system in known[label].systems}
    return both if len(both) == 2 and any(map(_varies, both.values())) else {}


def _varies(executions: ScoreMatrix) -> bool:
    return bool(np.ptp(executions.scores, axis=0).any())


def _executed(board: Leaderboard, executions: dict[str, ScoreMatrix]) -> tuple[ExecutedSystem, ...]:
    results, better = results_of(*executions.values()), board.measure.higher_is_better
    return tuple(
        executed_system(
            matrix,
            [compared(results[name], mean) for name, mean in zip(matrix.systems, matrix.means.tolist(), strict=True)],
            higher_is_better=better,
        )
        for matrix in executions.values()
        if _varies(matrix)
    )


def _by_executions(known: dict[str, ScoreMatrix], margin: float | None, better: bool) -> DifferenceOfExecuted | None:
    fixed = [label for label, matrix in known.items() if not _varies(matrix)]
    return difference_of_executed(known, fixed, margin, higher_is_better=better) if known else None


def _mean(scores: np.ndarray) -> MeanInterval | None:
    return mean_interval(scores, SEED, method="bca") if np.ptp(scores) > 0 else None


def _tests(board: Leaderboard, matrix: ScoreMatrix) -> tuple[tuple[AppliedTest, ...], int | None]:
    """Return all tests of the two, with p-values adjusted (Holm) among all pairs, and the number of those."""
    first, second = matrix.systems
    findings, tests = read_known(board).findings, paired_tests(matrix)
    if findings is None or not {first, second} <= set(findings.systems):
        return tests, None
    among_all = (_among_all(findings, test.test, first, second) if test.found else None for test in tests)
    judged = (replace(test, adjusted=pvalue) for test, pvalue in zip(tests, among_all, strict=True))
    return tuple(judged), len(findings.estimates)


def _among_all(findings: PairFindings, test: str, first: str, second: str) -> float | None:
    pvalues = adjusted(findings.by(test), "holm")
    row, column = sorted((findings.systems.index(first), findings.systems.index(second)))
    n_systems = len(findings.systems)
    place = row * (2 * n_systems - row - 1) // 2 + column - row - 1
    return pvalues[place] if pvalues else None


def _conclusion(
    board: Leaderboard,
    tests: tuple[AppliedTest, ...],
    differences: np.ndarray,
    n_pairs: int | None,
    names: tuple[str, str],
) -> str:
    if not differences.any():
        return say("pair-same")
    test = tests[0].found
    difference, decimals = float(differences.mean()), board.measure.decimals
    if abs(difference) <= 1e-12:
        return say("pair-level")
    ahead = names[0] if (difference > 0) == board.measure.higher_is_better else names[1]
    least = f"{10.0**-decimals:.{decimals}f}"
    known = {"name": ahead, "far": f"{abs(difference):.{decimals}f}", "least": least}
    known["is_seen"] = "yes" if round(difference, decimals) else "no"
    if test is None:
        return say("pair-ahead", **known)
    if test.pvalue > LEVEL:
        return say("pair-tied", **known, p=_p(test.pvalue))
    among = tests[0].adjusted
    is_alone = among is None or n_pairs == 1
    state = "alone" if is_alone else "planned" if among is not None and among > LEVEL else "among"
    values = {"p": _p(test.pvalue), "n": n_pairs or 1, "p_among": _p(1.0 if among is None else among)}
    return say("pair-significant", **known, **values, state=state)


def _by_group(board: Leaderboard, n_groups: int, by_group: PairedTest | None, by_topic: PairedTest | None) -> str:
    if by_group is None or by_topic is None:
        return ""
    kind, p, p_alone = board.collection.group_kind, _p(by_group.pvalue), _p(by_topic.pvalue)
    return say("pair-by-group", kind=kind, n=n_groups, p=p, p_alone=p_alone)


def _p(value: float) -> str:
    return f"p {pvalue(value)}" if value < 0.001 else f"p = {pvalue(value)}"


def _against_margin(test: PairedTest | None, margin: float | None, higher_is_better: bool) -> str:
    if margin is None or test is None or test.interval is None:
        return ""
    conclusion = interval_against_margin(test.interval, margin=margin).conclusion
    words = conclusion.split() if higher_is_better else [_TURNED.get(word, word) for word in conclusion.split()]
    return say("pair-margin", found="-".join(words))


_TURNED = {"first": "second", "second": "first"}


def _n_deciding(differences: np.ndarray) -> int | None:
    """Return the number of largest differences in favour of the leader that must go until the sum turns, or is 0."""
    total = float(differences.sum())
    if not differences.any() or abs(total) < 1e-9:
        return None
    gains = np.sort(np.sign(total) * differences)[::-1]
    left = abs(total) - np.cumsum(gains)
    return int(np.argmax(left <= 1e-12)) + 1
