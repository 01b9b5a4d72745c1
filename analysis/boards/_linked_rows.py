"""Cautions on rows that contradict a linked board: both scores stay, and none is called wrong."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.boards._competitors import Competitors, family_of
from analysis.boards._findings import Caution, Family, WithoutFlagged
from analysis.boards._inputs import BoardInputs, BoardRow, LinkedBoard
from analysis.boards._linked import MIN_SCORE, LinkedScores, check_linked
from analysis.boards._wording import score

CONTRADICTS = "contradicts-linked"
JUDGED_AGAIN = "judged-again"
#: Fewer systems on both tell no order, and fewer than that no order of the upper quarter.
MIN_SHARED_ORDER, MIN_UPPER = 10, 10


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two boards with the systems on both: which of these contradict, by the id of the row here."""

    scores: LinkedScores
    kinds: dict[int, str]


def find_contradictions(inputs: BoardInputs, competitors: Competitors, families: Sequence[Family]) -> list[Caution]:
    """Return a caution for each linked board that rows contradict, named by the best of these rows."""
    measure = inputs.measure
    if not inputs.linked or not measure.higher_is_better or (measure.low, measure.high) != (0.0, 1.0):
        return []
    numbers = {result: str(number) for result, number in family_of(families).items()}
    pairs = [_pair_with(board, place, competitors, numbers) for place, board in enumerate(inputs.linked)]
    cleared = {clearance.result for clearance in inputs.cleared if clearance.code == CONTRADICTS}
    cautions = []
    for place, (board, pair) in enumerate(zip(inputs.linked, pairs, strict=True)):
        rows = [] if pair is None else [row for row in competitors.rows if pair.kinds.get(row.id)]
        rows = [row for row in rows if row.id not in cleared]
        if pair is not None and rows:
            message = _message(inputs, board, rows[0], rows[0].linked[place], pair)
            message += _odd_one(inputs, rows[0], place, pairs, numbers, competitors)
            if len(rows) > 1:
                others = "another row" if len(rows) == 2 else f"{len(rows) - 1} other rows"
                message += f" The scores of {others} conflict with that board too."
            results = tuple(row.id for row in rows)
            cautions.append(Caution(code=CONTRADICTS, message=message, results=results, withholds=True))
    return cautions


def find_other_judgements(inputs: BoardInputs, competitors: Competitors) -> list[Caution]:
    """Return a note for each board with judgements of these topics that were made again: how far the orders agree."""
    cautions = []
    for place, board in enumerate(inputs.linked):
        there = _scores_on(place, competitors.rows)
        rows = [row for row in competitors.rows if min(row.value, there.get(row.id, 0.0)) >= MIN_SCORE]
        if board.kind != "new-judgements" or not rows:
            continue
        message = _judged_again(inputs, board)
        if len(rows) >= MIN_SHARED_ORDER:
            pairs = [((there[row.id], row.value) if board.is_first else (row.value, there[row.id])) for row in rows]
            pairs.sort(reverse=True)
            tau, upper = _tau(pairs), _tau(pairs[: max(2, len(pairs) // 4)])
            low, high = _interval_of_tau(tau, len(pairs))
            message += f" The order of the {len(rows)} systems on both agrees by Kendall’s tau {tau:.2f}"
            message += f" (95%: {low:.2f} to {high:.2f})"
            if len(rows) >= 4 * MIN_UPPER:
                message += f", {upper:.2f} among the upper quarter by the earlier ones"
        else:
            message += f" {len(rows)} systems are on both, too few to compare their orders"
        message += ". The verdict allows for other topics, not for other judges."
        cautions.append(Caution(code=JUDGED_AGAIN, message=message))
    return cautions


def _judged_again(inputs: BoardInputs, board: LinkedBoard) -> str:
    """Return who judged these topics twice, in a sentence."""
    if inputs.is_judged_by_model:
        return f"A language model judged these topics here; others judged them for {board.name}."
    if board.is_judged_by_model:
        return f"These topics were judged by a language model for {board.name}."
    if board.is_first:
        return f"These topics, of {board.name}, were judged again here, in whole or in part."
    return f"These topics were judged again, in whole or in part, for {board.name}."


def _interval_of_tau(tau: float, n: int) -> tuple[float, float]:
    """Return where the tau of all such systems lies, at 95%: Fieller, Hartley & Pearson (1957),
    doi:10.1093/biomet/44.3-4.470.

    Its inverse hyperbolic tangent is nearly normal, with the variance .437 / (n - 4).
    """
    if abs(tau) == 1.0:
        return tau, tau
    middle, reach = math.atanh(tau), 1.959964 * math.sqrt(0.437 / (n - 4))
    return math.tanh(middle - reach), math.tanh(middle + reach)


def _tau(pairs: Sequence[tuple[float, float]]) -> float:
    """Return Kendall's tau-b; 0 where all are equal on one of the two."""
    from scipy.stats import kendalltau  # It takes as long to load as all else.

    tau = float(kendalltau(*zip(*pairs, strict=True)).statistic)
    return tau if np.isfinite(tau) else 0.0


def tell_without(
    inputs: BoardInputs, cautions: tuple[Caution, ...], without: WithoutFlagged | None
) -> tuple[Caution, ...]:
    """Return the cautions, of which the first about a linked board says what the verdict is without such rows."""
    place = next((place for place, caution in enumerate(cautions) if caution.code == CONTRADICTS), None)
    if without is None or place is None:
        return cautions
    (best,) = [row for row in inputs.rows if row.id == without.result]
    sentence = f" Without such scores, {best.system} leads with {score(without.value, inputs)}"
    if without.corrected:
        sentence += f", adjusted for luck {without.corrected.in_words}"
    if without.set:
        n = without.set.n_members
        sentence += ", alone" if n == 1 else f", and {n} rows tie for first"
    changed = replace(cautions[place], message=f"{cautions[place].message}{sentence}.")
    return (*cautions[:place], changed, *cautions[place + 1 :])


def _pair_with(board: LinkedBoard, place: int, competitors: Competitors, families: dict[int, str]) -> _Pair | None:
    here = {row.id: row.value for row in competitors.rows}
    there = _scores_on(place, competitors.rows)
    first, second = (there, here) if board.is_first else (here, there)
    has_fewer = board.kind == "fewer-documents" and board.has_same_topics
    return _pair(first, second, families, has_fewer_documents=has_fewer)


def _scores_on(place: int, rows: Sequence[BoardRow]) -> dict[int, float]:
    return {row.id: value for row in rows if row.linked and (value := row.linked[place]) is not None}


def _pair(
    first: dict[int, float], second: dict[int, float], families: dict[int, str], *, has_fewer_documents: bool = False
) -> _Pair | None:
    both = [result for result in first if result in second]
    if not both:
        return None
    scores = check_linked(
        [first[result] for result in both],
        [second[result] for result in both],
        [families[result] for result in both],
        has_fewer_documents=has_fewer_documents,
    )
    return _Pair(scores, dict(zip(both, scores.contradictions, strict=True)))


def _message(inputs: BoardInputs, board: LinkedBoard, row: BoardRow, there: float | None, pair: _Pair) -> str:
    assert there is not None
    text = f"{score(row.value, inputs)} of {row.system} here conflicts with {score(there, inputs)} on {board.name}"
    line = pair.scores.line
    if pair.kinds[row.id] == "logic" or line is None:
        text += ": fewer documents can’t make a score fall."
    else:
        where, from_score = ("here", there) if board.is_first else ("there", row.value)
        text += (
            f" ({line.expected(from_score):.2f} expected {where} by the {line.n_shared} systems of {line.n_families}"
            " groups on both)."
        )
    return f"{text} One is from another set-up or wrong. We don’t know which."


def _odd_one(
    inputs: BoardInputs,
    row: BoardRow,
    place: int,
    pairs: Sequence[_Pair | None],
    families: dict[int, str],
    competitors: Competitors,
) -> str:
    """Return which of three scores of one system contradicts two that agree; blank where none is named."""
    for other, pair in enumerate(pairs):
        if other == place or pair is None or row.id not in pair.kinds or not _is_usable(pair):
            continue
        between = _pair(_scores_on(place, competitors.rows), _scores_on(other, competitors.rows), families)
        if between is None or not _is_usable(between):
            continue
        contradicts_here, contradicts_there = bool(pair.kinds[row.id]), bool(between.kinds[row.id])
        if contradicts_here != contradicts_there:
            odd = "the score here" if contradicts_here else f"that on {inputs.linked[place].name}"
            return f" With {inputs.linked[other].name} there are three: {odd} is the odd one."
    return ""


def _is_usable(pair: _Pair) -> bool:
    return pair.scores.line is not None and pair.scores.line.is_usable
