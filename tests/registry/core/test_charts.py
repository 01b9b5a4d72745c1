"""Where charts draw things: places by hand, on a fluid field of 1,000 by 250 that begins at 90 and 24."""

import json
import re

import pytest
from django.template.loader import render_to_string
from plotly import graph_objects

from analysis.figures import Axis, Note, Panel, Rule, Series, scaled, series
from registry.core.charts import draw, draw_scene
from registry.core.charts.scenes import FLUID, NARROW, ON_PAGES


def axis(low: float | None = None, high: float | None = None, **options) -> Axis:
    return Axis(label="", low=low, high=high, **options)


def scene_of(*shown: Series, x: Axis | None = None, y: Axis | None = None, size=FLUID, **parts):
    panel = Panel(data="", series=shown, **parts)
    return draw_scene(panel, x or axis(0, 10), y or axis(0, 100), size)


def drawn(*shown: Series, **options) -> list[tuple[str, str]]:
    """Return the shapes without the grid."""
    return [(shape.kind, shape.path) for shape in scene_of(*shown, **options).shapes if shape.kind != "grid"]


def words(scene, kind: str) -> dict[str, tuple[float, float]]:
    return {text.text: (text.x, text.y) for text in scene.words if text.kind.split()[0] == kind}


def test_lines_go_through_their_points_and_break_at_gaps():
    assert drawn(series("", [0, 2, 4, 6, 8], [0, 20, None, 60, 80])) == [
        ("line measured", "M90 274L268 224M624 124L802 74"),
        ("dots measured", "m90 274h0m178 -50h0m356 -100h0m178 -50h0"),
    ]


@pytest.mark.parametrize(
    ("mark", "kinds"),
    [("curve", ["line"]), ("area", ["filled", "line"]), ("points", ["dots"]), ("steps", ["line"]), ("spans", [])],
)
def test_each_mark_draws_what_it_says(mark, kinds):
    assert [kind.split()[0] for kind, _ in drawn(series("", [0, 10], [0, 100], mark=mark))] == kinds


def test_bars_and_columns_are_boxes_and_columns_with_names_say_them():
    assert drawn(series("", [0, 2, 4, 6], [50, 0, 100], mark="bars")) == [
        ("boxes measured", "M90 274V149H268V274zM446 274V24H624V274z")
    ]
    two = series("", [1, 2], [-5, 5], mark="columns", labels=["one", "two"], style="other", is_highlighted=True)
    scene = scene_of(two, x=axis(0.5, 2.5), y=axis(-5, 5))
    boxes = [shape for shape in scene.shapes if shape.kind.startswith("boxes")]
    assert [(box.kind, box.title) for box in boxes] == [("boxes other is-highlighted", name) for name in ("one", "two")]
    # 0.86 of 445, from 0 down and up.
    assert [box.path for box in boxes] == ["M121.2 274V149H503.9V274z", "M566.1 149V24H948.8V149z"]
    between = series("", [1, 2], [3, 5], low=[1, None], high=[3, None], labels=["one", "two"], mark="columns")
    assert len([kind for kind, _ in drawn(between) if kind.startswith("boxes")]) == 1


def test_numbers_are_wholly_within_a_narrow_drawing():
    line = series("", [2000, 2019], [0.295, 0.305])
    for size, unit in ((NARROW, 1.0), (FLUID, 3.0)):
        scene = scene_of(
            line, x=axis(2000, 2019, ticks=((2000, "2000"), (2019, "2019"))), y=axis(0.295, 0.305), size=size
        )
        for text in scene.words:
            wide = unit * 7.44 * len(text.text)
            start = {"start": 0.0, "middle": wide / 2, "end": wide}[text.anchor]
            if text.kind == "tick":
                assert text.x - start >= 0, text
                assert text.x - start + wide <= size.width, text


def swarm(*xs: float, **options) -> Series:
    return Series(name="", mark="swarm", x=xs, y=(None,) * len(xs), **options)


def discs(scene) -> list[tuple[float, float, float]]:
    """Return left edge, middle and radius of each dot."""
    paths = "".join(shape.path for shape in scene.shapes if shape.kind.startswith("dot"))
    return [tuple(map(float, numbers)) for numbers in re.findall(r"M([\d.]+) ([\d.]+)a([\d.]+)", paths)]


def test_dots_of_a_swarm_stand_at_their_scores_and_never_on_each_other():
    scores = [number % 23 / 100 for number in range(60)]
    panel = Panel(data="", series=(swarm(*scores[:30]), swarm(*scores[30:], is_highlighted=True)))
    for size in ON_PAGES:
        dots = discs(draw_scene(panel, axis(0, 0.25), None, size))
        assert len(dots) == 60
        radius = dots[0][2]
        lefts = sorted(round(6 + (size.width - 12) * score / 0.25 - radius, 1) for score in scores)
        assert sorted(left for left, *_ in dots) == pytest.approx(lefts, abs=0.11)
        places = [(left, y) for left, y, _ in dots]
        for place, (x, y) in enumerate(places):
            assert all((x - other) ** 2 + (y - up) ** 2 >= (2 * radius - 0.5) ** 2 for other, up in places[:place])


def test_what_is_drawn_can_be_explored_by_name():
    shown = (
        series("line", [0, 10], [0, 100], low=[0, 90], high=[10, 100]),
        series("points", [0, 10], [0, 100], labels=["one", "two"], mark="points"),
        series("bars", [0, 5, 10], [20, 30], mark="bars"), series("columns", [1, 2], [3, 4], mark="columns"),
        series("steps", [0, 10], [0, 50], mark="steps"), series("area", [0, 10], [0, 50], mark="area"),
        series("spans", [1], [None], low=[2], high=[3], mark="spans"),
    )  # fmt: skip
    panel = Panel(data="", series=shown, rules=(Rule(name="rule", at=5), Rule(name="band", at=5, to=6, axis="x")),
                  notes=(Note(text="a note", x=5, y=5),))  # fmt: skip
    chart = draw(panel, axis(0, 10), axis(0, 100), name="all", text="All of it")
    figure = json.loads(chart.plotly)
    graph_objects.Figure(figure)
    assert {trace["name"] for trace in figure["data"]} == {series.name for series in shown} | {"rule", "band"}
    assert next(trace for trace in figure["data"] if trace.get("text"))["text"] == ["one", "two"]
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["a note"]
    page = render_to_string("core/_chart.html", {"chart": chart})
    assert 'role="img" aria-label="All of it"' in page
    assert re.search(r'data-explore="all" data-plotly="[^"]+plotly[^"]*\.js"[^>]* hidden', page)
    assert "style=" not in page


def test_a_series_of_the_wrong_length_or_without_end_is_refused():
    for x, y, low in (([1], [1, 2], []), ([1, 2], [1, 2], [1]), ([1, None], [1, 2], []), ([1], [float("inf")], [])):
        with pytest.raises(ValueError, match=r"fit together|can't be drawn"):
            series("AP", x, y, low=low)
    with pytest.raises(ValueError, match="fit together"):
        series("AP", [1, 2], [1, 2], mark="bars")
    assert series("AP", [1.234567], [0.00123456]).x == (1.2346,)
    halved = scaled(Panel(data="", series=(series("", [2], [1], is_scaled=True), series("", [2], [1]))), 0.5)
    assert [line.x for line in halved.series] == [(1.0,), (2.0,)]
