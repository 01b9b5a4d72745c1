"""Carterette (2015): the best published result is random."""

from scipy.special import ndtri

from analysis.best import (
    analyse_best,
    analyse_summary,
    confidence_set_for_best,
    gumbel_approximation,
    maximum_distribution,
    minimum_distribution,
    range_probability,
    scores_maximum_cdf,
)
from analysis.figures import Axis, Panel, columns_of
from analysis.papers import carterette as drawn
from analysis.papers.literature import literature_tables
from analysis.papers.paper import Figure, Line, Reproduction, Shipped, values_of
from analysis.ranks import verified_leader

_MEAN, _SD = 0.20, 0.027
_SIMULATED = "The paper simulates, from inputs that it prints rounded; here the distribution is exact."
_MAP = Axis(label="mean average precision, or the measure that is chosen")
_DENSITY = Axis(label="density, of its own peak", low=0, high=1.05)


def reproduce_carterette(shipped: Shipped) -> Reproduction:
    """Figures 1 to 3, tables 1 to 3, and every number of the text that needs no transcription of the author's."""
    return Reproduction(
        slug="carterette-2015",
        authors="B. Carterette",
        title="The best published result is random: sequential testing and its effect on reported effectiveness",
        venue="SIGIR 2015, 747–750",
        doi="10.1145/2766462.2767812",
        short="Carterette, SIGIR 2015",
        summary="How good the best of N equal systems looks by chance, on TREC-7 and in the literature.",
        methods=("extreme-values", "best-result", "winner", "verified-leader"),
        figures=(
            _topics(shipped),
            _figure_1(),
            _figure_2(),
            _from_the_runs(shipped),
            _figure_3(),
            _table_1(shipped),
            *literature_tables(shipped),
            _tried(shipped),
        ),
    )


def _figure_1() -> Figure:
    largest, one = (maximum_distribution(n, mean=_MEAN, sd=_SD) for n in (100, 1))
    beyond, beyond_both = (100 * float(largest.sf(_MEAN + _SD * ndtri(level))) for level in (0.95, 0.975))
    which = "The paper does not say which end it means; its number is that of the one-sided interval."
    said = "The paper simulates."
    return Figure(
        slug="figure-1",
        name="Figure 1: the distribution of the maximum of 100 samples",
        title="The best of 100 equal systems looks a third better than they are",
        caption="Grey: where the score of one system would lie. Teal: where the best of 100 equal ones would. No data"
        f" enter: both are normal distributions with mean {_MEAN:.2f} and standard deviation {_SD}, as in the paper. It"
        " simulates, and here the distribution is exact, so that last digits may differ.",
        panel=drawn.maximum_panel(
            100, _MEAN, _SD, f"No data: 100 systems with mean {_MEAN:.2f} and standard deviation {_SD}"
        ),
        x=_MAP,
        y=_DENSITY,
        methods=("extreme-values",),
        lines=(
            Line("Mean of the maximum of 100", "0.267", largest.mean(), 4, why=said),
            Line("Its distance from the mean of one system", "34", 100 * (largest.mean() / _MEAN - 1), 1, unit="%"),
            Line("Single systems above 0.267", "0.6", 100 * float(one.sf(0.267)), 2, unit="%", why=said),
            Line("Maxima above the upper end of the 95 % interval, one-sided", "99", beyond, 1, unit="%"),
            Line("The same, two-sided", "99", beyond_both, 1, unit="%", why=which),
        ),
    )


def _figure_2() -> Figure:
    means = {n: maximum_distribution(n, mean=_MEAN, sd=_SD).mean() for n in (10, 1000)}
    location = gumbel_approximation(100, mean=_MEAN, sd=_SD).location
    taken = "The paper takes the location for the mean of one system; that of a maximum grows with N."
    return Figure(
        slug="figure-2",
        name="Figure 2: increase in the expected maximum",
        title="The more systems are tried, the better the best of them looks, by chance alone",
        caption="The line is the largest score to be expected of as many equal systems; nine in ten largest scores lie"
        " in the band. The paper draws it without printing a number, and takes growth for logarithmic; it is slower.",
        panel=drawn.growth_panel(_MEAN, _SD, f"No data: systems with mean {_MEAN:.2f} and standard deviation {_SD}"),
        x=Axis(label="equal systems that are tried", is_log=True, low=1),
        y=Axis(label="largest score to be expected"),
        methods=("extreme-values", "expected-maximum"),
        lines=(
            *(
                Line(f"Mean of the maximum of {n:,}", None, mean, 4, why="The figure draws it and prints no number.")
                for n, mean in means.items()
            ),
            Line(
                "Location of the Gumbel distribution that approximates the maximum of 100",
                "0.20",
                location,
                4,
                why=taken,
            ),
        ),
    )


def _figure_3() -> Figure:
    found = analyse_summary(mean=0.2, sd=0.08, best=0.303, n_results=103, n_topics=50)
    worst = minimum_distribution(103, mean=found.adjusted_mean, sd=found.standard_error)
    held = range_probability(found.lower, found.best, 103, mean=found.adjusted_mean, sd=found.standard_error)
    subtracts = "The paper subtracts 20 % for each end, as if both ends were never passed at once."
    return Figure(
        slug="figure-3",
        name="Figure 3: which distribution could have given the best of TREC-7",
        title="Equal systems with a mean of 0.27 would show scores from 0.238 to 0.303",
        caption="Teal: the distribution that explains the best automatic run, 0.303, with its 95 % interval as a bar at"
        " the foot. Grey: its smallest and largest of 103. Dashed: their range, of which each end is passed one time in"
        " five. Drawn from the numbers that the paper prints, which it rounds, and then simulates from; here the"
        " distributions are exact.",
        panel=drawn.range_panel(
            found, "103 results on 50 topics with mean 0.2 and standard deviation 0.08, as the paper rounds them"
        ),
        x=_MAP,
        y=_DENSITY,
        methods=("best-result", "extreme-values"),
        lines=(
            *_limits(found.chance_upper, found.chance_lower, _SIMULATED),
            Line("Mean that explains the best automatic run, 0.303", "0.2705", found.adjusted_mean, 4, why=_SIMULATED),
            Line("How far below 0.303 that is", "11", 100 * (found.inflation or 0.0), 1, unit="%"),
            Line("20 % point of the minimum around it", "0.2378", float(worst.ppf(0.2)), 4, why=_SIMULATED),
            Line("Probability that all 103 lie between it and 0.303", "60", 100 * held, 1, unit="%", why=subtracts),
            Line("How much 0.303 is above the lower end", "27", 100 * (found.best / found.lower - 1), 1, unit="%"),
        ),
    )


def _limits(upper: float, lower: float, why: str) -> tuple[Line, Line]:
    return (
        Line("95 % point of the maximum of 103", "0.2375", upper, 4, why=why),
        Line("5 % point of the minimum of 103", "0.1625", lower, 4, why=why),
    )


def _from_the_runs(shipped: Shipped) -> Figure:
    rows = shipped.results("trec_adhoc.csv", "trec-7-adhoc")
    means = values_of(rows)
    found = analyse_best(means, n_topics=50, contenders=[row["run_type"] == "automatic" for row in rows])
    above, below = int((means > 0.2375).sum()), int((means < 0.1625).sum())
    better = above - 103 * (1 - 0.95 ** (1 / 103))
    taken = (
        "The paper takes 5 % of the 35 for false; at the 95 % point of the maximum, 103 equal systems give 0.05 false"
        " ones together."
    )
    rounds = "The paper rounds mean and standard deviation first, and simulates."
    uncounted = "The paper does not count them."
    return Figure(
        slug="section-3-1",
        name="Section 3.1: the runs of TREC-7",
        title="A third of TREC-7 lies above what equal systems would reach, a third below",
        caption="How many runs have which mean. Dashed: the 95 % point of the largest, and the 5 % point of the"
        " smallest, of 103 equal systems around the mean of all. The paper gives the counts alone; it rounds mean and"
        " standard deviation first.",
        panel=drawn.runs_panel(
            means.tolist(),
            found,
            f"The means of the {len(means)} runs of TREC-7 ad hoc that ship (trec_adhoc.csv), to four digits",
        ),
        x=Axis(label="mean average precision, or the measure that is chosen", low=0),
        y=Axis(label="results", low=0),
        methods=("best-result", "extreme-values"),
        lines=(
            Line("Runs", "103", found.n_results, 0),
            Line("Mean of the means", "0.2", found.mean, 4),
            Line("Their standard deviation", "0.08", found.sd, 4),
            *_limits(found.chance_upper, found.chance_lower, rounds),
            Line("Runs above 0.2375", "35", above, 0),
            Line("Runs below 0.1625", "34", below, 0),
            Line("Runs between", "34", len(means) - above - below, 0),
            Line("Runs above 0.2375 that are truly better than the mean", "33", better, 2, why=taken),
            Line("Best automatic run", "0.303", found.best, 4),
            Line(
                "Mean that explains it", "0.2705", found.adjusted_mean, 4, why="The best run is 0.3033 before rounding."
            ),
            Line("Automatic runs that might as well have been the best", None, found.n_plausible, 0, why=uncounted),
        ),
    )


def _table_1(shipped: Shipped) -> Figure:
    venues = (("SIGIR", 1995, "2413"), ("ECIR", 2005, "759"), ("CIKM", 2005, "2620"))
    counted = [(venue, since, printed, shipped.n_papers(venue, since, 2014)) for venue, since, printed in venues]
    return Figure(
        slug="table-1",
        name="Table 1: the papers that were searched",
        title=f"{sum(n for *_, n in counted)} papers of the same venues and years are on record here",
        caption="The paper searches all papers of three conferences; on record here are those whose results, systems or"
        " collections are. Its corpus, and what was transcribed from it, are the author’s.",
        panel=Panel(
            data="Papers on record (papers.csv)",
            columns=columns_of("Venue and years", "Papers"),
            rows=tuple((f"{venue} {since}–2014", n) for venue, since, _, n in counted),
        ),
        lines=tuple(
            Line(f"Papers of {venue}, {since} to 2014", printed, n, 0, why="All papers there, those on record here.")
            for venue, since, printed, n in counted
        ),
        methods=("best-result",),
    )


def _tried(shipped: Shipped) -> Figure:
    counts = shipped.most_tried(10)
    return Figure(
        slug="section-5",
        name="Section 5: how many were tried",
        title=f"{counts[0][1]:,} results are on record of {counts[0][0]} alone, under one measure",
        caption="The longer a collection is used, the likelier an extreme score is by chance alone, and N “cannot be"
        " known”: on record is what was printed. Beside it the count of today, for the collection that you choose.",
        panel=Panel(
            data="Results that ship, the ten collections and measures with the most",
            columns=(*columns_of("Collection and measure"), *drawn.TRIED_COLUMNS[1:2], drawn.TRIED_COLUMNS[3]),
            rows=tuple((name, n, maximum_distribution(n).mean()) for name, n in counts),
        ),
        methods=("extreme-values", "verdict"),
    )


def _topics(shipped: Shipped) -> Figure:
    """The claim of the abstract against what scores by topic say of the same collection."""
    matrix = shipped.unnamed("trec-7-adhoc__AP")
    best, estimates = drawn.estimates_of(matrix, "AP")
    best_set = confidence_set_for_best(matrix, rng=1)
    excess = "The paper’s “as much as 20 %” is the widest of its ranges, on GOV2; it is no estimate, and not of TREC-7."
    is_alone = verified_leader(best_set.members, n_topics=best_set.n_topics).is_verified
    equal = scores_maximum_cdf(0.2375, matrix.scores, 1, means=[float(matrix.means.mean())] * matrix.n_systems)
    panel = drawn.estimates_panel(
        matrix,
        "AP",
        "AP of the 103 runs on 50 topics, without their names (trec-7-adhoc__AP.csv); the best is a manual run",
    )
    excesses = [float(row[1] or 0.0) for row in panel.rows]
    above = [(name, None if worth is None else 100 * (best / worth - 1)) for name, worth in estimates]
    chance = 100 * (1 - equal.estimate)
    errors = (
        "The paper’s standard error is that of the means over √50; here errors vary and go together as topic scores"
        " show."
    )
    unlike = f"The paper has no such set; the leader is {'' if is_alone else 'not '}told apart from all others."
    return Figure(
        slug="abstract",
        name="Abstract: “as much as 20 % higher”",
        title=f"On TREC-7 the best run is {min(excesses):.0f} to {max(excesses):.0f} % above its true level, by"
        f" {len(excesses)} ways to estimate it",
        caption="What scores by topic say of the claim: by how much the best of 103 runs exceeds what it is worth, by"
        " each method. The paper’s 20 % is the widest of its ranges, on GOV2, and no estimate; it has no topic scores.",
        panel=panel,
        methods=("winner", "verified-leader", "corrected-best"),
        lines=(
            *(
                Line(f"Best score above its true level: {name}", None, percent, 1, unit="%", why=excess)
                for name, percent in above
            ),
            Line("Chance that the best of 103 equal runs exceeds 0.2375", "5", chance, 0, unit="%", why=errors),
            Line("Runs that may be the best (max-t, 95 %)", None, best_set.n_members, 0, why=unlike),
        ),
    )
