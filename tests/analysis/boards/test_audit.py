"""Predicted variances beside matrices at hand: the table that ships, and what it does to a verdict."""

import pytest

from analysis.boards import audit, describe_evidence, study
from tests.analysis.boards.test_prediction import board
from tests.data.shipped import DATA
from tools.calibration.calibrating import audit_variances, read_observations
from tools.calibration.known import model_without


@pytest.mark.slow
def test_the_table_that_ships_comes_out_of_the_data():
    assert tuple(audit_variances(DATA)) == tuple(audit())


def test_a_row_is_what_a_matrix_of_the_collection_shows_against_the_prediction_without_it():
    """Reciprocal rank takes no relevant documents: q of the model without the ad hoc tracks, times rho (1 - rho).

    What joins the fit and does not ship changes q from .3834 to .382.
    """
    observations = read_observations(DATA / "variance_observations.csv")
    (seen,) = [row for row in observations if (row.collection, row.measure) == ("trec-8-adhoc", "RR")]
    q = model_without(observations, "trec-8-adhoc").first["RR"] * 0.382 / 0.3834
    rho = seen.mean / min(1.0, max(1.0, 1.02 * seen.best))
    (row,) = [row for row in audit() if (row.collection, row.family) == ("trec-8-adhoc", "RR")]
    assert row.ratio == pytest.approx(seen.variance / (q * rho * (1 - rho)), abs=6e-4)


def test_a_prediction_that_is_far_off_on_its_collection_gives_no_value_and_says_by_how_much():
    far, near = board("Rprec", collection="trec-dl-2019-passage"), board("Rprec", collection="trec-7-adhoc")
    verdict, other = study(far).verdict, study(near).verdict
    (row,) = [row for row in audit() if (row.collection, row.family) == ("trec-dl-2019-passage", "Rprec")]
    assert (verdict.evidence.audited, other.evidence.audited) == (row.ratio, None)
    assert verdict.evidence.audited > 2
    assert (verdict.corrected, other.corrected is None) == (None, False)
    assert verdict.why_no_value.startswith("predictions are off by more than a factor of 2")
    assert verdict.set.members == other.set.members
    words = describe_evidence(far, study(far))
    assert words.endswith("On this collection, what was measured under such measures is 3.1 times what is predicted.")
