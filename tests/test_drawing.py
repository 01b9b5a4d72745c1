"""The charts of the method pages: numbers land where their axis has them, words stay inside, marks are escaped."""

import re
from xml.etree import ElementTree

import pytest

from docs.drawing.chart import WIDTH, Axis, Chart

SVG = "{http://www.w3.org/2000/svg}"


def chart(**axes) -> Chart:
    return Chart("A finding", axes.get("x", Axis("score", 0, 1, [0, 1])), axes.get("y", Axis("share", 0, 10, [0, 10])))


def last_path(drawn: Chart) -> list[tuple[float, float]]:
    """The places of the mark that was drawn last."""
    path = ElementTree.fromstring(drawn.svg()).findall(f".//{SVG}path")[-1].attrib["d"]
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def test_the_ends_of_the_axes_are_the_corners_and_the_middle_is_between():
    drawn = chart()
    drawn.line([0, 0.5, 1], [0, 5, 10])
    (left, foot), (middle, half), (right, top) = last_path(drawn)
    assert 0 < left < right < WIDTH
    assert 0 < top < foot < drawn.height
    assert middle == pytest.approx((left + right) / 2, abs=0.1)
    assert half == pytest.approx((foot + top) / 2, abs=0.1)


def test_equal_ratios_are_equal_steps_on_a_log_axis():
    drawn = chart(x=Axis("topics", 10, 1000, [10, 100, 1000], log=True))
    drawn.line([10, 100, 1000], [0, 0, 0])
    (low, _), (middle, _), (high, _) = last_path(drawn)
    assert middle - low == pytest.approx(high - middle, abs=0.1)


def test_rows_stand_beside_their_names():
    drawn = chart(y=["a", "b"])
    drawn.interval(0.2, 0.4, 1)
    ((_, row), _) = last_path(drawn)
    names = {text.text: float(text.attrib["y"]) for text in ElementTree.fromstring(drawn.svg()).iter(f"{SVG}text")}
    assert abs(names["b"] - row) < abs(names["a"] - row)
    assert names["b"] == pytest.approx(row, abs=6)


def test_words_that_run_out_of_the_picture_are_refused():
    with pytest.raises(ValueError, match="runs out of the picture"):
        chart().text(0.9, 5, "words that are far too long for the place that they are at")


def test_signs_in_words_are_escaped_and_minus_is_a_minus():
    drawn = chart()
    drawn.text(0.1, 5, "p < .05 & -0.3 in trec-7")
    assert "p &lt; .05 &amp; −0.3 in trec-7" in drawn.svg()
    ElementTree.fromstring(drawn.svg())


def test_both_schemes_have_every_colour():
    light, dark = drawn = chart().svg().split("@media(prefers-color-scheme:dark)")
    assert len(drawn) == 2
    for colour in ("ink", "muted", "line", "grey", "blue", "orange"):
        assert all(f".s-{colour}{{" in part and f".f-{colour}{{" in part for part in (light, dark))
