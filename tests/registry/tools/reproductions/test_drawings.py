"""Where panels of a figure are drawn: places by hand, on a picture of 1,000 by 250 below 24 pixels."""

import pytest

from registry.tools.reproductions.drawings import Shape, draw_panels
from registry.tools.reproductions.figures import Axis, Figure, Panel, Rule, Series, series

#: Where names stand at the right 68 percent of the page are left to the drawing, else 89; it begins at 9.
BESIDE_NAMES, ALONE = 68.0, 89.0


def figure(x: Axis, y: Axis) -> Figure:
    return Figure(slug="figure-1", name="Figure 1", title="", caption="", x=x, y=y)


def axis(low: float | None = None, high: float | None = None, **options) -> Axis:
    return Axis(label="", low=low, high=high, **options)


def draw(*shown: Series, x: Axis | None = None, y: Axis | None = None, rules: tuple[Rule, ...] = ()):
    (drawing,) = draw_panels(
        figure(x or axis(0, 10), y or axis(0, 100)), [Panel(data="", series=shown, rules=rules)]
    )  # fmt: skip
    return drawing


def test_a_line_goes_through_its_points_and_has_dots():
    assert draw(series("", [0, 5, 10], [0, 50, 100])).shapes == (
        Shape("line measured", "M0 250L500 125L1000 0"),
        Shape("dots measured", "M0 250h0M500 125h0M1000 0h0"),
    )


def test_a_gap_breaks_a_line_and_has_no_dot():
    line, dots = draw(series("", [0, 2, 4, 6, 8], [0, 20, None, 60, 80])).shapes
    assert line.path == "M0 250L200 200M600 100L800 50"
    assert dots.path == "M0 250h0M200 200h0M600 100h0M800 50h0"


def test_a_curve_has_no_dots_and_points_no_line():
    curve = draw(series("", [0, 10], [0, 100], mark="curve", style="projected", is_highlighted=True))
    assert [one.kind for one in curve.shapes] == ["line projected is-highlighted"]
    points = draw(series("", [0, 10], [0, 100], mark="points", style="other"))
    assert [one.kind for one in points.shapes] == ["dots other"]


def test_ends_are_a_band_about_lines_and_intervals_of_points():
    ends = {"low": [0, 20, None], "high": [20, 40, None]}
    band, *_ = draw(series("", [0, 5, 10], [10, 30, 50], **ends)).shapes
    assert band == Shape("band measured", "M0 250L500 200L500 150L0 200z")
    one_sided = draw(series("", [0, 5, 10], [10, 30, 50], low=[0, None, 40], high=[20, 40, None])).shapes[0]
    assert one_sided == Shape("band measured", "M0 250L0 200z")
    intervals, _ = draw(series("", [0, 5, 10], [10, 30, 50], mark="points", **ends)).shapes
    assert intervals == Shape("interval-line measured", "M0 250V200M500 200V150")


def test_bars_stand_on_the_floor_and_those_of_nothing_are_not_drawn():
    (bars,) = draw(series("", [0, 2, 4, 6], [50, 0, 100], mark="bars")).shapes
    assert bars == Shape("bars measured", "M0 250V125H200V250zM400 250V0H600V250z")


def test_a_logarithmic_axis_has_the_same_room_for_each_power_of_ten():
    drawing = draw(series("", [1, 10, 100], [0, 0, 0]), x=axis(1, 100, is_log=True))
    assert drawing.shapes[0].path == "M0 250L500 250L1000 250"
    places = {tick.label: tick.at for tick in drawing.x_ticks}
    assert list(places) == ["1", "2", "5", "10", "20", "50", "100"]
    assert (places["1"], places["10"], places["100"]) == (9.0, 53.5, 98.0)


def test_a_long_logarithmic_axis_has_powers_alone():
    drawing = draw(series("", [1, 5000], [0, 0]), x=axis(1, None, is_log=True))
    assert [tick.label for tick in drawing.x_ticks] == ["1", "10", "100", "1000"]
    drawing = draw(series("", [1, 1000], [0, 0]), x=axis(1, 1000, is_log=True))
    assert [tick.label for tick in drawing.x_ticks] == ["1", "10", "100", "1000"]


def test_ticks_are_round_numbers_at_their_places():
    drawing = draw(series("", [0, 10], [0, 100]))
    assert {tick.label: tick.at for tick in drawing.y_ticks}["100"] == 24.0
    assert {tick.label: tick.at for tick in drawing.y_ticks}["0"] == 274.0
    assert {tick.label: tick.at for tick in drawing.x_ticks}["10"] == 98.0
    for ticks in (drawing.x_ticks, drawing.y_ticks):
        assert 3 <= len(ticks) <= 6


def test_ticks_that_are_given_stand_where_they_are():
    drawing = draw(series("", [0, 10], [0, 100]), x=axis(0, 10, ticks=((5.0, "Robust04"),)))
    assert [(tick.at, tick.label) for tick in drawing.x_ticks] == [(53.5, "Robust04")]
    thirds = draw(series("", [0, 3], [0, 3]), x=axis(0, 3, ticks=((1.0, "one"),)), y=axis(0, 3, ticks=((1.0, "one"),)))
    assert (thirds.x_ticks[0].at, thirds.y_ticks[0].at) == (38.67, 190.7)


def test_rules_stand_across_their_axis():
    across, up = draw(
        series("", [0, 10], [0, 100]), rules=(Rule(name="5 %", at=5), Rule(name="best", at=2.5, axis="x"))
    ).rules
    assert (across.name, across.axis, across.at) == ("5 %", "y", 24 + 237.5)
    assert (up.name, up.axis, up.at) == ("best", "x", 9 + 89 / 4)


def test_ends_of_axes_are_those_of_all_that_is_drawn():
    """Lows, highs and rules of every panel count, so that panels have the same axes."""
    first = Panel(data="", series=(series("", [2, 4], [5, None], low=[1, None], high=[9, None]),))
    second = Panel(
        data="", series=(series("", [3, 6], [5, 5]),), rules=(Rule(name="", at=13), Rule(name="", at=12, axis="x"))
    )
    empty = Panel(data="a table")
    one, other = draw_panels(figure(axis(), axis()), [first, empty, second])
    # x from 2 to 12, y from 1 to 13.
    assert one.shapes[0].path == "M0 250L0 83.3z"
    assert other.shapes[0].path == "M100 166.7L400 166.7"
    assert [rule.at for rule in other.rules] == [24.0, 98.0]


@pytest.mark.parametrize(("is_log", "label"), [(False, "4"), (True, "5")])
def test_what_is_all_the_same_stands_in_the_middle(is_log, label):
    drawing = draw(series("", [4, 4], [0, 100]), x=axis(is_log=is_log))
    assert drawing.shapes[0].path == "M500 250L500 0"
    assert label in [tick.label for tick in drawing.x_ticks]


def test_tables_and_figures_without_axes_are_not_drawn():
    table = Panel(data="", rows=(("one", 1),))
    line = Panel(data="", series=(series("", [0, 1], [0, 1]),))
    assert draw_panels(figure(axis(), axis()), [table]) == []
    for axes in ({"x": axis()}, {"y": axis()}):
        assert draw_panels(Figure(slug="", name="", title="", caption="", **axes), [line]) == []


def test_names_stand_at_the_ends_of_lines_from_the_top():
    """Twenty below a hundred is 50 pixels of 250; texts sit four pixels lower."""
    drawing = draw(
        series("lower", [0, 10], [0, 20]), series("upper", [0, 5, 10], [0, 80, None], style="other"),
        series("dots", [0, 10], [0, 50], mark="points"), series("", [0, 10], [0, 50]),
    )  # fmt: skip
    assert [(one.text, one.at, one.kind) for one in drawing.names] == [
        ("upper", 24 + 50 + 4, "other"),
        ("lower", 24 + 200 + 4, "measured"),
    ]
    assert drawing.span == BESIDE_NAMES
    assert (drawing.end, drawing.middle, drawing.beside) == (77.0, 43.0, 78.5)
    assert draw(series("dots", [0, 10], [0, 50], mark="points")).span == ALONE


def test_names_keep_a_line_of_text_apart_and_end_at_the_foot():
    close = draw(*(series(name, [0, 10], [0, y]) for name, y in (("a", 50), ("b", 49), ("c", 20)))).names
    assert [one.at for one in close] == [153.0, 166.0, 228.0]
    low = draw(*(series(name, [0, 10], [0, 0], is_highlighted=name == "a") for name in "abc")).names
    assert [one.at for one in low] == [252.0, 265.0, 278.0]
    assert [one.kind for one in low] == ["measured is-highlighted", "measured", "measured"]


def test_a_series_of_the_wrong_length_or_without_end_is_refused():
    for x, y, low in (([1], [1, 2], []), ([1, 2], [1, 2], [1]), ([1, None], [1, 2], []), ([1], [float("inf")], [])):
        with pytest.raises(ValueError, match=r"fit together|can't be drawn"):
            series("AP", x, y, low=low)
    with pytest.raises(ValueError, match="fit together"):
        series("AP", [1, 2], [1, 2], mark="bars")
    assert series("AP", [1.234567], [0.00123456]).x == (1.2346,)
