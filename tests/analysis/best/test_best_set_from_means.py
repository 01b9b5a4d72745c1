"""Gupta's set of the results that may be the best, from published means."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import chi, multivariate_t, norm

from analysis.best import WhyNoSet, best_set_from_errors, best_set_from_means, gupta_constant
from analysis.errors import ArgumentError
from analysis.reliability import family_weighted_variance
from tests.analysis.matrices import shipped_matrix
from tests.analysis.resampled_topics import resampled_topics
from tests.analysis.simulated import labelled
from tests.published_means import comparable_rows, complete_rows

MEANS = [0.303, 0.296, 0.281, 0.245, 0.239]
GIVEN = {"n_topics": 50, "residual_variance": 0.012, "degrees_of_freedom": 10}
#: So many that the variance is as good as known: constants agree to six decimals.
KNOWN = 1e8

#: Leaderboards as they ship: topics, residual variance; results, families; d, margin; members and their families.
LEADERBOARDS = {
    ("trec-2004-robust", "AP"): (249, 0.014542, 335, 124, 4.0532, 0.0438, 29, 12),
    ("beir-scidocs", "nDCG@10"): (1000, 0.096221, 302, 99, 4.0221, 0.0558, 1, 1),
    ("beir-arguana", "nDCG@10"): (1406, 0.096221, 303, 99, 4.0231, 0.0471, 4, 4),
    ("beir-fiqa", "nDCG@10"): (648, 0.096221, 281, 92, 4.0003, 0.0689, 2, 2),
    ("msmarco-passage-dev", "RR@10"): (6980, 0.096221, 240, 75, 3.9523, 0.0208, 14, 9),
    ("trec-dl-2019-passage", "nDCG@10"): (43, 0.018961, 233, 14, 3.9432, 0.1171, 133, 10),
}
BEIR = (
    "arguana climate-fever dbpedia-entity fever fiqa hotpotqa nfcorpus nq quora scidocs scifact trec-covid"
    " webis-touche2020"
)

# statistics 4.2
CONSTANTS = [
    (2, 1.644854),
    (3, 1.916332),
    (5, 2.160333),
    (10, 2.417018),
    (20, 2.630926),
    (50, 2.876988),
    (100, 3.044787),
    (103, 3.051666),
    (109, 3.064784),
    (200, 3.200999),
    (500, 3.393444),
    (1000, 3.530280),
]


@pytest.mark.parametrize(("k", "d"), CONSTANTS)
def test_tabulated_constants(k, d):
    assert gupta_constant(k) == pytest.approx(d, abs=6e-7)


@pytest.mark.parametrize(
    ("df", "constants"),
    [
        (30, [2.5372, 3.0505, 3.2398, 3.5157]),
        (16, [2.6501, 3.2132, 3.4221, 3.7276]),
        (10, [2.8069, 3.4389, 3.6746, 4.0201]),
        (6, [3.1222, 3.8926, 4.1813, 4.6051]),
    ],
)
def test_constants_with_the_degrees_of_freedom_of_predictions(df, constants):
    """The values of a separate computation."""
    assert [gupta_constant(k, 0.95, df) for k in (10, 50, 100, 300)] == pytest.approx(constants, abs=5.1e-5)


@pytest.mark.parametrize(("k", "confidence_level"), [(2, 0.9), (7, 0.99), (103, 0.5), (5000, 0.95)])
def test_constant_solves_its_equation(k, confidence_level):
    d = gupta_constant(k, confidence_level)
    coverage, _ = quad(lambda z: norm.pdf(z) * norm.cdf(z + np.sqrt(2) * d) ** (k - 1), -9, 9, epsabs=1e-12)
    assert coverage == pytest.approx(confidence_level, abs=1e-10)


# Dunnett (1955), doi:10.1080/01621459.1955.10501294, table 1a: one-sided 95 % points, k - 1 treatments
@pytest.mark.parametrize(
    ("k", "df", "d"), [(3, 10, 2.15), (4, 10, 2.34), (10, 10, 2.81), (6, 20, 2.39), (10, 60, 2.48)]
)
def test_constants_are_dunnetts_one_sided_points(k, df, d):
    constant = gupta_constant(k, 0.95, df)
    correlation = np.full((k - 1, k - 1), 0.5) + 0.5 * np.eye(k - 1)
    coverage = multivariate_t(shape=correlation, df=df, seed=1).cdf(np.full(k - 1, constant))
    assert coverage == pytest.approx(0.95, abs=2e-4)
    assert constant == pytest.approx(d, abs=0.0051)


def test_the_top_itself_always_stays():
    assert gupta_constant(1) == gupta_constant(1, 0.5, 3) == 0.0
    assert gupta_constant(2, 0.3) == gupta_constant(2, 0.3, 5) == 0.0


class TestReferenceValues:
    @pytest.mark.parametrize("board", LEADERBOARDS, ids=lambda board: " ".join(board))
    def test_leaderboards_that_ship(self, board):
        n_topics, variance, n_results, n_families, d, margin, n_members, n_member_families = LEADERBOARDS[board]
        means, families = comparable_rows(*board)
        assert (len(means), len(set(families))) == (n_results, n_families)
        best_set = best_set_from_means(means, n_topics=n_topics, residual_variance=variance, degrees_of_freedom=10)
        assert (round(best_set.critical_value, 4), round(best_set.margin, 4)) == (d, margin)
        assert (best_set.n_members, len({families[row] for row in best_set.members})) == (n_members, n_member_families)

    def test_robust04_with_the_variance_of_its_own_matrix(self):
        """It covers 110 of the 335 results: 18 degrees of freedom."""
        means, _ = comparable_rows("trec-2004-robust", "AP")
        best_set = best_set_from_means(means, n_topics=249, residual_variance=0.015473, degrees_of_freedom=18)
        assert (round(best_set.critical_value, 4), round(best_set.margin, 4)) == (3.7046, 0.0413)
        assert best_set.n_members == 26

    @pytest.mark.parametrize(("n_topics", "n_members"), [(249, 29), (100, 75), (50, 191)])
    def test_the_set_grows_as_the_number_of_topics_falls(self, n_topics, n_members):
        means, _ = comparable_rows("trec-2004-robust", "AP")
        best_set = best_set_from_means(means, n_topics=n_topics, residual_variance=0.014542, degrees_of_freedom=10)
        assert best_set.n_members == n_members

    @pytest.mark.parametrize(
        ("toolkits", "n_results", "n_families", "variance", "d", "margin"),
        [(False, 213, 70, 0.00784, 3.7881, 0.1316), (True, 226, 71, 0.00781, 3.8054, 0.1319)],
    )
    def test_an_average_over_collections(self, toolkits, n_results, n_families, variance, d, margin):
        """Thirteen of BEIR's, as a sample of collections: 12 degrees of freedom."""
        names = tuple(f"beir-{name}" for name in BEIR.split())
        scores, families = complete_rows(names, "nDCG@10", toolkits=toolkits)
        assert (len(scores), len(set(families))) == (n_results, n_families)
        seen = family_weighted_variance(labelled(scores), families)
        assert round(seen, 5) == variance
        best_set = best_set_from_errors(scores.mean(axis=1), error_variance=seen / 13, degrees_of_freedom=12)
        assert (round(best_set.critical_value, 4), round(best_set.margin, 4), best_set.n_members) == (d, margin, 42)
        assert len({families[row] for row in best_set.members}) == 21

    @pytest.mark.parametrize(
        ("name", "variance", "margin", "n_members"),
        [("trec-7-adhoc__AP", 0.01204001, 0.066970, 6), ("trec-2004-robust__AP", 0.01454209, 0.052567, 18)],
    )
    def test_matrices_of_trec_with_a_variance_as_good_as_known(self, name, variance, margin, n_members):
        matrix = shipped_matrix(name)
        best_set = best_set_from_means(
            matrix.means, n_topics=matrix.n_topics, residual_variance=variance, degrees_of_freedom=KNOWN
        )
        assert best_set.margin == pytest.approx(margin, abs=5e-7)
        assert best_set.n_members == n_members


@pytest.mark.parametrize(("k", "df"), [(335, 10), (233, 8), (60, 4), (213, 12)])
def test_constants_with_degrees_of_freedom_solve_their_double_integral(k, df):
    """To 1e-6; the quantiles of chi by midpoints would be off by .0017."""
    d = gupta_constant(k, 0.95, df)

    def held(at):
        z, weight = np.polynomial.legendre.leggauss(400)

        def at_scale(u):
            return float(10 * weight @ (norm.pdf(10 * z) * norm.cdf(10 * z + np.sqrt(2) * at * u) ** (k - 1)))

        return quad(lambda u: at_scale(u) * np.sqrt(df) * chi.pdf(u * np.sqrt(df), df), 0, 8, points=[0.5, 1, 1.5])[0]

    assert held(d - 1e-6) < 0.95 < held(d + 1e-6)


def test_by_hand():
    best_set = best_set_from_means(MEANS, **GIVEN)
    margin = gupta_constant(5, 0.95, 10) * np.sqrt(2 * 0.012 / 50)
    assert (best_set.n_results, best_set.n_contenders, best_set.best_index) == (5, 5, 0)
    assert (best_set.margin, best_set.threshold) == pytest.approx((margin, 0.303 - margin), abs=1e-12)
    assert (best_set.members, best_set.n_members, best_set.why_no_set) == ((0, 1, 2), 3, None)
    assert (best_set.error_variance, best_set.degrees_of_freedom) == (0.012 / 50, 10)


def test_below_25_topics_there_is_no_set():
    none, some = (best_set_from_means(MEANS, **(GIVEN | {"n_topics": n})) for n in (24, 25))
    assert (none.why_no_set, none.members, none.n_members) == (WhyNoSet.TOO_FEW_TOPICS, (), 0)
    assert (none.margin, none.threshold, none.critical_value, none.best_index) == (None, None, None, 0)
    assert some.why_no_set is None


def test_without_a_variance_there_is_no_set():
    best_set = best_set_from_means([0.1, 0.3, 0.3], **(GIVEN | {"residual_variance": 0.0}))
    assert (best_set.why_no_set, best_set.members, best_set.margin) == (WhyNoSet.NO_VARIATION, (), None)


def test_the_largest_variance_there_can_be_is_taken_and_a_larger_refused():
    options = {"n_topics": 25, "degrees_of_freedom": 20}
    largest = 0.25 * 25 / 24
    assert best_set_from_means(MEANS, residual_variance=largest, **options).why_no_set is None
    with pytest.raises(ArgumentError, match=r"residual_variance must be 0\.2604 or less, the most that"):
        best_set_from_means(MEANS, residual_variance=largest * 1.0001, **options)


@pytest.mark.parametrize("means", [[30.3, 29.6], [0.303, 29.6], [-0.1, 0.2]])
def test_percentages_are_refused_with_what_to_do(means):
    with pytest.raises(ArgumentError, match=r"means must lie between 0 and 1.*percentages: divide means by 100"):
        best_set_from_means(means, **GIVEN)


def test_other_ranges_are_told():
    percent = best_set_from_means(
        [100 * mean for mean in MEANS], value_range=(0, 100), **(GIVEN | {"residual_variance": 120.0})
    )
    plain = best_set_from_means(MEANS, **GIVEN)
    assert (percent.members, percent.margin) == (plain.members, pytest.approx(100 * plain.margin))
    unbounded = best_set_from_means([-4.1, -4.9], value_range=None, **(GIVEN | {"residual_variance": 400.0}))
    assert unbounded.members == (0, 1)


def test_all_results_set_the_constant_and_contenders_alone_can_be_members():
    """A choice made after looking doesn't narrow the margin."""
    contenders = [False, True, True, True, False]
    best_set, plain = best_set_from_means(MEANS, contenders=contenders, **GIVEN), best_set_from_means(MEANS, **GIVEN)
    assert (best_set.n_results, best_set.n_contenders, best_set.best_index) == (5, 3, 1)
    assert best_set.margin == plain.margin
    assert best_set.members == (1, 2, 3)


def test_lower_is_better_mirrors_the_set():
    best_set = best_set_from_means([1 - mean for mean in MEANS], higher_is_better=False, **GIVEN)
    plain = best_set_from_means(MEANS, **GIVEN)
    assert (best_set.members, best_set.best_index) == (plain.members, 0)
    assert best_set.threshold == pytest.approx(1 - plain.threshold)


def test_shift_and_scale_carry_over():
    plain = best_set_from_errors(MEANS, error_variance=0.00024, degrees_of_freedom=10)
    moved = best_set_from_errors([10 * m - 7 for m in MEANS], error_variance=0.024, degrees_of_freedom=10)
    assert moved.members == plain.members
    assert moved.margin == pytest.approx(10 * plain.margin)


@settings(deadline=None)
@given(
    means=st.lists(st.floats(0, 1), min_size=2, max_size=30),
    row=st.integers(0, 29),
    n_clones=st.integers(1, 60),
    df=st.sampled_from([4, 8, 10, 18, 60]),
)
def test_copies_drop_no_member_and_widen_the_set_by_the_ratio_of_the_constants(means, row, n_clones, df):
    options = GIVEN | {"degrees_of_freedom": df}
    before = best_set_from_means(means, **options)
    after = best_set_from_means([*means, *[means[row % len(means)]] * n_clones], **options)
    ratio = gupta_constant(len(means) + n_clones, 0.95, df) / gupta_constant(len(means), 0.95, df)
    assert set(before.members) <= set(after.members)
    assert after.margin == pytest.approx(ratio * before.margin)
    widened = {place for place, mean in enumerate(means) if mean >= max(means) - ratio * before.margin - 1e-12}
    assert {place for place in after.members if place < len(means)} <= widened


def test_coverage_is_exact_where_all_are_equal_and_normal():
    """The variance is estimated anew each time, with the degrees of freedom that are said."""
    rng = np.random.default_rng(1)
    means = rng.normal(0.3, 0.02, (3000, 12)) + rng.normal(0, 0.05, (3000, 1))  # the topics' share moves all alike
    held = [
        0 in best_set_from_errors(row, error_variance=0.0004 * chi2 / 10, degrees_of_freedom=10).members
        for row, chi2 in zip(means, rng.chisquare(10, 3000), strict=True)
    ]
    assert np.mean(held) == pytest.approx(0.95, abs=4.5 * np.sqrt(0.95 * 0.05 / 3000))


@pytest.mark.parametrize(("equal", "coverage"), [(True, 0.923), (False, 0.996)])
def test_simulated_coverage_on_trec_7(equal, coverage):
    covered = []
    for means, variance, truth in resampled_topics("trec-7-adhoc__AP", equal, 300):
        best_set = best_set_from_errors(means, error_variance=variance / 50, degrees_of_freedom=KNOWN)
        covered.append(np.isin(np.flatnonzero(truth == truth.max()), best_set.members).mean())
    assert np.mean(covered) == pytest.approx(coverage, abs=0.025)
