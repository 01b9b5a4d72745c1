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
    study,
)
from tests.verdicts import contradictions
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


@pytest.mark.parametrize(
    ("studied", "words"),
    [
        (saying(board(), evidence={"residual_variance": 0.0128}), "take that of many documents where about one"),
        (saying(board(), evidence={"variance_class": "many"}), "take that of many documents where about one"),
        (replace(board(), inputs=replace(board().inputs, variances=(OWN,))), "predict it where a matrix"),
        (saying(board(), evidence={"audited": 3.0}), "give a value where matrices show predictions to be off"),
        (saying(board(members=MEMBERS), evidence={"n_topics": 13_145}), "judge a mean over collections as one"),
        (saying(board(), evidence={"coverage": replace(OF_OTHERS, variance_class="one")}), "tell how leaderboards"),
        (saying(board(), evidence={"coverage": replace(OF_OTHERS, family="AP")}), "tell how leaderboards unlike them"),
        (saying(board(), cautions=noted("failed-runs", 2)), "call a run failed that has scores"),
        (saying(board(), leader_verified=True, cautions=noted("follows-flag", 0, withholds=True)), "verify a leader"),
        (saying(board(), view="declared-none"), "lead with another view than their suite asks for"),
        (
            replace(board(), inputs=replace(board().inputs, rows=(replace(ROWS[0], flagged_on=("a",)), *ROWS[1:]))),
            "let compete what is held back on a member",
        ),
    ],
)  # fmt: skip
def test_a_verdict_that_says_otherwise_is_found(studied, words):
    broken = wrong(studied)
    assert [name for name in broken if name.startswith(words)], broken


def test_a_set_of_nearly_all_rows_is_not_named_as_if_it_told():
    everybody = board(rows=tuple(replace(row, value=0.4 - row.id / 10_000) for row in ROWS))
    named = saying(everybody, set=replace(everybody.verdict.set, is_telling=True))
    assert list(wrong(named)) == ["name a set of more than nine in ten rows as if it told"]


def test_a_leader_with_a_strong_note_is_named_with_it(monkeypatch):
    studied = saying(board(), cautions=noted("unusual-elsewhere", 0))
    assert wrong(studied) == {}
    monkeypatch.setattr(contradictions, "sentence", lambda board: "On c (AP), s0 leads alone among 8 results.")
    assert list(wrong(studied)) == ["lead with a strong note, and do not say so"]


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
