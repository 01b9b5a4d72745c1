"""Meta-analysis: cases by hand, metafor's numbers, invariances, truncation, coverage."""

import json
from pathlib import Path

import numpy as np
import pytest
from statsmodels.stats.meta_analysis import combine_effects

from analysis.comparisons import meta_analysis
from analysis.comparisons._meta_analysis import between_variance

FOLDER = Path(__file__).parents[1] / "reference"
REFERENCE = json.loads((FOLDER / "meta_analysis.json").read_text(encoding="utf-8"))["sets"]
CASES = [(name, model) for name, data in REFERENCE.items() for model in data["models"]]
ESTIMATORS = ("DL", "PM", "REML")


def analyse(name: str, model: str):
    data = REFERENCE[name]
    errors = np.sqrt(data["vi"])
    if model == "fixed":
        return meta_analysis(data["yi"], errors, model="fixed")
    estimator, inference = model.split()
    return meta_analysis(data["yi"], errors, estimator=estimator, inference=inference)


class TestReference:
    @pytest.mark.parametrize(("name", "model"), CASES)
    def test_every_number_is_that_of_metafor(self, name, model):
        expected, meta = REFERENCE[name]["models"][model], analyse(name, model)
        ours = {
            **{key: getattr(meta, key) for key in ("estimate", "standard_error", "pvalue", "q", "q_pvalue")},
            "i_squared": meta.i_squared,
            "tau_squared": meta.tau_squared,
            "low": meta.interval.low,
            "high": meta.interval.high,
            "tau_low": meta.tau_squared_interval.low,
            "tau_high": meta.tau_squared_interval.high,
        }
        if meta.prediction_interval is not None:
            ours["prediction_low"] = meta.prediction_interval.low
            ours["prediction_high"] = meta.prediction_interval.high
        compared = {key: value for key, value in expected.items() if key != "weights"}
        assert {key: ours[key] for key in compared} == pytest.approx(compared, rel=1e-8, abs=1e-14)
        assert meta.weights == pytest.approx(expected["weights"], rel=1e-9)

    @pytest.mark.parametrize("name", ["bcg", "small"])
    def test_statsmodels_agrees_where_it_is_right(self, name):
        data = REFERENCE[name]
        theirs = combine_effects(np.array(data["yi"]), np.array(data["vi"]), method_re="dl")
        ours = meta_analysis(data["yi"], np.sqrt(data["vi"]), estimator="DL", inference="normal")
        assert ours.tau_squared == pytest.approx(theirs.tau2, rel=1e-9)
        assert ours.estimate == pytest.approx(theirs.mean_effect_re, rel=1e-9)
        assert ours.standard_error == pytest.approx(theirs.sd_eff_w_re, rel=1e-9)


class TestTruncation:
    def test_statsmodels_lets_a_negative_variance_through_and_we_do_not(self):
        data = REFERENCE["homogeneous"]
        with np.errstate(invalid="ignore"):  # It takes the root of a negative total variance as well.
            theirs = combine_effects(np.array(data["yi"]), np.array(data["vi"]), method_re="dl")
        assert theirs.tau2 < 0
        for estimator in ESTIMATORS:
            meta = meta_analysis(data["yi"], np.sqrt(data["vi"]), estimator=estimator)
            assert (meta.tau_squared, meta.truncated, meta.i_squared) == (0.0, True, 0.0)

    def test_truncated_the_random_model_is_the_fixed_model(self):
        data = REFERENCE["homogeneous"]
        random = meta_analysis(data["yi"], np.sqrt(data["vi"]), inference="normal")
        fixed = meta_analysis(data["yi"], np.sqrt(data["vi"]), model="fixed")
        assert (random.estimate, random.standard_error) == (fixed.estimate, fixed.standard_error)
        assert (random.truncated, fixed.truncated) == (True, False)

    def test_hartung_knapp_is_never_more_certain_than_the_normal_error(self):
        data = REFERENCE["homogeneous"]
        careful = meta_analysis(data["yi"], np.sqrt(data["vi"]))
        normal = meta_analysis(data["yi"], np.sqrt(data["vi"]), inference="normal")
        assert careful.standard_error == normal.standard_error

    def test_equal_effects_are_no_trouble(self):
        meta = meta_analysis([0.2, 0.2, 0.2], [0.1, 0.2, 0.3])
        assert (meta.q, meta.tau_squared) == (pytest.approx(0.0, abs=1e-25), 0.0)
        assert meta.q_pvalue == pytest.approx(1.0)
        assert meta.tau_squared_interval.to_dict() == {"low": 0.0, "high": 0.0, "confidence_level": 0.95}


class TestProperties:
    @pytest.mark.parametrize("estimator", ESTIMATORS)
    def test_shift_and_scale_carry_through(self, estimator):
        data = REFERENCE["bcg"]
        effects, errors = np.array(data["yi"]), np.sqrt(data["vi"])
        plain = meta_analysis(effects, errors, estimator=estimator)
        moved = meta_analysis(1e-3 * (effects + 7.0), 1e-3 * errors, estimator=estimator)
        assert moved.estimate == pytest.approx(1e-3 * (plain.estimate + 7.0), rel=1e-10)
        assert moved.tau_squared == pytest.approx(1e-6 * plain.tau_squared, rel=1e-8)
        assert moved.i_squared == pytest.approx(plain.i_squared, rel=1e-8)

    @pytest.mark.parametrize("estimator", ESTIMATORS)
    def test_the_unit_does_not_matter(self, estimator):
        effects, errors = np.array([0.1, 0.3, 0.9, 0.2]), np.array([0.1, 0.05, 0.1, 0.2])
        unit = meta_analysis(effects, errors, estimator=estimator)
        for scale in (1e-38, 1e70):
            meta = meta_analysis(effects * scale, errors * scale, estimator=estimator)
            assert meta.pvalue == pytest.approx(unit.pvalue, rel=1e-9)
            assert meta.interval.low == pytest.approx(unit.interval.low * scale, rel=1e-9)
            assert meta.tau_squared_interval.high == pytest.approx(unit.tau_squared_interval.high * scale**2, rel=1e-9)

    @pytest.mark.parametrize("estimator", ESTIMATORS)
    def test_the_largest_effects_with_the_smallest_errors_have_an_answer(self, estimator):
        meta = meta_analysis([1e70, 0.0, 0.0], [1e-40] * 3, estimator=estimator)
        assert meta.tau_squared == pytest.approx(1e140 / 3, rel=1e-9)
        assert json.loads(json.dumps(meta.to_dict()))["q"] > 1e200

    def test_restricted_likelihood_is_highest_at_the_estimate(self):
        rng = np.random.default_rng(5)
        for _ in range(8):
            effects, variances = rng.normal(0, 1, 6), rng.uniform(0.05, 2, 6)
            best = between_variance(effects, np.sqrt(variances))
            others = np.linspace(0, 5, 200)
            assert (
                _restricted(best, effects, variances) >= max(_restricted(t, effects, variances) for t in others) - 1e-9
            )

    def test_no_prediction_without_three_effects_or_with_the_fixed_model(self):
        assert meta_analysis([0.1, 0.2], [0.1, 0.1]).why_no_prediction == "needs at least three effects"
        assert meta_analysis([0.1, 0.2, 0.4], [0.1, 0.1, 0.1]).prediction_interval is not None
        fixed = meta_analysis([0.1, 0.2, 0.3], [0.1, 0.1, 0.1], model="fixed")
        assert fixed.prediction_interval is None
        assert "fixed model" in fixed.why_no_prediction

    def test_pvalue_is_never_zero(self):
        assert meta_analysis([1000.0, 1000.0], [1e-3, 1e-3], model="fixed").pvalue > 0
        assert meta_analysis([0.0, 1000.0], [1e-3, 1e-3]).q_pvalue > 0


def _restricted(tau_squared, effects, variances):
    """Return the restricted likelihood by definition: effects projected on contrasts, as a multivariate normal."""
    contrasts = np.linalg.svd(np.ones((1, effects.size)))[2][1:]
    covariance = contrasts @ np.diag(variances + tau_squared) @ contrasts.T
    projected = contrasts @ effects
    return -0.5 * (np.linalg.slogdet(covariance)[1] + projected @ np.linalg.solve(covariance, projected))


@pytest.mark.slow
@pytest.mark.parametrize(("tau", "lowest", "highest"), [(0.0, 0.965, 0.995), (0.3, 0.915, 0.955)])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_intervals_cover_the_mean_effect_with_few_unequal_tests(estimator, tau, lowest, highest):
    """Ten tests, standard errors from .05 to .5: .983 and .93 of 4,000 trials; normal intervals held .96 and .89."""
    rng = np.random.default_rng(2006)
    n_trials, held = 1000, 0
    for _ in range(n_trials):
        errors = rng.uniform(0.05, 0.5, 10)
        effects = rng.normal(0.2, np.sqrt(tau**2 + errors**2))
        interval = meta_analysis(effects, errors, estimator=estimator).interval
        held += interval.low <= 0.2 <= interval.high
    assert lowest <= held / n_trials <= highest
