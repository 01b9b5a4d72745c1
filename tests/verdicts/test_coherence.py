"""What no verdict may say: each check finds a verdict that was changed so that it does, and passes what was studied."""

from dataclasses import replace

import pytest

from analysis.boards import (
    BoardInputs,
    BoardRow,
    Caution,
    Coverage,
    Evidence,
    KnownVariance,
    LinkedBoard,
    MeasureFacts,
    RelevantDocuments,
    SuiteMember,
    View,
    study,
)
from tests.verdicts.coherence import count_checks
from tests.verdicts.contradictions import Studied

ROWS = tuple(
    BoardRow(id=place, system=f"s{place}", printed=str(value), value=value)
    for place, value in enumerate([0.41, 0.405, 0.31, 0.30, 0.27, 0.22, 0.18, 0.12])
)
ONE = RelevantDocuments(mean=1.1, share_with_one=0.93)
OWN = KnownVariance(
    kind="own-variance", value=0.02, degrees_of_freedom=18.0, sources=("runs",), n_systems=12, n_topics=50
)
OF_OTHERS = Coverage(mean=0.97, low=0.9, n_boards=30, n_collections=8, family="nDCG", world="", row="")
MEMBERS = tuple(
    SuiteMember(
        collection=name,
        name=name,
        snapshot="",
        n_topics=500,
        evidence=Evidence(kind="predicted", residual_variance=0.05, degrees_of_freedom=16.0),
    )
    for name in ("a", "b")
)


def board(**facts):
    arguments = {"collection": "c", "measure": MeasureFacts(name="AP"), "rows": ROWS, "n_topics": 300, "relevant": ONE}
    inputs = BoardInputs(**(arguments | facts))
    return Studied("c AP", inputs, study(inputs))


def saying(studied, **changes):
    """Return the same with a verdict that says something else; ``evidence`` names what it changes of that."""
    verdict = studied.verdict
    if "evidence" in changes:
        changes["evidence"] = replace(verdict.evidence, **changes["evidence"])
    return replace(studied, findings=replace(studied.findings, verdict=replace(verdict, **changes)))


def given(studied, **changes):
    """Return the same findings on other facts."""
    return replace(studied, inputs=replace(studied.inputs, **changes))


def put(part, **changes):
    """Return a part of the verdict with these changes, for ``saying``."""
    return {part: replace(getattr(board().verdict, part), **changes)}


#: A view whose best says nothing of training.
UNANSWERED = {"best_unflagged": None, "corrected": None, "set": None, "why_no_value": "x", "why_no_set": "x"}
VIEWS = (View(view="declared-none", best=board().verdict.best, **UNANSWERED),)


def noted(code, *results, **kind):
    return (Caution(code=code, message="m", results=results, **kind),)


def wrong(*boards):
    return {count.check.words: count.n for count in count_checks(boards)[1] if count.check.is_contradiction and count.n}


def test_what_was_studied_contradicts_nothing():
    failed = (*ROWS, BoardRow(id=9, system="s9", printed="0", value=0.0))
    on_member = tuple(replace(row, flagged_on=("a",)) if row.id == 0 else row for row in ROWS)
    everybody = tuple(replace(row, value=0.4 - row.id / 10_000) for row in ROWS)
    boards = [
        board(),
        board(variances=(OWN,)),
        board(rows=failed),
        board(members=MEMBERS, n_topics=None, rows=on_member),
        board(rows=everybody),
        board(relevant=None),
    ]
    assert wrong(*boards) == {}
    assert not boards[4].verdict.set.is_telling


#: Each contradiction, and the words of the check that finds it.
CASES = [
    (saying(board(), **put("corrected", value=0.4)), "best less luck is not what it is worth"),
    (saying(board(), **put("corrected", value=0.36)), "more is taken off for luck than the margin"),
    (saying(board(), **put("corrected", value=0.42)), "are worth more than the best scored"),
    (saying(board(), **put("corrected", low=None)), "give a value without an interval"),
    (saying(board(), **put("corrected", decimals=1)), "give a value another digit than its error has"),
    (saying(board(), **put("corrected", value=float("nan"))), "hold a number that is none"),
    (saying(board(), **put("best", result=2)), "the best is not in the set"),
    (saying(board(), **put("best", result=1, value=0.405)), "a row that competes is better than the best"),
    (given(board(), measure=MeasureFacts(name="AP", higher_is_better=False)), "a row that competes is better"),
    (saying(board(), **put("set", members=(0,))), "tier 1 is not the set"),
    (saying(board(), **put("set", distances=board().verdict.set.distances[:1])), "give rank 1 to others than"),
    (saying(board(), **put("set", n_groups=3)), "count other groups of the tied than these are of"),
    (saying(board(), **put("tries", n_families=7)), "count other makers than their families"),
    (saying(board(), leader_verified=True), "verified, and not alone by 25 topics, of 3 families or more"),
    (saying(board(), leader_verified=True, cautions=noted("x", 0, is_flag=True)), "verify a flagged leader"),
    (saying(board(), cautions=noted("x", 0, is_flag=True)), "have a flagged leader, and nothing without it"),
    (given(saying(board(), leader_verified=True), is_judged_by_model=True), "certify a leader that only a model"),
    (saying(board(), cautions=noted("constant-runs", 2)), "let a failed run compete"),
    (saying(board(), cautions=noted("not-a-topic-mean", 0)), "give a set from means of what is no mean over topics"),
    (given(board(), name="an independent test"), "call results independent"),
    (given(board(), name="a " * 25), "say it in a sentence of more than 25 words"),
    (given(board(), n_topics=24), "give a set from means over fewer than 25 topics"),
    (given(board(), n_topics=24), "have fewer than 25 topics and no caution"),
    (given(board(), rows=(ROWS[0], replace(ROWS[1], value=0.41), *ROWS[2:])), "share the best score with others"),
    (saying(board(), set=None), "give a value from means and no set"),
    (saying(board(), evidence={"kind": "none"}), "give a set or a value without evidence"),
    (saying(board(), evidence={"kind": "transferred"}), "rest on a typical value of another measure"),
    (saying(board(), evidence={"degrees_of_freedom": None}), "take a variance without its degrees of freedom"),
    (saying(board(), evidence={"residual_variance": 0.5}), "take a variance that such scores can't have"),
    (saying(board(variances=(OWN,)), evidence={"n_topics": None}), "call a variance their own without its topics"),
    (given(board(), name="the 95%"), "say 95% without a calibration that covers them"),
    (saying(board(), views=VIEWS), "take silence on training for none"),
    (saying(board(), views=VIEWS, **put("set", distances=())), "let a row compete by what it scores"),
    (given(board(), rows=ROWS[:2]), "judge fewer than five results, or of fewer than three groups"),
    (saying(board(), evidence={"residual_variance": 0.0128}), "take that of many documents where about one"),
    (saying(board(), evidence={"variance_class": "many"}), "take that of many documents where about one"),
    (given(board(), variances=(OWN,)), "predict it where a matrix"),
    (saying(board(), evidence={"audited": 3.0}), "give a value where matrices show predictions to be off"),
    (saying(board(members=MEMBERS), evidence={"n_topics": 13_145}), "judge a mean over collections as one"),
    (saying(board(), evidence={"coverage": replace(OF_OTHERS, variance_class="one")}), "tell how leaderboards"),
    (saying(board(), evidence={"coverage": replace(OF_OTHERS, family="AP")}), "tell how leaderboards unlike them"),
    (saying(board(), cautions=noted("failed-runs", 2)), "call a run failed that has scores"),
    (saying(board(), leader_verified=True, cautions=noted("follows-flag", 0, withholds=True)), "verify a leader"),
    (saying(board(), view="declared-none"), "lead with another view than their suite asks for"),
    (given(board(), rows=(replace(ROWS[0], flagged_on=("a",)), *ROWS[1:])), "let compete what is held back on a"),
]  # fmt: skip


@pytest.mark.parametrize(("studied", "words"), CASES)
def test_a_verdict_that_says_otherwise_is_found(studied, words):
    broken = wrong(studied)
    assert [name for name in broken if name.startswith(words)], broken


def test_a_set_of_nearly_all_rows_is_not_named_as_if_it_told():
    everybody = board(rows=tuple(replace(row, value=0.4 - row.id / 10_000) for row in ROWS))
    named = saying(everybody, set=replace(everybody.verdict.set, is_telling=True))
    assert list(wrong(named)) == ["name a set of more than nine in ten rows as if it told"]


def test_a_leader_with_a_strong_note_is_named_with_it():
    assert wrong(saying(board(), cautions=noted("unusual-elsewhere", 0))) == {}
    silent = saying(board(), cautions=noted("unusual-elsewhere", 0, is_flag=True))
    assert "lead with a strong note, and do not say so" in wrong(silent)


def linked_to(name, row):
    """Return a leaderboard on which one system contradicts its score on another one."""
    link = LinkedBoard(collection=name, name=name, kind="fewer-documents", is_first=True)
    rows = tuple(replace(own, linked=(0.1 if own.id == row else own.value,)) for own in ROWS)
    return saying(board(linked=(link,), rows=rows), cautions=noted("contradicts-linked", row, withholds=True))


def test_a_contradiction_is_said_on_both_leaderboards():
    first, second = linked_to("d", 3), replace(linked_to("c", 3), name="d AP")
    assert wrong(first, second) == {}
    silent = replace(linked_to("c", 4), name="d AP")
    assert wrong(first, silent) == {"contradict a linked leaderboard that does not say so": 2}


def test_one_of_several_linked_leaderboards_has_to_say_so():
    links = tuple(LinkedBoard(collection=name, name=name, kind="fewer-documents", is_first=True) for name in "de")
    rows = tuple(replace(row, linked=(0.1, None)) if row.id in (3, 4) else row for row in ROWS)
    first = saying(board(linked=links, rows=rows), cautions=noted("contradicts-linked", 3, 4, withholds=True))
    alone = count_checks([first])[1][-1]
    assert (alone.n, alone.first) == (1, ("c AP",)), "once, though two systems are contradicted"
    other = replace(saying(board(), cautions=noted("contradicts-linked", 3, 4)), name="d AP")
    assert wrong(first, other) == {}
    linked = replace(saying(board(), cautions=noted("contradicts-linked", 3)), name="d AP")
    assert wrong(first, linked) == {"contradict a linked leaderboard that does not say so": 1}
    # A link without a score there asks nothing of it.
    elsewhere = replace(saying(board(), cautions=noted("contradicts-linked", 3, 4)), name="e AP")
    assert wrong(first, elsewhere) == {"contradict a linked leaderboard that does not say so": 1}


def test_each_contradiction_is_looked_for():
    """Those that are no case are tried by tests of their own."""
    elsewhere = ("name a set of more than nine", "lead with a strong note", "contradict a linked leaderboard")
    words = (*elsewhere, *(words for _, words in CASES))
    checks = [count.check.words for count in count_checks([])[1] if count.check.is_contradiction]
    assert [check for check in checks if not check.startswith(words)] == []
