"""Extremes of normals against 50-digit arithmetic and R's evd (tests/analysis/reference/extremes*)."""

import json
from pathlib import Path

import pytest

from analysis.best import gumbel_approximation, gupta_constant, maximum_distribution, minimum_distribution

FOLDER = Path(__file__).parents[1] / "reference"
REFERENCE = json.loads((FOLDER / "extremes.json").read_text(encoding="utf-8"))
EVD = json.loads((FOLDER / "extremes_evd.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("n", "p", "z"), REFERENCE["quantile_n_p_z"])
def test_quantiles_to_ten_digits(n, p, z):
    assert maximum_distribution(n).ppf(float(p)) == pytest.approx(float(z), rel=1e-12, abs=1e-15)
    assert minimum_distribution(n).isf(float(p)) == pytest.approx(-float(z), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(("n", "z", "cdf", "sf"), REFERENCE["tails_n_z_cdf_sf"])
def test_both_tails_to_ten_digits(n, z, cdf, sf):
    largest, smallest = maximum_distribution(n), minimum_distribution(n)
    assert largest.cdf(float(z)) == pytest.approx(float(cdf), rel=1e-12, abs=1e-307)
    assert largest.sf(float(z)) == pytest.approx(float(sf), rel=1e-12, abs=1e-307)
    assert smallest.sf(-float(z)) == pytest.approx(float(cdf), rel=1e-12, abs=1e-307)


@pytest.mark.parametrize(("n", "mean", "sd"), REFERENCE["moments_n_mean_sd"])
def test_moments_to_ten_digits_up_to_a_thousand_million(n, mean, sd):
    largest = maximum_distribution(n)
    assert (largest.mean(), largest.sd()) == pytest.approx((float(mean), float(sd)), rel=1e-12)


@pytest.mark.parametrize(("n", "correlation", "z", "cdf"), REFERENCE["equicorrelated_n_rho_z_cdf"])
def test_equicorrelated_distribution_to_ten_digits(n, correlation, z, cdf):
    largest = maximum_distribution(n, correlation=float(correlation))
    assert largest.cdf(float(z)) == pytest.approx(float(cdf), rel=1e-10, abs=1e-307)
    if float(cdf) > 1e-300:
        assert largest.ppf(float(cdf)) == pytest.approx(float(z), rel=1e-9)


@pytest.mark.parametrize(("k", "df", "d", "coverage"), REFERENCE["gupta_k_df_d_coverage"])
def test_gupta_constant_with_finite_degrees_of_freedom(k, df, d, coverage):
    assert gupta_constant(k, float(coverage), df) == pytest.approx(float(d), rel=1e-10)


@pytest.mark.parametrize("expected", EVD["sizes"], ids=lambda expected: str(expected["n"]))
class TestAgainstEvd:
    def test_largest_and_smallest(self, expected):
        largest, smallest = maximum_distribution(expected["n"]), minimum_distribution(expected["n"])
        assert largest.ppf(EVD["p"]).tolist() == pytest.approx(expected["largest_quantiles"], rel=1e-9)
        assert smallest.ppf(EVD["p"]).tolist() == pytest.approx(expected["smallest_quantiles"], rel=1e-9)
        assert largest.cdf(EVD["x"]).tolist() == pytest.approx(expected["largest_cdf"], rel=1e-11)
        assert largest.pdf(EVD["x"]).tolist() == pytest.approx(expected["largest_pdf"], rel=1e-11)
        # evd computes 1 - (1 - F)^n, which leaves absolute accuracy only.
        assert smallest.cdf(EVD["x"]).tolist() == pytest.approx(expected["smallest_cdf"], abs=1e-14)

    def test_the_gumbel_approximation(self, expected):
        fit = gumbel_approximation(expected["n"])
        exact = maximum_distribution(expected["n"])
        quantiles = [exact.ppf(probability) + error for probability, error in fit.quantile_errors]
        assert quantiles == pytest.approx(expected["gumbel_quantiles"], rel=1e-9, abs=1e-12)
