"""The variance library: what matrices show, what is typical, and honest fallbacks."""

import pytest

from analysis.reliability import family_weighted_variance, near_copies, two_way_anova
from tests.analysis.matrices import distinct_matrix, shipped_matrix
from tests.data.shipped import table

LIBRARY = table("variance_library.csv")
BY_KEY = {(row["collection"], row["measure"]): row for row in LIBRARY}
UNNAMED = table("topic_scores/unnamed/manifest.csv")


def residual_sd(collection, measure, column="residual_variance"):
    return float(BY_KEY[collection, measure][column]) ** 0.5


def test_a_collection_or_a_measure_stands_in_it_once():
    assert len(BY_KEY) == len(LIBRARY)
    assert {row["collection"] for row in LIBRARY} - {""} <= {row["slug"] for row in table("collections.csv")}
    assert {row["measure"] for row in LIBRARY} <= {row["name"] for row in table("measures.csv")}


def test_it_is_measured_on_collections():
    for row in LIBRARY:
        assert row["kind"] == "own-variance"
        assert row["n_systems"]
        assert row["n_topics"]
        assert row["sources"].startswith(row["collection"])
        assert len(row["sources"]) <= 300


@pytest.mark.parametrize(
    ("collection", "measure", "expected"),
    [
        ("trec-5-adhoc", "AP", 0.1235),
        ("trec-6-adhoc", "AP", 0.1418),
        ("trec-7-adhoc", "AP", 0.1097),
        ("trec-8-adhoc", "P@10", 0.1940),
        ("trec-2004-robust", "AP", 0.1206),
        ("trec-2011-web", "nDCG(dcg='exp-log2')@20", 0.1455),
    ],
)
def test_residual_deviations_are_those_measured_independently(collection, measure, expected):
    assert residual_sd(collection, measure, "mean_square") == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("collection", "measure", "expected", "tolerance"),
    [
        # Found with other code, whose near-copies are slightly fewer or more.
        ("trec-2004-robust", "AP", 0.015473, 0.006),
        ("trec-7-adhoc", "AP", 0.012272, 0.006),
        ("trec-8-adhoc", "AP", 0.013294, 0.008),
        ("trec-2003-robust", "AP", 0.009160, 0.006),
        ("trec-5-adhoc", "P@10", 0.043662, 0.002),
    ],
)
def test_weighting_families_gives_what_was_found_with_other_code(collection, measure, expected, tolerance):
    variance = float(BY_KEY[collection, measure]["residual_variance"])
    assert variance == pytest.approx(expected, rel=tolerance)


@pytest.mark.parametrize(
    "row", [row for row in UNNAMED if row["file"].endswith("AP.csv")], ids=lambda row: row["collection"]
)
def test_the_variances_of_a_shipped_matrix_follow_from_it(row):
    name = row["file"].removesuffix(".csv")
    matrix, once = shipped_matrix(name), distinct_matrix(name)
    entry = BY_KEY[row["collection"], row["measure"]]
    assert (int(entry["n_systems"]), int(entry["n_topics"])) == (matrix.n_systems, matrix.n_topics)
    assert float(entry["mean_square"]) == pytest.approx(two_way_anova(matrix).residual_variance, abs=1e-6)
    weighted = family_weighted_variance(once, near_copies(once).families)
    assert float(entry["residual_variance"]) == pytest.approx(weighted, abs=1e-6)


def test_the_mean_square_of_a_shipped_matrix_follows_from_a_slow_loop():
    matrix = shipped_matrix("trec-dl-2019-passage__nDCG-at-10")
    scores, n, k = matrix.scores.tolist(), matrix.n_topics, matrix.n_systems
    overall = sum(map(sum, scores)) / (n * k)
    of_system = [sum(row) / n for row in scores]
    of_topic = [sum(row[topic] for row in scores) / k for topic in range(n)]
    residual = sum((scores[s][t] - of_system[s] - of_topic[t] + overall) ** 2 for s in range(k) for t in range(n))
    row = BY_KEY["trec-dl-2019-passage", "nDCG@10"]
    mean_square = residual / ((n - 1) * (k - 1))
    assert float(row["mean_square"]) == pytest.approx(mean_square, abs=1e-6)
    between = k * sum((mean - overall) ** 2 for mean in of_topic) / (n - 1)
    assert float(row["topic_variance"]) == pytest.approx((between - mean_square) / k, abs=1e-6)


def test_runs_of_one_maker_are_one_family():
    """rank_llm's eleven runs: eight of castorini's own, and three first stages by others."""
    row = BY_KEY["trec-dl-2019-passage", "nDCG@10"]
    assert row["n_makers"] == "4"
    matrix = shipped_matrix("trec-dl-2019-passage__nDCG-at-10")
    others = {"OPEN_AI_ADA2": "openai", "D_BERT_KD_TASB": "tu wien", "SPLADE_P_P_ENSEMBLE_DISTIL": "naver"}
    makers = [others.get(name.removeprefix("rank_llm "), "castorini") for name in matrix.systems]
    assert float(row["residual_variance"]) == pytest.approx(family_weighted_variance(matrix, makers), abs=1e-6)


def test_known_items_are_those_of_their_tracks_and_where_one_document_is_right():
    rows = {row["slug"]: row for row in table("collections.csv")}
    known = {slug for slug, row in rows.items() if row["task"] == "known-item"}
    assert {"trec-2001-web-homepage", "beir-arguana", "msmarco-passage-dev", "wikipedia-dpr-100w-nq-test"} <= known
    assert not {"trec-7-adhoc", "beir-fever", "trec-2004-web-all-types", "beir-trec-covid"} & known
    counted = {slug: float(row["relevant_per_topic"]) for slug, row in rows.items() if row["relevant_per_topic"]}
    assert {slug for slug, relevant in counted.items() if relevant < 1.1} <= known
    assert (counted["beir-trec-covid"], counted["beir-arguana"], counted["miracl-te-dev"]) == (493.5, 1, 1.0314)


def test_bounds_stand_where_the_number_of_topics_does_not():
    rows = {row["slug"]: row for row in table("collections.csv")}
    bounded = {slug: int(row["n_topics_at_least"]) for slug, row in rows.items() if row["n_topics_at_least"]}
    counted = {slug for slug in bounded if "number of different queries" in rows[slug]["n_topics_at_least_source"]}
    assert len(counted) == 4
    assert {slug: n for slug, n in bounded.items() if slug not in counted} == {
        "beir-cqadupstack": 12 * 506,
        "trec-1996-dbmerge-b": 45,
        "trec-1997-routing-b": 46,
        "trec-2002-novelty": 49,
        "trec-2010-chemical-priorart-full": 532,
        "trec-2010-chemical-priorart-sm-small": 66,
        "trec-2011-chemical-priorart": 332,
        "trec-2015-context-live": 380,
    }
    assert all(not rows[slug]["n_topics"] and rows[slug]["n_topics_at_least_source"] for slug in bounded)
