"""Bars of papers, the best on record and the years, in the units of the drawing, and slopes over the years."""

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

    def down(value):
        # From 0.1 to 0.6, and 0.03 of that more at either end.
        return round(300 * (0.615 - value) / 0.53, 1)

    boxes = [(one.box.x, one.box.y, one.box.width, one.box.height) for one in found.bars]
    assert boxes == [
        (0, down(0.3), 200, round(down(0.2) - down(0.3), 1)),
        (250, down(0.3), 200, round(down(0.2) - down(0.3), 1)),
        (500, down(0.4), 200, 2),
        (750, down(0.5), 200, round(down(0.4) - down(0.5), 1)),
    ]
    assert [one.kind for one in found.bars] == ["first", "no-gain", "no-gain", "first"]
    assert [one.paper for one in found.bars] == list(papers)
    assert found.levels == (("every", down(0.1)), ("toolkit replacement", down(0.6)))
    # The best known rises where the next paper that knows one stands, and last to what is best at the end.
    steps = [(0, 0.25), (500, 0.25), (500, 0.3), (750, 0.3), (750, 0.4), (1000, 0.4), (1000, 0.5)]
    assert found.record == " ".join(f"{x:g},{down(value):g}" for x, value in steps)
    # Years stand below the middle of a bar; the second paper of a year has none of its own.
    assert [(one.at, one.label) for one in found.x_ticks] == [
        (round(9 + 89 * (place + 0.4) / 4, 2), label) for place, label in ((0, "2005"), (2, "2009"), (3, "2013"))
    ]
    # Of steps of 0.1, 0.2 and 0.5 the smallest that makes five or fewer.
    assert [(one.at, one.label) for one in found.y_ticks] == [
        (24 + down(value), f"{value:g}") for value in (0.2, 0.4, 0.6)
    ]


def test_nothing_is_drawn_of_what_is_not_known_and_equal_scores_have_a_scale():
    found = draw_papers(board(paper(2005, 0.5, 0.5), paper(2006, 0.5, 0.5)))
    assert (found.record, found.levels) == ("", ())
    assert [one.box.y for one in found.bars] == [150, 150]


def test_years_stand_no_closer_than_a_phone_can_show():
    found = draw_papers(board(*(paper(2001 + number, 0.1, 0.2) for number in range(20))))
    assert [one.label for one in found.x_ticks] == ["2001", "2005", "2009", "2013", "2017"]


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
