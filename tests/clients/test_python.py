"""The Python client against a running site."""

import csv
import gzip
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy
import pytest
import scipy.stats
import urllib3

import plumbline
from plumbline.__main__ import main
from tests.registry.core.lab import until

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "python"
DOCUMENT = (ROOT / "docs" / "client.md").read_text(encoding="utf-8")
ROW = {
    "collection": "robust04",
    "measure": "map",
    "system": "Model X",
    "value": "0.3012",
    "role": "proposed",
    "paper_url": "https://doi.org/10.1145/2766462.2767812",
    "locator": "Table 2",
}


def asked_by_hand(url: str) -> dict:
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)


def test_a_leaderboard_by_any_name_says_what_the_site_says(site):
    board = site.leaderboard("robust04", "map")
    document = asked_by_hand(site.url + "leaderboards/trec-2004-robust/AP.json")
    assert (board.collection.slug, board.measure.name) == ("trec-2004-robust", "AP")
    assert board.verdict.sentence == document["verdict"]["sentence"]
    assert board.verdict.best.value == document["verdict"]["best"]["value"]
    assert list(board.verdict.set.members) == document["verdict"]["set"]["members"]
    assert [row.printed for row in board.results] == [row["printed"] for row in document["results"]]
    frame = board.to_pandas()
    assert list(frame.index) == [row.id for row in board.results]
    assert frame["value"].max() == board.verdict.best.value


def test_lists_go_over_all_pages_and_searches_find(site):
    answer = asked_by_hand(site.url + "api/v1/collections/?page_size=1")
    assert len(list(site.collections())) == answer["count"]
    assert site.search("robust04", kind="collection").results[0].url == "/collections/trec-2004-robust/"


def test_a_score_is_checked_and_a_snapshot_read(site):
    answer = site.check("robust04", "AP", 0.99, baseline=0.2, tried=3)
    assert answer.checked.n_better == 0
    assert answer.of_baseline
    board = site.leaderboard("robust04", "AP")
    assert site.snapshot(board.snapshot.id)["findings"]["verdict"]["best"]["value"] == board.verdict.best.value


def test_numbers_of_numpy_are_sent_as_they_print_themselves(site):
    answer = site.check("robust04", "AP", numpy.float64(0.305), baseline=numpy.float32(0.2512), tried=numpy.int64(3))
    assert answer == site.check("robust04", "AP", 0.305, baseline=0.2512, tried=3)
    trial = site.submit([ROW | {"value": numpy.float32(0.3012), "year": numpy.int64(2015)}], dry_run=True)
    assert trial.results[0].outcome == "new"


@pytest.mark.parametrize("results", [ROW, [ROW | {"year": object()}]])
def test_what_is_no_result_is_not_sent(results):
    with pytest.raises(ValueError, match=r"Give a dictionary for each result|A cell of a result is"):
        plumbline.Site("http://127.0.0.1:1").submit(results)


def test_a_part_that_is_wrong_is_told_with_its_name(site):
    with pytest.raises(plumbline.RefusedError, match=r"\nscore: Enter a number\.$"):
        site.check("robust04", "AP", float("nan"))
    with pytest.raises(plumbline.RefusedError, match=r"\nThere is no parameter “rol”"):
        site.leaderboard("robust04", "AP", rol="baseline")


def test_ambiguous_unknown_and_wrong_things_are_told_apart(site):
    with pytest.raises(plumbline.AmbiguousNameError) as ambiguous:
        site.leaderboard("TREC-7", "AP")
    assert ambiguous.value.candidates == ("trec-7-adhoc",)
    with pytest.raises(plumbline.NotFoundError, match="No collection is called 'nothing'"):
        site.leaderboard("nothing", "AP")
    with pytest.raises(plumbline.RefusedError, match="choose from"):
        site.leaderboard("robust04", "AP", role="king")


def test_nobody_at_the_address_and_no_address_say_so(monkeypatch):
    monkeypatch.setattr("urllib3.util.retry.time.sleep", lambda seconds: None)
    with pytest.raises(plumbline.UnreachableError, match=r"No answer from http://127\.0\.0\.1:1/"):
        plumbline.Site("http://127.0.0.1:1").search("x")
    monkeypatch.delenv("PLUMBLINE_URL", raising=False)
    with pytest.raises(ValueError, match="PLUMBLINE_URL"):
        plumbline.Site()


def test_a_token_is_not_sent_unencrypted_to_another_machine(monkeypatch):
    monkeypatch.delenv("PLUMBLINE_TOKEN", raising=False)
    plumbline.Site("http://plumbline.example.org")
    with pytest.raises(ValueError, match="https"):
        plumbline.Site("http://plumbline.example.org", token="plumb_x")


def test_a_dry_run_tells_what_would_become_of_rows_and_stores_nothing(site):
    tried = site.submit([ROW, ROW | {"system": "Model Y", "value": "1.7"}], dry_run=True)
    assert [row.outcome for row in tried.results] == ["new", "refused"]
    assert tried.results[0].place.rank > 1
    assert tried.refused[0].rejections[0].message
    assert tried.id == ""


def test_rows_are_handed_in_once_under_one_key(site):
    first = site.submit([ROW], note="From the camera-ready version.", key="model-x")
    again = site.submit([ROW], note="From the camera-ready version.", key="model-x")
    assert (first.state, first.counts["new"]) == ("draft", 1)
    assert again.id == first.id


def test_without_a_token_nothing_is_handed_in(served, monkeypatch):
    monkeypatch.delenv("PLUMBLINE_TOKEN", raising=False)
    with pytest.raises(plumbline.RefusedError, match="PLUMBLINE_TOKEN"):
        plumbline.Site(served.url).submit([ROW])


def test_the_command_tries_a_file_and_fails_where_rows_are_refused(served, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PLUMBLINE_TOKEN", served.token)
    file = tmp_path / "results.csv"
    for value, status in (("0.3012", 0), ("1.7", 1)):
        with file.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, ROW)
            writer.writeheader()
            writer.writerow(ROW | {"value": value})
        assert main(["--url", served.url, "submit", str(file), "--dry-run", "--note", "Camera-ready."]) == status
    output = capsys.readouterr()
    assert "1 new" in output.out
    assert output.err.startswith("row 2: ")
    assert main(["--url", served.url, "leaderboard", "nothing", "AP"]) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (",".join(ROW) + "\n" + ",".join(ROW.values()) + ",surplus\n", "line 2"),
        ((",".join(ROW) + "\n").encode("utf-16"), "UTF-8"),
    ],
)
def test_a_file_of_results_is_read_as_the_site_reads_it(served, monkeypatch, tmp_path, capsys, content, message):
    monkeypatch.setenv("PLUMBLINE_TOKEN", served.token)
    file = tmp_path / "results.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert main(["--url", served.url, "submit", str(file), "--dry-run"]) == 2
    assert message in capsys.readouterr().err


class Answer:
    """What a server says to somebody who waits."""

    def __init__(self, status, body, **headers):
        self.status, self.data, self.headers = status, json.dumps(body).encode(), {"Retry-After": "0", **headers}


def test_who_waits_is_told_once_what_the_site_says(monkeypatch):
    nobody = "Nobody is at work on it just now."
    answers = [Answer(202, {"message": message}, Location="/later/") for message in ("", nobody, nobody)]
    messages = []
    site = plumbline.Site("http://127.0.0.1:1", on_wait=messages.append)
    answers_left = iter([*answers, Answer(200, {"count": 0, "next": None, "results": []})])
    monkeypatch.setattr(urllib3.PoolManager, "request", lambda *arguments, **options: next(answers_left))
    assert list(site.runs()) == []
    assert messages == [nobody]
    seconds, answers_left = itertools.count(0, 601), iter(answers[1:])
    monkeypatch.setattr("plumbline.site.time.monotonic", lambda: next(seconds))
    with pytest.raises(plumbline.NotFinishedError, match=rf"{nobody} Ask later: http://127\.0\.0\.1:1/later/"):
        list(site.runs())


def test_a_terminal_shows_how_much_of_a_list_is_there(monkeypatch):
    first = {"count": 300, "next": "/page/2/", "results": [{}] * 150}
    site = plumbline.Site("http://127.0.0.1:1")
    answers = iter([Answer(200, first), Answer(200, first | {"next": None})])
    monkeypatch.setattr(urllib3.PoolManager, "request", lambda *arguments, **options: next(answers))
    monkeypatch.setattr(sys, "stderr", terminal := io.StringIO())
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    assert len(list(site.read_pages("page/1/", dict, {}))) == 300
    assert terminal.getvalue() == f"{'█' * 10}{'░' * 10} 150 of 300\r\x1b[K"


RUN = "301 Q0 bad 1 2.0 mine\n301 Q0 good 2 1.0 mine\n302 Q0 good 1 1.0 mine\n"


def test_a_run_is_scored_and_found_again(site, tmp_path):
    file = tmp_path / "mine.run"
    file.write_text(RUN)
    board = site.leaderboard("robust04", "AP")
    best = next(row for row in board.results if "oracle" not in row.system.lower())
    run = site.score_run(file, collection="robust04", result=best.id)
    assert (run.state, run.name, run.means["AP"]) == ("done", "mine", 0.75)
    assert not run.agreement.is_same
    assert asked_by_hand(f"{site.url}api/v1{run.url}")["means"] == run.means


def test_the_command_scores_a_run(served, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PLUMBLINE_TOKEN", served.token)
    file = tmp_path / "mine.run"
    command = ["--url", served.url, "score-run", str(file), "--collection", "robust04"]
    file.write_text(RUN)
    assert main(command) == 0
    assert "AP\t0.7500\n" in capsys.readouterr().out
    file.write_text(RUN + "301 Q0\n")
    assert main(command) == 2
    assert "line 4" in capsys.readouterr().err


def test_what_is_no_file_of_judgements_is_no_collection_either(served, tmp_path, capsys):
    (tmp_path / "mine.run").write_text(RUN)
    command = ["score", str(tmp_path / "mine.run"), "--qrels", "my.qrles", "--measure", "AP"]
    assert main(["--url", served.url, *command]) == 2
    assert "There is no file my.qrles, and as a collection: " in capsys.readouterr().err


QRELS = "301 0 good 1\n301 0 fair 1\n302 0 good 1\n"


def test_a_collection_of_ones_own_from_the_command_line(served, site, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PLUMBLINE_TOKEN", served.token)
    run, qrels = (tmp_path / name for name in ("mine.run", "my.qrels"))
    run.write_text(RUN)
    qrels.write_text(QRELS)

    def own(*words: str) -> tuple[int, str]:
        code = main(["--url", served.url, "own", *words])
        output = capsys.readouterr()
        return code, output.out + output.err

    code, address = own("begin", "Claims", "--measure", "nDCG@10")
    address = address.strip()
    assert (code, address.startswith(f"{served.url}runs/own/")) == (0, True)
    assert f"Claims\tnDCG@10\t{address}" in own("list")[1]
    assert own("show", address)[1] == "nDCG@10\tNothing was sent yet.\n"
    assert own("begin", "Claims", "--measure", "nDCG@10", "ndcg@10")[0] == 2
    assert len(own("list")[1].splitlines()) == 1, "nothing is begun where a measure is refused"
    line = f"Other claims\tnDCG@10\tada\t{address}\n"
    for seen, listed in (("unlisted", False), ("public", True), ("private", False), ("public", True)):
        assert own("change", address, "--name", "Other claims", f"--{seen}") == (0, "")
        assert (line in own("public")[1]) == listed
    assert own("judgements", address, str(qrels))[0] == 0
    assert "nDCG@10\t0.6934" in own("run", address, str(run))[1]
    assert own("measure", address, "P@1", "--low", "0", "--high", "1")[0] == 0
    parts = re.findall(r"^    plumbline own table \S+ (\S+) (.+)$", DOCUMENT, re.MULTILINE)
    for (name, options), topics in zip(parts, ((301, 302), (303, 304)), strict=True):
        (tmp_path / name).write_text("topic,a,b\n" + "".join(f"{topic},0.1,0.9\n" for topic in topics))
        assert own("table", address, str(tmp_path / name), *options.split())[0] == 0
    mine = plumbline.Own(address, site)
    until(lambda: not any(board.lacking for board in mine.read().boards), 30, "the run is scored under each measure")
    (board,) = (board for board in mine.read().boards if board.measure == "P@1")
    assert (board.topics, board.left_out) == (("301", "302"), ("303", "304")), "the run lacks those of the second part"
    assert own("measure", address, "P@1") == (
        2,
        "The body asks for something that cannot be done.\nname: The collection has this measure.\n",
    )
    assert own("judgements", address, str(run))[0] == 2
    assert own("remove-measure", address, "P@1")[0] == 0
    assert [board.measure for board in plumbline.Own(address, site).read().boards] == ["nDCG@10"]
    assert own("delete", address)[0] == 0
    assert own("show", address)[0] == 2


def test_the_example_of_the_readme_runs(served):
    text = (CLIENT / "README.md").read_text(encoding="utf-8")
    code = text.partition("```python\n")[2].partition("```")[0]
    code = "\n".join(line for line in code.splitlines() if "suite" not in line)
    environment = os.environ | {"PLUMBLINE_URL": served.url, "PYTHONPATH": str(CLIENT / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "are statistically tied for first" in done.stdout


def test_every_documented_call_answers(site, served, monkeypatch, tmp_path):
    monkeypatch.setenv("PLUMBLINE_URL", site.url)
    monkeypatch.setenv("PLUMBLINE_TOKEN", served.token)
    (code,) = re.findall(r"```python calls\n(.*?)```", DOCUMENT, re.DOTALL)
    (first,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    exec(compile("\n".join(line for line in first.splitlines() if "suite" not in line), "docs/client.md", "exec"), {})
    namespace: dict = {}
    monkeypatch.chdir(tmp_path)
    Path("plumbline-dump").symlink_to(served.dump())
    Path("paper").mkdir()
    Path("paper", "table.md").write_text("| Model | Robust04 MAP |\n|---|---|\n| BM25 | .2531 |\n| Ours | .2903 |")
    exec(compile(code, "docs/client.md", "exec"), namespace)
    assert [row.outcome for row in namespace["told"].results] == ["new", "new"]
    shown = namespace["board"]._repr_html_()
    assert namespace["board"].verdict.sentence in shown
    assert shown.count("<tr>") == min(len(namespace["board"]), 20) + 1
    assert plumbline.bibtex("robust04", "AP").startswith("@")
    tests = plumbline.compare_topics([0.31, 0.2, 0.5], [0.25, 0.22, 0.41])["tests"]
    assert scipy.stats.ttest_rel([0.31, 0.2, 0.5], [0.25, 0.22, 0.41]).pvalue == pytest.approx(
        next(test["pvalue"] for test in tests if test["test"] == "t")
    )
    assert plumbline.system(namespace["best"])["name"] == namespace["best"]
    called = set(re.findall(r"plumbline\.(\w+)\(", DOCUMENT))
    assert {name for name in called if not hasattr(plumbline, name)} == set()
    with pytest.raises(plumbline.NotFoundError):
        plumbline.model("nothing of the kind")
    assert {remark.says for remark in plumbline.review("paper")} & {"beyond", "tied"}
    with pytest.raises(AttributeError):
        plumbline.nothing  # noqa: B018


def test_a_dump_says_offline_what_the_site_says(site, served, tmp_path):
    board = site.leaderboard("robust04", "AP")
    dump = plumbline.open_dump(served.dump())
    offline = dump.leaderboard("robust04", "map")
    assert offline.verdict.sentence == board.verdict.sentence
    assert offline.verdict.set == board.verdict.set
    placings = [
        [(row.id, row.rank, row.rank_low, row.rank_high, row.can_be_best) for row in rows] for rows in (offline, board)
    ]
    assert placings[0] == placings[1]
    assert any(row.rank_high for row in offline)
    assert dump.snapshot(offline.snapshot.id) == site.snapshot(board.snapshot.id)
    assert {row.slug for row in site.collections()} <= {row.slug for row in dump.collections()}
    assert [row.slug for row in dump.collections("trec-2004-robust")] == ["trec-2004-robust"]
    assert {measure.name for measure in dump.measures()} >= {measure.name for measure in site.measures()}
    assert board.results[0].system in {system["name"] for system in dump.systems()}
    assert dump.check("robust04", "AP", 0.99)["may_be_best"] is not False
    assert [entry["id"] for entry in dump.log()] == [entry["id"] for entry in site.log()]
    assert dump.heads().splitlines()[1:] == site.heads().splitlines()[1:]
    with pytest.raises(plumbline.NotFoundError):
        dump.leaderboard("nothing", "AP")
    with pytest.raises(plumbline.PlumblineError, match="no column who"):
        dump.log(who="ada")
    with pytest.raises(plumbline.PlumblineError, match="is no dump"):
        plumbline.open_dump(tmp_path / "nothing")


def test_a_dump_has_the_other_calls_of_a_site(site, served, tmp_path):
    dump = plumbline.open_dump(served.dump())
    board = site.leaderboard("robust04", "AP")
    best, listed = board.results[0].system, site.papers()[0]
    assert {row["id"] for row in dump.system(best)["results"]} == {row["id"] for row in site.system(best)["results"]}
    assert len(dump.paper(listed["paper"])["results"]) == listed["n_results"]
    assert best in {find.title for find in dump.search(best).results}
    assert dump.verify(board.snapshot.id) == []
    scores = ([0.31, 0.2, 0.5], [0.25, 0.22, 0.41])
    online = {test["test"]: test["pvalue"] for test in site.compare_topics(*scores)["tests"]}
    for test in dump.compare_topics(*scores)["tests"]:
        assert test["pvalue"] == pytest.approx(online[test["test"]])
    luck = dump.best_of(103, topics=50, variance=0.0064, best=0.303)["luck"]
    assert 0.2 + luck == pytest.approx(site.best_of(103, topics=50, mean=0.2, best=0.3, sd=0.08)["expected_best"])
    with pytest.raises(AttributeError, match=r"A dump can't submit; a site can: plumbline.Site\(url\).submit"):
        dump.submit([])
    for ask in (dump.model, dump.system, dump.paper):
        with pytest.raises(plumbline.NotFoundError, match=r"The dump has 0 \w+ nobody"):
            ask("nobody")


def test_a_dump_has_topics_and_pairs_of_systems_with_scores_by_topic(site, served, tmp_path):
    shutil.copytree(served.dump(), tmp_path, dirs_exist_ok=True)
    with pytest.raises(plumbline.NotFoundError, match="Fewer than two systems"):
        plumbline.open_dump(tmp_path).pairs("robust04", "AP")
    ids = [row.id for row in site.leaderboard("robust04", "AP").results[:2]]
    scores = [[0.31, 0.2, 0.5, 0.4], [0.25, 0.22, 0.41, 0.3]]
    rows = [{"result_id": pk, "scores": each, "ended_at": None} for pk, each in zip(ids, scores, strict=True)]
    (tmp_path / "topic_scores.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    dump = plumbline.open_dump(tmp_path)
    (pair,) = dump.pairs("robust04", "map")["pairs"]
    assert (pair["better"], pair["other"]) == tuple(ids)
    assert pair["pvalue"] == pytest.approx(scipy.stats.ttest_rel(*scores).pvalue)
    assert [topic["high"] for topic in dump.topics("robust04", "map")["topics"]] == [0.31, 0.22, 0.5, 0.4]


@pytest.mark.parametrize("n", [2, 3])
def test_a_dump_compares_systems_as_the_site_does(site, served, n):
    dump = plumbline.open_dump(served.dump())
    names = [row.system for row in site.leaderboard("robust04", "AP").results]
    systems = [name for name in dict.fromkeys(names) if names.count(name) == 1][: 3 * n : 3]
    online, offline = site.compare(*systems), dump.compare(*systems)
    counts = ("n_shared_by_all", "n_comparisons", "n_told_apart", "n_unknown")
    assert [offline[name] for name in counts] == [online[name] for name in counts]
    assert [system["name"] for system in offline["systems"]] == [system["name"] for system in online["systems"]]
    for comparison in (online, offline):
        boards = comparison["boards"]
        comparison["by_board"] = {(row["collection"]["slug"], row["measure"]["name"]): row for row in boards}
    assert offline["by_board"].keys() == online["by_board"].keys()
    for place, board in online["by_board"].items():
        for pair, own in zip(board["differences"], offline["by_board"][place]["differences"], strict=True):
            assert {name: pair[name] for name in ("better", "other", "basis", "told_apart")}.items() <= own.items()
            assert own["difference"] == pytest.approx(pair["difference"])
            assert own.get("pvalue") == (None if pair["pvalue"] is None else pytest.approx(pair["pvalue"]))
    with pytest.raises(plumbline.PlumblineError, match="The dump has 0 systems nobody"):
        dump.compare(systems[0], "nobody")
    with pytest.raises(plumbline.PlumblineError, match="Name two to four"):
        dump.compare(systems[0])


def test_the_log_is_narrowed_down_and_its_pages_are_read(site):
    entries = list(site.log())
    assert len(entries) == asked_by_hand(f"{site.url}log.json")["count"]
    assert list(site.log(since="1999-01-01", until="1999-12-31")) == []
    with pytest.raises(plumbline.PlumblineError):
        list(site.log(since="yesterday"))


@pytest.mark.slow
def test_it_installs_by_itself(tmp_path):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    # A build leaves files beside what it builds.
    shutil.copytree(CLIENT, tmp_path / "client")
    subprocess.run([python, "-m", "pip", "install", "-q", str(tmp_path / "client")], check=True)
    done = subprocess.run(
        [python, "-c", "import plumbline; print(plumbline.Site.__name__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "Site"
    alone = subprocess.run([python, "-c", "import plumbline.statistics"], cwd=tmp_path, capture_output=True, text=True)
    assert "The statistics need analysis: pip install" in alone.stderr


@pytest.mark.slow
def test_the_notebook_runs(served, tmp_path):
    file = tmp_path / "done.ipynb"
    command = ["-m", "jupyter", "execute", str(ROOT / "docs" / "notebooks" / "baseline.ipynb"), f"--output={file}"]
    environment = os.environ | {
        "PLUMBLINE_URL": served.url,
        "PLUMBLINE_TOKEN": served.token,
        "PYTHONPATH": str(CLIENT / "src"),
        "JUPYTER_DATA_DIR": str(tmp_path / "jupyter"),
        "IPYTHONDIR": str(tmp_path / "ipython"),
    }
    done = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    printed = [
        output["text"]
        for cell in json.loads(file.read_text())["cells"]
        for output in cell.get("outputs", [])
        if output["output_type"] == "stream"
    ]
    assert any("are statistically tied for first" in "".join(text) for text in printed)
    assert any("new" in "".join(text) for text in printed)


def test_a_table_is_reviewed_against_a_site(site, tmp_path, monkeypatch, capsys):
    board = site.leaderboard("robust04", "AP")
    best = next(row for row in board.results if "oracle" not in row.system.lower())
    monkeypatch.chdir(tmp_path)
    head = "| Model | Robust 04 MAP | Nowhere MAP |\n|---|---|---|\n"
    (tmp_path / "t.md").write_text(f"{head}| {best.system} | .1000 | .2 |\n| Ours | .2000 | .3 |\n")
    (tmp_path / "plumbline.yaml").write_text(f"files: t.md\nurl: {site.url}\nerrors: contested\n")
    assert main(["review", "--format", "json"]) == 1
    remarks = {(remark["board"], remark["says"]): remark["text"] for remark in json.loads(capsys.readouterr().out)}
    assert remarks["Robust 04, AP", "contested"] == f"Contested: .1000 here, {best.value:.4f} on record."
    assert remarks["Robust 04, AP", "beyond"].startswith(f"+0.1000, significantly better than {best.system}")
    assert main(["--url", "http://127.0.0.1:9/", "review", "t.md"]) == 2
    assert "No answer from http://127.0.0.1:9/" in capsys.readouterr().err


@pytest.mark.parametrize("ask", [lambda site: list(site.runs()), lambda site: site.snapshot("a"),
                                 lambda site: site.delete_run("/runs/a/")])  # fmt: skip
def test_a_page_that_is_no_answer_of_plumbline_is_an_error(monkeypatch, ask):
    site = plumbline.Site("http://127.0.0.1:9")
    monkeypatch.setattr(urllib3.PoolManager, "request", lambda *arguments, **options: Answer(200, "Log in"))
    with pytest.raises(plumbline.PlumblineError):
        ask(site)
