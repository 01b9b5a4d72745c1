"""How many relevant documents topics have, and which collections share topics: against what else ships."""

import pytest

from registry.catalog.relatives import RELATIONS
from tests.data.shipped import matrix, results, table

COLLECTIONS = {row["slug"]: row for row in table("collections.csv")}
DENSITIES = {row["collection"]: row for row in table("densities.csv")}
LINKS = table("collection_links.csv")
JUDGED = [row for row in DENSITIES.values() if row["n_judged"]]


def number(row, column):
    return float(row[column]) if row[column] else None


def test_every_row_is_of_a_collection_on_record():
    assert len(DENSITIES) == len(table("densities.csv")) == 1534
    assert set(DENSITIES) <= set(COLLECTIONS)
    assert {row["copied_from"] for row in DENSITIES.values()} - {""} <= set(COLLECTIONS)
    assert sum(bool(row["relevant_mean"]) for row in DENSITIES.values()) == 1334


def test_every_link_leads_to_a_collection_on_record():
    assert len(LINKS) == len({(row["collection"], row["base"]) for row in LINKS}) == 1434
    assert {row[end] for row in LINKS for end in ("collection", "base")} <= set(COLLECTIONS)
    assert {row["relation"] for row in LINKS} == set(RELATIONS)
    assert all(row["evidence"] or row["is_inferred"] for row in LINKS)


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("trec-dl-2019-passage", {"n_judged": "43", "relevant_mean": "95.3953", "grade_2_mean": "58.1628"}),
        ("trec-2004-robust", {"n_judged": "249", "relevant_mean": "69.9277", "relevant_median": "41"}),
        ("beir-arguana", {"share_with_one": "1", "mean_inverse": "1", "query_in_corpus": "yes"}),
        ("mteb-r2med-pmc-treatment", {"n_judged": "150", "relevant_mean": "2.1"}),
        ("bright-stackoverflow", {"relevant_mean": "4.0855", "anserini_removes_query": "yes"}),
        ("beir-cqadupstack", {"unit": "member", "basis": "members", "n_members": "12", "n_judged": ""}),
        ("mteb-mind-small-reranking", {"unit": "impression", "n_judged": "", "relevant_mean": ""}),
        ("trec-6-adhoc", {"basis": "stand-in", "relevant_mean": "85.8"}),
        ("ntcir8-eval", {"n_judged": "100", "n_with_relevant": "98"}),
    ],
)
def test_figures_are_those_that_were_counted(slug, expected):
    assert {column: DENSITIES[slug][column] for column in expected} == expected


def test_shares_means_and_medians_fit_each_other():
    for row in DENSITIES.values():
        share, inverse, mean = (number(row, name) for name in ("share_with_one", "mean_inverse", "relevant_mean"))
        assert share is None or 0 <= share <= 1, row
        assert (inverse is None and share is None) or row["shape"], row
        if inverse is not None and mean:
            # The mean of an inverse is no less than the inverse of the mean, and a topic with one has an inverse of 1.
            assert 1 / mean <= inverse + 1e-4, row
            assert share is None or share <= inverse + 1e-4, row
        assert (row["shape"] == "copied") == bool(row["copied_from"]), row


#: Collections of which fewer topics stand behind a mean than are judged.
COVERED = {"antique-test": (198, 200), "clef-tar-2019-content": (29, 31), "ntcir8-eval": (73, 100)} | {
    "wt10g-451-550": (98, 100)
}


def test_numbers_of_topics_are_those_of_the_judgements():
    known = {row["collection"]: COLLECTIONS[row["collection"]]["n_topics"] for row in JUDGED}
    differing = {
        row["collection"]: (int(n_topics), int(row["n_judged"]))
        for row in JUDGED
        if (n_topics := known[row["collection"]]) and n_topics not in (row["n_judged"], row["n_with_relevant"])
    }
    assert differing == COVERED
    assert sum(row["n_topics_source"].endswith("topics with judgements") for row in COLLECTIONS.values()) == 307
    assert all(row["n_topics"] != "13145" for row in COLLECTIONS.values())


@pytest.mark.parametrize("slug", ["wt10g-451-550", "ntcir8-eval"])
def test_printed_precisions_are_means_over_fewer_topics_than_are_judged(slug):
    covered, judged = COVERED[slug]
    rows = [row for row in results() if row["collection"] == slug and row["measure"].startswith("P@")]

    def fits(n_topics):
        steps = [n_topics * int(row["measure"].removeprefix("P@")) for row in rows]
        return all(
            abs(round(float(row["value"]) * n) / n - float(row["value"])) <= 0.5001e-4
            for row, n in zip(rows, steps, strict=True)
        )

    assert rows
    assert fits(covered)
    assert not fits(judged)


def test_no_count_contradicts_the_topic_scores_that_ship():
    for row in table("topic_scores/manifest.csv"):
        density = DENSITIES.get(row["collection"], {})
        if density.get("basis") == "judgements" and row["collection"] not in COVERED:
            assert len(matrix(row["file"])[0]) == int(density["n_judged"]), row


def test_results_by_two_judgings_are_held_apart():
    slugs = {slug for slug, row in COLLECTIONS.items() if row["notes"].startswith("two judgings:")}
    assert len(slugs) == 8
    rows = [row for row in results() if row["collection"] in slugs]
    apart = {row["source"] for row in rows if row["comparability"] == "other_judgements"}
    assert apart == {"castorini/anserini", "castorini/pyserini"}
    standing = [row for row in rows if row["measure"] == "nDCG@10" and row["comparability"] == "standard"]
    # What papers print agrees with MTEB's row of the one model that both have.
    printed = {
        *("AQ-MedAI/Diver", "Lan et al. (arXiv 2509.24869)"),
        *("Reason-ModernColBERT (model card)", "llama-nv-embed-reasoning-3b (README)"),
    }
    assert {row["source"] for row in standing} == {"embeddings-benchmark/results", *printed}
    seed = [row for row in rows if row["system"] == "ByteDance-Seed/Seed1.5-Embedding"]
    assert sum("also in AQ-MedAI/Diver" in row["notes"] for row in seed) == 8
