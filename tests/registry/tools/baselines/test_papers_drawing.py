"""Bars of papers, the best on record and the years, in the units of the drawing, and slopes over the years."""

import json

import pytest

from registry.tools.baselines.documents import AmongImplementations, AmongRuns, BoardBaselines, PaperAgainst
from registry.tools.baselines.drawings import draw_papers
from registry.tools.baselines.trends import over_years


def paper(year, baseline, proposed, known=None):
    return PaperAgainst(
        paper=year,
        name=f"Doe ({year})",
        url="",
        year=year,
        baseline=baseline,
        proposed=proposed,
        baseline_system="BM25",
        gain=proposed - baseline,
        is_beyond=None,
        known=known,
        known_year=None,
        shortfall=None,
        percentile=None,
        proposed_percentile=None,
    )


def board(*papers, runs=None, toolkits=None, first_known=None, last_best=0.0):
    among = AmongRuns(
        n_runs=5, median=runs or 0.0, upper_quartile=0, best=0, median_baseline=0, median_proposed=0, n_above_best=0
    )
    implementations = AmongImplementations(n=1, median=0, best=toolkits or 0.0, n_baselines_below=0, n_proposed_below=0)
    return BoardBaselines(
        measure="AP",
        decimals=4,
        url="",
        papers=papers,
        n_known=0,
        n_reaching=0,
        n_weak=None,
        n_beyond=None,
        total_gain=0.0,
        n_losses=0,
        first_known=first_known,
        last_best=last_best,
        risen=None,
        among_runs=among if runs is not None else None,
        among_implementations=implementations if toolkits is not None else None,
        over_years=None,
        used=(),
    )


def test_papers_are_bars_between_their_scores_on_a_scale_with_room_above_and_below():
    papers = (
        paper(2005, 0.2, 0.3, 0.25),
        paper(2005, 0.3, 0.2),
        paper(2009, 0.4, 0.4, 0.3),
        paper(2013, 0.4, 0.5, 0.4),
    )
    found = draw_papers(board(*papers, runs=0.1, toolkits=0.6, first_known=0.25, last_best=0.5))
    gains, others, record, median, toolkits = json.loads(found.plotly)["data"]
    assert (gains["x"], gains["base"], gains["text"][0]) == ([0, 3], [0.2, 0.4], "Doe (2005) (2005): 0.2000 to 0.3000")
    assert (others["x"], others["y"]) == ([1, 2], [pytest.approx(-0.1), 0])
    # The best known rises where the next paper that knows one stands, and last to what is best at the end.
    assert (record["x"], record["y"]) == ([-0.5, 1.5, 2.5, 3.5], [0.25, 0.3, 0.4, 0.5])
    assert [(line["name"], line["y"][0]) for line in (median, toolkits)] == [
        ("median run", 0.1), ("best of toolkits", 0.6),
    ]  # fmt: skip
    # The second paper of a year has no number of its own.
    years = [text.text for text in found.scenes[0].words if text.text.startswith("20")]
    assert years == ["2005", "2009", "2013"]


def test_nothing_is_drawn_of_what_is_not_known():
    found = draw_papers(board(paper(2005, 0.5, 0.5), paper(2006, 0.5, 0.5)))
    assert [trace["name"] for trace in json.loads(found.plotly)["data"]] == ["no gain"]


def test_slopes_are_of_ten_years_with_teams_from_ten_on_and_a_frontier_from_twenty():
    years, gains = list(range(2000, 2020)), [0.01 * number for number in range(20)]
    gains[3] += 0.004
    teams = [f"team {number % 10}" for number in range(20)]
    found = over_years(years, gains, teams)
    assert found.median.change == pytest.approx(0.1)
    assert found.median.low <= found.median.change <= found.median.high
    assert found.by_team.change == pytest.approx(0.1)
    assert found.frontier.change == pytest.approx(0.1, rel=0.05)
    assert (found.tau, found.n_teams, found.n_records) == (pytest.approx(1.0), 10, 20)
    # Of n papers in a random order 1 + 1/2 + … + 1/n are expected to be records.
    assert found.expected_records == pytest.approx(sum(1 / number for number in range(1, 21)))
    assert found.sd_records**2 == pytest.approx(sum(1 / number - 1 / number**2 for number in range(1, 21)))
    fewer = over_years(years[1:], gains[1:], teams[1:])
    assert (fewer.by_team is None, fewer.frontier) == (False, None)
    nine = over_years(years, gains, [f"team {number % 9}" for number in range(20)])
    assert (nine.n_teams, nine.by_team, nine.frontier) == (9, None, None)
    assert over_years(years[:3], gains[:3], teams[:3]) is None


def test_the_frontier_is_what_the_best_tenth_reaches():
    """Of eleven scores a year the tenth; it doubles from 0.09 in ten years, as the middle does from 0.05."""
    years, gains = [2000] * 11 + [2010] * 11, [0.01 * step * place for step in (1, 2) for place in range(11)]
    found = over_years(years, gains, [f"team {number % 11}" for number in range(22)])
    assert (found.frontier.change, found.by_team.change) == pytest.approx((0.09, found.median.change))
    assert found.frontier.low <= 0.09 <= found.frontier.high
