"""Scores that contradict a linked board: pairs of shipped boards as a separate computation has them, and made ones."""

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import theilslopes

from analysis.boards import (
    BoardInputs,
    BoardRow,
    ClearedCaution,
    KnownVariance,
    LinkedBoard,
    MeasureFacts,
    check_linked,
    study,
)
from tests.data.shipped import table

#: System, family and scores on record before printed tables were read, above .02 on both.
PAIRS = Path(__file__).parent / "linked_boards.csv"
FROZEN = Path(__file__).parent / "scores_and_training.csv"


@cache
def pairs():
    """Return, by first and second board, whether the second has fewer documents, systems, families, scores on each."""
    columns_of_pairs = defaultdict(lambda: ([], [], [], []))
    fewer = {}
    for row in table(PAIRS):
        names = row["first"], row["second"]
        fewer[names] = bool(row["has_fewer_documents"])
        for column, name in zip(
            columns_of_pairs[names], ("system", "family", "score_on_first", "score_on_second"), strict=True
        ):
            column.append(row[name] if name in ("system", "family") else float(row[name]))
    return {names: (fewer[names], *columns) for names, columns in columns_of_pairs.items()}


@cache
def checked(first, second, *, has_fewer_documents=False):
    _, systems, families, x, y = pairs()[first, second]
    return systems, check_linked(x, y, families, has_fewer_documents=has_fewer_documents)


@pytest.mark.parametrize(
    ("first", "second", "shared", "families", "line", "n_flags"),
    [
        ("beir-climate-fever", "mteb-climate-fever-hn", 154, 51, (0.9449, 0.0167, 0.0067, 0.0539), 26),
        ("beir-fever", "mteb-fever-hn", 153, 51, (0.9351, 0.0572, 0.0116, 0.0929), 17),
        ("beir-hotpotqa", "mteb-hotpotqa-hn", 162, 54, (0.8868, 0.0815, 0.0120, 0.0958), 13),
        ("msmarco-passage-dev", "msmarco-passage-eval", 152, 100, (0.9349, 0.0143, 0.0037, 0.05), 2),
        ("miracl-en-dev", "mteb-miracl-hn-en", 82, 31, (0.8689, 0.0814, 0.0060, 0.05), 2),
        ("miracl-ko-dev", "mteb-miracl-hn-ko", 82, 33, (0.9899, 0.0184, 0.0113, 0.0904), 1),
        ("miracl-ru-dev", "mteb-miracl-hn-ru", 63, 29, (0.9107, 0.0634, 0.0125, 0.0997), 4),
        ("miracl-sw-dev", "mteb-miracl-hn-sw", 82, 31, (1.0, 0.0, 0.0, 0.05), 2),
        ("miracl-yo-dev", "mteb-miracl-hn-yo", 87, 33, (1.0, 0.0, 0.0, 0.05), 2),
        ("miracl-id-dev", "mteb-miracl-hn-id", 78, 28, (0.9763, 0.0237, 0.0105, 0.0842), 1),
        ("mteb-miracl-hn-es", "mteb-miracl-hard-negatives-v2-es", 27, 12, (1.0, 0.0, 0.0001, 0.05), 2),
        ("mteb-miracl-hn-ru", "mteb-miracl-hard-negatives-v2-ru", 75, 31, (1.0, 0.0, 0.0, 0.05), 5),
        ("mteb-miracl-hn-th", "mteb-miracl-hard-negatives-v2-th", 31, 14, (0.9995, 0.0001, 0.0006, 0.05), 2),
        ("mteb-nfcorpus-nl", "mteb-nfcorpus-nl-v2", 22, 11, (1.0, 0.0, 0.0, 0.05), 1),
        ("mteb-quora-fa", "mteb-quora-fa-v2", 32, 14, (0.9630, 0.0101, 0.0079, 0.0628), 1),
    ],
)
def test_lines_and_flags_are_those_of_a_separate_computation(first, second, shared, families, line, n_flags):
    _, check = checked(first, second)
    assert (check.line.n_shared, check.line.n_families) == (shared, families)
    got = (check.line.slope, check.line.intercept, check.line.scale, check.line.threshold)
    assert got == pytest.approx(line, abs=6e-5)
    assert check.line.is_usable
    assert check.contradictions.count("line") == n_flags


def test_all_pairs_together_have_82_contradictions_of_35_systems():
    flagged = Counter()
    for first, second in pairs():
        systems, check = checked(first, second)
        flagged.update(name for name, kind in zip(systems, check.contradictions, strict=True) if kind)
    assert (sum(flagged.values()), len(flagged)) == (82, 35)
    assert sum(n >= 2 for n in flagged.values()) == 19


def test_where_documents_are_fewer_twenty_scores_of_889_cannot_be():
    """Without Thai's second version, which came to the list of pairs later."""
    impossible, n_shared = Counter(), 0
    for (first, second), (has_fewer, *_) in pairs().items():
        if has_fewer and "-v2-" not in second:
            systems, check = checked(first, second, has_fewer_documents=True)
            n_shared += len(systems)
            impossible.update(name for name, kind in zip(systems, check.contradictions, strict=True) if kind == "logic")
    assert n_shared == 889
    assert impossible.most_common(3) == [
        ("NovaSearch/stella_en_400M_v5", 9),
        ("nomic-ai/nomic-embed-text-v1", 6),
        ("intfloat/e5-mistral-7b-instruct", 2),
    ]
    assert sum(impossible.values()) == 20


def straight_line(n=40, slope=0.9, intercept=0.05, seed=3, spread=0.004):
    rng = np.random.default_rng(seed)
    x = rng.uniform(0.2, 0.7, n)
    return x, slope * x + intercept + spread * rng.standard_normal(n), [f"m{number % 20}" for number in range(n)]


def test_with_families_of_one_the_line_is_that_of_theil_and_sen():
    x, y, _ = straight_line()
    line = check_linked(x, y, list(map(str, range(x.size)))).line
    assert line.slope == pytest.approx(theilslopes(y, x).slope, rel=1e-12)


def test_fifty_copies_of_a_row_move_neither_intercept_nor_scale_of_the_others():
    x, y, families = straight_line()
    plain = check_linked(x, y, families).line
    again = check_linked(
        np.append(x, np.full(49, x[0])), np.append(y, np.full(49, y[0])), [*families, *[families[0]] * 49]
    ).line
    assert again.n_families == plain.n_families
    residuals = y - again.intercept - again.slope * x
    # Each other family still lies within the scale as it did: copies count once.
    assert again.scale == pytest.approx(plain.scale, rel=0.35)
    assert abs(np.median(residuals)) < plain.scale


@pytest.mark.parametrize("sign", [1, -1])
def test_a_shift_is_found_and_nothing_else(sign):
    x, y, families = straight_line()
    y[7] += sign * 0.15
    check = check_linked(x, y, families)
    assert [place for place, kind in enumerate(check.contradictions) if kind] == [7]


KO, HN = "miracl-ko-dev", "mteb-miracl-hn-ko"


def board_of_hard_negatives(**facts):
    """Return MIRACL's Korean hard negatives with the scores of the same systems on all documents."""
    _, systems, families, x, y = pairs()[KO, HN]
    rows = [
        BoardRow(id=number, system=name, printed=f"{own:.4f}", value=own, lineage=(f"team:{family}",), linked=(full,))
        for number, (name, family, full, own) in enumerate(zip(systems, families, x, y, strict=True))
    ]
    linked = LinkedBoard(
        collection=KO, name="MIRACL Korean", kind="fewer-documents", is_first=True, has_same_topics=True, **facts
    )
    rows.sort(key=lambda row: -row.value)
    return BoardInputs(
        collection=HN, measure=MeasureFacts(name="nDCG@10"), rows=tuple(rows), n_topics=213, linked=(linked,)
    )


def test_the_leader_of_the_korean_board_is_contradicted_and_stays():
    inputs = board_of_hard_negatives()
    verdict = study(inputs).verdict
    (caution,) = [noted for noted in verdict.cautions if noted.code == "contradicts-linked"]
    best = inputs.rows[0]
    assert best.system == "nvidia/llama-embed-nemotron-8b"
    assert caution.results[0] == best.id == verdict.best.result
    scores = "0.7294 of nvidia/llama-embed-nemotron-8b here conflicts with 0.2032 on MIRACL Korean"
    expected = "0.22 expected here by the 82 systems of 33 groups on both"
    assert caution.message.startswith(f"{scores} ({expected}).")
    assert "One is from another set-up or wrong. We don’t know which." in caution.message
    assert "Without such scores," in caution.message
    assert not verdict.leader_verified
    assert verdict.best_unflagged is None
    assert best.id in verdict.set.members
    assert best.id not in verdict.without_contradicted.set.members
    assert verdict.without_contradicted.n_left_out == len(caution.results)


def three_boards(shifted):
    """Return a board with two linked ones that all agree, but for one score of the system 7."""
    x, y, families = straight_line(spread=0.001)
    columns = [x, y, 0.95 * x + 0.02]
    columns[shifted] = columns[shifted].copy()
    columns[shifted][7] += 0.2
    rows = [
        BoardRow(
            id=number, system=f"s{number}", printed=f"{own:.4f}", value=own, lineage=(f"team:{family}",),
            linked=(first, second),
        )
        for number, (own, first, second, family) in enumerate(zip(*columns, families, strict=True))
    ]  # fmt: skip
    linked = tuple(
        LinkedBoard(collection=name.lower(), name=name, kind="new-version", is_first=True) for name in ("One", "Other")
    )
    inputs = BoardInputs(collection="c", measure=MeasureFacts(name="AP"), rows=tuple(rows), n_topics=50, linked=linked)
    return [caution.message for caution in study(inputs).verdict.cautions if caution.code == "contradicts-linked"]


def test_of_three_scores_the_odd_one_is_named():
    here, there = three_boards(0), three_boards(1)
    assert len(here) == 2
    assert all("the score here is the odd one" in message for message in here)
    assert len(there) == 1
    assert "that on One is the odd one" in there[0]


def test_touches_two_judgings_order_systems_as_the_study_found():
    cells = np.array(
        [
            (float(row["beir-webis-touche2020"][:-1]), float(row["mteb-touche2020-v3"][:-1]))
            for row in table(FROZEN)
            if row["beir-webis-touche2020"] and row["mteb-touche2020-v3"]
        ]
    )
    inputs = linked_to(*cells[(cells > 0).all(axis=1)].T, kind="new-judgements", is_first=False, n_topics=49)
    (caution,) = told_by(inputs, "judged-again")
    assert not caution.results
    assert "the 149 systems on both agrees by Kendall’s tau 0.60 (95%: 0.53 to 0.66), 0.38 among the" in caution.message


def linked_to(own, there, *, kind="new-version", is_first=True, same_topics=False, n_topics=50, **facts):
    """Return a board with one linked to it, each row of a maker of its own."""
    rows = tuple(
        BoardRow(id=number, system=f"s{number}", printed=f"{here:.4f}", value=float(here), lineage=(f"team:{number}",),
                 linked=(None if other is None else float(other),))
        for number, (here, other) in enumerate(zip(own, there, strict=True))
    )  # fmt: skip
    board = LinkedBoard(collection="t", name="There", kind=kind, is_first=is_first, has_same_topics=same_topics)
    measure = facts.pop("measure", MeasureFacts(name="AP"))
    return BoardInputs(collection="c", measure=measure, rows=rows, n_topics=n_topics, linked=(board,), **facts)


def told_by(inputs, code="contradicts-linked"):
    return [caution for caution in study(inputs).verdict.cautions if caution.code == code]


OWN = KnownVariance(kind="own-variance", value=0.0144, degrees_of_freedom=980.0, sources=("its runs",))
LEVEL = np.linspace(0.3, 0.6, 30)


def test_a_contradiction_says_what_was_expected_on_the_second_board_and_what_holds_without_it():
    own, there = LEVEL.copy(), 0.5 * LEVEL + 0.1
    own[3], own[5] = 0.62, 0.61
    inputs = linked_to(own, there, variances=(OWN,))
    (caution,) = told_by(inputs)
    assert (caution.results, caution.withholds, caution.is_flag) == ((3, 5), True, False)
    # By the line a score of .2655 there goes with .331 here.
    assert caution.message.startswith(
        f"0.6200 of s3 here conflicts with {there[3]:.4f} on There (0.33 expected here by the 30 systems of 30 groups"
        " on both). One is from another set-up or wrong. We don’t know which. The scores of another row conflict with"
        " that board too."
    )
    without = study(inputs).verdict.without_contradicted
    assert (without.result, without.n_left_out) == (29, 2)
    assert caution.message.endswith(
        f" Without such scores, s29 leads with 0.6000, adjusted for luck {without.corrected.figures}, and"
        f" {without.set.n_members} rows tie for first."
    )
    assert without.set.n_members > 1
    alone = told_by(replace(inputs, n_topics=50_000))[0].message
    assert alone.endswith(", alone.")
    unknown = told_by(replace(inputs, n_topics=None, variances=()))[0].message
    assert unknown.endswith(" Without such scores, s29 leads with 0.6000.")
    cleared = replace(inputs, cleared=(ClearedCaution(code="contradicts-linked", result=3),))
    assert told_by(cleared)[0].results == (5,)
    assert told_by(replace(cleared, cleared=(ClearedCaution(code="stands-apart", result=3),)))[0].results == (3, 5)


def test_fewer_documents_of_the_same_topics_cannot_make_a_score_fall():
    own, there = LEVEL - 0.02, LEVEL
    (caution,) = told_by(linked_to(own, there, kind="fewer-documents", same_topics=True))
    assert len(caution.results) == 30
    assert "0.5800 of s29 here conflicts with 0.6000 on There: fewer documents can’t make a score fall." in (
        caution.message
    )
    assert "The scores of 29 other rows conflict with that board too." in caution.message
    assert told_by(linked_to(own, there, kind="fewer-documents")) == []
    assert told_by(linked_to(own, there, kind="new-version", same_topics=True)) == []
    # Here this board is the one with all documents.
    assert told_by(linked_to(own, there, kind="fewer-documents", same_topics=True, is_first=False)) == []
    few = told_by(linked_to(own[:2], there[:2], kind="fewer-documents", same_topics=True))
    assert few[0].results == (1, 0)


@pytest.mark.parametrize(
    "measure",
    [
        MeasureFacts(name="AP", higher_is_better=False),
        MeasureFacts(name="AP", high=2.0),
        MeasureFacts(name="AP", low=None),
    ],
)
def test_boards_of_another_scale_are_not_compared(measure):
    own, there = LEVEL.copy(), LEVEL.copy()
    own[3] = 0.95
    assert told_by(linked_to(own, there))
    assert told_by(linked_to(own, there, measure=measure)) == []


def test_judgements_that_were_made_again_are_told_with_how_far_the_orders_agree():
    """Of ten systems two neighbours change places: 43 of 45 pairs agree more than they differ."""
    own = [0.50, 0.48, 0.46, 0.44, 0.42, 0.40, 0.38, 0.36, 0.34, 0.32]
    there = [0.48, 0.50, *own[2:]]
    last = "The verdict allows for other topics, not for other judges."
    tau = f"{43 / 45:.2f}"
    for is_first, opening in (
        (True, "These topics, of There, were judged again here, in whole or in part."),
        (False, "These topics were judged again, in whole or in part, for There."),
    ):
        (caution,) = told_by(linked_to(own, there, kind="new-judgements", is_first=is_first), "judged-again")
        assert caution.message == (
            f"{opening} The order of the 10 systems on both agrees by Kendall’s tau {tau} (95%: 0.88 to 0.98). {last}"
        )
        (caution,) = told_by(linked_to(own[:9], there[:9], kind="new-judgements", is_first=is_first), "judged-again")
        assert caution.message == f"{opening} 9 systems are on both, too few to compare their orders. {last}"
    assert told_by(linked_to(own, [0.01] * 10, kind="new-judgements"), "judged-again") == []
    assert told_by(linked_to(own, [None] * 10, kind="new-judgements"), "judged-again") == []
    assert told_by(linked_to(own, there), "judged-again") == []
    # Ten of forty are the upper quarter by the earlier judgements, and stand there in reverse.
    own = np.linspace(0.6, 0.2, 40)
    there = np.r_[own[:10][::-1], own[10:]]
    for is_first in (True, False):
        (caution,) = told_by(linked_to(own, there, kind="new-judgements", is_first=is_first), "judged-again")
        tau = 1 - 2 * 45 / 780
        assert f"Kendall’s tau {tau:.2f} (95%: " in caution.message
        assert "), -1.00 among the upper quarter by the earlier ones." in caution.message
    (caution,) = told_by(linked_to(own[:39], there[:39], kind="new-judgements"), "judged-again")
    assert "upper quarter" not in caution.message
    level = told_by(linked_to(own, [0.5] * 40, kind="new-judgements"), "judged-again")
    assert "Kendall’s tau 0.00 (95%: -0.21 to 0.21), 0.00 among" in level[0].message


def test_a_board_that_a_language_model_judged_says_so_with_how_far_the_orders_agree():
    own = [0.50, 0.48, 0.46, 0.44, 0.42, 0.40, 0.38, 0.36, 0.34, 0.32]
    inputs = linked_to(own, own[::-1], kind="new-judgements")
    (note,) = told_by(replace(inputs, is_judged_by_model=True), "judged-again")
    assert note.message.startswith("A language model judged these topics here; others judged them for There. The order")
    assert "Kendall’s tau -1.00 (95%: -1.00 to -1.00)" in note.message
    (board,) = inputs.linked
    (note,) = told_by(replace(inputs, linked=(replace(board, is_judged_by_model=True),)), "judged-again")
    assert note.message.startswith("These topics were judged by a language model for There.")


@pytest.mark.parametrize(("n", "n_families", "usable"), [(20, 10, True), (19, 10, False), (20, 9, False)])
def test_a_line_counts_with_twenty_systems_of_ten_families(n, n_families, usable):
    x = np.linspace(0.2, 0.6, n)
    y = x.copy()
    y[n // 2] += 0.3
    check = check_linked(x, y, [f"m{number % n_families}" for number in range(n)])
    assert check.line.is_usable == usable
    assert check.contradictions.count("line") == usable
    # One below .02 on either board counts nowhere.
    more = check_linked(
        [*x, 0.01, 0.5], [*y, 0.9, 0.01], [*(f"m{number % n_families}" for number in range(n)), "x", "y"]
    )
    assert (more.line, more.contradictions) == (check.line, (*check.contradictions, "", ""))
