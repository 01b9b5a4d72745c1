"""What the drawing of a figure is made of."""

import json
import re
from types import SimpleNamespace

import pytest
from django.core.cache import caches
from plotly import graph_objects

from registry.leaderboards import page_drawings
from registry.leaderboards.drawings import HEIGHT, WIDTH, draw, round_numbers
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
