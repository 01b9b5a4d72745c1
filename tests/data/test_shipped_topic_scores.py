"""Shipped per-topic scores belong to the results they stand behind, and to nobody who was promised anonymity."""

import re

import pytest

from tests.data.shipped import DATA, matrix, results, table

MANIFEST = table("topic_scores/manifest.csv")
FILES = [row["file"] for row in MANIFEST]


def published():
    return {(row["collection"], row["measure"], row["system"]): row for row in results()}


def test_the_manifest_lists_every_file():
    assert sorted(FILES) == sorted(path.name for path in (DATA / "topic_scores").glob("*__*.csv"))
    assert {row["licence"] for row in MANIFEST} == {"Apache-2.0", "MIT"}


def test_no_anonymised_run_is_here():
    for file in FILES:
        assert [name for name in matrix(file)[1] if re.fullmatch(r"run\d+", name)] == []
    assert [row["source"] for row in (*MANIFEST, *results()) if "urbano" in row["source"].lower()] == []


@pytest.mark.parametrize("row", MANIFEST, ids=FILES)
def test_means_agree_with_the_published_rows(row):
    topics, scores = matrix(row["file"])
    rows = published()
    for system, values in scores.items():
        result = rows.get((row["collection"], row["measure"], system))
        # The results of CLEF TAR are made from these means; all others stand in results/.
        assert result or row["source"] == "CLEF-TAR/tar", system
        if result:
            assert sum(values) / len(topics) == pytest.approx(float(result["value"]), abs=1.01e-4)


def test_files_of_a_collection_share_its_topics():
    n_topics = {row["slug"]: int(row["n_topics"] or 0) for row in table("collections.csv")}
    seen = {}
    for row in MANIFEST:
        topics, _ = matrix(row["file"])
        assert len(set(topics)) == len(topics) == n_topics[row["collection"]]
        assert sorted(seen.setdefault(row["collection"], topics)) == sorted(topics)


def test_a_family_of_runs_has_scores_on_every_topic():
    _, scores = matrix("clef-tar-2019-abs__AP.csv")
    assert len(scores) == 31
