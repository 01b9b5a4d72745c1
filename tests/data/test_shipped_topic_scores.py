"""Shipped per-topic scores belong to the results they stand behind, and to nobody who was promised anonymity."""

import csv
import gzip
import io
import re
from functools import cache

import pytest

from tests.data.shipped import DATA, matrix, results, table

MANIFEST = table("topic_scores/manifest.csv")
FILES = [row["file"] for row in MANIFEST]
UNNAMED = table("topic_scores/unnamed/manifest.csv")


@cache
def published():
    return {(row["collection"], row["measure"], row["system"]): row for row in results()}


def test_the_manifest_lists_every_file():
    assert sorted(FILES) == sorted(path.name for path in (DATA / "topic_scores").glob("*__*.csv"))
    assert {row["licence"] for row in MANIFEST} == {"Apache-2.0", "MIT"}


def unnamed(file: str) -> list[list[str]]:
    content = (DATA / "topic_scores" / "unnamed" / file).read_bytes()
    text = gzip.decompress(content) if file.endswith(".gz") else content
    return list(csv.reader(io.StringIO(text.decode("utf-8"))))


def test_anonymised_runs_are_not_among_those_with_names():
    for file in FILES:
        assert [name for name in matrix(file)[1] if re.fullmatch(r"run\d+", name)] == []
    assert [row["source"] for row in (*MANIFEST, *results()) if "urbano" in row["source"].lower()] == []


def test_the_manifest_of_unnamed_runs_lists_every_file_with_its_terms():
    folder = DATA / "topic_scores" / "unnamed"
    assert sorted(row["file"] for row in UNNAMED) == sorted(
        path.name for path in folder.iterdir() if path.name != "manifest.csv"
    )
    assert {row["licence"] for row in UNNAMED} == {"CC BY-SA 4.0", "MIT", "Apache-2.0"}
    assert max((folder / row["file"]).stat().st_size for row in UNNAMED) < 2e6


@pytest.mark.parametrize("row", UNNAMED, ids=[row["file"] for row in UNNAMED])
def test_unnamed_runs_have_no_names_and_a_score_on_every_topic(row):
    header, *lines = unnamed(row["file"])
    if row["runs"] == "participants' runs, names withheld":
        assert header == ["topic", *(f"run{number}" for number in range(1, len(header)))]
        assert [line[0] for line in lines] == [f"topic{number}" for number in range(1, len(lines) + 1)]
    else:
        assert not set(header[1:]) & {own["system"] for own in results()}
    assert {len(line) for line in lines} == {len(header)}
    assert all(0 <= float(cell) <= 1 for line in lines for cell in line[1:])


@pytest.mark.parametrize("row", MANIFEST, ids=FILES)
def test_means_agree_with_the_published_rows(row):
    topics, scores = matrix(row["file"])
    rows = published()
    for system, values in scores.items():
        result = rows.get((row["collection"], row["measure"], system))
        # The results of CLEF TAR, CAsT and the Touché runs are made from these means; all others stand in results/.
        sources = ("CLEF-TAR/tar", "daltonj/treccastweb", "castorini/touche-error-analysis")
        assert result or row["source"] in sources, system
        if result:
            assert sum(values) / len(topics) == pytest.approx(float(result["value"]), abs=1.01e-4)


def test_files_of_a_collection_share_its_topics():
    n_topics = {row["slug"]: int(row["n_topics"] or 0) for row in table("collections.csv")}
    seen = {}
    for row in MANIFEST:
        topics, _ = matrix(row["file"])
        assert len(set(topics)) == len(topics) == n_topics[row["collection"]]
        assert sorted(seen.setdefault(row["collection"], topics)) == sorted(topics)


def test_recomputed_means_agree_with_what_others_print():
    """BM25 over two fields is the same run as Anserini's, whose regression prints its scores."""
    _, scores = matrix("beir-webis-touche2020__nDCG-at-10.csv")
    own = sum(scores["bm25-webis-touche2020-multifield"]) / 49
    printed = {row["value"] for row in results() if row["system"] == "Pyserini bm25-multifield"
               and (row["collection"], row["measure"]) == ("beir-webis-touche2020", "nDCG@10")}  # fmt: skip
    assert printed == {f"{own:.4f}"} == {"0.3673"}


def test_a_family_of_runs_has_scores_on_every_topic():
    _, scores = matrix("clef-tar-2019-abs__AP.csv")
    assert len(scores) == 31
