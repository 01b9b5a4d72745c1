"""Each upstream repository's files, in small texts of our own in its form."""

import json

import pytest

from analysis.readers.upstream import UPSTREAMS, Score

ANSERINI = """\
topics:
  - name: "[TREC 2018 Topics](https://example.org/t.txt)"
    id: one
    qrels: first
  - name: Others
    id: two
    qrels: second
models:
  - name: bm25
    results:
      MAP:
        - 0.2490
        - 0.3000
"""
PREBUILT = """\
conditions:
  - name: bm25
    topics:
      - topic_key: cacm
        eval_key: cacm-qrels
        expected_scores:
          MAP: 0.3123
"""


def read(name: str, path: str, text: str) -> list[Score]:
    upstream = UPSTREAMS[name]
    assert upstream.has_results(path)
    return list(upstream.read(path, text))


def test_anserini_names_topics_by_their_place_and_files_without_folder():
    folder = "src/main/resources/regression"
    one, other = read("anserini", f"{folder}/toys.yaml", ANSERINI)
    assert (one.printed, one.line, one.system) == ("0.2490", 12, "Anserini toys bm25 [TREC 2018 Topics]")
    assert (other.printed, other.system) == ("0.3000", "Anserini toys bm25 [Others]")
    renamed = ANSERINI.replace("first", "renamed").replace("TREC 2018 Topics", "Another name")
    moved = read("anserini", "src/main/resources/reproduce/from-document-collection/configs/toys.yaml", renamed)
    assert [score.key for score in moved] == [one.key, other.key]


def test_anserini_of_prebuilt_indexes():
    (score,) = read("anserini", "src/main/resources/reproduce/from-prebuilt-indexes/configs/cacm.yaml", PREBUILT)
    assert (score.system, score.measure, score.printed, score.line) == ("Anserini bm25", "MAP", "0.3123", 7)
    assert "cacm-qrels" in score.places


def test_mteb_by_split_and_subset():
    text = json.dumps(
        {
            "scores": {
                "test": [
                    {"hf_subset": "en", "main_score": 0.5, "ndcg_at_10": 0.5, "accuracy": 0.9},
                    {"hf_subset": "de", "ndcg_at_10": None, "main_score": 0.25},
                ]
            }
        },
        indent=1,
    )
    found = read("mteb", "results/maker__model/external/Toys.json", text)
    assert {(score.places[0], score.measure, score.printed) for score in found} == {
        ("Toys/test/en", "main_score", "0.5"),
        ("Toys/test/en", "ndcg_at_10", "0.5"),
        ("Toys/test/de", "main_score", "0.25"),
    }
    assert {score.system for score in found} == {"maker/model"}
    assert all(score.is_self_reported for score in found)
    lines = text.split("\n")
    assert all(score.printed in lines[score.line - 1] for score in found)
    assert not UPSTREAMS["mteb"].has_results("results/maker__model/external/model_meta.json")


def test_rank_llm_lists_and_runs():
    where = "    datasets:\n      - dataset: dl19-passage\n        scores:\n          - nDCG@10: 0.7\n"
    listed = f"conditions:\n  - name: monot5\n{where}"
    (score,) = read("rank_llm", "src/rank_llm/2cr/msmarco-v1-passage.yaml", listed)
    assert (score.system, score.printed, score.line) == ("rank_llm monot5", "0.7", 6)
    run = {"file": "rerank_results/BM25/m_4096_100_rank_GPT_dl19_2023.txt", "result": ["ndcg_cut_10\tall\t0.6470"]}
    (score,) = read("rank_llm", "trec_eval_aggregated_results/x.jsonl", json.dumps(run) + "\n")
    assert (score.measure, score.printed, score.places, score.line) == ("ndcg_cut_10", "0.6470", ("dl19",), 1)


def test_tirex():
    text = json.dumps({"toys": {"A": {"approach": "A", "ndcg@10": 0.125, "unjudged@10": 0.5}}})
    (score,) = read("tirex", "analysis-of-submissions/all_evaluations.json", text)
    assert (score.places, score.system, score.printed) == (("toys",), "A", "0.125")


@pytest.mark.parametrize(("name", "path"), [("pyserini", "pyserini/2cr/x.yaml"), ("mteb", "results/a/b/c.json")])
def test_what_is_no_such_file_is_an_error(name, path):
    with pytest.raises((ValueError, KeyError)):
        list(UPSTREAMS[name].read(path, "{}" if path.endswith("json") else "other: 1\n"))
