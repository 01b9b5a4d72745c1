"""A model of how much scores vary: does it find what was put in, and keep quiet about what it has not seen?"""

import numpy as np
import pytest

from analysis.reliability import VarianceObservation, fit_variances, predict_variance

FAMILIES = {"AP": -1.1, "RR": 0.6, "P": -0.7}


def simulated(n_collections=60, sd_collection=0.3, sd_rest=0.2, slope=1.2, length=-0.6, seed=1):
    rng = np.random.default_rng(seed)
    for number in range(n_collections):
        shift = rng.normal(0, sd_collection)
        for measure, cutoff in (("AP", 10), ("RR@10", 10), ("P@5", 5), ("P@10", 10), ("P@100", 100)):
            mean = rng.uniform(0.1, 0.6)
            family = measure.split("@")[0]
            log = FAMILIES[family] + slope * np.log(mean * (1 - mean)) + shift + rng.normal(0, sd_rest)
            log += length * np.log(cutoff / 10) if family == "P" else 0.0
            yield VarianceObservation(f"c{number}", measure, float(mean), float(np.exp(log)))


def test_it_finds_what_was_put_in():
    model = fit_variances(list(simulated()))
    assert {one.family: one.intercept for one in model.families} == pytest.approx(FAMILIES, abs=0.25)
    assert model.slope == pytest.approx(1.2, abs=0.12)
    assert dict(model.cutoff_slopes) == {"P": pytest.approx(-0.6, abs=0.05)}
    assert model.sd_collection == pytest.approx(0.3, abs=0.08)
    assert model.sd_rest == pytest.approx(0.2, abs=0.03)


def test_it_says_how_far_off_it_is():
    """New collections lie within 1.645 standard deviations of the logarithm in nine of ten cases."""
    model = fit_variances(list(simulated(seed=3)))
    new = list(simulated(400, seed=2))
    found = [predict_variance(model, one.measure, one.mean) for one in new]
    errors = [abs(np.log(one.variance / two.value)) / two.log_sd for one, two in zip(new, found, strict=True)]
    assert np.mean(np.array(errors) < 1.645) == pytest.approx(0.90, abs=0.03)


def test_what_one_strange_pool_shows_is_not_taken_for_the_measure():
    """A measure seen in one pool alone, where everything varies a third as much."""
    seen = [one for one in simulated(20, sd_rest=0.05) if one.measure != "P@100"]
    strange = [
        VarianceObservation("strange", one.measure, one.mean, one.variance / 3)
        for one in simulated(1, sd_collection=0.0, sd_rest=0.01, seed=5)
    ]
    model = fit_variances([*seen, *strange])
    typical = np.exp(-0.7 + 1.2 * np.log(0.2 * 0.8) - 0.6 * np.log(10))
    assert predict_variance(model, "P@100", 0.2).value == pytest.approx(typical, rel=0.35)


def test_the_degrees_of_freedom_are_those_of_a_variance_as_uncertain():
    """The logarithm of a mean of nu squares of normals has the standard deviation that was predicted."""
    model = fit_variances(list(simulated(sd_collection=0.5, sd_rest=0.4)))
    found = predict_variance(model, "AP", 0.3)
    draws = np.random.default_rng(3).chisquare(found.degrees_of_freedom, 200_000)
    assert np.log(draws).std() == pytest.approx(found.log_sd, rel=0.01)


@pytest.mark.parametrize(("sd", "measure", "most"), [(0.1, "AP", 10.0), (0.1, "P@100", 10.0), (0.1, "P@30", 8.0)])
def test_it_claims_no_more_than_so_much(sd, measure, most):
    model = fit_variances(list(simulated(sd_collection=sd, sd_rest=sd)))
    assert predict_variance(model, measure, 0.3).degrees_of_freedom == most


@pytest.mark.parametrize(
    ("measure", "mean"),
    [("P@1000", 0.1), ("R@1000", 0.5), ("GMAP", 0.2), ("alpha_nDCG@10", 0.4), ("ERR@20", 0.2), ("AP", 0.01)],
)
def test_nothing_is_predicted_that_was_never_seen(measure, mean):
    assert predict_variance(fit_variances(list(simulated())), measure, mean) is None
