"""The plumb line: who stands on it as what, where it begins, what it says, and in words."""

import json
from types import SimpleNamespace

import pytest

from registry.core.charts.scenes import MIDDLE, NARROW, WIDE
from registry.leaderboards.drawings.plumb_line import Mark, plumb_line, plumb_scene


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
    measure = {"name": "AP", "decimals": 4, "higher_is_better": higher}
    return SimpleNamespace(verdict=SimpleNamespace(**said), measure=measure, results=rows)


ROWS = [
    row(1, 0.50, True, 1), row(2, 0.48, True, 2), row(3, 0.48, False, 2, is_original=False), row(4, 0.40, None, 4),
    row(6, None, None, None), row(5, 0.1, False, 5),
]  # fmt: skip
WORTH = SimpleNamespace(value=0.4712, figures="0.471 ± 0.012")
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
    assert words(wide) == ["best printed 0.5000", "s1", "adjusted for luck: 0.471 ± 0.012", "◂ 1 lower", "your score"]
    assert kinds(wide) == [
        "across other", "axis", "dot measured hollow", "dot muted", "dot measured is-highlighted", "post ink", "cord",
        "bob", "mark-line",
    ]  # fmt: skip
    # From 4.6 margins below the best to a sixteenth of that beyond it: 0.27 to 0.5138 on 1092 pixels.
    paths = {shape.kind: shape.path for shape in wide.shapes}
    assert paths["post ink"] == "M1044.2 54V132"
    assert paths["cord"] == "M1044.2 54H915.2V132"
    assert paths["across other"] == "M820.2 132V54H1044.2V132z"
    # 0.45 is below the mark, and not written.
    assert [text.text for text in wide.words if text.kind == "tick"] == ["0.3", "0.35", "0.4", "0.5"]
    assert chart.text.endswith("Marked: your score.")
    explored = json.loads(chart.plotly)
    named = {label for trace in explored["data"] for label in trace.get("text", ())}
    assert named == {"s1: 0.5000", "s2: 0.4800", "s3: 0.4800", "s4: 0.4000", "s5: 0.1000"}
    assert explored["layout"]["xaxis"]["range"] == pytest.approx([0.27, 0.5138])


def test_where_less_is_better_the_best_stands_left_and_what_is_predicted_is_not_sure():
    rows = [row(1, 0.10), row(2, 0.12, rank=2), row(3, 0.30, False, 3), row(4, 0.9, False, 4)]
    predicted = SimpleNamespace(kind="predicted-from-siblings")
    scene = plumb_scene(document(rows, higher=False, evidence=predicted), WIDE)
    assert "across other dashed" in kinds(scene)
    assert next(shape.path for shape in scene.shapes if shape.kind == "post ink").startswith("M75.8 ")
    assert words(scene) == ["best printed 0.1000", "s1", "1 higher ▸"]


def test_a_leader_that_is_held_back_is_drawn_apart_from_the_best_of_the_others():
    chart = plumb_line(held_back(view="declared-none"))
    wide, _, narrow = chart.scenes
    assert {"dot other", "dot measured is-highlighted", "dot pale hollow"} <= set(kinds(wide))
    assert words(wide) == [
        "best not held back, no training declared 0.5000", "n" * 50, "0.9000, held back", "◂ 1 lower",
    ]  # fmt: skip
    # In a narrow drawing the view is left out where the label says whose best it is, and the name shortened.
    assert words(narrow)[:2] == ["best not held back 0.5000", "n" * 39 + "…"]
    in_view, in_all = (
        plumb_scene(held_back(view=view, best_unflagged=None), NARROW) for view in ("declared-none", "all")
    )
    assert [words(scene)[0] for scene in (in_view, in_all)] == ["best, none declared 0.5000", "best printed 0.5000"]
