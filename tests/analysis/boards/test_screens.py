"""Whether the best scores of a board stand apart: the boards of shipped MTEB results, and made ones."""

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from analysis.boards import screen_elsewhere, screen_gap
from analysis.errors import ArgumentError

RESULTS = Path(__file__).resolve().parents[3] / "data" / "results" / "mteb.csv"
BEIR = (
    "arguana",
    "climate-fever",
    "cqadupstack",
    "dbpedia-entity",
    "fever",
    "fiqa",
    "hotpotqa",
    "nfcorpus",
    "nq",
    "quora",
    "scidocs",
    "scifact",
    "trec-covid",
    "webis-touche2020",
)


@cache
def scores_of(dataset: str) -> tuple[dict[str, float], dict[str, str]]:
    """Scores and teams by system."""
    with RESULTS.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["collection"] == f"beir-{dataset}"]
    rows = [row for row in rows if row["measure"] == "nDCG@10"]
    return {row["system"]: float(row["value"]) for row in rows}, {row["system"]: row["team"] for row in rows}


def family_bests(dataset: str) -> list[float]:
    scores, teams = scores_of(dataset)
    bests: dict[str, float] = {}
    for system, score in scores.items():
        family = teams[system].casefold() or system
        bests[family] = max(score, bests.get(family, 0.0))
    return list(bests.values())


@pytest.mark.parametrize(
    ("dataset", "n_topics", "variance", "pvalue", "n_apart"),
    [
        ("scidocs", 1000, 0.096221, 0.010, 1),
        ("fiqa", 648, 0.096221, 0.021, 3),
        ("nfcorpus", 323, 0.018961, 0.088, 0),
        ("scifact", 300, 0.096221, 1.0, 0),
        ("trec-covid", 50, 0.018961, 0.18, 0),
        ("arguana", 1406, 0.096221, 1.0, 0),
    ],
)
def test_which_boards_have_a_gap_at_the_top(dataset, n_topics, variance, pvalue, n_apart):
    """The values of a separate computation."""
    found = screen_gap(family_bests(dataset), n_topics=n_topics, residual_variance=variance)
    assert found is not None
    assert found.pvalue == pytest.approx(pvalue, abs=0.006)
    assert found.n_apart == n_apart


@pytest.mark.parametrize(
    ("dataset", "score", "z", "predicted"),
    [
        ("scidocs", 0.59857, 7.3, 0.318),
        ("fiqa", 0.8206, 7.9, 0.431),
        ("fiqa", 0.78006, 0.2, 0.774),
        ("nfcorpus", 0.55745, 4.97, 0.452),
        ("scifact", 0.866, 4.7, 0.764),
        ("trec-covid", 0.98328, 3.9, 0.853),
        ("arguana", 0.89786, 3.4, 0.765),
    ],
)
def test_how_far_a_score_lies_from_what_its_others_predict(dataset, score, z, predicted):
    """The values of a separate computation; of FiQA's second, a small z clears nobody."""
    scores, _ = scores_of(dataset)
    others = [scores_of(other)[0] for other in BEIR if other != dataset]
    elsewhere = [[other.get(system, np.nan) for other in others] for system in scores]
    screens = screen_elsewhere(list(scores.values()), elsewhere)
    (found,) = [one for one, value in zip(screens, scores.values(), strict=True) if value == score]
    assert found is not None
    assert found.z == pytest.approx(z, abs=0.051)
    assert found.predicted == pytest.approx(predicted, abs=0.0006)


def test_a_gap_where_lower_is_better_is_the_same_gap():
    bests = family_bests("scidocs")
    mirrored = screen_gap([-score for score in bests], n_topics=1000, residual_variance=0.1, higher_is_better=False)
    plain = screen_gap(bests, n_topics=1000, residual_variance=0.1)
    assert mirrored is not None
    assert plain is not None
    assert (mirrored.pvalue, mirrored.n_apart) == (plain.pvalue, plain.n_apart)
    assert mirrored.threshold == -plain.threshold


def test_a_gap_within_three_margins_is_none():
    """At a ceiling, a thousandth can be significant among spacings of hundred thousandths, and is nothing."""
    bests = [0.999, *np.linspace(0.9980, 0.9979, 30)]
    with_margin = screen_gap(bests, n_topics=50, residual_variance=0.01)
    without = screen_gap(bests, n_topics=None, residual_variance=None)
    assert with_margin is not None
    assert without is not None
    assert with_margin.pvalue == without.pvalue < 0.05
    assert (with_margin.n_apart, with_margin.threshold) == (0, None)
    assert (without.n_apart, without.threshold) == (1, 0.999)


def test_scores_that_repeat_are_no_tail_to_compare_with():
    found = screen_gap([0.9] + [0.5] * 30, n_topics=50, residual_variance=0.01)
    assert found is not None
    assert (found.pvalue, found.n_apart) == (1.0, 0)


def test_few_families_are_untestable():
    assert screen_gap(np.linspace(0.1, 0.5, 14), n_topics=50, residual_variance=0.01) is None


@pytest.mark.slow
def test_how_often_exponential_tails_are_flagged():
    rng = np.random.default_rng(7)
    flagged = [
        screen_gap(rng.exponential(size=100), n_topics=None, residual_variance=None).n_apart > 0 for _ in range(2000)
    ]
    assert np.mean(flagged) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


def test_a_score_that_its_others_predict_is_no_outlier():
    rng = np.random.default_rng(3)
    ability = rng.normal(size=120)
    scores = 1 / (1 + np.exp(-(ability + rng.normal(scale=0.2, size=120))))
    elsewhere = 1 / (1 + np.exp(-(ability[:, None] + rng.normal(scale=0.2, size=(120, 5)))))
    z = [one.z for one in screen_elsewhere(scores, elsewhere) if one]
    assert len(z) > 110
    assert max(z) < 5


def test_too_little_to_compare_with_gives_nothing():
    scores, elsewhere = np.full(80, 0.5), np.full((80, 3), 0.5)
    assert screen_elsewhere(scores, elsewhere) == (None,) * 80  # 79 others
    low = np.r_[0.04, np.linspace(0.3, 0.6, 100)]
    some = np.tile(np.linspace(0.2, 0.7, 101)[:, None], (1, 3))
    some[1, 0] = np.nan  # Two scores elsewhere
    screens = screen_elsewhere(low, some)
    assert screens[:2] == (None, None)
    assert screens[2] is not None


def test_what_is_no_score_is_refused():
    with pytest.raises(ArgumentError, match="elsewhere"):
        screen_elsewhere([0.1, 0.2], [[0.1, 0.2, 0.3]])
    with pytest.raises(ArgumentError, match=r"\[0, 1\]"):
        screen_elsewhere([71.5] * 2, [[0.1, 0.2, 0.3]] * 2)
    with pytest.raises(ArgumentError, match="residual_variance"):
        screen_gap(np.linspace(0, 1, 20), n_topics=50, residual_variance=0.0)
