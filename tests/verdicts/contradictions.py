"""What one leaderboard’s verdict may contradict itself in, each as a question about what was studied of it."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

from analysis.boards import BoardInputs, Corrected, Findings, MayBeBest, Verdict, rank_ranges
from analysis.readers.numbers import PrintedScore
from analysis.reliability import variance_cap
from registry.leaderboards.documents.rows import left_out
from registry.leaderboards.headlines import STRONG_NOTES, claimed

#: A set from means needs as many topics, and sets of fewer say so.
_MIN_TOPICS = 25
_MIN_ROWS, _MIN_FAMILIES = 5, 3
_OF_WINNERS = (
    "The best of",
    "alone",
    "ruled out",
    "can’t be told",
    "tied for first",
    "tie for first",
    "adjusted for luck",
)
#: Up to so many relevant documents a topic, one decides nearly everywhere; AP varies by so much of m (1 - m) then.
_ABOUT_ONE, _LEAST_OF_ONE = 1.5, 0.15
#: What the measures begin with that each line of the calibration counts together.
_COUNTED_TOGETHER = {
    "AP": ("AP", "infAP"),
    "ERR": ("ERR",),
    "P": ("P@", "P("),
    "R": ("R@", "R(", "Rprec"),
    "RR": ("RR", "Success", "Top-"),
    "nDCG": ("nDCG",),
}


@dataclass(frozen=True, slots=True)
class Studied:
    """A leaderboard with what was studied of it."""

    name: str
    inputs: BoardInputs
    findings: Findings

    @property
    def verdict(self) -> Verdict:
        return self.findings.verdict

    @property
    def sign(self) -> float:
        return 1.0 if self.inputs.measure.higher_is_better else -1.0

    @property
    def failed(self) -> set[int]:
        """Return those of exactly 0, and those with one score on every topic."""
        return set(left_out(self.verdict.cautions))

    @property
    def competing(self) -> list[float]:
        """Return the scores of the rows that compete."""
        return list(self.means.values())

    @property
    def means(self) -> dict[int, float]:
        """Return the same by result; of executions of one system the mean."""
        executions: dict[int, list[float]] = {}
        for row in self.inputs.rows:
            if row.is_comparable:
                executions.setdefault(row.replicate_of or row.id, []).append(row.value)
        ids = {row for family in self.findings.families for row in family.results}
        return {result: fmean(values) for result, values in executions.items() if result in ids}

    @property
    def contending(self) -> set[int]:
        """Return the rows that may be the best, by what is said of their training."""
        ids = {row for family in self.findings.families for row in family.results}
        return {row.id for row in self.inputs.rows if row.id in ids and self.verdict.view in ("all", row.view)}

    @property
    def contradicted(self) -> set[str]:
        """Return the systems whose score does not go with theirs on a linked leaderboard."""
        rows = {
            row for caution in self.verdict.cautions if caution.code == "contradicts-linked" for row in caution.results
        }
        return {row.system for row in self.inputs.rows if row.id in rows}

    @property
    def parts(self) -> list[tuple[int, float, Corrected | None, MayBeBest | None]]:
        """Return result, score, worth and set: of the verdict, and of that without flagged rows."""
        verdict, other = self.verdict, self.verdict.best_unflagged
        whole = (verdict.best.result, verdict.best.value, verdict.corrected, verdict.set)
        return [whole, (other.result, other.value, other.corrected, other.set)] if other else [whole]


def luck_is_another(board: Studied) -> bool:
    """Return whether best less luck is not the worth, beyond the digits that the best is printed with."""
    rows = {row.id: row for row in board.inputs.rows}
    for result, best, corrected, _ in board.parts:
        if corrected is not None and corrected.value is not None:
            digits = PrintedScore(rows[result].printed, rows[result].unit).decimals
            step = max(0.5 * 10.0**-digits, 1e-8 * abs(best))  # findings have ten significant digits
            if abs(abs(best - corrected.value) - corrected.luck) > step:
                return True
    return False


def beyond_margin(board: Studied) -> bool:
    return any(
        corrected is not None and corrected.value is not None and best_set is not None and best_set.margin is not None
        and abs(best - corrected.value) > best_set.margin
        for _, best, corrected, best_set in board.parts
    )  # fmt: skip


def better_than_best(board: Studied) -> bool:
    """Return whether a row that competes lies above the best, whoever made it."""
    best, may = board.verdict.best.value, board.contending
    return any(board.sign * (value - best) > 1e-9 * abs(value) for row, value in board.means.items() if row in may)


def above_cap(board: Studied) -> bool:
    variance, measure = board.verdict.evidence.residual_variance, board.inputs.measure
    n_topics = board.inputs.n_topics or board.inputs.n_topics_at_least or 0
    if variance is None or n_topics < 2 or measure.low is None or measure.high is None:
        return False
    means = board.competing
    if min(means) < measure.low or max(means) > measure.high:
        return False
    cap = variance_cap(means, n_topics=n_topics, value_range=(measure.low, measure.high))
    return cap is not None and cap > 0.0 and variance > cap * (1.0 + 1e-6)


def is_of(board: Studied, *kinds: str) -> bool:
    return board.verdict.evidence.kind in kinds


def has(board: Studied, code: str) -> bool:
    return any(caution.code == code for caution in board.verdict.cautions)


def few(board: Studied) -> bool:
    return board.inputs.n_topics is not None and board.inputs.n_topics < _MIN_TOPICS


def unsound(value: float | None) -> bool:
    return value is not None and not math.isfinite(value)


def is_not_finite(board: Studied) -> bool:
    return any(
        unsound(best) or (corrected is not None and unsound(corrected.value))
        for _, best, corrected, _ in board.parts
    )  # fmt: skip


def is_falsely_verified(board: Studied) -> bool:
    verdict, best_set = board.verdict, board.verdict.set
    if not (verdict.leader_verified or verdict.family_verified):
        return False
    is_alone = best_set is not None and (best_set.n_members == 1 or not verdict.leader_verified)
    return not is_alone or not is_of(board, "own-topics") or few(board) or verdict.tries.n_families < _MIN_FAMILIES


def tier_is_another(board: Studied) -> bool:
    best_set, tiers = board.verdict.set, board.findings.tiers
    return tiers != () if best_set is None else tiers[:1] != (best_set.members,)


def leader_is_flagged(board: Studied) -> bool:
    return board.verdict.best.result in board.verdict.flagged


def lacks_other(board: Studied) -> bool:
    other = board.verdict.best_unflagged
    n_left = len(board.contending - board.verdict.flagged)
    return leader_is_flagged(board) and n_left > 0 and (other is None or other.result in board.verdict.flagged)


def claims_without_evidence(board: Studied) -> bool:
    return is_of(board, "none") and (board.verdict.set is not None or board.verdict.corrected is not None)


def fails_and_competes(board: Studied) -> bool:
    return bool(board.failed & {row for family in board.findings.families for row in family.results})


def sentence(board: Studied) -> str:
    return claimed(board.inputs, board.findings).sentence


def longest_sentence(board: Studied) -> int:
    """Count the words of the longest sentence of what is said."""
    return max(len(clause.split()) for clause in re.split(r"(?<=[\w)%])\. (?=[A-Z0-9])", sentence(board)))


def is_outside(board: Studied) -> bool:
    return any(best_set is not None and best not in best_set.members for best, _, _, best_set in board.parts)


def counts_other_makers(board: Studied) -> bool:
    tries = board.verdict.tries
    return (tries.n_families, tries.n_results) != (len(board.findings.families), len(board.competing))


def hides_a_tie(board: Studied) -> bool:
    """Return whether the best score is shared by others that compete, and the sentence says nothing of them."""
    shown = board.verdict.shown
    held_back = board.verdict.held_back
    rows = [row for row in board.inputs.rows if row.is_comparable and row.replicate_of is None]
    n = sum(row.value == shown.value for row in rows if row.id in board.contending - held_back)
    return n > 1 and board.verdict.shown.set is not None and "share the top" not in sentence(board)


def competes_by_score(board: Studied) -> bool:
    """Return whether a row is in another view than what is said of its training puts it in, or out of its own."""
    best_set = board.verdict.set
    if best_set is None or not board.verdict.views:
        return False
    return {distance.result for distance in best_set.distances} != board.contending


def leaves_the_silent_out(board: Studied) -> bool:
    """Return whether rows that say nothing of training are in a view of those that declare."""
    silent = {row.id for row in board.inputs.rows if row.view is None}
    return any(view.view != "all" and view.best.result in silent for view in board.verdict.views)


def has_makers_of_several(board: Studied) -> bool:
    return board.verdict.tries.n_families < board.verdict.tries.n_results


def lacks_degrees(board: Studied) -> bool:
    evidence = board.verdict.evidence
    return evidence.residual_variance is not None and evidence.degrees_of_freedom is None


def lacks_topics(board: Studied) -> bool:
    return is_of(board, "own-topics", "own-variance") and board.verdict.evidence.n_topics is None


def claims_of_no_mean(board: Studied) -> bool:
    return has(board, "not-a-topic-mean") and board.verdict.set is not None


def claims_from_few(board: Studied) -> bool:
    return few(board) and board.verdict.set is not None and not is_of(board, "own-topics")


def kind(*kinds: str) -> Callable[[Studied], bool]:
    return lambda board: is_of(board, *kinds)


def values_without_set(board: Studied) -> bool:
    verdict = board.verdict
    return verdict.set is None and verdict.corrected is not None and not is_of(board, "own-topics")


def predicts(board: Studied) -> bool:
    return board.inputs.members is None and board.verdict.evidence.kind.startswith("predicted")


def deciding(board: Studied) -> str:
    """Return how many documents decide; of reciprocal rank and success, of which above .7 less is known, one always
    does."""
    variance_class = board.verdict.evidence.variance_class
    is_first = board.inputs.measure.name.startswith(_COUNTED_TOGETHER["RR"])
    return "one" if is_first and variance_class == "few" else variance_class


def takes_that_of_many(board: Studied) -> bool:
    """Return whether AP, nDCG or reciprocal rank with about one relevant document is judged as if many decided."""
    evidence, relevant, measure = board.verdict.evidence, board.inputs.relevant, board.inputs.measure.name
    if not predicts(board) or relevant is None or relevant.mean > _ABOUT_ONE:
        return False
    if not measure.startswith(("AP", "infAP", "nDCG", "RR")) or evidence.variance_class == "cut-short":
        return False
    mean = fmean(board.competing)
    least = _LEAST_OF_ONE * mean * (1.0 - mean) if measure.startswith(("AP", "infAP")) else 0.0
    return deciding(board) != "one" or (evidence.residual_variance or 0.0) < least


def passes_over_a_matrix(board: Studied) -> bool:
    return predicts(board) and board.inputs.variances != ()


def values_beyond_the_audit(board: Studied) -> bool:
    return board.verdict.evidence.audited is not None and any(value is not None for _, _, value, _ in board.parts)


def is_covered_by_others(board: Studied) -> bool:
    """Return whether the coverage told is of leaderboards of another number of deciding documents, or another
    measure."""
    evidence, coverage = board.verdict.evidence, board.verdict.evidence.coverage
    if coverage is None:
        return False
    is_of_measure = board.inputs.measure.name.startswith(_COUNTED_TOGETHER.get(coverage.family, ()))
    may_be_of_all = not predicts(board) or evidence.variance_class == "unknown"
    return coverage.variance_class != deciding(board) or not (is_of_measure or (may_be_of_all and not coverage.family))


def judges_members_as_one(board: Studied) -> bool:
    """Return whether a mean over collections is judged as if their topics were one collection's."""
    evidence, members = board.verdict.evidence, board.inputs.members
    if members is None or evidence.residual_variance is None or is_of(board, "own-topics"):
        return False
    return evidence.n_topics != len(members)


def tells_nothing_and_names_a_set(board: Studied) -> bool:
    """Return whether more than nine in ten rows may be the best, and the sentence does not say that it cannot be
    told."""
    best_set = board.verdict.shown.set
    if best_set is None or best_set.n_rows < 2 or 10 * best_set.n_members <= 9 * best_set.n_rows:
        return False
    return best_set.is_telling or "too close to rank" not in sentence(board)


def passes_over_a_member(board: Studied) -> bool:
    """Return whether a row that is held back on a member of the mean is not held back on the mean."""
    cleared = {decision.result for decision in board.inputs.cleared if decision.code == "flagged-on-member"}
    rows = {row.id for row in board.inputs.rows if row.flagged_on and row.id in board.means}
    return bool(rows - board.verdict.flagged - cleared)


def calls_failed_what_is_constant(board: Studied) -> bool:
    values = {row.id: row.value for row in board.inputs.rows}
    called = {caution.code: [values[row] for row in caution.results] for caution in board.verdict.cautions}
    return any(called.get("failed-runs", ())) or not all(called.get("constant-runs", ()))


def verifies_what_is_noted(board: Studied) -> bool:
    withheld = {row for caution in board.verdict.cautions if caution.withholds for row in caution.results}
    return board.verdict.leader_verified and board.verdict.best.result in withheld


def is_silent_on_a_strong_note(board: Studied) -> bool:
    noted = {row for caution in board.verdict.cautions if caution.code in STRONG_NOTES for row in caution.results}
    words = ("unusually", "conflicts", "is excluded")
    return board.verdict.shown.result in noted and not any(word in sentence(board) for word in words)


def leads_with_another_view(board: Studied) -> bool:
    """Return whether a suite for unseen data leads with all though ten and half of all declare none; or another with
    some."""
    counts = {view.view: view.set.n_rows if view.set else None for view in board.verdict.views}
    n_none = counts.get("declared-none", 0)
    is_asked = board.inputs.is_zero_shot and (n_none or 0) >= 10 and 2 * (n_none or 0) >= (counts.get("all") or 0)
    return n_none is not None and (board.verdict.view == "declared-none") != is_asked


def judges_too_few(board: Studied) -> bool:
    """Return whether fewer than five results, or results of fewer than three groups, get a verdict."""
    parts = [board.verdict, board.verdict.best_unflagged, *board.verdict.views]
    groups = {row: place for place, family in enumerate(board.findings.families) for row in family.results}
    answered = [part for part in parts if part and (part.set or part.corrected)]
    n_groups = len({groups[row] for row in board.contending - board.verdict.held_back})
    is_judged = board.verdict.shown.set is not None or any(words in sentence(board) for words in _OF_WINNERS)
    is_too_few = len(board.contending - board.verdict.held_back) < _MIN_ROWS or n_groups < _MIN_FAMILIES
    return (is_judged and is_too_few) or any(part.too_few for part in answered)


def is_worth_more_than_it_scored(board: Studied) -> bool:
    return any(
        corrected is not None and corrected.value is not None and board.sign * (corrected.value - best) > 1e-9
        for _, best, corrected, _ in board.parts
    )


def has_digits_beyond_its_error(board: Studied) -> bool:
    """Return whether a value is printed to another digit than that at which its error has two figures."""
    values = [corrected for _, _, corrected, _ in board.parts if corrected is not None and corrected.half_width]
    return any(not 9.95 <= value.half_width * 10.0**value.decimals < 99.5 for value in values if value.decimals)


def lacks_an_interval(board: Studied) -> bool:
    values = [corrected for _, _, corrected, _ in board.parts if corrected is not None]
    return any(value.low is None or value.high is None for value in values)


def says_a_level_without_a_line(board: Studied) -> bool:
    """Return whether the sentence says 95% though no calibration covers such sets."""
    return board.verdict.evidence.coverage is None and any(words in sentence(board) for words in ("95%", "95 %"))


def counts_the_tied_otherwise(board: Studied) -> bool:
    """Return whether the set says of other groups than its members are."""
    groups = {row: place for place, family in enumerate(board.findings.families) for row in family.results}
    best_set = board.verdict.set
    return best_set is not None and best_set.n_groups != len({groups[member] for member in best_set.members})


def is_by_a_model_and_certified(board: Studied) -> bool:
    verdict = board.verdict
    return board.inputs.is_judged_by_model and (verdict.leader_verified or verdict.family_verified)


def ranks_otherwise_than_it_ties(board: Studied) -> bool:
    """Return whether a range of ranks begins at 1 for another row than those tied, or ends beyond those ranked."""
    best_set, ranges = board.verdict.shown.set, rank_ranges(board.inputs, board.findings)
    firsts = {row for row, ranks in ranges.items() if ranks.low == 1}
    return bool(ranges) and (
        best_set is None or firsts != set(best_set.members) or any(row.high > len(ranges) for row in ranges.values())
    )
