"""Other rules than the mean for a suite: who wins by each, how surely, and what a place there is worth."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from analysis._validation import FloatArray
from analysis.boards._methods import METHODS
from analysis.boards._suite_inputs import (
    GuessedPlace,
    RuleName,
    SuiteInputs,
    SuitePlace,
    SuiteRow,
    SuiteRule,
    SuiteRules,
    check_suite,
    complete_rows,
    missing_members,
)

IntArray = NDArray[np.intp]

RULES: tuple[RuleName, ...] = get_args(RuleName)
N_DRAWS = 400
N_HALVES = 300
#: Of the places over draws of the members.
ENDS = (5.0, 95.0)
#: Fewer members say too little about a new one.
MIN_MEMBERS_NEW = 9
NEW_LEVEL = 0.9
MIN_MEMBERS_GUESSED = 4
#: Of 209 systems on 13 collections of BEIR, 90 % of guessed places were within 22.
GUESS_ERROR = 22 / 209
_LOWEST = 0.01
_MAD_TO_SD = 1.4826
_CHUNK = 25


def study_rules(inputs: SuiteInputs, families: Mapping[int, int]) -> SuiteRules | None:
    """Return what several rules make of the systems with a score on every member; None with fewer than two systems or
    tasks.

    Tasks are drawn and split with all their members. ``families`` has the number of each system's family.
    """
    rows, scores = _best_first(inputs)
    tasks = _members_of_tasks(inputs)
    if not rows:
        return None
    is_share = inputs.measure.low == 0.0 and inputs.measure.higher_is_better
    field = _Field(scores, [families[row.id] for row in rows], is_share=is_share)
    rng = np.random.default_rng(METHODS.seed)
    draws = _draws(rng, tasks)
    shuffled = rng.permuted(np.tile(np.arange(len(tasks)), (N_HALVES, 1)), axis=1)
    half = len(tasks) // 2
    (winners,), drawn = field.winners([np.arange(scores.shape[1])]), field.winners(draws)
    first_half = field.winners(_of_tasks(tasks, shuffled[:, :half]))
    second_half = field.winners(_of_tasks(tasks, shuffled[:, half : 2 * half]))
    rules = tuple(
        SuiteRule(
            rule=rule,
            winner=rows[winners[place]].id,
            tied=tuple(rows[other].id for other in field.tied(rule) if other != winners[place]),
            wins=float(np.mean(drawn[:, place] == winners[place])),
            halves=float(np.mean(first_half[:, place] == second_half[:, place])),
        )
        for place, rule in enumerate(RULES)
        if rule in field.rules
    )
    return SuiteRules(
        rules=rules,
        beats_all=None if (first := field.beats_all()) is None else rows[first].id,
        places=_places(rows, scores, tasks, draws),
        guessed=_guessed(inputs, field.ranks, scores),
    )


def suite_places(inputs: SuiteInputs) -> tuple[tuple[SuitePlace, ...], tuple[GuessedPlace, ...]]:
    """Return where systems stand among these by the mean, and about where those that lack scores.

    Parameters
    ----------
    inputs : SuiteInputs

    Returns
    -------
    places : tuple of SuitePlace
        Best mean first; as ``rules.places`` of :func:`study_suite` has them, which also finds who wins. Empty with
        fewer than two systems that have a score on every member, or fewer than two tasks.
    guessed : tuple of GuessedPlace
        As ``rules.guessed`` has them.

    Raises
    ------
    ArgumentError
        If a row has not as many scores as there are members.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, doi:10.1201/9780429246593.

    Examples
    --------
    >>> from analysis.boards import Evidence, MeasureFacts, SuiteInputs, SuiteMember, SuiteRow
    >>> known = Evidence(kind="predicted", residual_variance=0.02, degrees_of_freedom=10.0)
    >>> members = tuple(
    ...     SuiteMember(collection=name, name=name, snapshot="", n_topics=100, evidence=known) for name in "ab"
    ... )
    >>> scores = {1: (0.5, 0.6), 2: (0.4, 0.3), 3: (0.45, None)}
    >>> rows = tuple(
    ...     SuiteRow(id=number, system=str(number), scores=pair, results=(None, None))
    ...     for number, pair in scores.items()
    ... )
    >>> inputs = SuiteInputs(suite="s", name="S", measure=MeasureFacts(name="AP"), members=members, rows=rows)
    >>> places, guessed = suite_places(inputs)
    >>> [(place.result, place.low, place.high) for place in places], guessed
    ([(1, 1, 1), (2, 2, 2)], ())
    """
    check_suite(inputs)
    rows, scores = _best_first(inputs)
    if not rows:
        return (), ()
    tasks = _members_of_tasks(inputs)
    draws = _draws(np.random.default_rng(METHODS.seed), tasks)
    return _places(rows, scores, tasks, draws), _guessed(inputs, _ranks(scores), scores)


def _best_first(inputs: SuiteInputs) -> tuple[list[SuiteRow], FloatArray]:
    """Return the systems with a score on every member, best mean first, and their scores, higher is better; nothing
    with fewer than two systems or tasks."""
    rows = complete_rows(inputs)
    if len(rows) < 2 or len(_members_of_tasks(inputs)) < 2:
        return [], np.empty((0, 0))
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    scores = sign * np.array([row.scores for row in rows], dtype=np.float64)
    order = np.argsort(-scores.mean(axis=1), kind="stable")
    return [rows[place] for place in order], scores[order]


def _members_of_tasks(inputs: SuiteInputs) -> list[IntArray]:
    """Return the places of the members of each task."""
    names = inputs.tasks or range(len(inputs.members))
    return [np.array([place for place, name in enumerate(names) if name == task]) for task in dict.fromkeys(names)]


def _draws(rng: np.random.Generator, tasks: Sequence[IntArray]) -> list[IntArray]:
    return _of_tasks(tasks, rng.integers(len(tasks), size=(N_DRAWS, len(tasks))))


def _of_tasks(tasks: Sequence[IntArray], choices: IntArray) -> list[IntArray]:
    """Return the places of the members of each choice of tasks."""
    return [np.concatenate([tasks[task] for task in choice]) for choice in choices]


def _ranks(scores: FloatArray) -> FloatArray:
    from scipy.stats import rankdata  # It takes as long to load as all else.

    ranks: FloatArray = rankdata(-scores, axis=0)
    return ranks


class _Field:
    """Scores of systems on members, higher is better, best mean first, in the forms that rules take."""

    def __init__(self, scores: FloatArray, families: Sequence[int], *, is_share: bool) -> None:
        self.scores, self.ranks = scores, _ranks(scores)
        self.rules = tuple(rule for rule in RULES if is_share or rule != "geometric-mean")
        self._duels: FloatArray = np.sign(scores[:, None, :] - scores[None, :, :])
        spread = _MAD_TO_SD * np.median(np.abs(scores - np.median(scores, axis=0)), axis=0)
        _, of_family, sizes = np.unique(families, return_inverse=True, return_counts=True)
        self._averaged: dict[RuleName, FloatArray] = {
            "mean": scores,
            "geometric-mean": np.log(np.maximum(scores, _LOWEST)) if is_share else scores,
            "mean-z": (scores - np.median(scores, axis=0)) / np.where(spread > 0.0, spread, np.inf),
            "mean-rank": -self.ranks,
            "mean-rank-of-families": np.einsum("ijd,j->id", self._duels, 1.0 / sizes[of_family]),
        }

    def winners(self, picks: Sequence[IntArray]) -> IntArray:
        """Return the winner by each of ``RULES`` for each choice of members, as places; shape (n_choices, n_rules)."""
        weights = np.array([np.bincount(pick, minlength=self.scores.shape[1]) for pick in picks], dtype=np.float64)
        mean_rank = weights @ self.ranks.T
        by_rule = []
        for rule in RULES:
            if rule in self._averaged:
                by_rule.append(np.argmax(np.round(weights @ self._averaged[rule].T, 9), axis=1))
            else:
                by_rule.append(_first(self._ties_broken[rule](picks, weights), mean_rank))
        return np.column_stack(by_rule)

    def tied(self, rule: RuleName) -> IntArray:
        """Return the places that do best by a rule on all members."""
        everything = [np.arange(self.scores.shape[1])]
        if rule in self._averaged:
            values = -np.round(self._averaged[rule].mean(axis=1), 9)
        else:
            values = self._ties_broken[rule](everything, np.ones((1, self.scores.shape[1])))[0]
            mean_rank = np.round(self.ranks.mean(axis=1), 9)
            values = np.where(values == values.min(), mean_rank, np.inf)
        return np.flatnonzero(values == values.min())

    @property
    def _ties_broken(self) -> dict[RuleName, Callable[[Sequence[IntArray], FloatArray], FloatArray]]:
        """The rules whose ties the mean rank breaks; lower is better."""
        return {
            "copeland": lambda _, weights: -self._copeland(weights),
            "median-rank": lambda picks, _: np.array([np.median(self.ranks[:, pick], axis=1) for pick in picks]),
            "worst-rank": lambda picks, _: np.array([self.ranks[:, pick].max(axis=1) for pick in picks]),
        }

    def _copeland(self, weights: FloatArray) -> FloatArray:
        """Return rivals beaten on more members than lost, less the reverse."""
        n = len(self.scores)
        flat = self._duels.astype(np.float32).reshape(n * n, -1).T  # Sums of whole numbers: exact.
        parts = [
            np.sign(weights[start : start + _CHUNK].astype(np.float32) @ flat).reshape(-1, n, n).sum(axis=2)
            for start in range(0, len(weights), _CHUNK)
        ]
        balances: FloatArray = np.concatenate(parts)
        return balances

    def beats_all(self) -> int | None:
        """Return the place of the system that beats every rival on more members than it loses; None without one."""
        (beaten,) = self._copeland(np.ones((1, self.scores.shape[1])))
        best = int(np.argmax(beaten))
        return best if beaten[best] == len(self.scores) - 1 else None


def _first(values: FloatArray, mean_rank: FloatArray) -> IntArray:
    """Return the place with the lowest value in each row; of ties that with the lowest mean rank."""
    is_tied = values == values.min(axis=1, keepdims=True)
    places: IntArray = np.argmin(np.where(is_tied, np.round(mean_rank, 9), np.inf), axis=1)
    return places


def _places(
    rows: Sequence[SuiteRow], scores: FloatArray, tasks: Sequence[IntArray], draws: Sequence[IntArray]
) -> tuple[SuitePlace, ...]:
    """Return places by the mean over draws of the tasks, and on a new collection."""
    means = np.array([scores[:, draw].mean(axis=1) for draw in draws])
    from scipy.stats import rankdata  # It takes as long to load as all else.

    low, high = np.percentile(rankdata(-means, axis=1, method="min"), ENDS, axis=0)
    ranks = _ranks(np.column_stack([scores[:, members].mean(axis=1) for members in tasks]))
    mean_rank = ranks.mean(axis=1)
    reach = reach_on_new(ranks) if len(tasks) >= MIN_MEMBERS_NEW else None
    return tuple(
        SuitePlace(
            result=row.id,
            low=math.floor(low[place]),
            high=math.ceil(high[place]),
            low_on_new=None if reach is None else max(1, math.floor(mean_rank[place] - reach[place])),
            high_on_new=None if reach is None else min(len(rows), math.ceil(mean_rank[place] + reach[place])),
        )
        for place, row in enumerate(rows)
    )


def reach_on_new(ranks: FloatArray) -> FloatArray:
    """Return how far from its mean rank a system may stand on a new member; of ranks, shape (n_systems, n_members)."""
    n_members = ranks.shape[1]
    others = (ranks.sum(axis=1, keepdims=True) - ranks) / (n_members - 1)
    wanted = min(math.ceil(NEW_LEVEL * (n_members + 1)), n_members)
    reach: FloatArray = np.sort(np.abs(ranks - others), axis=1)[:, wanted - 1]
    return reach


def _guessed(inputs: SuiteInputs, ranks: FloatArray, scores: FloatArray) -> tuple[GuessedPlace, ...]:
    """Return guesses where systems stand that lack scores on some members, by their mean percentile on the others."""
    n, sign = len(scores), 1.0 if inputs.measure.higher_is_better else -1.0
    complete = ranks.mean(axis=1) / n
    within = math.ceil(GUESS_ERROR * n)
    guesses = []
    for row in inputs.rows:
        known = [(place, sign * score) for place, score in enumerate(row.scores) if score is not None]
        if missing_members(row) and len(known) >= MIN_MEMBERS_GUESSED:
            better = [
                float(np.sum(scores[:, place] > score) + 0.5 * np.sum(scores[:, place] == score) + 0.5) / n
                for place, score in known
            ]
            place = 1 + int(np.sum(complete < np.mean(better)))
            guesses.append(GuessedPlace(result=row.id, place=min(place, n), within=within))
    return tuple(guesses)
