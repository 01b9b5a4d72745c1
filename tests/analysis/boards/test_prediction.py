"""Boards of which nobody has seen how scores vary: a prediction, with what it is worth, or none."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.boards import BoardInputs, BoardRow, MeasureFacts, describe_evidence, study
from analysis.boards._calibrate import fit, read_tables
from analysis.boards._prediction import predict, shipped_model
from analysis.reliability import family_weighted_variance

DATA = Path(__file__).resolve().parents[3] / "data"
SAMPLE = DATA / "variance_sample.csv"
ROWS = tuple(
    BoardRow(id=place, system=f"s{place}", printed=str(value), value=value)
    for place, value in enumerate([0.31, 0.30, 0.27, 0.22, 0.18, 0.12])
)


def board(measure="Rprec", **changed):
    return replace(BoardInputs(collection="c", measure=MeasureFacts(name=measure), rows=ROWS, n_topics=50), **changed)


def evidence_of(inputs):
    return study(inputs).verdict.evidence


def test_a_board_without_any_variance_gets_a_predicted_one_with_a_set():
    verdict = study(board()).verdict
    assert verdict.evidence.kind == "predicted"
    assert 0.008 < verdict.evidence.residual_variance < 0.03
    assert 0 < verdict.evidence.degrees_of_freedom <= 8
    assert verdict.set.members[0] == 0
    assert verdict.corrected.decimals == 2
    assert not verdict.leader_verified
    sentence = describe_evidence(board(), study(board()))
    assert "variances seen in 12 collections" in sentence
    assert "within a factor of 2 for 78 % of variances" in sentence


@pytest.mark.parametrize("measure", ["P@1000", "R@1000", "GMAP", "F@100", "alpha_nDCG@10", "SetR"])
def test_nothing_is_said_of_measures_that_nobody_has_seen(measure):
    found = study(board(measure)).verdict
    assert (found.evidence.kind, found.set, found.corrected) == ("none", None, None)


def test_nothing_is_predicted_for_one_right_answer_or_another_scale():
    assert evidence_of(board(task="known-item")).kind == "none"
    of_hundred = replace(board(), measure=MeasureFacts(name="Rprec", low=0.0, high=100.0))
    assert evidence_of(of_hundred).kind == "none"
    assert evidence_of(board(n_topics=24)).kind == "predicted"
    assert study(board(n_topics=24)).verdict.set is None


def test_recall_of_few_relevant_documents_varies_more_than_that_of_many():
    many, few, unknown = (
        evidence_of(board("R@100", relevant_per_topic=number)).residual_variance for number in (50.0, 1.2, None)
    )
    assert few > 2 * many
    assert unknown == few


def test_a_prediction_above_what_scores_can_vary_is_lowered():
    rows = tuple(replace(row, value=0.97 + row.value / 100) for row in ROWS)
    found = evidence_of(board("RR", rows=rows))
    bound = sum(row.value * (1 - row.value) for row in rows) / len(rows) * 50 / 49
    assert found.residual_variance <= bound * (1 + 1e-9)


def test_the_coefficients_that_ship_are_those_of_the_data_that_ship():
    shipped, again = shipped_model(), fit(SAMPLE)
    assert shipped.data_sha256 == again.data_sha256, "python -m analysis.boards fit data/variance_sample.csv"
    assert again.model.slope == pytest.approx(shipped.model.slope, abs=1e-3)
    assert again.left_out_log_error == pytest.approx(shipped.left_out_log_error, abs=1e-3)
    assert shipped.model.n_collections == 12


def test_recall_of_one_document_varies_so_much_more_than_reciprocal_rank_as_ranks_of_real_runs_say():
    tables = list(read_tables(DATA))
    coefficients = {
        (one.collection, one.measure): family_weighted_variance(one.matrix)
        / (one.matrix.scores.mean() * (1.0 - one.matrix.scores.mean()))
        for one in tables
        if one.matrix.n_systems >= 30 and (one.is_sparse or one.measure == "RR")
    }
    ratios = [
        found / coefficients[collection, "RR"]
        for (collection, measure), found in coefficients.items()
        if measure in ("R@1", "R@10", "R@100")
    ]
    assert len(ratios) == 12
    assert np.exp(np.mean(np.log(ratios))) == pytest.approx(1.6, abs=0.05)
    few = predict(shipped_model().model, "R@100", 1.0, 0.6)
    rank = predict(shipped_model().model, "RR@100", 1.0, 0.6)
    assert few.value == pytest.approx(1.6 * rank.value)
    assert few.degrees_of_freedom == rank.degrees_of_freedom
