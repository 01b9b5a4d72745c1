"""Variance components of systems, topics and residual."""

import numpy as np
import pandas
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from analysis.errors import DegenerateWarning
from analysis.reliability import two_way_anova
from tests.analysis.matrices import shipped_matrix
from tests.analysis.simulated import awkward_matrices, labelled, noisy_matrix


class TestTwoWayAnova:
    @pytest.mark.parametrize("name", ["trec-dl-2019-passage__nDCG-at-10", "clef-tar-2019-abs__AP"])
    def test_mean_squares_agree_with_statsmodels(self, name):
        matrix = shipped_matrix(name)
        system, topic = np.indices(matrix.scores.shape).reshape(2, -1)
        table = pandas.DataFrame({"score": matrix.scores.ravel(), "system": system, "topic": topic})
        anova = anova_lm(ols("score ~ C(system) + C(topic)", table).fit())
        parts = two_way_anova(matrix)
        ours = [parts.system_mean_square, parts.topic_mean_square, parts.residual_mean_square]
        assert ours == pytest.approx(list(anova["mean_sq"]), rel=1e-9)

    @pytest.mark.parametrize("name", awkward_matrices())
    def test_components_are_those_of_sums_of_squares_written_out(self, name):
        matrix = awkward_matrices()[name]
        scores, (k, n) = matrix.scores, matrix.scores.shape
        whole = scores.mean()
        of_systems = sum(n * (row.mean() - whole) ** 2 for row in scores) / (k - 1)
        of_topics = sum(k * (column.mean() - whole) ** 2 for column in scores.T) / (n - 1)
        rest = sum(
            (scores[i, j] - scores[i].mean() - scores[:, j].mean() + whole) ** 2 for i in range(k) for j in range(n)
        )
        residual = rest / ((k - 1) * (n - 1))
        system, topic = max(0.0, (of_systems - residual) / n), max(0.0, (of_topics - residual) / k)
        components = two_way_anova(matrix)
        ours = (components.system_variance, components.topic_variance, components.residual_variance)
        assert ours == pytest.approx((system, topic, residual), rel=1e-9, abs=1e-15)
        assert components.generalizability == pytest.approx(system / (system + residual / n), rel=1e-9)
        assert components.dependability == pytest.approx(system / (system + (topic + residual) / n), rel=1e-9)

    def test_reference_values_of_trec_7(self):
        parts = two_way_anova(shipped_matrix("trec-7-adhoc__AP"))
        assert parts.system_mean_square == pytest.approx(0.32475302, abs=5e-9)
        assert parts.topic_mean_square == pytest.approx(1.80027276, abs=5e-9)
        assert parts.residual_mean_square == pytest.approx(0.01204001, abs=5e-9)

    def test_reference_value_of_robust_2004(self):
        parts = two_way_anova(shipped_matrix("trec-2004-robust__AP"))
        assert parts.residual_mean_square == pytest.approx(0.01454209, abs=5e-9)

    def test_the_components_are_found_again_and_their_errors_are_right(self):
        rng = np.random.default_rng(7)
        components = [
            two_way_anova(noisy_matrix(rng.normal(0, 0.08, 20), 30, seed=int(rng.integers(2**32)))) for _ in range(400)
        ]
        for name, truth in (("system", 0.08**2), ("topic", 0.13**2), ("residual", 0.11**2)):
            values = np.array([getattr(parts, f"{name}_variance") for parts in components])
            errors = np.array([getattr(parts, f"{name}_variance_error") for parts in components])
            assert values.mean() == pytest.approx(truth, rel=0.06), name
            assert np.sqrt((errors**2).mean()) == pytest.approx(values.std(), rel=0.12), name

    def test_standard_errors_agree_with_the_paired_ones_for_two_systems(self):
        matrix = noisy_matrix([0.2, 0.3])
        difference = matrix.scores[1] - matrix.scores[0]
        paired = difference.std(ddof=1) / np.sqrt(50)
        assert two_way_anova(matrix).difference_standard_error == pytest.approx(paired)

    def test_shift_and_scale(self):
        matrix = noisy_matrix([0.1, 0.2, 0.3, 0.4])
        parts = two_way_anova(matrix)
        moved = two_way_anova(labelled(3 * matrix.scores - 5))
        assert moved.residual_variance == pytest.approx(9 * parts.residual_variance)
        assert moved.intraclass_correlation == pytest.approx(parts.intraclass_correlation)

    @pytest.mark.parametrize("constant", [0.25, 0.1, 1 / 3])
    def test_constant_scores_have_no_ratios(self, constant):
        with pytest.warns(DegenerateWarning, match="the residual variance is 0"):
            parts = two_way_anova(labelled(np.full((7, 13), constant)))
        assert parts.residual_variance == 0
        assert parts.intraclass_correlation is parts.generalizability is parts.dependability is None


class TestReferenceTable:
    # Standard error of a mean by the residual, residual sd and topic sd, as computed elsewhere to four decimals.
    ROWS = {
        "trec-5-adhoc__AP": (0.0175, 0.1235, 0.1789),
        "trec-7-adhoc__AP": (0.0155, 0.1097, 0.1318),
        "trec-7-adhoc__P-at-10": (0.0288, 0.2040, 0.2250),
        "trec-8-adhoc__AP": (0.0165, 0.1167, 0.1627),
        "trec-8-adhoc__RR": (0.0423, 0.2988, 0.2084),
        "trec-2010-web__ERR-at-20": (0.0123, 0.0853, 0.0666),
        "trec-2004-robust__AP": (0.0121, 0.1206, 0.1801),
        "trec-2004-robust__nDCG": (0.0129, 0.1285, 0.1672),
    }

    @pytest.mark.parametrize("name", ROWS)
    def test_the_reference_table(self, name):
        parts = two_way_anova(shipped_matrix(name))
        ours = parts.residual_standard_error, parts.residual_variance**0.5, parts.topic_variance**0.5
        assert ours == pytest.approx(self.ROWS[name], abs=5.1e-5)
