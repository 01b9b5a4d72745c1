"""Fit, audit and calibration of a small folder of data, made here so that what comes out is known."""

import csv
import json
import math

import numpy as np
import pytest

from analysis.boards._prediction import audit_text
from analysis.scores import ScoreMatrix
from tools.calibration.__main__ import main
from tools.calibration.boards import Table
from tools.calibration.calibrating import audit_variances, boards_of_one_family

#: Measures with the share of what decides that one document has, and the variance that the model has then, at a mean
#: of .3 below a best score of .5.
OF_ONE = ("RR", "Success@5", "ERR@20", "AP", "nDCG@10", "P@1")
OF_MANY = ("AP", "nDCG@10", "R@100", "P@100", "Rprec")
#: Nothing joins the fit that does not ship.
REFIT = "coefficients,name,value\n"
SEEN = [(measure, 1.0, 0.08) for measure in OF_ONE] + [(measure, 0.01, 0.01) for measure in OF_MANY]


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)), restval="")
        writer.writeheader()
        writer.writerows(rows)
    return path


def observation(collection, group, measure, variance, *, share=1.0, kind="thinned", mean=0.3, is_shared="false"):
    return {
        "collection": collection, "group": group, "measure": measure, "kind": kind, "is_shared_task": is_shared,
        "n_systems": 50, "mean": mean, "best": 0.5, "top_mean": 1, "top_square": 1, "top_square_inverse": share,
        "residual_variance": variance, "log_sd_topics": 0.1,
    }  # fmt: skip


def two_groups():
    """Return two groups: all variances of one lie as far above what the model has as those of the other below it."""
    return [
        observation(f"of {group}", group, measure, variance * math.exp(sign * 0.1), share=share)
        for group, sign in (("low", -1), ("high", 1))
        for measure, share, variance in SEEN
    ]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    at_hand = [
        observation("c1", "h", "RR", 0.24, kind="runs"),
        observation("c1", "h", "RR@10", 0.12, kind="matrix"),
        observation("c1", "h", "AP", 0.02, kind="matrix"),
        observation("c1", "h", "P@1", 0.02, kind="thinned"),
        observation("c3", "h", "AP(rel=2)", 0.06, kind="matrix"),
        observation("c3", "h", "Success@5", 0.08, kind="matrix"),
        # Of such measures nothing is predicted without the number of relevant documents.
        observation("c5", "h", "Rprec", 0.08, kind="matrix"),
    ]
    write(folder / "variance_observations.csv", [*two_groups(), *at_hand])
    (folder / "variance_refit.csv").write_text(REFIT)
    write(folder / "densities.csv", [
        {"collection": "c1", "relevant_mean": 1, "share_with_one": 1, "grade_2_mean": "", "grade_2_share_with_one": ""},
        {"collection": "c3", "relevant_mean": 60, "share_with_one": 0, "grade_2_mean": 1, "grade_2_share_with_one": 1},
        {"collection": "c2", "relevant_mean": 30, "share_with_one": "", "grade_2_mean": 20.5},
    ])  # fmt: skip
    return folder


def test_a_fit_says_how_far_off_it_is_for_groups_that_are_left_out(tmp_path, capsys):
    sample, output = write(tmp_path / "seen.csv", two_groups()), tmp_path / "model.json"
    (tmp_path / "variance_refit.csv").write_text(REFIT + "of_one,AP,0.5\ncutoff_exponent,,0.25\n")
    assert main(["fit", str(sample), "--output", str(output)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{output}: 22 variances of 2 groups of collections.",
        "With its group left out, one is off by 0.2 (rms of the logarithm).",
    ]
    fit = json.loads(output.read_text())
    assert (fit["fitted_on"], fit["n_observations"], fit["n_groups"]) == ("seen.csv", 22, 2)
    # .08 over .3 times .7; the ratios of shared tasks, of which there are none, are what they are drawn to.
    assert fit["fitted"]["first"] == dict.fromkeys(("RR", "Success", "ERR"), 0.381)
    assert fit["fitted"]["of_one"] == pytest.approx(dict.fromkeys(("AP", "nDCG", "hits"), 0.381), abs=1e-4)
    assert fit["fitted"]["shared_task"] == dict.fromkeys(("AP", "nDCG", "hits"), round(math.exp(0.4), 4))
    assert fit["model"]["shared_task"] == dict.fromkeys(("AP", "nDCG", "hits"), 1.49)
    # What joins the fit elsewhere changes the coefficients that it names.
    assert (fit["model"]["of_one"]["AP"], fit["model"]["cutoff_exponent"]) == (0.5, 0.25)
    assert fit["model"]["of_one"]["nDCG"] == 0.381
    # Of .01 a hundredth of .381 is one document's, the rest what is left with very many.
    left = (0.01 / 0.21 - 0.01 * 0.08 / 0.21) / 0.99
    assert fit["fitted"]["of_many"] == pytest.approx(dict.fromkeys(("AP", "nDCG", "P", "R", "Rprec"), left), abs=6e-5)
    assert fit["model"]["of_many"]["AP"] == round(left, 3)
    assert fit["model"]["of_many"]["R"] == round(left, 4)


def test_an_audit_sets_what_was_measured_beside_what_the_others_predict(data, tmp_path, capsys):
    """Of the first document alone .08 is predicted, and as much of AP where one is relevant."""
    audited = {(row.collection, row.family): row for row in audit_variances(data)}
    assert list(audited) == [("c1", "AP"), ("c1", "RR"), ("c3", "AP"), ("c3", "Success")]
    of_rr = audited["c1", "RR"]
    assert (of_rr.n_measures, of_rr.lowest, of_rr.highest) == (2, 1.5, 3.0)
    assert of_rr.ratio == round(4.5**0.5, 3)
    assert (of_rr.variance_class, of_rr.is_beyond) == ("one", True)
    assert (audited["c1", "AP"].ratio, audited["c1", "AP"].is_beyond) == (0.25, True)
    # From grade 2 on one document is relevant; else sixty.
    assert (audited["c3", "AP"].ratio, audited["c3", "AP"].variance_class) == (0.75, "one")
    assert not audited["c3", "AP"].is_beyond
    output = tmp_path / "audit.json"
    assert main(["audit", str(data), "--output", str(output)]) == 0
    assert output.read_text() == audit_text(list(audited.values()))
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"{'c1':<28}{'AP':<8}{'one':<10}  0.25  beyond 2"
    assert printed[3] == f"{'c3':<28}{'Success':<8}{'one':<10}  1.00"
    assert printed[4:] == [f"{output}: 4 collections and families of measures, 2 off by more than a factor of 2."]


def test_collections_of_one_family_are_put_together_from_three_on_with_many_systems(data):
    rng = np.random.default_rng(4)

    def table(collection, n_systems=45, measure="AP", **facts):
        scores = rng.uniform(0.1, 0.9, (n_systems, 3))
        matrix = ScoreMatrix([f"s{n}" for n in range(n_systems)], ["1", "2", "3"], scores)
        return Table(collection, measure, matrix, **({"relevant": 40.0} | facts))

    few = [table("c4"), table("c4", measure="AP@100"), table("c5"), table("c6", 44), table("c7", is_sparse=True)]
    unknown = [table("c8", relevant=None), table("c9", measure="P@5"), table("c4", measure="P@10")]
    assert boards_of_one_family(data, [*few, *unknown]) == []
    third = table("c9", measure="AP@10")
    (boards,) = boards_of_one_family(data, [*few, *unknown, third])
    assert boards == [few[0], few[2], third]
