"""Dots, marks and short names of systems on leaderboards that are made here, without a database."""

from dataclasses import replace

import pytest

from registry.tools.compare.matrix import ACROSS, blocks_of, keys_of
from registry.tools.compare.shapes import ComparedBoard, CompareDocument, ComparedScore, ComparedSystem, Difference

A, B, C = 1, 2, 3


def system(pk, name):
    return ComparedSystem(id=pk, name=name, team="", model="", url="", mean_z=None, n_z=0)


def difference(better, other, *, is_told=True, size=0.1, margin=0.05):
    return Difference(
        better=better,
        other=other,
        difference=size,
        basis="means",
        told_apart=is_told,
        margin=margin if is_told else None,
    )


def board(name, *differences, suite="BEIR", strength=3, contested=()):
    among = sorted({pk for one in differences for pk in (one.better, one.other)})
    scores = [
        ComparedScore(
            system=pk,
            named="",
            result=pk,
            url="",
            printed="0.1",
            unit="fraction",
            value=0.1,
            n_recorded=1,
            rank=None,
            can_be_best=None,
            z=None,
            percentile=None,
        )
        for pk in among
    ]
    return ComparedBoard(
        collection={"name": name},
        measure={"name": "AP"},
        url="",
        suite=suite,
        scores=tuple(scores),
        differences=differences,
        strength=strength,
        contested=contested,
    )


def compared(*boards, names=("Alpha", "Beta", "Gamma")):
    return CompareDocument(
        systems=tuple(system(pk, name) for pk, name in enumerate(names, A)),
        n_comparisons=9,
        n_told_apart=4,
        n_unknown=2,
        sentence="",
        n_shared_by_all=0,
        pairs=(),
        suites=(),
        boards=boards,
    )


@pytest.fixture
def document():
    return compared(
        board("pair", difference(B, A), suite="MTEB"),
        board("tie", difference(A, B, is_told=False), suite="MTEB", strength=None),
        board("lone", difference(A, C, is_told=None), suite="CLEF", strength=1),
        board("late", *(difference(*pair, is_told=False) for pair in ((A, B), (A, C), (B, C))), strength=2),
        board("two", difference(A, B)),
        board(
            "first", difference(A, B), difference(A, C), difference(B, C, is_told=None), strength=0, contested=(C, A)
        ),
    )


def test_suites_of_most_leaderboards_come_first_and_in_each_what_all_share_then_what_tells_most(document):
    blocks = blocks_of(document)
    assert [(one.suite, one.n_boards) for one in blocks] == [("BEIR", 3), ("MTEB", 2), ("CLEF", 1)]
    columns = [column for block in blocks for drawing in block.drawings for column in drawing]
    assert [(one.x, one.title) for one in columns] == [
        (
            0,
            "first, AP ○○○: Alpha better than Beta; Alpha better than Gamma; 1 can’t be judged; contested: Gamma,"
            " Alpha",
        ),
        (10, "late, AP ●●○: 3 not told apart"),
        (20, "two, AP ●●●: Alpha better than Beta"),
        (0, "tie, AP: 1 not told apart"),
        (10, "pair, AP ●●●: Beta better than Alpha"),
        (0, "lone, AP ●○○: 1 can’t be judged"),
    ]
    assert [one.dots for one in columns] == [
        [(0, "better"), (10, "worse"), (20, "worse")],
        [(0, "tie"), (10, "tie"), (20, "tie")],
        [(0, "better"), (10, "worse")],
        [(0, "tie"), (10, "tie")],
        [(0, "worse"), (10, "better")],
        [(0, "unknown"), (20, "unknown")],
    ]
    assert [(one.is_weak, one.is_contested) for one in columns] == [
        (True, True),
        (False, False),
        (False, False),
        (False, False),
        (False, False),
        (True, False),
    ]


def test_the_key_says_what_is_drawn_and_counts_the_marks(document):
    assert keys_of(document) == {
        "better": "beats another, loses to none",
        "tie": "can’t be told apart",
        "worse": "loses to another",
        "unknown": "can’t be judged",
        # The one that is weak and contested is marked as contested.
        "weak": "evidence of the leaderboard is weak (1)",
        "contested": "a score is contested (1)",
    }
    assert list(keys_of(compared(board("sure", difference(A, B))))) == ["better", "worse"]


def test_columns_of_a_full_drawing_end_where_a_phone_does():
    (block,) = blocks_of(compared(*(board(f"{number:02}", difference(A, B)) for number in range(ACROSS))))
    assert [[one.x for one in drawing] for drawing in block.drawings] == [list(range(0, 280, 10))]


def test_the_eight_that_differ_most_for_what_it_takes_are_listed():
    sizes = [0.05 * number for number in range(1, 11)]
    boards = [board(f"{number}", difference(A, B, size=size)) for number, size in enumerate(sizes)]
    wide = board("wide", difference(B, A, size=0.9, margin=1.0))
    near = replace(difference(A, C, size=9.0), told_apart=False)
    by_topics = board("topics", difference(A, B, size=9.0, margin=None), near)
    found = compared(*boards, wide, by_topics)
    assert [one.collection["name"] for one, _ in found.most_apart] == ["9", "8", "7", "6", "5", "4", "3", "2"]
    assert found.n_undecided == 3
    assert [(one.difference, one.margin) for _, one in compared(wide, boards[0]).most_apart] == [
        (0.05, 0.05), (0.9, 1.0),
    ]  # fmt: skip


def test_models_stand_for_their_systems_and_a_mean_is_of_what_all_have():
    found = compared()
    assert (found.has_model, found.has_mean) == (False, False)
    first, *others = found.systems
    assert replace(found, systems=(*others, replace(first, model="bge"))).has_model
    assert not replace(found, systems=(*others, replace(first, mean_z=0.0))).has_mean
    assert replace(found, systems=tuple(replace(one, mean_z=0.0) for one in found.systems)).has_mean


def test_evidence_of_two_dots_is_not_weak():
    assert [board("x", difference(A, B), strength=n).is_weak for n in (None, 0, 1, 2, 3)] == [
        False, True, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("a/bge", "b/e5"), ["bge", "e5"]),
        (("a/bge", "b/bge"), ["a/bge", "b/bge"]),
        (("a/b/bge", "e5"), ["bge", "e5"]),
    ],
)
def test_short_names_leave_owners_out_where_they_stay_apart(names, short):
    assert list(compared(names=names).short_names.values()) == short
