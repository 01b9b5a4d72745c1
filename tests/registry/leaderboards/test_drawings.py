"""What the drawing of a figure is made of."""

import json
import re
from statistics import NormalDist
from types import SimpleNamespace

import pytest
from django.core.cache import caches
from plotly import graph_objects

from registry.leaderboards.drawings import pages as page_drawings
from registry.leaderboards.drawings.canvas import HEIGHT, WIDTH, round_numbers
from registry.leaderboards.drawings.equal_means import draw
from registry.leaderboards.drawings.plotly import distribution_figure
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.pages import read

BOUNDS = SimpleNamespace(lower=0.2, upper=0.4, adjusted_mean=0.3, best=0.4)


def test_the_ends_of_the_axis_are_the_ends_of_what_is_drawn():
    drawing = draw([(0.1, 0.2, 4), (0.2, 0.3, 2)], ([0.35, 0.4, 0.5], [0.0, 4.0, 0.0]), BOUNDS)
    assert [bar.x for bar in drawing.bars] == [0, pytest.approx(WIDTH / 4)]
    assert drawing.adjusted == pytest.approx(WIDTH / 2)
    assert drawing.best == pytest.approx(WIDTH * 3 / 4)
    assert drawing.curve.split()[-1] == f"{WIDTH},{HEIGHT}"
    assert (drawing.interval.x, drawing.interval.width) == (pytest.approx(WIDTH / 4), pytest.approx(WIDTH / 2))


def test_bars_stand_on_the_ground_and_an_empty_one_is_not_drawn():
    bars = draw([(0, 1, 3), (1, 2, 0), (2, 3, 6)], ([3.0], [1.0]), BOUNDS).bars
    assert len(bars) == 2
    assert bars[0].height == pytest.approx(bars[1].height / 2, abs=0.1)
    assert all(bar.y + bar.height == HEIGHT for bar in bars)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0.03, 0.41, [0.1, 0.2, 0.3, 0.4]),
        (0, 13, [0, 5, 10]),
        (-0.3, 0.3, [-0.2, 0, 0.2]),
        (99.2, 99.3, [99.2, 99.22, 99.24, 99.26, 99.28, 99.3]),
    ],
)
def test_axes_have_round_numbers(low, high, expected):
    assert round_numbers(low, high, 5) == pytest.approx(expected)


def test_everything_stands_on_one_scale():
    bounds = SimpleNamespace(lower=1.0, upper=-1.0, adjusted_mean=0.5, best=5.0)
    drawing = draw([(0, 1, 2), (1, 2, 0), (2, 4, 1)], ([0.5, 3.0], [2.0, 1.0]), bounds)
    # From -1 to 5 in 1000 units, and from 0 to 2.16 in 300.
    assert [(bar.x, bar.y, bar.width, bar.height) for bar in drawing.bars] == [
        (166.7, 22.2, pytest.approx(166.6), 277.8), (500.0, 161.1, pytest.approx(333.3), 138.9),
    ]  # fmt: skip
    assert drawing.curve == "250.0,22.2 666.7,161.1"
    interval = drawing.interval
    assert (interval.x, interval.y, interval.width, interval.height) == (0.0, 291.0, 333.3, 9.0)
    assert (drawing.adjusted, drawing.best) == (250.0, 1000.0)
    assert [(tick.at, tick.label) for tick in drawing.x_ticks] == [(23.84, "0"), (53.5, "2"), (83.16, "4")]
    assert [(tick.at, tick.label) for tick in drawing.y_ticks] == [
        (324.0, "0"), (pytest.approx(185.1), "1"), (pytest.approx(46.2), "2"),
    ]  # fmt: skip
    bounds.adjusted_mean = -3.0
    wider = draw([(0, 1, 2)], ([0.5], [2.0]), bounds)
    assert (wider.adjusted, wider.interval.x, wider.best) == (0.0, 250.0, 1000.0)


def test_counts_are_whole():
    drawing = draw([(0, 1, 1), (1, 2, 2)], ([2.0], [1.0]), BOUNDS)
    assert [tick.label for tick in drawing.y_ticks] == ["0", "1", "2"]


@pytest.mark.django_db
def test_the_figure_is_one_that_plotly_knows(client):
    board = make_board()
    analyse(board)
    source = read(client, board.get_absolute_url()).source
    (data,) = re.findall(r'id="figure-data" type="application/json">(.*?)</script>', source)
    figure = graph_objects.Figure(json.loads(data))
    assert [trace.meta for trace in figure.data] == ["results", "maximum", "interval", "adjusted", "best"]


@pytest.mark.django_db
def test_what_a_page_draws_is_kept_until_the_leaderboard_says_something_else(client, monkeypatch):
    board, drawn = make_board(), []
    analyse(board)
    draw = page_drawings.distribution_figure
    monkeypatch.setattr(page_drawings, "distribution_figure", lambda *given: drawn.append(1) or draw(*given))
    for path in ("", "", "?columns=year", "?scale=residual", "?role=trec_run"):
        caches["default"].clear()
        assert client.get(board.get_absolute_url() + path).status_code == 200
    asked_once = len(drawn)
    make_run(board, "0.9")
    mark_changed(board)
    analyse(board)
    assert 0.9 in [row["value"] for row in client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()["results"]]
    client.get(board.get_absolute_url())
    assert (asked_once, len(drawn)) == (3, 4)


def test_every_part_stands_where_a_ruler_puts_it():
    drawing = draw([(0.1, 0.2, 4), (0.2, 0.3, 2)], ([0.35, 0.4, 0.5], [0.0, 4.0, 1.0]), BOUNDS)
    # 0.1 to 0.5 are 1000 wide; four results are 300 / 1.08 high.
    assert [(one.x, one.y, one.width, one.height) for one in drawing.bars] == [
        (0.0, 22.2, 250.0, 277.8), (250.0, 161.1, 250.0, 138.9),
    ]  # fmt: skip
    assert drawing.curve == "625.0,300.0 750.0,22.2 1000.0,230.6"
    assert (drawing.interval.x, drawing.interval.y, drawing.interval.width, drawing.interval.height) == (
        250,
        291,
        500,
        9,
    )
    assert [(one.at, one.label) for one in drawing.x_ticks] == [
        (9.0, "0.1"), (31.25, "0.2"), (53.5, "0.3"), (75.75, "0.4"), (98.0, "0.5"),
    ]  # fmt: skip
    assert [(one.at, one.label) for one in drawing.y_ticks] == [
        (324.0, "0"), (254.6, "1"), (185.1, "2"), (115.7, "3"), (46.2, "4"),
    ]  # fmt: skip
    turned = SimpleNamespace(lower=0.4, upper=0.2, adjusted_mean=0.05, best=0.6)
    wider = draw([(0.1, 0.2, 4)], ([0.3], [0.0]), turned)
    assert (wider.adjusted, wider.best, wider.interval.width) == (0.0, 1000.0, 363.7)


def test_the_figure_for_scripts_says_the_same():
    bounds = SimpleNamespace(
        lower=0.2, upper=0.4, adjusted_mean=0.3, best=0.4, higher_is_better=True, n_effective_results=9,
        standard_error=0.02,
    )  # fmt: skip
    rows = [SimpleNamespace(value=value, is_counted=True) for value in (0.1, 0.1, 0.11, 0.31, 0.5)]
    document = SimpleNamespace(
        results=[*rows, SimpleNamespace(value=0.9, is_counted=False)], measure={"name": "AP", "decimals": 4}
    )
    found = distribution_figure(document, bounds)
    assert found.n_results == 5
    assert [(round(low, 3), round(high, 3), n) for low, high, n in found.bins] == [
        (0.1, 0.15, 3), (0.3, 0.35, 1), (0.45, 0.5, 1),
    ]  # fmt: skip
    figure = json.loads(found.plotly)
    bars, curve, interval, adjusted, best = figure["data"]
    assert bars["x"][0] == 0.125
    assert bars["width"] == pytest.approx(0.05)
    assert (bars["y"], bars["customdata"][:2]) == ([3, 0, 0, 0, 1, 0, 0, 1], ["0.1 to 0.15", "0.15 to 0.2"])
    assert (curve["name"], len(curve["x"]), max(curve["y"])) == ("best of 9 equal systems", 120, 3.0)
    # The maximum of nine of N(0.3, 0.02): the distribution function to the ninth power at the ends.
    ends = [NormalDist(0.3, 0.02).inv_cdf(share ** (1 / 9)) for share in (0.0005, 0.9995)]
    assert [curve["x"][0], curve["x"][-1]] == pytest.approx(ends, abs=2e-6)
    assert (interval["x"], interval["y"]) == ([0.2, 0.4], [0, 0])
    assert (adjusted["x"], adjusted["y"], adjusted["name"]) == ([0.3, 0.3], [0, 3.0], "adjusted mean")
    assert (best["x"], best["line"]["dash"], best["name"]) == ([0.4, 0.4], "solid", "best result")
    layout = figure["layout"]
    assert (layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"]) == ("AP", "results")
    assert layout["yaxis"]["range"] == [0, pytest.approx(3.24)]
    assert (layout["height"], layout["bargap"], layout["margin"]) == (360, 0.04, {"l": 48, "r": 12, "t": 8, "b": 44})
    # The names stand in one line above the drawing, from its left edge on.
    assert layout["legend"] == {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    assert layout["xaxis"] == {"title": {"text": "AP", "standoff": 15}, "zeroline": False, "automargin": True}
    assert (interval["line"], interval["meta"]) == ({"width": 9}, "interval")
    assert (adjusted["line"], adjusted["meta"]) == ({"dash": "dash", "width": 2}, "adjusted")
    assert (best["line"]["width"], best["meta"]) == (2, "best")
    bounds.higher_is_better, bounds.lower, bounds.upper = False, 0.4, 0.2
    turned = json.loads(distribution_figure(document, bounds).plotly)["data"]
    # Mirrored at the mean: the best of nine is the lowest.
    assert [turned[1]["x"][0], turned[1]["x"][-1]] == pytest.approx([0.6 - end for end in ends], abs=2e-6)
    assert turned[2]["x"] == [0.2, 0.4]
    assert distribution_figure(document, None) is None
    assert distribution_figure(SimpleNamespace(results=[], measure=document.measure), bounds) is None

    def evenly(n: int) -> SimpleNamespace:
        rows = [SimpleNamespace(value=1 / 3 + number / 1000, is_counted=True) for number in range(n)]
        return distribution_figure(SimpleNamespace(results=rows, measure=document.measure), bounds)

    # Twice the square root of as many.
    assert [len(evenly(n).bins) for n in (16, 49, 100, 900)] == [8, 14, 20, 40]
    text = evenly(49).plotly
    assert '": ' not in text
    bars, curve, *_ = json.loads(text)["data"]
    assert bars["x"][0] == 0.335048
    assert [curve[name] for name in ("x", "y")] == [
        [round(one, digits) for one in curve[name]] for name, digits in (("x", 6), ("y", 4))
    ]
