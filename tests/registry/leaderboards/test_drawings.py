"""The chart of what equal systems would have shown, on its page and for Plotly."""

import json
import re
from statistics import NormalDist
from types import SimpleNamespace

import pytest
from plotly import graph_objects

from registry.leaderboards.drawings.equal_means import draw_distribution
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read


@pytest.mark.django_db
def test_every_chart_of_a_page_is_one_that_plotly_knows(client):
    board = make_board()
    analyse(board)
    source = read(client, board.get_absolute_url()).source
    found = dict(re.findall(r'id="([\w-]+)-data" type="application/json">(.*?)</script>', source))
    assert set(found) == {"plumb-line", "figure"}
    plumb, equal = (graph_objects.Figure(json.loads(found[name])) for name in ("plumb-line", "figure"))
    assert sum(len(trace.text) for trace in plumb.data if trace.text) == 8
    assert [trace.name for trace in equal.data] == [
        "range they cover", "results", "best of 8 equal systems", "adjusted mean", "best result",
    ]  # fmt: skip
    assert "plotly" not in re.sub(r'data-(plotly|rules)="[^"]*"', "", source)


def test_the_distribution_has_its_bars_its_curve_and_its_lines():
    bounds = SimpleNamespace(
        lower=0.2, upper=0.4, adjusted_mean=0.3, best=0.4, higher_is_better=True, n_effective_results=9,
        standard_error=0.02,
    )  # fmt: skip
    rows = [SimpleNamespace(value=value, is_counted=True) for value in (0.1, 0.1, 0.11, 0.31, 0.5)]
    document = SimpleNamespace(
        results=[*rows, SimpleNamespace(value=0.9, is_counted=False)], measure={"name": "AP", "decimals": 4}
    )
    found = draw_distribution(document, bounds)
    assert [(round(low, 3), round(high, 3), n) for low, high, n in found.bins] == [
        (0.1, 0.15, 3), (0.3, 0.35, 1), (0.45, 0.5, 1),
    ]  # fmt: skip
    # The maximum of nine of N(0.3, 0.02): the distribution function to the ninth power at the ends.
    ends = [NormalDist(0.3, 0.02).inv_cdf(share ** (1 / 9)) for share in (0.0005, 0.9995)]
    for is_higher, expected in ((True, ends), (False, [0.6 - end for end in ends])):
        bounds.higher_is_better = is_higher
        traces = {one["name"]: one for one in json.loads(draw_distribution(document, bounds).chart.plotly)["data"]}
        curve = traces["best of 9 equal systems"]
        assert [curve["x"][0], curve["x"][-1]] == pytest.approx(expected, abs=2e-5)
        assert max(curve["y"]) == 3.0
        assert traces["results"]["y"] == [3, 0, 0, 0, 1, 0, 0, 1]
        assert (traces["adjusted mean"]["x"], traces["best result"]["x"]) == ([0.3, 0.3], [0.4, 0.4])
    assert draw_distribution(document, None) is None
    assert draw_distribution(SimpleNamespace(results=[], measure=document.measure), bounds) is None
