"""Do the verdicts contradict themselves? Counts over all leaderboards, read from their snapshots."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean

from analysis.boards import STRONG_NOTES, BoardInputs, Corrected, Findings, MayBeBest, Verdict, headline
from analysis.readers.scores import PrintedScore
from analysis.reliability import variance_cap
from registry.leaderboards.words import left_out

#: A set from means needs as many topics, and sets of fewer say so.
_MIN_TOPICS = 25
_MIN_FAMILIES = 3
_LONGEST_SENTENCE = 40
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
        """Those of exactly 0, and those with one score on every topic."""
        return set(left_out(self.verdict.cautions))

    @property
    def competing(self) -> list[float]:
        """The scores of the rows that compete."""
        return list(self.means.values())

    @property
    def means(self) -> dict[int, float]:
        """The same by result; of executions of one system the mean."""
        executions: dict[int, list[float]] = {}
        for row in self.inputs.rows:
            if row.is_comparable:
                executions.setdefault(row.replicate_of or row.id, []).append(row.value)
        ids = {row for family in self.findings.families for row in family.results}
        return {result: fmean(values) for result, values in executions.items() if result in ids}

    @property
    def contending(self) -> set[int]:
        """The rows that may be the best, by what is said of their training."""
        ids = {row for family in self.findings.families for row in family.results}
        return {row.id for row in self.inputs.rows if row.id in ids and self.verdict.view in ("all", row.view)}

    @property
    def contradicted(self) -> set[str]:
        """The systems whose score does not go with theirs on a linked leaderboard."""
        rows = {row for one in self.verdict.cautions if one.code == "contradicts-linked" for row in one.results}
        return {row.system for row in self.inputs.rows if row.id in rows}

    @property
    def parts(self) -> list[tuple[int, float, Corrected | None, MayBeBest | None]]:
        """Result, score, worth and set: of the verdict, and of that without flagged rows."""
        verdict, other = self.verdict, self.verdict.best_unflagged
        whole = (verdict.best.result, verdict.best.value, verdict.corrected, verdict.set)
        return [whole, (other.result, other.value, other.corrected, other.set)] if other else [whole]


@dataclass(frozen=True, slots=True)
class Check:
    """A question about every leaderboard; of a contradiction there should be none, the others are told for what they
    are."""

    point: int
    words: str
    holds: Callable[[Studied], bool]
    is_contradiction: bool = True


@dataclass(frozen=True, slots=True)
class Count:
    """For how many leaderboards a check holds, with the names of the first of them."""

    check: Check
    n: int
    first: tuple[str, ...]


#: What the points are about.
POINTS = {
    1: "one number for luck",
    2: "set, tier 1, leader and value agree",
    3: "the best is the highest comparable row",
    4: "results are counted with their makers",
    5: "variances with how surely they are known",
    6: "what the verdict rests on",
    7: "few topics",
    8: "cautions",
    9: "sentences and snapshots",
}


def count_checks(boards: Iterable[Studied]) -> tuple[int, list[Count]]:
    """How many leaderboards there are, and for how many each check holds, in one pass."""
    found: dict[Check, list[str]] = {check: [] for check in (*CHECKS, _ONE_SIDED)}
    contradicted: dict[str, set[str]] = {}
    linked: list[tuple[str, str, list[str]]] = []
    n = 0
    for board in boards:
        n += 1
        for check in CHECKS:
            if check.holds(board):
                found[check].append(board.name)
        systems = contradicted[board.name] = board.contradicted
        linked += [(board.name, system, others) for system, others in _others_of(board, systems)]
    for name, system, others in linked:
        if not any(system in contradicted.get(other, set()) for other in others) and name not in found[_ONE_SIDED]:
            found[_ONE_SIDED].append(name)
    return n, [Count(check, len(names), tuple(names[:3])) for check, names in found.items()]


def _others_of(board: Studied, systems: set[str]) -> Iterator[tuple[str, list[str]]]:
    """Each of these systems with the linked leaderboards that have it."""
    for row in board.inputs.rows:
        if row.system in systems and row.linked:
            there = zip(board.inputs.linked, row.linked, strict=True)
            yield (
                row.system,
                [f"{one.collection} {board.inputs.measure.name}" for one, value in there if value is not None],
            )


def _luck_is_another(board: Studied) -> bool:
    """Whether best less luck is not the worth, beyond the digits that the best is printed with."""
    rows = {row.id: row for row in board.inputs.rows}
    for result, best, corrected, _ in board.parts:
        if corrected is not None:
            digits = PrintedScore(rows[result].printed, rows[result].unit).decimals
            step = max(0.5 * 10.0**-digits, 1e-8 * abs(best))  # findings have ten significant digits
            if abs(abs(best - corrected.value) - corrected.luck) > step:
                return True
    return False


def _beyond_margin(board: Studied) -> bool:
    return any(
        corrected is not None and found is not None and found.margin is not None
        and abs(best - corrected.value) > found.margin
        for _, best, corrected, found in board.parts
    )  # fmt: skip


def _better_than_best(board: Studied) -> bool:
    """Whether a row that competes lies above the best, whoever made it."""
    best, may = board.verdict.best.value, board.contending
    return any(board.sign * (value - best) > 1e-9 * abs(value) for row, value in board.means.items() if row in may)


def _above_cap(board: Studied) -> bool:
    variance, measure = board.verdict.evidence.residual_variance, board.inputs.measure
    n_topics = board.inputs.n_topics or board.inputs.n_topics_at_least or 0
    if variance is None or n_topics < 2 or measure.low is None or measure.high is None:
        return False
    means = board.competing
    if min(means) < measure.low or max(means) > measure.high:
        return False
    cap = variance_cap(means, n_topics=n_topics, value_range=(measure.low, measure.high))
    return cap is not None and cap > 0.0 and variance > cap * (1.0 + 1e-6)


def _is_of(board: Studied, *kinds: str) -> bool:
    return board.verdict.evidence.kind in kinds


def _has(board: Studied, code: str) -> bool:
    return any(one.code == code for one in board.verdict.cautions)


def _few(board: Studied) -> bool:
    return board.inputs.n_topics is not None and board.inputs.n_topics < _MIN_TOPICS


def _unsound(value: float | None) -> bool:
    return value is not None and not math.isfinite(value)


def _is_not_finite(board: Studied) -> bool:
    return any(
        _unsound(best) or (corrected is not None and _unsound(corrected.value))
        for _, best, corrected, _ in board.parts
    )  # fmt: skip


def _is_falsely_verified(board: Studied) -> bool:
    verdict, found = board.verdict, board.verdict.set
    if not (verdict.leader_verified or verdict.family_verified):
        return False
    is_alone = found is not None and (found.n_members == 1 or not verdict.leader_verified)
    return not is_alone or not _is_of(board, "own-topics") or _few(board) or verdict.tries.n_families < _MIN_FAMILIES


def _tier_is_another(board: Studied) -> bool:
    found, tiers = board.verdict.set, board.findings.tiers
    return tiers != () if found is None else tiers[:1] != (found.members,)


def _leader_is_flagged(board: Studied) -> bool:
    return board.verdict.best.result in board.verdict.flagged


def _lacks_other(board: Studied) -> bool:
    other = board.verdict.best_unflagged
    n_left = len(board.contending - board.verdict.flagged)
    return _leader_is_flagged(board) and n_left > 0 and (other is None or other.result in board.verdict.flagged)


def _claims_without_evidence(board: Studied) -> bool:
    return _is_of(board, "none") and (board.verdict.set is not None or board.verdict.corrected is not None)


def _fails_and_competes(board: Studied) -> bool:
    return bool(board.failed & {row for family in board.findings.families for row in family.results})


def _sentence(board: Studied) -> str:
    return headline(board.inputs, board.findings)


def _is_outside(board: Studied) -> bool:
    return any(found is not None and best not in found.members for best, _, _, found in board.parts)


def _counts_other_makers(board: Studied) -> bool:
    tries = board.verdict.tries
    return (tries.n_families, tries.n_results) != (len(board.findings.families), len(board.competing))


def _hides_a_tie(board: Studied) -> bool:
    """Whether the best score is shared by others that compete, and the sentence says nothing of them."""
    shown = board.verdict.shown
    held_back = board.verdict.held_back
    rows = [row for row in board.inputs.rows if row.is_comparable and row.replicate_of is None]
    n = sum(row.value == shown.value for row in rows if row.id in board.contending - held_back)
    return n > 1 and board.verdict.best_unflagged is None and "other" not in _sentence(board)


def _competes_by_score(board: Studied) -> bool:
    """Whether a row is in another view than what is said of its training puts it in, or out of its own."""
    found = board.verdict.set
    if found is None or not board.verdict.views:
        return False
    judged = {one.result for one in found.distances}
    return judged != board.contending


def _leaves_the_silent_out(board: Studied) -> bool:
    """Whether rows that say nothing of training are in a view of those that declare, or not counted in the sentence."""
    silent = {row.id for row in board.inputs.rows if row.view is None}
    views = board.verdict.views
    n = len(silent & {row for family in board.findings.families for row in family.results})
    is_counted = not views or not n or f"{n:,} say" in _sentence(board)
    return not is_counted or any(view.view != "all" and view.best.result in silent for view in views)


def _has_makers_of_several(board: Studied) -> bool:
    return board.verdict.tries.n_families < board.verdict.tries.n_results


def _lacks_degrees(board: Studied) -> bool:
    evidence = board.verdict.evidence
    return evidence.residual_variance is not None and evidence.degrees_of_freedom is None


def _lacks_topics(board: Studied) -> bool:
    return _is_of(board, "own-topics", "own-variance") and board.verdict.evidence.n_topics is None


def _claims_of_no_mean(board: Studied) -> bool:
    return _has(board, "not-a-topic-mean") and board.verdict.set is not None


def _claims_from_few(board: Studied) -> bool:
    return _few(board) and board.verdict.set is not None and not _is_of(board, "own-topics")


def _kind(*kinds: str) -> Callable[[Studied], bool]:
    return lambda board: _is_of(board, *kinds)


def _values_without_set(board: Studied) -> bool:
    verdict = board.verdict
    return verdict.set is None and verdict.corrected is not None and not _is_of(board, "own-topics")


def _predicts(board: Studied) -> bool:
    return board.inputs.members is None and board.verdict.evidence.kind.startswith("predicted")


def _takes_that_of_many(board: Studied) -> bool:
    """Whether AP, nDCG or reciprocal rank with about one relevant document is judged as if many decided."""
    evidence, relevant, measure = board.verdict.evidence, board.inputs.relevant, board.inputs.measure.name
    if not _predicts(board) or relevant is None or relevant.mean > _ABOUT_ONE:
        return False
    if not measure.startswith(("AP", "infAP", "nDCG", "RR")) or evidence.variance_class == "cut-short":
        return False
    mean = fmean(board.competing)
    least = _LEAST_OF_ONE * mean * (1.0 - mean) if measure.startswith(("AP", "infAP")) else 0.0
    return evidence.variance_class != "one" or (evidence.residual_variance or 0.0) < least


def _passes_over_a_matrix(board: Studied) -> bool:
    return _predicts(board) and board.inputs.variances != ()


def _values_beyond_the_audit(board: Studied) -> bool:
    return board.verdict.evidence.audited is not None and any(one is not None for _, _, one, _ in board.parts)


def _is_covered_by_others(board: Studied) -> bool:
    """Whether the coverage told is of leaderboards of another number of deciding documents, or another measure."""
    evidence, found = board.verdict.evidence, board.verdict.evidence.coverage
    if found is None:
        return False
    is_of_measure = board.inputs.measure.name.startswith(_COUNTED_TOGETHER.get(found.family, ()))
    may_be_of_all = not _predicts(board) or evidence.variance_class == "unknown"
    return found.variance_class != evidence.variance_class or not (
        is_of_measure or (may_be_of_all and not found.family)
    )


def _judges_members_as_one(board: Studied) -> bool:
    """Whether a mean over collections is judged as if their topics were one collection's."""
    evidence, members = board.verdict.evidence, board.inputs.members
    if members is None or evidence.residual_variance is None or _is_of(board, "own-topics"):
        return False
    return evidence.n_topics != len(members)


def _tells_nothing_and_names_a_set(board: Studied) -> bool:
    """Whether more than nine in ten rows may be the best, and the sentence does not say that it cannot be told."""
    found = board.verdict.shown.set
    if found is None or found.n_rows < 2 or 10 * found.n_members <= 9 * found.n_rows:
        return False
    return found.is_telling or "cannot be told" not in _sentence(board)


def _passes_over_a_member(board: Studied) -> bool:
    """Whether a row that is held back on a member of the mean is not held back on the mean."""
    cleared = {one.result for one in board.inputs.cleared if one.code == "flagged-on-member"}
    rows = {row.id for row in board.inputs.rows if row.flagged_on and row.id in board.means}
    return bool(rows - board.verdict.flagged - cleared)


def _calls_failed_what_is_constant(board: Studied) -> bool:
    values = {row.id: row.value for row in board.inputs.rows}
    called = {one.code: [values[row] for row in one.results] for one in board.verdict.cautions}
    return any(called.get("failed-runs", ())) or not all(called.get("constant-runs", ()))


def _verifies_what_is_noted(board: Studied) -> bool:
    withheld = {row for one in board.verdict.cautions if one.withholds for row in one.results}
    return board.verdict.leader_verified and board.verdict.best.result in withheld


def _is_silent_on_a_strong_note(board: Studied) -> bool:
    noted = {row for one in board.verdict.cautions if one.code in STRONG_NOTES for row in one.results}
    words = (", noted", *STRONG_NOTES.values())
    return board.verdict.shown.result in noted and not any(one in _sentence(board) for one in words)


def _leads_with_another_view(board: Studied) -> bool:
    """Whether a suite for unseen data leads with all though ten declare none, or another leaderboard with some."""
    n_none = {view.view: view.set.n_rows if view.set else None for view in board.verdict.views}.get("declared-none", 0)
    is_asked = board.inputs.is_zero_shot and (n_none or 0) >= 10
    return n_none is not None and (board.verdict.view == "declared-none") != is_asked


CHECKS = (
    Check(1, "best less luck is not what it is worth", _luck_is_another),
    Check(1, "say what the best is worth", lambda board: board.verdict.corrected is not None, False),
    Check(2, "the best is not in the set", _is_outside),
    Check(2, "tier 1 is not the set", _tier_is_another),
    Check(2, "more is taken off for luck than the margin", _beyond_margin),
    Check(2, "verified, and not alone by 25 topics, of 3 families or more", _is_falsely_verified),
    Check(2, "name a set of more than nine in ten rows as if it told", _tells_nothing_and_names_a_set),
    Check(2, "say which can't be told from the best", lambda board: board.verdict.set is not None, False),
    Check(2, "have a verified leader", lambda board: board.verdict.leader_verified, False),
    Check(3, "a row that competes is better than the best", _better_than_best),
    Check(3, "are led by a toolkit's run, and say so", lambda board: not board.verdict.best.is_original, False),
    Check(4, "call results independent", lambda board: "independent" in _sentence(board)),
    Check(4, "call families teams or papers", lambda board: "papers" in board.verdict.tries.makers),
    Check(3, "share the best score with others, and do not say so", _hides_a_tie),
    Check(4, "count other makers than their families", _counts_other_makers),
    Check(4, "have several results of one maker, and count both", _has_makers_of_several, False),
    Check(5, "take a variance without its degrees of freedom", _lacks_degrees),
    Check(5, "take a variance that such scores can't have", _above_cap),
    Check(5, "call a variance their own without its topics", _lacks_topics),
    Check(5, "take that of many documents where about one is relevant", _takes_that_of_many),
    Check(5, "predict it where a matrix of their own is known", _passes_over_a_matrix),
    Check(5, "give a value where matrices show predictions to be off", _values_beyond_the_audit),
    Check(5, "judge a mean over collections as one collection", _judges_members_as_one),
    Check(5, "take a variance cut to what such scores can have", lambda board: board.verdict.evidence.is_capped, False),
    Check(6, "give a set or a value without evidence", _claims_without_evidence),
    Check(6, "give a set from means of what is no mean over topics", _claims_of_no_mean),
    Check(6, "tell how leaderboards unlike them held", _is_covered_by_others),
    Check(6, "rest on their own topics", _kind("own-topics"), False),
    Check(6, "rest on a variance of their own collection", _kind("own-variance"), False),
    Check(6, "rest on a small matrix of their own and a prediction", _kind("own-and-predicted"), False),
    Check(6, "rest on a prediction with the number of relevant documents", _kind("predicted"), False),
    Check(6, "rest on a prediction from other years of the track", _kind("predicted-from-siblings"), False),
    Check(6, "rest on a prediction without relevant documents", _kind("predicted-without-density"), False),
    Check(6, "rest on a typical value of another measure or collection", _kind("transferred")),
    Check(6, "give a value from means and no set", _values_without_set),
    Check(6, "say that not enough is known", _kind("none"), False),
    Check(7, "give a set from means over fewer than 25 topics", _claims_from_few),
    Check(7, "have fewer than 25 topics and no caution", lambda board: _few(board) and not _has(board, "few-topics")),
    Check(7, "have fewer than 25 topics, and say so", lambda board: _has(board, "few-topics"), False),
    Check(8, "have a flagged leader, and nothing without it", _lacks_other),
    Check(8, "verify a flagged leader", lambda board: board.verdict.leader_verified and _leader_is_flagged(board)),
    Check(8, "let a failed run compete", _fails_and_competes),
    Check(8, "call a run failed that has scores", _calls_failed_what_is_constant),
    Check(8, "let compete what is held back on a member", _passes_over_a_member),
    Check(8, "verify a leader that a note withholds it from", _verifies_what_is_noted),
    Check(8, "lead with a strong note, and do not say so", _is_silent_on_a_strong_note),
    Check(8, "lead with another view than their suite asks for", _leads_with_another_view),
    Check(8, "have a flagged leader, and give the best without it", _leader_is_flagged, False),
    Check(8, "leave failed runs out", lambda board: bool(board.failed), False),
    Check(8, "let a row compete by what it scores", _competes_by_score),
    Check(8, "take silence on training for none", _leaves_the_silent_out),
    Check(8, "give a verdict by each view of training", lambda board: bool(board.verdict.views), False),
    Check(9, "say it in more than 40 words", lambda board: len(_sentence(board).split()) > _LONGEST_SENTENCE),
    Check(9, "hold a number that is none", _is_not_finite),
)
#: About two leaderboards, and so counted after all of them were read.
_ONE_SIDED = Check(8, "contradict a linked leaderboard that does not say so", lambda board: False)
