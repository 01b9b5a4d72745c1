"""The drawing of a leaderboard, part by part, where a ruler puts it."""

from types import SimpleNamespace

import pytest

from registry.leaderboards.drawings.plumb_line import (
    CARD,
    NARROW,
    SMALL,
    WIDE,
    Dot,
    Label,
    Mark,
    PlumbLine,
    _beside,
    _is_covered,
    _swarm,
    _tick,
    describe,
    plumb_lines,
)


def row(pk: int, value: float | None, may: bool | None = True, rank: int | None = 1, **fields) -> SimpleNamespace:
    known = {"system": f"s{pk}", "can_be_best": may, "can_be_best_unflagged": None, "is_original": True}
    return SimpleNamespace(id=pk, rank=rank, value=value, **(known | fields))


def document(rows, *, shown=None, margin=0.05, has_set=True, corrected=None, higher=True, **verdict) -> SimpleNamespace:
    """The best is the first of the rows, and what is shown that or another one."""
    values = {one.id: one.value for one in rows}
    said = {
        "best": SimpleNamespace(result=rows[0].id, value=rows[0].value),
        "shown": SimpleNamespace(
            result=shown or rows[0].id,
            value=values[shown or rows[0].id],
            set=SimpleNamespace(margin=margin, n_members=2) if has_set else None,
            corrected=corrected,
        ),
        "best_unflagged": None, "evidence": SimpleNamespace(kind="own-topics"), "view": "all",
        "held_back": frozenset(), "tries": SimpleNamespace(n_results=len(rows)),
    } | verdict  # fmt: skip
    measure = {"decimals": 4, "higher_is_better": higher}
    return SimpleNamespace(verdict=SimpleNamespace(**said), measure=measure, results=rows)


def texts(labels) -> list[tuple]:
    return [(one.x, one.y, one.text, one.anchor) for one in labels]


def dots(line: PlumbLine) -> list[tuple]:
    return [(one.x, one.y, one.kind) for one in line.dots]


ROWS = [
    row(5, 0.1, False, 5), row(1, 0.50, True, 1), row(2, 0.48, True, 2), row(3, 0.48, False, 2, is_original=False),
    row(4, 0.40, None, 4), row(6, None, None, None),
]  # fmt: skip
WORTH = SimpleNamespace(value=0.4712, decimals=3)


def test_every_part_of_a_drawing():
    led = [ROWS[1], *ROWS[2:], ROWS[0]]
    wide, narrow = plumb_lines(document(led, corrected=WORTH), [Mark(0.45, "your score")], sizes=(WIDE, NARROW))
    # From 4.6 margins below the best to a sixteenth of that beyond it: 0.27 to 0.5138 on 1092 pixels.
    assert (wide.width, wide.height, wide.top, wide.axis, wide.band_height) == (1120.0, 231.2, 54.0, 132.0, 78.0)
    assert dots(wide) == [
        (1044.2, 126.0, "may"), (954.6, 126.0, "may"), (954.6, 118.0, "out rerun"), (596.3, 126.0, "open"),
    ]  # fmt: skip
    assert (wide.band.x, wide.band.width, wide.band.is_sure) == (820.2, 224.0, True)
    assert (wide.best, wide.worth) == (1044.2, 915.2)
    # 0.45 is below the mark, and not written.
    assert texts(wide.ticks) == [
        (148.4, 152.0, "0.3", "middle"), (372.3, 152.0, "0.35", "middle"), (596.3, 152.0, "0.4", "middle"),
        (1044.2, 152.0, "0.5", "middle"),
    ]  # fmt: skip
    assert [(one.kind, *text) for one, text in zip(wide.labels, texts(wide.labels), strict=True)] == [
        ("printed", 1044.2, 22, "best printed 0.5000", "end"), ("who", 1044.2, 40, "s1", "end"),
        ("worth", 901.2, 176.0, "probably worth about 0.471", "end"), ("beyond", 2.0, 194.0, "◂ 1 lower", "start"),
    ]  # fmt: skip
    ((place, label),) = wide.marks
    assert (place, label) == (820.2, Label(812.2, 221.6, "your score", "end", "mark"))
    assert wide.bob == "910.2,132.0 920.2,132.0 918.7,144.0 915.2,151.0 911.7,144.0"
    assert (narrow.width, narrow.best, narrow.worth, narrow.height) == (358.0, 325.3, 271.0, 231.2)
    assert [one.radius for one in narrow.dots] == [3.2] * 4
    assert [text for _, _, text, _ in texts(narrow.ticks)] == ["0.35", "0.4", "0.5"]
    two = plumb_lines(document(led), [Mark(0.45, "one"), Mark(0.46, "two")], sizes=(WIDE,))[0]
    assert [label.y for _, label in two.marks] == [221.6, 245.6]
    assert (two.height, two.worth) == (pytest.approx(255.2), None)


def test_where_less_is_better_the_best_stands_left_and_what_is_predicted_is_not_sure():
    rows = [row(1, 0.10), row(2, 0.12, rank=2), row(3, 0.30, False, 3), row(4, 0.9, False, 4)]
    worth = SimpleNamespace(value=0.115, decimals=2)
    predicted = SimpleNamespace(kind="predicted-from-siblings")
    (line,) = plumb_lines(document(rows, corrected=worth, higher=False, evidence=predicted), sizes=(WIDE,))
    assert dots(line) == [(75.8, 126.0, "may"), (165.4, 126.0, "may"), (971.6, 126.0, "out")]
    assert (line.band.x, line.band.width, line.band.is_sure) == (75.8, 224.0, False)
    assert (line.best, line.worth, line.height) == (75.8, 143.0, 200.0)
    assert [(one.x, one.text) for one in line.ticks] == [
        (75.8, "0.1"), (299.8, "0.15"), (523.7, "0.2"), (747.7, "0.25"), (971.6, "0.3"),
    ]  # fmt: skip
    assert texts(line.labels) == [
        (75.8, 22, "best printed 0.1000", "start"), (75.8, 40, "s1", "start"),
        (157.0, 176.0, "probably worth about 0.12", "start"), (1118.0, 194.0, "1 higher ▸", "end"),
    ]  # fmt: skip


HELD = [
    row(9, 0.9, False, 1, can_be_best_unflagged=False, system="held"),
    row(1, 0.5, False, 2, can_be_best_unflagged=True, system="n" * 50),
    row(2, 0.46, False, 3, can_be_best_unflagged=True),
    row(4, 0.45, True, 4, can_be_best_unflagged=None),
    row(3, 0.2, True, 5, can_be_best_unflagged=False),
]


def held_back(**verdict) -> SimpleNamespace:
    unflagged = SimpleNamespace(result=1, value=0.5)
    return document(HELD, shown=1, **({"best_unflagged": unflagged, "held_back": frozenset({9})} | verdict))


def test_a_leader_that_is_held_back_is_drawn_apart_from_the_best_of_the_others():
    wide, narrow = plumb_lines(held_back(view="declared-none"), sizes=(WIDE, NARROW))
    assert dots(wide) == [
        (1044.2, 126.0, "flagged"), (390.1, 126.0, "may"), (324.7, 126.0, "may"), (308.3, 126.0, "aside"),
    ]  # fmt: skip
    assert texts(wide.labels) == [
        (390.1, 22, "best not held back, no training declared 0.5000", "start"), (390.1, 40, "n" * 50, "start"),
        (1044.2, 102.0, "0.9000, held back", "end"), (2.0, 194.0, "◂ 1 lower", "start"),
    ]  # fmt: skip
    # In a narrow drawing the view is left out where the label says whose best it is, and the name shortened.
    assert texts(narrow.labels)[:2] == [
        (81.0, 22, "best not held back 0.5000", "start"), (36.0, 40, "n" * 39 + "…", "start"),
    ]  # fmt: skip
    narrow, in_all = (
        plumb_lines(held_back(view=view, best_unflagged=None), sizes=(NARROW,))[0] for view in ("declared-none", "all")
    )
    assert [line.labels[0].text for line in (narrow, in_all)] == ["best, none declared 0.5000", "best printed 0.5000"]
    (line,) = plumb_lines(held_back(), sizes=(WIDE,))
    assert dots(line)[3][2] == "open"
    # A label is lifted over the dots that it would cover.
    stacked = [row(20 + place, 0.89, False, 2, can_be_best_unflagged=False) for place in range(8)]
    crowded = held_back()
    crowded.results = [HELD[0], *stacked, *HELD[1:]]
    (line,) = plumb_lines(crowded, sizes=(WIDE,))
    (caution,) = [one for one in line.labels if one.kind == "caution"]
    assert caution.y == min(one.y for one in line.dots) - 10


def test_without_a_margin_the_drawing_begins_where_those_do_that_may_be_best():
    rows = [row(1, 0.5), row(2, 0.4, rank=2), row(3, 0.3, False, 3)]
    (line,) = plumb_lines(document(rows, margin=None), sizes=(SMALL,))
    assert (line.band, dots(line)) == (None, [(214.0, 97.6, "may"), (116.9, 97.6, "may"), (19.8, 97.6, "out")])
    assert [(one.x, one.text) for one in line.ticks] == [
        (19.8, "0.3"), (68.4, "0.35"), (116.9, "0.4"), (165.5, "0.45"), (214.0, "0.5"),
    ]  # fmt: skip
    # All alike: a thousandth is drawn.
    (line,) = plumb_lines(document([row(1, 0.5), row(2, 0.5)], has_set=False), sizes=(SMALL,))
    assert dots(line) == [(214.0, 97.6, "may"), (214.0, 92.8, "may")]
    assert [one.text for one in line.ticks] == ["0.499", "0.4992", "0.4994", "0.4996", "0.4998", "0.5"]
    # Nobody but the best may be it: where the bulk of them begins, nine in ten.
    alone = [row(1, 0.5), *(row(pk, 0.5 - 0.01 * pk, False, pk) for pk in range(2, 12)), row(12, 0.0, False, 12)]
    (line,) = plumb_lines(document(alone, has_set=False), sizes=(WIDE,))
    # A twentieth beyond the tenth of twelve, which is 0.1 from the best.
    assert (len(line.dots), line.dots[-1].x) == (10, round(14 + 1092 * 0.005 / (0.105 * 1.06), 1))
    # A margin is wide enough to see most of the others.
    far = [row(1, 0.5), *(row(pk, 0.2, False, pk) for pk in range(2, 6))]
    (line,) = plumb_lines(document(far, margin=0.01), sizes=(WIDE,))
    assert len(line.dots) == 5


def test_dots_are_stacked_and_squeezed_where_there_is_no_room():
    rows = [row(pk, 0.5 - 0.001 * (pk // 40), rank=pk) for pk in range(1, 60)]
    card, small = plumb_lines(document(rows), sizes=(CARD, SMALL))
    heights = sorted({one.y for one in card.dots}, reverse=True)
    assert (card.axis, card.height, len(heights)) == (197.0, 265.0, 39)
    assert heights[0] == round(197.0 - 3.2 - 2, 1)
    assert heights[-1] == pytest.approx(heights[0] - 38 * 6.4 * (105.0 / (39 * 6.4)), abs=0.11)
    assert (small.axis, min(one.y for one in small.dots)) == (118.0, pytest.approx(113.6 - 38 * 26 / 39, abs=0.11))
    few = [row(pk, 0.5, rank=pk) for pk in range(1, 9)]
    (line,) = plumb_lines(document(few), sizes=(WIDE,))
    assert (line.axis, min(one.y for one in line.dots)) == (62 + 64 + 30, 62 + 94 - 6 - 56)


def test_a_swarm_leaves_no_dot_upon_another():
    assert _swarm([10, 10, 13, 30], 2) == [(10, 0.0), (10, 4.0), (13, 8.0), (30, 0.0)]
    assert _swarm([10, 14, 12], 2) == [(10, 0.0), (14, 0.0), (12, 4.0)]
    assert _swarm([10, 10, 10, 13.9, 6.1], 2) == [(10, 0.0), (10, 4.0), (10, 8.0), (13.9, 12.0), (6.1, 12.0)]
    # A gap below a higher one is filled.
    assert _swarm([0, 3, 6, 9.5, 2.5], 2) == [(0, 0.0), (3, 4.0), (6, 0.0), (9.5, 4.0), (2.5, 8.0)]


def test_numbers_stay_inside_and_give_way_to_what_hangs_down():
    assert _tick(500.0, 20.0, "0.5", 1000.0) == Label(500.0, 20.0, "0.5", "middle", "tick")
    assert _tick(2.0, 20.0, "0.5", 1000.0).x == 12.6
    assert _tick(999.0, 20.0, "0.5", 1000.0).x == 987.4
    label = Label(100.0, 20.0, "0.5", "middle", "tick")
    assert label.reach == pytest.approx((87.4, 112.6))
    assert [_is_covered(label, [x]) for x in (82.3, 82.5, 117.5, 117.7)] == [False, True, True, False]
    assert not _is_covered(label, [])
    assert _is_covered(label, [500.0, 100.0])


@pytest.mark.parametrize(
    ("x", "kind", "text", "expected"),
    [
        (600.0, "mark", "a", (592.0, "end")), (500.0, "mark", "a", (508.0, "start")),
        (501.0, "who", "a", (501.0, "end")),
        (600.0, "worth", "a", (586.0, "end")), (600.0, "who", "n" * 75, (602.0, "end")),
        (600.0, "who", "n" * 130, (998.0, "end")), (400.0, "who", "n" * 75, (398.0, "start")),
        (400.0, "who", "n" * 74, (400.0, "start")), (400.0, "who", "n" * 130, (2, "start")),
    ],
)  # fmt: skip
def test_a_label_stands_where_there_is_room(x, kind, text, expected):
    label = _beside(x, 5.0, text, kind, 1000.0)
    assert ((label.x, label.anchor), label.y, label.text, label.kind) == (expected, 5.0, text, kind)


def test_labels_reach_as_far_as_their_characters():
    assert Label(100.0, 0, "abcd", "start", "who").reach == (100.0, 132.0)
    assert Label(100.0, 0, "abcd", "end", "who").reach == (68.0, 100.0)


def test_elements_and_paths_of_a_drawing():
    line = PlumbLine(10, 10, 1, 5, (Dot(1.4, 2.6, 3.0, "may"), Dot(1.2, 3.4, 3.0, "may rerun"), Dot(5, 5, 3.0, "out"),
                                    Dot(1.1, 2.9, 3.0, "may")), None, 5, None, (), ())  # fmt: skip
    assert line.circles.startswith('<circle class="may" cx="1.4" cy="2.6" r="3.0"/><circle class="may rerun" cx="1.2"')
    assert line.paths == {"may": "M1 3h0", "out": "M5 5h0"}
    assert line.bob.startswith("-5.0,5 5.0,5")


def test_a_board_without_a_verdict_or_with_one_row_is_not_drawn():
    assert plumb_lines(document([row(1, 0.5), row(2, None, None, None)])) == ()
    silent = document([row(1, 0.5), row(2, 0.4)])
    assert len(plumb_lines(silent)) == 3
    silent.verdict = None
    assert plumb_lines(silent) == ()


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (document(HELD),
         "Scores of 5 results; the best prints 0.9000, 2 lie within 0.0500 of it and can’t be told from it."),
        (document(HELD, corrected=WORTH, has_set=False),
         "Scores of 5 results; the best prints 0.9000, probably worth about 0.471."),
        (document(HELD, margin=None), "Scores of 5 results; the best prints 0.9000, 2 can’t be told from it."),
        (held_back(view="declared-none"),
         "Scores of 5 results; the best prints 0.9000, no training declared, held back; the best that is not prints "
         "0.5000, 2 lie within 0.0500 of it and can’t be told from it."),
    ],
)  # fmt: skip
def test_the_same_in_words(said, expected):
    assert describe(said) == expected


def test_one_that_nobody_is_near_is_alone_in_words():
    near, told = document(HELD), document(HELD, margin=None)
    near.verdict.shown.set.n_members = told.verdict.shown.set.n_members = 1
    assert describe(near).endswith("prints 0.9000, no other lies within 0.0500 of it.")
    assert describe(told).endswith("prints 0.9000, every other is ruled out.")
