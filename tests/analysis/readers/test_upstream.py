"""Each upstream repository's files, in small texts of our own in its form."""

import json
from collections.abc import Iterator

import pytest

from analysis.readers.upstream import UPSTREAMS, Score, Upstream
from tests.analysis.test_method_pages import PYTHON_BLOCK
from tests.test_docs import DOCS

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


CONDITIONS = """\
conditions:
  - name: bm25.de
    splits:
      - split: dev
        scores:
          - MAP: 0.1
          - R@100: 0.20
  - model_name: splade
    topics:
      - eval_key: dl19
        scores:
          MAP: 0.3
    datasets:
      - dataset: scifact
        scores: {MAP: 0.4}
  - name: whole
    scores: {MAP: 0.5}
"""


def read(name: str, path: str, text: str) -> list[Score]:
    upstream = UPSTREAMS[name]
    assert upstream.has_results(path)
    return list(upstream.read(path, text))


def test_anserini_names_topics_by_their_place_and_files_without_folder():
    folder = "src/main/resources/regression"
    first, second = read("anserini", f"{folder}/toys.yaml", ANSERINI)
    assert (first.printed, first.line, first.system) == ("0.2490", 12, "Anserini toys bm25 [TREC 2018 Topics]")
    assert (second.printed, second.system) == ("0.3000", "Anserini toys bm25 [Others]")
    assert (first.key, first.places) == (
        ("toys", "bm25", "0", "MAP"),
        ("toys/0", "TREC 2018 Topics/first", "TREC 2018 Topics"),
    )
    assert (second.key, second.places, second.line) == (
        ("toys", "bm25", "1", "MAP"),
        ("toys/1", "Others/second", "Others"),
        13,
    )
    renamed = ANSERINI.replace("first", "renamed").replace("TREC 2018 Topics", "Another name")
    moved = read("anserini", "src/main/resources/reproduce/from-document-collection/configs/toys.yaml", renamed)
    assert [score.key for score in moved] == [first.key, second.key]


def test_pyserini_names_a_condition_with_its_place():
    scores = read("pyserini", "pyserini/2cr/miracl.yaml", CONDITIONS)
    assert [(score.key, score.places, score.system, score.printed, score.line) for score in scores] == [
        (("miracl", "bm25.de", "dev", "MAP"), ("miracl/bm25.de/dev", "miracl/de/dev", "miracl/dev"),
         "Pyserini bm25.de", "0.1", 6),
        (("miracl", "bm25.de", "dev", "R@100"), ("miracl/bm25.de/dev", "miracl/de/dev", "miracl/dev"),
         "Pyserini bm25.de", "0.20", 7),
        (("miracl", "splade", "scifact", "MAP"), ("miracl/splade/scifact",) * 2 + ("miracl/scifact",),
         "Pyserini splade", "0.4", 15),
        (("miracl", "splade", "dl19", "MAP"), ("miracl/splade/dl19",) * 2 + ("miracl/dl19",), "Pyserini splade",
         "0.3", 12),
        (("miracl", "whole", "", "MAP"), ("miracl/whole/",) * 2 + ("miracl/",), "Pyserini whole", "0.5", 17),
    ]  # fmt: skip
    assert not any(score.is_self_reported for score in scores)


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
    scores = read("mteb", "results/maker__model/external/Toys.json", text)
    assert {(score.places[0], score.measure, score.printed) for score in scores} == {
        ("Toys/test/en", "main_score", "0.5"),
        ("Toys/test/en", "ndcg_at_10", "0.5"),
        ("Toys/test/de", "main_score", "0.25"),
    }
    assert {score.system for score in scores} == {"maker/model"}
    assert all(score.is_self_reported for score in scores)
    lines = text.split("\n")
    assert all(score.printed in lines[score.line - 1] for score in scores)
    assert not UPSTREAMS["mteb"].has_results("results/maker__model/external/model_meta.json")


def test_mteb_of_a_revision_without_subsets_or_measures_of_rankings():
    text = '{"scores": {"dev": [{"map_at_5": 0.1, "f1": 0.2, "mrr_at_1": NaN}], "test": null}, "task": "Toys"}'
    (score,) = read("mteb", "results/maker__model__v2/abc/Toys.json", text.replace("null", "[]"))
    assert score.key == ("maker__model__v2", "abc", "Toys", "dev", "default", "map_at_5")
    assert (score.system, score.places, score.is_self_reported) == ("maker/model__v2", ("Toys/dev/default",), False)
    head = '{"dataset_revision": "c22ab2a51041ffd869aaddef7af8d8215647e41a", "mteb_version": "2.1.0", '
    (evaluated,) = read("mteb", "results/m/abc/Toys.json", head + '"scores": {"dev": [{"map_at_5": 0.1}]}}')
    assert (evaluated.evaluator, evaluated.dataset_revision) == ("mteb 2.1.0", "c22ab2a510")
    assert (score.evaluator, score.dataset_revision) == ("", "")
    assert read("mteb", "results/m/abc/Toys.json", '{"scores": null}') == []
    for broken in ('{"scores": {}, "scores": {}}', '{"scores": 5}', '{"scores": {"dev": {}}}'):
        with pytest.raises(ValueError, match=r"more than one|expected [{\[] at"):
            read("mteb", "results/m/abc/Toys.json", broken)


def test_rank_llm_lists_and_runs():
    where = "    datasets:\n      - dataset: dl19-passage\n        scores:\n          - nDCG@10: 0.7\n"
    listed = f"conditions:\n  - name: monot5\n{where}"
    (score,) = read("rank_llm", "src/rank_llm/2cr/msmarco-v1-passage.yaml", listed)
    assert (score.system, score.printed, score.line) == ("rank_llm monot5", "0.7", 6)
    run = {"file": "rerank_results/BM25/m_4096_100_rank_GPT_dl19_2023.txt", "result": ["ndcg_cut_10\tall\t0.6470"]}
    (score,) = read("rank_llm", "trec_eval_aggregated_results/x.jsonl", json.dumps(run) + "\n")
    assert (score.measure, score.printed, score.places, score.line) == ("ndcg_cut_10", "0.6470", ("dl19",), 1)
    assert score.system == "rank_llm BM25 > m_4096_100_rank_GPT_dl19_2023"
    assert score.key == ("m_4096_100_rank_GPT_dl19_2023", "BM25", "ndcg_cut_10")
    other = run | {"file": "rerank_results/BM25/of_no_year.txt"}
    lines = f"{json.dumps(run)}\n\n{json.dumps(other)}\n"
    scores = read("rank_llm", "trec_eval_aggregated_results/x.jsonl", lines)
    assert [(score.places, score.line) for score in scores] == [(("dl19",), 1), ((), 3)]


@pytest.mark.parametrize(("name", "path"), [("pyserini", "pyserini/2cr/x.yaml"), ("mteb", "results/a/b/c.json")])
def test_what_is_no_such_file_is_an_error(name, path):
    with pytest.raises((ValueError, KeyError)):
        list(UPSTREAMS[name].read(path, "{}" if path.endswith("json") else "other: 1\n"))


def test_the_example_of_an_adapter_reads_what_it_says():
    (code,) = PYTHON_BLOCK.findall((DOCS / "upstream.md").read_text(encoding="utf-8"))
    names = {"Iterator": Iterator, "Score": Score, "Upstream": Upstream}
    exec(compile(code, "docs/upstream.md", "exec"), names)
    _, score = names["read"]("results/toys.txt", "toys BM25 0.310\ntoys RM3 0.320\n")
    assert (score.system, score.printed, score.line) == ("RM3", "0.320", 2)
    assert names["UPSTREAM"].has_results("results/toys.txt")
