"""data/find_lines.py: the line that prints a result is found by what its file is made of."""

import csv
import importlib
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.data.shipped import DATA, Row, results

COLUMNS = ["collection", "measure", "system", "value", "date", "role", "paper_url", "source", "locator", "notes"]

SUMMARY = """# Results

#### runA 
[**`Metadata`**](./runs.md#runa)
??? example "summary (opinion)"
	```
	map				all	0.1000
	P_10			all	0.3000
	```
??? example "summary (topicrel)"
	```
	map				all	0.2000
	```
#### runB 
??? example "summary (trec_eval)"
	```
	map				all	0.2000
	P_10			all	0.2500
	map				all	0.3000
	```
"""  # noqa: W291

MODELS = """topics:
  - name: "[First topics](https://example.org)"
    id: one
    qrels: one
  - name: "Second topics"
    id: two
    qrels: two
models:
  - name: bm25
    results:
      MAP:
        - 0.2490
        - 0.2490
  - name: bm25+rm3
    results:
      MAP:
        - 0.2600
        - 0.2700
"""

CONDITIONS = """conditions:
  - name: bm25
    topics:
      - topic_key: dl19
        eval_key: dl19-passage
        scores:
          - MAP: 0.3013
            R@1K: 0.7501
      - topic_key: dl20
        eval_key: dl20-passage
        scores:
          - MAP: 0.2856
"""

TASK = """{
  "scores": {
    "dev": [
      {"hf_subset": "en",
       "ndcg_at_10": 0.5,
       "main_score": 0.5},
      {"ndcg_at_10": 0.75, "map_at_1000": 0.5,
       "hf_subset": "de", "x": NaN}
    ],
    "test": [
      {"ndcg_at_10": 0.5, "hf_subset": "en"}
    ]
  }
}
"""

PAPERS = """[
  {"short_cite": "A (SIGIR 2005)", "link": "https://example.org/1",
   "best": {"AP": 0.30},
   "baseline": {"AP": 0.25}},
  {"short_cite": "A (SIGIR 2005)", "link": "https://example.org/2",
   "best": {"AP": 0.3}}
]
"""

TABLE = """id,description,date,eval,dev
,BERT,2020/01/02,0.300,0.310
,"Two
lines",2020/01/03,0.320,0.330
,BERT,2020/01/02,0.305,0.315
"""

TREC, MTEB = "usnistgov/trec-browser", "embeddings-benchmark/results"
ANSERINI, PYSERINI = "castorini/anserini", "castorini/pyserini"
PAPERS_OF_ROBUST04 = "lintool/robust04-analysis"
MS_MARCO = "microsoft/MSMARCO-Passage-Ranking-Submissions"

RANK_LLM, JUDGEMENTS = "castorini/rank_llm", "castorini/anserini-tools"

FILES = {
    RANK_LLM: {"runs/a.txt": "1 Q0 d2 1 9 a\n1 Q0 d1 2 8 a\n2 Q0 d1 1 9 a\n"},
    JUDGEMENTS: {"qrels/qrels.two.txt": "1 0 d1 1\n2 0 d1 1\n"},
    TREC: {"blog/results.md": SUMMARY},
    MTEB: {"results/m/1/Task.json": TASK},
    ANSERINI: {"configs/x.yaml": MODELS},
    PYSERINI: {"2cr/x.yaml": CONDITIONS},
    PAPERS_OF_ROBUST04: {"papers.json": PAPERS},
    MS_MARCO: {"leaderboard.csv": TABLE},
}


def row(source: str, **cells: str) -> Row:
    """Return a result of the only file of a source."""
    (path,) = FILES[source]
    return {"measure": "AP", "role": "baseline", "source": source, "locator": path, "collection": "c"} | cells


def write(path: Path, columns: list[str], rows: list[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=n", "-c", "user.email=n@example.org"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def repositories(tmp_path_factory) -> tuple[Path, list[Row]]:
    """Return repositories with those files in an earlier state, and which that was."""
    root, states = tmp_path_factory.mktemp("repositories"), []
    for source, files in FILES.items():
        folder = root / source
        folder.mkdir(parents=True)
        git(folder, "init", "-q")
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", "as read")
        states.append({"source": source, "state": git(folder, "rev-parse", "HEAD")})
        (folder / next(iter(files))).write_text("gone")
        git(folder, "commit", "-q", "-a", "-m", "later")
    return root, states


@pytest.fixture(scope="module")
def find_lines():
    """Return the program, to be called within this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DATA)
        yield importlib.import_module("find_lines")


@pytest.fixture
def look_up_lines(repositories, find_lines, tmp_path, capsys):
    """Look rows up in the repositories; give the rows afterwards, and what was printed."""
    root, states = repositories
    write(tmp_path / "sources.csv", ["source", "state"], states)
    results_file = tmp_path / "results" / "some.csv"

    def look_up(*rows: Row, in_own_process: bool = False) -> tuple[list[Row], str]:
        tasks = {row["collection"]: row.get("mteb_task", "") for row in rows}
        collections = [{"slug": slug, "mteb_task": task} for slug, task in tasks.items()]
        write(tmp_path / "collections.csv", ["slug", "mteb_task", "aliases"], collections)
        write(results_file, COLUMNS, [{name: row.get(name, "") for name in COLUMNS} for row in rows])
        options = ["--repositories", str(root), "--data", str(tmp_path)]
        if in_own_process:
            command = [sys.executable, str(DATA / "find_lines.py"), *options]
            output = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
        else:
            assert find_lines.main(options) == 0
            output = capsys.readouterr().out
        with results_file.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file)), output

    return look_up


@pytest.mark.parametrize(
    ("result", "line"),
    [
        (row(TREC, collection="trec-2008-blog-opinion-opinion", system="runA", value="0.1000"), 7),
        (row(TREC, collection="trec-2008-blog-opinion", system="runA", value="0.2000"), 12),
        (row(TREC, system="runA", measure="P@15", value="0.3000", notes='printed as "P_10", but not so'), 8),
        (row(TREC, system="runB", value="0.3000", notes="block 2 of the summary"), 19),
        (row(ANSERINI, system="Anserini x bm25 [First topics]", value="0.2490", notes="topics=First topics"), 12),
        (row(ANSERINI, system="Anserini x bm25 [Second topics]", value="0.2490", notes="topics=Second topics"), 13),
        (row(ANSERINI, system="Anserini x bm25+rm3", value="0.2700", notes="corpus=c; topics=Second topics"), 18),
        (row(PYSERINI, system="Pyserini bm25", value="0.3013", measure="AP(rel=2)", notes="key=dl19-passage"), 7),
        (row(PYSERINI, system="Pyserini bm25", value="0.7501", measure="R@1000", notes="key=dl19-passage"), 8),
        (row(MTEB, system="m", measure="nDCG@10", collection="c-dev", mteb_task="Task (en)", value="0.5"), 5),
        (row(MTEB, system="m", measure="nDCG@10", collection="c-test", mteb_task="Task (en)", value="0.5"), 11),
        (row(MTEB, system="m", measure="AP@1000", collection="c-dev", mteb_task="Task (de)", value="0.5"), 7),
        (row(PAPERS_OF_ROBUST04, system="p", role="proposed", paper_url="https://example.org/2", value="0.3"), 6),
        (row(PAPERS_OF_ROBUST04, system="b", paper_url="https://example.org/1", value="0.25"), 4),
        (row(MS_MARCO, system="Two\nlines", collection="msmarco-passage-eval", date="2020-01-03", value="0.320"), 4),
        (
            row(
                MS_MARCO,
                system="BERT (submitted 2020-01-02 #2)",
                collection="msmarco-passage-dev",
                date="2020-01-02",
                value="0.315",
            ),
            5,
        ),
    ],
)
def test_a_result_gets_the_line_of_its_own_place(look_up_lines, result, line):
    ((after,), output) = look_up_lines(result)
    assert after["locator"] == f"{result['locator']}#L{line}"
    assert output == f"{result['source']}: 1 found\n"


def test_looking_again_changes_nothing(look_up_lines):
    (first, _) = look_up_lines(row(ANSERINI, system="Anserini x bm25", value="0.249", notes="topics=First topics"))
    (again, _) = look_up_lines(*first, in_own_process=True)
    assert again == first


@pytest.mark.parametrize(("printed", "code"), [("0.7500", 0), ("0.7501", 1)])
def test_results_are_opened_at_their_line_or_scored_again_from_their_run(repositories, tmp_path, capsys, printed, code):
    root, states = repositories
    write(tmp_path / "sources.csv", ["source", "state"], states)
    state = next(source["state"] for source in states if source["source"] == RANK_LLM)
    run = row(RANK_LLM, locator=f"runs/a.txt at {state}", measure="RR@10", value=printed, notes="qrels.two.txt")
    line = row(MS_MARCO, locator="leaderboard.csv#L5", value="0.305")
    rows = [{name: cells.get(name, "") for name in COLUMNS} for cells in (run, line)]
    write(tmp_path / "results" / "some.csv", COLUMNS, rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DATA)
        opened = importlib.import_module("open_sources")
        assert opened.main(["--repositories", str(root), "--data", str(tmp_path)]) == code
    assert f"some.csv: {2 - code} of 2 stand on their line" in capsys.readouterr().out


def test_every_result_that_ships_names_its_line_unless_its_score_was_computed():
    without = Counter(
        (result["source"], result.get("provenance", "")) for result in results() if "#L" not in result["locator"]
    )
    assert without == {
        ("castorini/rank_llm", "recomputed"): 155,
        ("castorini/rank_llm", "topic_scores"): 20,
        # Read from copies of the tables.
        ("Thakur et al. (arXiv 2104.08663)", ""): 190,
        ("M3-Embedding (arXiv 2402.03216)", ""): 321,
        ("Reason-ModernColBERT (model card)", ""): 200,
        ("llama-nv-embed-reasoning-3b (README)", ""): 192,
        ("DeAR (README)", ""): 41,
        ("bge-en-icl (arXiv 2409.15700)", ""): 18,
        ("Lan et al. (arXiv 2509.24869)", ""): 192,
        ("Lassance et al. (arXiv 2403.06789)", ""): 79,
        ("Weller et al. (arXiv 2403.15246)", ""): 126,
    }
