"""The plumb line: who stands on it as what, where it begins, what it says, and in words."""

import json
from types import SimpleNamespace

from registry.core.charts.scenes import MIDDLE, NARROW, WIDE
from registry.leaderboards.drawings.plumb_line import Mark, plumb_line, plumb_scene


def row(pk: int, value: float | None, may: bool | None = True, rank: int | None = 1, **fields) -> SimpleNamespace:
    known = {"system": f"s{pk}", "can_be_best": may, "can_be_best_unflagged": None, "is_original": True, "mean": None,
             "training": ""}  # fmt: skip
    return SimpleNamespace(id=pk, rank=rank, value=value, **(known | fields))


def document(rows, *, shown=None, margin=0.05, has_set=True, corrected=None, higher=True, **verdict) -> SimpleNamespace:
    """Make a document whose best is the first of the rows, and what is shown that or another one."""
    values = {entry.id: entry.value for entry in rows}
    finding = {
        "best": SimpleNamespace(result=rows[0].id, value=rows[0].value),
        "shown": SimpleNamespace(
            result=shown or rows[0].id,
            value=values[shown or rows[0].id],
            set=SimpleNamespace(margin=margin, n_members=2) if has_set else None,
            corrected=corrected,
            pairs=(),
        ),
        "best_unflagged": None, "evidence": SimpleNamespace(kind="own-topics"), "view": "all",
        "held_back": frozenset(), "tries": SimpleNamespace(n_results=len(rows)),
    } | verdict  # fmt: skip
    measure = {"name": "AP", "decimals": 4, "higher_is_better": higher}
    return SimpleNamespace(verdict=SimpleNamespace(**finding), measure=measure, results=rows)


ROWS = [
    row(1, 0.50, True, 1), row(2, 0.48, True, 2), row(3, 0.48, False, 2, is_original=False), row(4, 0.40, None, 4),
    row(6, None, None, None), row(5, 0.1, False, 5),
]  # fmt: skip
WORTH = SimpleNamespace(value=0.4712, low=0.459, high=0.483, in_words="0.471 ± 0.012")
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


def words(scene) -> list[str]:
    return [text.text for text in scene.words if text.kind != "tick"]


def kinds(scene) -> list[str]:
    return [shape.kind for shape in scene.shapes]


def test_every_part_of_a_drawing():
    chart = plumb_line(document(ROWS, corrected=WORTH), [Mark(0.45, "your score")])
    assert [scene.size for scene in chart.scenes] == [WIDE, MIDDLE, NARROW]
    wide = chart.scenes[0]
    assert words(wide) == [
        "Best reported 0.5000", "s1", "2 tied for first", "within 0.050 of the best", "2 significantly lower",
        "adjusted for luck 0.471 ± 0.012", "◂ 1 more", "your score",
    ]  # fmt: skip
    assert {"across other", "axis", "dot measured is-highlighted", "post ink", "cord", "bob", "error-bar",
            "mark-line"} <= set(kinds(wide))  # fmt: skip
    assert chart.text.endswith("Marked: your score.")
    named = {label for trace in json.loads(chart.plotly)["data"] for label in trace.get("text", ())}
    assert "s1<br>0.5000 · rank 1 · tied for first" in named
    assert "s5<br>0.1000 · rank 5 · significantly lower" in named


def test_where_less_is_better_the_best_stands_left_and_what_is_predicted_is_not_sure():
    rows = [row(1, 0.10), row(2, 0.12, rank=2), row(3, 0.30, False, 3), row(4, 0.9, False, 4)]
    predicted = SimpleNamespace(kind="predicted-from-siblings")
    scene = plumb_scene(document(rows, higher=False, evidence=predicted), WIDE)
    assert "across other dashed" in kinds(scene)
    paths = {shape.kind: shape.path for shape in scene.shapes}
    assert float(paths["post ink"][1:].partition(" ")[0]) < WIDE.width / 10
    assert "1 more ▸" in words(scene)


def test_those_that_are_not_ranked_hang_in_lanes_with_the_best_of_them_by_name():
    rows = [
        row(1, 0.50), row(2, 0.47, rank=2), row(3, 0.3, False, 3),
        row(4, 0.52, None, 4, training="declares", system="owner/trained"),
        row(5, 0.4, None, 5, training="says_nothing"),
    ]  # fmt: skip
    chart = plumb_line(document(rows, view="declared-none"))
    wide, _, narrow = chart.scenes
    assert {"dot aside", "dot aside hollow", "lane"} <= set(kinds(wide))
    assert {"1 trained on it · not ranked here", "1 undisclosed · not ranked here"} <= set(words(wide))
    assert "highest not ranked: trained 0.5200" in words(wide)
    assert {"1 trained on it", "trained 0.5200"} <= set(words(narrow))
    traces = [shape.trace for shape in wide.shapes if shape.trace]
    assert traces == ["0 0 4", "1 0 4", "2 0 3.4", "3 0 3.4"]


def test_a_leader_that_is_excluded_hangs_in_a_lane_of_its_own():
    wide, _, _ = plumb_line(held_back()).scenes
    assert "dot other" in kinds(wide)
    assert "1 excluded: needs evidence · not ranked here" in " ".join(words(wide))
    assert words(wide)[0] == "Best reported 0.5000"


def test_few_results_are_named_and_compared_in_pairs():
    rows = [row(1, 0.5, None), row(2, 0.48, None, 2), row(3, 0.3, None, 3)]
    few = document(rows, has_set=False)
    few.verdict.shown.pairs = (
        SimpleNamespace(behind=0.02, gap="0.020", needed="0.030", is_significant=False),
        SimpleNamespace(behind=0.2, gap="0.200", needed="0.040", is_significant=True),
    )
    wide = plumb_scene(few, WIDE)
    assert words(wide)[:3] == ["s1 0.5000", "s2 0.4800", "s3 0.3000"]
    assert {"0.020: not significant", "0.200: significant (0.040 needed)"} <= set(words(wide))
    assert kinds(wide).count("span-bar") == 1
    assert "span-bar strong" in kinds(wide)
