"""The variance library: what matrices show, what is typical, and honest fallbacks."""

import pytest

from tests.data.shipped import matrix, table

LIBRARY = table("variance_library.csv")
BY_KEY = {(row["collection"], row["measure"]): row for row in LIBRARY}


def residual_sd(collection, measure):
    return float(BY_KEY[collection, measure]["residual_variance"]) ** 0.5


def test_a_collection_or_a_measure_stands_in_it_once():
    assert len(BY_KEY) == len(LIBRARY)
    assert {row["collection"] for row in LIBRARY} - {""} <= {row["slug"] for row in table("collections.csv")}
    assert {row["measure"] for row in LIBRARY} <= {row["name"] for row in table("measures.csv")}


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
    assert residual_sd(collection, measure) == pytest.approx(expected, abs=5e-5)


def test_the_variances_of_a_shipped_matrix_follow_from_a_slow_loop():
    topics, scores = matrix("trec-dl-2019-passage__nDCG-at-10.csv")
    systems, n, k = list(scores), len(topics), len(scores)
    overall = sum(sum(scores[s]) for s in systems) / (n * k)
    of_system = {s: sum(scores[s]) / n for s in systems}
    of_topic = [sum(scores[s][t] for s in systems) / k for t in range(n)]
    residual = sum((scores[s][t] - of_system[s] - of_topic[t] + overall) ** 2 for s in systems for t in range(n))
    row = BY_KEY["trec-dl-2019-passage", "nDCG@10"]
    mean_square = residual / ((n - 1) * (k - 1))
    assert float(row["residual_variance"]) == pytest.approx(mean_square, abs=1e-6)
    between = k * sum((mean - overall) ** 2 for mean in of_topic) / (n - 1)
    assert float(row["topic_variance"]) == pytest.approx((between - mean_square) / k, abs=1e-6)


def test_typical_values_are_medians_over_collections():
    deviations = sorted(residual_sd(c, m) for c, m in BY_KEY if m == "P@10" and c)
    assert residual_sd("", "P@10") == pytest.approx((deviations[1] + deviations[2]) / 2, abs=1e-5)
    assert residual_sd("", "AP") == pytest.approx(0.12, abs=0.02)
    assert residual_sd("", "RR") == pytest.approx(0.31, abs=0.01)


def test_what_is_borrowed_says_from_where():
    borrowed = [row for row in LIBRARY if row["family"]]
    assert all(f"borrowed from {row['family']}" in row["note"] for row in borrowed)
    assert all(row["residual_variance"] == BY_KEY["", row["family"]]["residual_variance"] for row in borrowed)
    assert BY_KEY["", "infAP"]["family"] == "AP"


@pytest.mark.parametrize("measure", ["P@1000", "R@100", "Rprec", "Bpref", "infNDCG", "alpha_nDCG@10", "GMAP"])
def test_a_measure_that_nothing_supports_has_no_row(measure):
    assert [row for row in LIBRARY if row["measure"] == measure] == []


def test_few_relevant_documents_a_topic_are_given_a_wider_spread():
    assert residual_sd("beir-fever", "nDCG@10") > 2 * residual_sd("", "nDCG@10")
    assert ("beir-trec-covid", "nDCG@10") not in BY_KEY


def test_sources_fit_the_column_that_stores_them():
    assert all(0 < len(row["source"]) <= 300 for row in LIBRARY)
    assert all(float(row["residual_variance"]) > 0 for row in LIBRARY)
