"""Do the verdicts contradict themselves? Counts over all leaderboards, read from their snapshots."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tests.verdicts import contradictions as of
from tests.verdicts.contradictions import Studied

_LONGEST_SENTENCE = 25


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
    10: "what must not come back",
}


def count_checks(boards: Iterable[Studied]) -> tuple[int, list[Count]]:
    """Return how many leaderboards there are, and for how many each check holds, in one pass."""
    broken: dict[Check, list[str]] = {check: [] for check in (*CHECKS, _ONE_SIDED)}
    contradicted: dict[str, set[str]] = {}
    linked: list[tuple[str, str, list[str]]] = []
    n = 0
    for board in boards:
        n += 1
        for check in CHECKS:
            if check.holds(board):
                broken[check].append(board.name)
        systems = contradicted[board.name] = board.contradicted
        linked += [(board.name, system, others) for system, others in _others_of(board, systems)]
    for name, system, others in linked:
        if not any(system in contradicted.get(other, set()) for other in others) and name not in broken[_ONE_SIDED]:
            broken[_ONE_SIDED].append(name)
    return n, [Count(check, len(names), tuple(names[:3])) for check, names in broken.items()]


def _others_of(board: Studied, systems: set[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each of these systems with the linked leaderboards that have it."""
    for row in board.inputs.rows:
        if row.system in systems and row.linked:
            there = zip(board.inputs.linked, row.linked, strict=True)
            yield (
                row.system,
                [f"{linked.collection} {board.inputs.measure.name}" for linked, value in there if value is not None],
            )


CHECKS = (
    Check(1, "best less luck is not what it is worth", of.luck_is_another),
    Check(1, "say what the best is worth", lambda board: board.verdict.corrected is not None, False),
    Check(2, "the best is not in the set", of.is_outside),
    Check(2, "tier 1 is not the set", of.tier_is_another),
    Check(2, "more is taken off for luck than the margin", of.beyond_margin),
    Check(2, "verified, and not alone by 25 topics, of 3 families or more", of.is_falsely_verified),
    Check(2, "name a set of more than nine in ten rows as if it told", of.tells_nothing_and_names_a_set),
    Check(2, "say which can't be told from the best", lambda board: board.verdict.set is not None, False),
    Check(2, "have a verified leader", lambda board: board.verdict.leader_verified, False),
    Check(3, "a row that competes is better than the best", of.better_than_best),
    Check(3, "are led by a toolkit's run, and say so", lambda board: not board.verdict.best.is_original, False),
    Check(4, "call results independent", lambda board: "independent" in of.sentence(board)),
    Check(3, "share the best score with others, and do not say so", of.hides_a_tie),
    Check(4, "count other makers than their families", of.counts_other_makers),
    Check(4, "have several results of one maker, and count both", of.has_makers_of_several, False),
    Check(5, "take a variance without its degrees of freedom", of.lacks_degrees),
    Check(5, "take a variance that such scores can't have", of.above_cap),
    Check(5, "call a variance their own without its topics", of.lacks_topics),
    Check(5, "take that of many documents where about one is relevant", of.takes_that_of_many),
    Check(5, "predict it where a matrix of their own is known", of.passes_over_a_matrix),
    Check(5, "give a value where matrices show predictions to be off", of.values_beyond_the_audit),
    Check(5, "judge a mean over collections as one collection", of.judges_members_as_one),
    Check(5, "take a variance cut to what such scores can have", lambda board: board.verdict.evidence.is_capped, False),
    Check(6, "give a set or a value without evidence", of.claims_without_evidence),
    Check(6, "give a set from means of what is no mean over topics", of.claims_of_no_mean),
    Check(6, "tell how leaderboards unlike them held", of.is_covered_by_others),
    Check(6, "rest on their own topics", of.kind("own-topics"), False),
    Check(6, "rest on a variance of their own collection", of.kind("own-variance"), False),
    Check(6, "rest on a small matrix of their own and a prediction", of.kind("own-and-predicted"), False),
    Check(6, "rest on a prediction with the number of relevant documents", of.kind("predicted"), False),
    Check(6, "rest on a prediction from other years of the track", of.kind("predicted-from-siblings"), False),
    Check(6, "rest on a prediction without relevant documents", of.kind("predicted-without-density"), False),
    Check(6, "rest on a typical value of another measure or collection", of.kind("transferred")),
    Check(6, "give a value from means and no set", of.values_without_set),
    Check(6, "say that not enough is known", of.kind("none"), False),
    Check(7, "give a set from means over fewer than 25 topics", of.claims_from_few),
    Check(
        7, "have fewer than 25 topics and no caution", lambda board: of.few(board) and not of.has(board, "few-topics")
    ),
    Check(7, "have fewer than 25 topics, and say so", lambda board: of.has(board, "few-topics"), False),
    Check(8, "have a flagged leader, and nothing without it", of.lacks_other),
    Check(8, "verify a flagged leader", lambda board: board.verdict.leader_verified and of.leader_is_flagged(board)),
    Check(8, "let a failed run compete", of.fails_and_competes),
    Check(8, "call a run failed that has scores", of.calls_failed_what_is_constant),
    Check(8, "let compete what is held back on a member", of.passes_over_a_member),
    Check(8, "verify a leader that a note withholds it from", of.verifies_what_is_noted),
    Check(8, "lead with a strong note, and do not say so", of.is_silent_on_a_strong_note),
    Check(8, "lead with another view than their suite asks for", of.leads_with_another_view),
    Check(8, "have a flagged leader, and give the best without it", of.leader_is_flagged, False),
    Check(8, "leave failed runs out", lambda board: bool(board.failed), False),
    Check(8, "let a row compete by what it scores", of.competes_by_score),
    Check(8, "take silence on training for none", of.leaves_the_silent_out),
    Check(8, "give a verdict by each view of training", lambda board: bool(board.verdict.views), False),
    Check(
        9, "say it in a sentence of more than 25 words", lambda board: of.longest_sentence(board) > _LONGEST_SENTENCE
    ),
    Check(9, "hold a number that is none", of.is_not_finite),
    Check(10, "judge fewer than five results, or of fewer than three groups", of.judges_too_few),
    Check(10, "are worth more than the best scored", of.is_worth_more_than_it_scored),
    Check(10, "give a value another digit than its error has", of.has_digits_beyond_its_error),
    Check(10, "give a value without an interval", of.lacks_an_interval),
    Check(10, "say 95% without a calibration that covers them", of.says_a_level_without_a_line),
    Check(10, "count other groups of the tied than these are of", of.counts_the_tied_otherwise),
    Check(10, "give rank 1 to others than those tied for first", of.ranks_otherwise_than_it_ties),
    Check(10, "certify a leader that only a model judged", of.is_by_a_model_and_certified),
    Check(10, "compare pairs in place of a verdict", lambda board: bool(board.verdict.pairs), False),
)
#: About two leaderboards, and so counted after all of them were read.
_ONE_SIDED = Check(8, "contradict a linked leaderboard that does not say so", lambda board: False)
