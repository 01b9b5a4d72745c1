"""The command at the desk: no site is asked."""

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import ir_measures
import numpy as np
import pandas
import pytest
import yaml
from backports import zstd
from scipy import stats
from statsmodels.stats.multitest import multipletests

import plumbline
from analysis.boards import (
    BoardInputs,
    BoardRow,
    KnownVariance,
    MeasureFacts,
    TopicScoresInput,
    check_score,
    make_snapshot,
    snapshot_id,
)
from analysis.comparisons import ttest_rel
from analysis.instances import compare_algorithms
from analysis.papers.shipped import list_runs, read_judgements, read_run
from analysis.scores import InstanceScores, ScoreMatrix
from plumbline import desk
from plumbline.__main__ import main
from registry.core.loading import SHIPPED
from registry.dumps.tables import TABLES

ROOT = Path(__file__).resolve().parents[2]
DL = "trec-dl-2019-passage"
MEASURES = ("nDCG@10", "AP(rel=2)", "RR(rel=2)")
ALIASES = ("The X", "DL19 psg")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The judgements of DL 2019 and two runs, as files."""
    place = tmp_path_factory.mktemp("desk")
    with (SHIPPED / "judgements" / "manifest.csv").open(encoding="utf-8", newline="") as stream:
        row = next(row for row in csv.DictReader(stream) if row["collection"] == DL)
    (place / "dl.qrels").write_bytes(read_judgements(SHIPPED / "judgements" / row["file"], row["sha256"]))
    for run in list_runs(SHIPPED):
        if run.collection == DL and run.name in ("BM25", "SPLADE--ED"):
            (place / f"{run.name}.run.gz").write_bytes(gzip.compress(read_run(SHIPPED, run), mtime=0))
    return place


def snapshot_of(measure="nDCG@10", **changed) -> str:
    variance = KnownVariance(kind="own-variance", value=0.0144, degrees_of_freedom=980.0, sources=("its runs",))
    rows = tuple(
        BoardRow(id=n, system=f"run {n}", printed=f"{v}", value=v) for n, v in enumerate([0.75, 0.7, 0.6, 0.5, 0.4])
    )
    inputs = BoardInputs(
        collection="x", measure=MeasureFacts(name=measure), rows=rows, n_topics=43, variances=(variance,), **changed
    )
    return make_snapshot(inputs).text


def command(folder, *arguments: str) -> list[str]:
    return ["score", str(folder / "SPLADE--ED.run.gz"), "--qrels", str(folder / "dl.qrels"), *arguments]


def test_scores_are_those_of_ir_measures(folder, capsys):
    assert main(command(folder, "--measure", *MEASURES, "--format", "json", "--by-topic")) == 0
    by_measure = {entry["measure"]: entry for entry in json.loads(capsys.readouterr().out)}
    run = list(ir_measures.read_trec_run(gzip.decompress((folder / "SPLADE--ED.run.gz").read_bytes()).decode()))
    qrels = list(ir_measures.read_trec_qrels((folder / "dl.qrels").read_text()))
    for measure, value in ir_measures.calc_aggregate(map(ir_measures.parse_measure, MEASURES), qrels, run).items():
        assert by_measure[str(measure)]["mean"] == pytest.approx(value, abs=1e-12)
    assert len(by_measure["nDCG@10"]["topics"]) == 43
    assert by_measure["nDCG@10"]["interval"] is None
    low, high = by_measure["AP(rel=2)"]["interval"]
    assert low < by_measure["AP(rel=2)"]["mean"] < high


def test_the_interval_is_that_of_the_mean_where_topics_have_no_relevant_document():
    """Of ten judged topics half have one: the interval was that of the mean over these, and beyond the mean of all."""
    run = b"".join(b"%d Q0 d%d 1 %d x\n" % (topic, n, 99 - n) for topic in range(10) for n in range(60))
    judged = b"".join(b"%d 0 d%d %d\n" % (topic, n, topic < 5 and n % 2) for topic in range(10) for n in range(40))
    some = b"".join(line for line in judged.splitlines(keepends=True) if line < b"5")
    of_ten, of_five = (desk.score(run, qrels, ["AP"])[0] for qrels in (judged, some))
    assert of_ten.mean == pytest.approx(of_five.mean / 2)
    assert of_ten.interval[0] < of_ten.mean < of_ten.interval[1]
    assert of_ten.interval == pytest.approx([limit / 2 for limit in of_five.interval])


def test_a_topic_without_an_answer_counts_as_zero_and_is_said(folder, tmp_path, capsys):
    lines = gzip.decompress((folder / "BM25.run.gz").read_bytes()).splitlines(keepends=True)
    left = tmp_path / "left.run"
    left.write_bytes(b"".join(line for line in lines if not line.startswith(b"19335 ")))
    arguments = ["--qrels", str(folder / "dl.qrels"), "--measure", "nDCG@10", "--by-topic"]
    assert main(["score", str(left), *arguments]) == 0
    output = capsys.readouterr()
    assert "nDCG@10\t19335\t0.0000\n" in output.out
    assert "Topics without an answer: 1. Each counts as 0, as with trec_eval -c. 19335" in output.err


@pytest.mark.parametrize(("best", "code"), [(0.75, 0), (0.95, 1)])
def test_against_a_snapshot_the_exit_code_is_the_verdict(folder, tmp_path, capsys, best, code):
    text = snapshot_of().replace('"printed":"0.75"', f'"printed":"{best}"').replace('"value":0.75', f'"value":{best}')
    inputs = json.loads(text)["inputs"]
    assert inputs["rows"][0]["value"] == best
    file = tmp_path / "snapshot.json"
    file.write_text(text)
    assert main(command(folder, "--measure", "nDCG@10", "--against", str(file))) == code
    words = "ties for first" if code == 0 else "is significantly below the best"
    assert words in capsys.readouterr().out


@pytest.fixture
def dump(tmp_path):
    """A dump's tables that say where a leaderboard is; DL 2019 under AP, and X under nDCG@10."""
    rows = {
        "collections": [{"id": 2, "slug": DL, "name": "DL 2019"}, {"id": 3, "slug": "x", "name": "X"}],
        "collection_aliases": [{"id": n, "collection_id": 3, "alias": alias} for n, alias in enumerate(ALIASES)],
        "measures": [{"id": 4, "name": "AP", "long_name": ""}, {"id": 5, "name": "nDCG@10", "long_name": ""}],
        "measure_aliases": [],
        "questions": [{"id": 6, "kind": "collection", "names": "DLX", "text": "Which?"}],
        "question_collections": [{"question_id": 6, "collection_id": n} for n in (2, 3)],
        "leaderboards": [{"id": n, "collection_id": c, "measure_id": m} for n, c, m in ((7, 3, 5), (8, 2, 4))],
        "analyses": [{"leaderboard_id": 7, "snapshot_id": "a"}, {"leaderboard_id": 8, "snapshot_id": "b"}],
        "snapshots": [{"id": "b", "content": snapshot_of("AP")}, {"id": "a", "content": snapshot_of()}],
    }  # fmt: skip
    columns = {table.name: {column.name for column in table.columns} for table in TABLES}
    for name, of_table in rows.items():
        assert all(set(row) <= columns[name] for row in of_table), columns[name]
        lines = "".join(json.dumps(row) + "\n" for row in of_table)
        (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))
    return tmp_path


@pytest.mark.parametrize("name", ["x", "the x", "dl19_psg"])
def test_against_a_dump_is_what_the_statistics_say(folder, dump, capsys, name):
    options = ["--measure", "nDCG@10", "--dump", str(dump), "--format", "json"]
    assert main(command(folder, *options, "--against", name)) == 0
    ((score,),) = [json.loads(capsys.readouterr().out)]
    expected = check_score(desk.boards.read_snapshot(snapshot_of()).inputs, score["mean"])
    assert score["against"]["margin"] == expected.margin
    assert score["against"]["ranks"] == {"low": expected.ranks.low, "high": expected.ranks.high}


@pytest.mark.parametrize("measure", ["AP", "AP(rel=1)"])
def test_average_precision_is_from_grade_1_on(folder, dump, capsys, measure):
    main(command(folder, "--measure", measure, "--dump", str(dump), "--against", DL))
    assert f"on x, AP ({0.75:.4f})" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("measure", "explicit"),
    [("AP", "AP(rel=1)"), ("AP(rel=1)", "AP(rel=1)"), ("R@100", "R(rel=1)@100"), ("RR(rel=2)", "RR(rel=2)"),
     ("nDCG@10", "nDCG@10"), ("RBP(p=0.8)", "RBP(p=0.8)")],
)  # fmt: skip
def test_a_site_is_told_the_grade_that_was_counted_from(measure, explicit):
    assert desk.with_its_grade(measure) == explicit


def test_a_dump_without_a_table_or_with_several_boards_of_a_name_says_so(folder, dump, capsys):
    options = command(folder, "--measure", "nDCG@10", "--dump", str(dump))
    assert main([*options, "--against", "nothing"]) == 2
    assert "no analysis of nothing" in capsys.readouterr().err
    file = dump / "analyses.jsonl.gz"
    lines = "".join(f'{{"leaderboard_id": 7, "snapshot_id": "{snapshot}"}}\n' for snapshot in "ab")
    file.write_bytes(gzip.compress(lines.encode()))
    assert main([*options, "--against", "x"]) == 2
    assert "x, nDCG@10 may be 2 leaderboards" in capsys.readouterr().err
    file.write_bytes(file.read_bytes()[:-9])
    assert main([*options, "--against", "x"]) == 2
    assert "analyses.jsonl.gz is broken off or damaged" in capsys.readouterr().err
    file.unlink()
    assert main([*options, "--against", "x"]) == 2
    assert capsys.readouterr().err == f"{dump} is no dump: analyses.jsonl.gz is missing.\n"


def test_two_runs_are_told_apart_or_not(folder, capsys):
    files = [str(folder / name) for name in ("SPLADE--ED.run.gz", "BM25.run.gz")]
    arguments = ["--qrels", str(folder / "dl.qrels"), "--measure", "nDCG@10"]
    assert main(["compare", *files, *arguments, "--format", "json"]) == 0
    (comparison,) = json.loads(capsys.readouterr().out)
    assert comparison["difference"] == pytest.approx(0.7308 - 0.5058, abs=1e-4)
    from scipy.stats import ttest_rel

    first, second = (desk.score(desk.read(file), desk.read(folder / "dl.qrels"), ["nDCG@10"])[0] for file in files)
    pvalue = ttest_rel(list(first.by_topic.values()), list(second.by_topic.values())).pvalue
    assert comparison["tests"][0]["pvalue"] == pytest.approx(pvalue, rel=1e-9)
    assert main(["compare", files[0], files[0], *arguments]) == 1
    assert "the same on every topic" in capsys.readouterr().out


def test_two_vectors_of_scores_are_compared_without_judgements(tmp_path, capsys):
    table = tmp_path / "by-topic.csv"
    table.write_text("topic,mine,other\n1,.5,.25\n2,.75,.5\n3,.5,.5\n4,.9,.6\n")
    assert main(["compare", "--scores", str(table), "--format", "json"]) == 1
    (comparison,) = json.loads(capsys.readouterr().out)
    assert (comparison["n_topics"], comparison["means"]) == (4, pytest.approx([0.6625, 0.4625]))
    assert [test["test"] for test in comparison["tests"]] == ["t", "wilcoxon", "sign", "randomization"]
    table.write_text("topic,mine\n1,.5\n2,.75\n")
    assert main(["compare", "--scores", str(table)]) == 2
    assert capsys.readouterr().err.startswith("Give two runs or more, or systems with their executions")
    assert main(["compare", "a.run"]) == 2
    assert "Give runs with --qrels and --measure" in capsys.readouterr().err


def test_several_runs_are_compared_in_pairs_with_intervals_corrected_together(tmp_path, capsys):
    rng = np.random.default_rng(3)
    base = rng.random(20)
    columns = {"a": base, "b": base + 0.05 + 0.1 * rng.random(20), "c": base + 0.02 * rng.standard_normal(20)}
    rows = [f"{n},{','.join(f'{values[n]:.6f}' for values in columns.values())}" for n in range(20)]
    table = tmp_path / "by-topic.csv"
    table.write_text("\n".join(["topic,a,b,c", *rows]))
    asked = ["compare", "--scores", str(table)]
    assert main([*asked, "--format", "json"]) == 1
    pairs = json.loads(capsys.readouterr().out)
    assert [pair["systems"] for pair in pairs] == [["a", "b"], ["a", "c"], ["b", "c"]]
    tests = [stats.ttest_rel(columns[first], columns[second]) for first, second in (("a", "b"), ("a", "c"), ("b", "c"))]
    assert [pair["pvalue"] for pair in pairs] == pytest.approx([test.pvalue for test in tests], rel=1e-3)
    holm = multipletests([test.pvalue for test in tests], method="holm")[1]
    assert [pair["pvalue_adjusted"] for pair in pairs] == pytest.approx(holm, rel=1e-3)
    for pair, test in zip(pairs, tests, strict=True):
        ends = [pair["interval"][end] for end in ("low", "high")]
        assert ends == pytest.approx(test.confidence_interval(), abs=1e-5)
    assert main([*asked, "a", "c", "--correct", "none", "--format", "latex"]) == 1
    latex = capsys.readouterr().out
    ends = tests[1].confidence_interval()
    assert f"a minus c & {base.mean() - columns['c'].mean():+.4f} & {ends.low:+.4f} to {ends.high:+.4f}" in latex
    assert main([*asked, "a", "d"]) == 2
    assert "The table has no column d; it has a, b, c." in capsys.readouterr().err


def test_luck_of_the_best(capsys):
    assert main(["best-of", "2", "--topics", "50", "--variance", "0.0144", "--best", "0.3", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    # Of two standard normal values the larger is 1 / sqrt(pi) on average.
    assert answer["luck"] == pytest.approx((0.0144 / 50) ** 0.5 / 3.141592653589793**0.5, rel=1e-6)
    assert answer["worth"] == pytest.approx(0.3 - answer["luck"])
    assert main(["best-of", "0", "--topics", "50", "--variance", "0.0144"]) == 2


def test_a_snapshot_that_rests_on_scores_by_topic_is_computed_again_with_them(tmp_path, capsys):
    drawn = np.random.default_rng(1).random((6, 30)).round(4)
    matrix = ScoreMatrix([str(n) for n in range(6)], [f"t{topic}" for topic in range(30)], drawn)
    values = (round(float(mean), 4) for mean in matrix.means)
    rows = tuple(BoardRow(id=n, system=f"run {n}", printed=f"{v:.4f}", value=v) for n, v in enumerate(values))
    inputs = BoardInputs(
        collection="x",
        measure=MeasureFacts(name="AP"),
        rows=rows,
        n_topics=30,
        topic_scores=TopicScoresInput.of(matrix),
    )
    file, table = tmp_path / "snapshot.json", tmp_path / "topic_scores.csv"
    file.write_text(make_snapshot(inputs, matrix).text)
    pandas.DataFrame(drawn.T, index=matrix.topics, columns=matrix.systems).to_csv(table)
    assert main(["verify", str(file), "--topic-scores", str(table)]) == 0
    pandas.DataFrame(drawn.T / 2, index=matrix.topics, columns=matrix.systems).to_csv(table)
    assert main(["verify", str(file), "--topic-scores", str(table)]) == 2
    assert main(["verify", str(file)]) == 2
    assert "give the CSV of them that its page has, too (--topic-scores)" in capsys.readouterr().err


def test_a_snapshot_is_computed_again(tmp_path, capsys):
    file = tmp_path / "snapshot.json"
    file.write_text(snapshot_of())
    assert main(["verify", str(file)]) == 0
    text = snapshot_of()
    finding = json.loads(text)["findings"]["verdict"]["set"]["margin"]
    file.write_text(text.replace(repr(finding), repr(finding + 0.01)))
    assert main(["verify", str(file), "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["problems"]
    file.write_bytes(gzip.compress(text.encode()))
    assert main(["verify", str(file)]) == 0
    assert main(["verify", str(file), "--id", "0a1b"]) == 1
    assert f"the content has the id {snapshot_id(text)}, not 0a1b" in capsys.readouterr().out
    file.write_bytes(b"\xff\xfe{")
    assert main(["verify", str(file)]) == 2
    assert "snapshot.json is no text" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("run", "qrels", "measure", "message"),
    [
        ("1 Q0 a 1 2\n", "1 0 a 1\n", "AP", "line 1: has 5 fields"),
        ("1 Q0 a 1 2 x\n", "2 0 a 1\n", "AP", "No topic of the run is judged"),
        ("1.0 Q0 d2 1 3 r\n", "1 0 d2 1\n", "AP", "it begins with 1.0, the judgements with 1"),
        *[
            ("1 Q0 a 1 2 x\n", "1 0 a 1\n", measure, f"'{measure}' is no measure as ir-measures spells them")
            for measure in ("Fame@10", "P", "nDCG@0", "nDCG@1.5", "nDCG@99999999999999999999", "AP(rel=0)", "AP(foo=1)")
        ],
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(tmp_path, capsys, run, qrels, measure, message):
    (tmp_path / "x.run").write_text(run)
    (tmp_path / "x.qrels").write_text(qrels)
    assert main(["score", str(tmp_path / "x.run"), "--qrels", str(tmp_path / "x.qrels"), "--measure", measure]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("damage", [lambda packed: packed[:-12], lambda packed: packed[:12] + b"\0\0" + packed[14:]])
def test_a_packed_run_that_is_broken_off_or_damaged_cannot_be_read(folder, tmp_path, capsys, damage):
    file = tmp_path / "cut.run.gz"
    file.write_bytes(damage((folder / "BM25.run.gz").read_bytes()))
    assert main(["score", str(file), "--qrels", str(folder / "dl.qrels"), "--measure", "AP"]) == 2
    assert "cut.run.gz: The archive " in capsys.readouterr().err


def test_without_the_statistics_it_says_how_to_get_them(monkeypatch, capsys):
    monkeypatch.delattr(plumbline, "desk")
    monkeypatch.delitem(sys.modules, "plumbline.desk")
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    assert main(["verify", "x.json"]) == 2
    assert capsys.readouterr().err.startswith(
        "verify needs ir_measures, which is not installed: pip install . './clients"
    )


def test_where_all_topics_differ_by_the_same_other_tests_decide(tmp_path, capsys):
    (tmp_path / "my.qrels").write_text("".join(f"{topic} 0 a 1\n" for topic in range(1, 9)))
    for name, rank in (("one", 1), ("other", 2)):
        lines = [f"{t} Q0 {'a' if rank == n else 'b'} {n} {3 - n} x\n" for t in range(1, 9) for n in (1, 2)]
        (tmp_path / name).write_text("".join(lines))
    command = ["compare", str(tmp_path / "one"), str(tmp_path / "other"), "--qrels", str(tmp_path / "my.qrels")]
    assert main([*command, "--measure", "RR", "--format", "json"]) == 0
    (comparison,) = json.loads(capsys.readouterr().out)
    assert comparison["difference"] == 0.5
    # Of 2 ** 8 signs two give as large a sum.
    pvalues = {test["test"]: test["pvalue"] for test in comparison["tests"]}
    assert pvalues["sign"] == pvalues["randomization"] == pytest.approx(2 / 2**8)
    assert "t" not in pvalues
    assert main([*command, "--measure", "RR", "--format", "latex"]) == 0
    assert r"+0.5000 &  & 0.007812 \\" in capsys.readouterr().out


def test_judgements_of_other_topics_than_those_of_the_leaderboard_are_said(folder, tmp_path, capsys):
    (tmp_path / "some.qrels").write_text("".join((folder / "dl.qrels").read_text().splitlines(keepends=True)[:900]))
    (tmp_path / "snapshot.json").write_text(snapshot_of())
    n_there = json.loads(snapshot_of())["inputs"]["n_topics"]
    options = ["--measure", "nDCG@10", "--against", str(tmp_path / "snapshot.json")]
    main(command(folder, *options))
    assert "over the same topics" not in capsys.readouterr().err
    main([*command(folder, *options), "--qrels", str(tmp_path / "some.qrels")])
    assert f"topics, and means there are over {n_there}: they are not over the same topics." in capsys.readouterr().err


QRELS = "".join(f"t{n} 0 a 1\nt{n} 0 b 0\n" for n in range(4))
RANKED = [(f"t{n}", doc) for n in range(4) for doc in ("b", "a")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.run", "".join(f"{topic} Q0 {doc} 1 {'ba'.index(doc) * -1} x\n" for topic, doc in RANKED).encode()),
        ("msmarco.tsv", "".join(f"{topic}\t{doc}\t{'ba'.index(doc) + 1}\n" for topic, doc in RANKED).encode()),
        ("head.run", b"topic document rank\n" + "".join(f"{t} {d} {'ba'.index(d) + 1}\n" for t, d in RANKED).encode()),
        ("run.json", json.dumps({f"t{n}": {"a": 0.5, "b": 0.75} for n in range(4)}).encode()),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_the_command_reads_what_the_site_reads(tmp_path, capsys, name, content, pack):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / name).write_bytes(pack(content))
    (tmp_path / "trec.qrels").write_text(QRELS)
    beir = QRELS.replace(" 0 a", "\ta").replace(" 0 b", "\tb").replace(" 1\n", "\t1.0\n").replace(" 0\n", "\t0\n")
    (tmp_path / "beir.tsv").write_text("query-id\tcorpus-id\tscore\n" + beir + beir)
    for run in (tmp_path / "runs" / name, tmp_path / "runs"):
        for judged in ("trec.qrels", "beir.tsv"):
            assert main(["score", str(run), "--qrels", str(tmp_path / judged), "--measure", "RR@10"]) == 0
            assert capsys.readouterr().out == "RR@10\tall\t0.5000\n"


def test_a_wrong_file_gets_one_sentence_and_its_first_lines(tmp_path, capsys):
    (tmp_path / "my.qrels").write_text(QRELS)
    (tmp_path / "notes.run").write_text("".join(f"note {n} of some\n" for n in range(200)))
    assert main(["score", str(tmp_path / "notes.run"), "--qrels", str(tmp_path / "my.qrels"), "--measure", "AP"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].endswith("and 199 more faults.")
    assert lines[1:] == ["The file begins:", "  note 0 of some", "  note 1 of some", "  note 2 of some"]


def test_what_the_site_says_of_a_run_the_command_says_too(tmp_path, capsys):
    """Ties, topics without relevant documents, single precision, own names, and no interval without a width."""
    lines = [f"t{n} Q0 {doc} 1 {value} x\n" for n in range(3) for doc, value in (("a", 1), ("c", "1.00000000001"))]
    (tmp_path / "x.run").write_text("".join(lines) + "t3 Q0 t3 1 2 x\nt3 Q0 b 2 1 x\n")
    (tmp_path / "x.qrels").write_text(QRELS.replace("t3 0 a 1\n", "t3 0 d -1\n"))
    arguments = ["score", str(tmp_path / "x.run"), "--qrels", str(tmp_path / "x.qrels"), "--measure"]
    assert main([*arguments, "RR@10", "--format", "json"]) == 0
    (score,) = json.loads(capsys.readouterr().out)
    assert (score["mean"], score["ties"]) == (0.375, [0.375, 0.75])
    names = [line.partition(":")[0] for line in score["report"]]
    assert names == [
        "Topics with their own name among the documents", "Topics with equal scores",
        "Topics with scores that single precision does not tell apart", "Judged topics without a relevant document",
        "Judgements below 0", "Documents without a judgement",
    ]  # fmt: skip
    (tmp_path / "x.run").write_text("".join(f"t{n} Q0 a 1 1 x\n" for n in range(4)))
    (tmp_path / "x.qrels").write_text(QRELS)
    assert main([*arguments, "AP"]) == 0
    assert "no interval on other documents: AP is 1 on all 4 topics" in capsys.readouterr().out


def test_a_run_that_answers_few_topics_is_not_compared(folder, tmp_path, capsys):
    lines = gzip.decompress((folder / "BM25.run.gz").read_bytes()).splitlines(keepends=True)
    topics = sorted({line.split()[0] for line in lines})[:30]
    (tmp_path / "some.run").write_bytes(b"".join(line for line in lines if line.split()[0] in topics))
    (tmp_path / "snapshot.json").write_text(snapshot_of())
    options = ["--qrels", str(folder / "dl.qrels"), "--against", str(tmp_path / "snapshot.json")]
    assert main(["score", str(tmp_path / "some.run"), *options, "--measure", "nDCG@10"]) == 3
    output = capsys.readouterr().out
    assert "over the 30 of 43 judged topics that it answers" in output
    assert "30 of 43 judged topics are answered: no rank, and nothing to cite." in output


def test_systems_with_executions_are_compared_by_the_mixed_model(tmp_path, capsys):
    rng = np.random.default_rng(5)
    base, topics = rng.uniform(0.1, 0.8, 30), [f"t{n}" for n in range(30)]
    columns = {
        f"{name}.{n}": (base + gain + rng.normal(0, 0.03, 30)).round(4)
        for name, gain in (("A", 0.05), ("B", 0.0)) for n in (1, 2, 3)
    } | {"C": base.round(4)}  # fmt: skip
    (tmp_path / "by-topic.csv").write_text(
        "\n".join([",".join(["topic", *columns]),
                   *(",".join([topic, *(str(by_topic[n]) for by_topic in columns.values())])
                     for n, topic in enumerate(topics))])
    )  # fmt: skip
    asked = ["compare", "--scores", str(tmp_path / "by-topic.csv"), "A=A.1,A.2,A.3", "B=B.1,B.2,B.3", "C=C"]
    main([*asked, "--margin", ".2", "--format", "json"])
    pairs = json.loads(capsys.readouterr().out)
    matrices = {
        name: ScoreMatrix(of_name, topics, [columns[execution] for execution in of_name])
        for name in "ABC" if (of_name := [execution for execution in columns if execution[0] == name])
    }  # fmt: skip
    scores = InstanceScores.from_matrices(matrices, deterministic=["C"])
    for pair in pairs:
        expected = compare_algorithms(scores, *pair["systems"])
        assert (pair["difference"], pair["pvalue"]) == pytest.approx((expected.estimate, expected.pvalue))
        assert pair["interval"] == pytest.approx([expected.interval.low, expected.interval.high])
    assert [pair["systems"] for pair in pairs] == [["A", "B"], ["A", "C"], ["B", "C"]]
    assert all(pair["is_equivalent"] for pair in pairs)
    assert [[*pair["models"]] for pair in pairs] == [["1", "2", "3"]] * 3
    once = ttest_rel(columns["A.1"], columns["B.1"])
    assert pairs[0]["models"]["1"]["pvalue"] == pytest.approx(once.pvalue)
    main(asked)
    output = capsys.readouterr().out
    assert "topics with 3" in output
    assert f"  model 1: {once.estimate:+.4f}" in output
    # A blank cell is absent from its execution, and its topic stays.
    text = (tmp_path / "by-topic.csv").read_text()
    (tmp_path / "by-topic.csv").write_text(text.replace(f",{columns['A.2'][4]},", ",,", 1))
    main([*asked, "--format", "json"])
    sparse = json.loads(capsys.readouterr().out)
    assert [pair["n_absent"] for pair in sparse] == [1, 1, 0]
    assert {pair["n_topics"] for pair in sparse} == {30}
    assert main([*asked, "D=missing"]) == 2
    assert "The table has no column missing" in capsys.readouterr().err


_PAPER = r"""
\newcommand{\ours}{DeepRank (ours)}
\begin{table}\caption{On X}\begin{tabular}{lc}
Model & X nDCG@10 \\ \midrule
run 1 & .62 \\
run 3 & .50 \\
\ours & .65 \\
\end{tabular}\end{table}
\begin{table}\caption{Data}\begin{tabular}{lc}
Name & Year \\ \midrule
X & a lot \\
\end{tabular}\end{table}
"""


@pytest.mark.parametrize("place", ["file", "folder", "tarball"])
def test_a_paper_is_reviewed_against_a_dump(dump, tmp_path, capsys, place):
    paper = tmp_path / "paper"
    paper.mkdir()
    (paper / "main.tex").write_text(_PAPER)
    with tarfile.open(tmp_path / "paper.tar.gz", "w:gz") as packed:
        packed.add(paper / "main.tex", "main.tex")
    path = {"file": paper / "main.tex", "folder": paper, "tarball": tmp_path / "paper.tar.gz"}[place]
    assert main(["review", str(path), "--dump", str(dump), "--format", "json"]) == 1
    remarks = {(remark["system"], remark["says"]): remark for remark in json.loads(capsys.readouterr().out)}
    assert remarks["run 1", "contested"]["text"] == "Contested: .62 here, 0.7000 on record."
    assert ("run 3", "contested") not in remarks
    assert remarks["DeepRank (ours)", "tied"]["text"].startswith("+0.0300, not significantly different from run 1")
    assert remarks["DeepRank (ours)", "tied"]["line"] == 7
    assert ("", "unread") in remarks


def test_what_a_table_leaves_open_is_said_once_with_what_to_answer(dump, tmp_path, capsys):
    rows = (
        r"Model & DL 2019 & DLX & Avg. \\ \midrule Theirs & 30.1 & 40.1 & 35.1 \\ MyRank (ours) & 54.9 & 60.1 & 57.5 \\"
    )
    table = rf"\begin{{table}}\caption{{nDCG@10}}\begin{{tabular}}{{lccc}} {rows} \end{{tabular}}\end{{table}}"
    (tmp_path / "t.tex").write_text(table)
    command = ["review", str(tmp_path / "t.tex"), "--dump", str(dump), "--own", "MyRank"]

    def remarks(*more: str) -> list[str]:
        main([*command, *more, "--format", "json"])
        return [remark["text"] for remark in json.loads(capsys.readouterr().out)]

    assert remarks() == ["No row says the measure; name it with --measure nDCG@10."]
    first, second = remarks("--measure", "AP")
    assert first.startswith("Scores above 1; if they are in percent, say --unit percent.")
    assert second == "DLX, AP may be 2 collections: trec-dl-2019-passage, x. Answer with --answer 'DLX'=…."
    answered = remarks("--measure", "AP", "--unit", "percent", "--answer", "DLX=trec-dl-2019-passage")
    assert not [text for text in answered if "--" in text]


def test_what_was_reviewed_is_written_for_programs_and_people(dump, tmp_path, capsys):
    (tmp_path / "t.md").write_text("| Model | X nDCG@10 |\n|---|---|\n| BM25 | 30.1 |\n| Ours | 74.9 |\n")
    command = ["review", str(tmp_path / "t.md"), "--dump", str(dump)]
    assert main(command) == 3
    assert "--unit percent" in capsys.readouterr().out
    for form, expected in (
        ("markdown", "| beyond |"),
        ("latex", "& beyond &"),
        ("text", "significantly better than BM25"),
    ):
        assert main([*command, "--unit", "percent", "--format", form]) == 0
        assert expected in capsys.readouterr().out
    main([*command, "--unit", "percent", "--format", "sarif"])
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert [(remark["ruleId"], remark["level"]) for remark in run["results"]] == [("beyond", "note")]


_OPEN = "| Model | DL19 psg nDCG@10 |\n|---|---|\n| run 1 | .70 |\n| FastRank | .72 |\n"


@pytest.fixture
def repository(dump, tmp_path, monkeypatch):
    """A repository with a paper of two tables, of which one was changed after its first commit."""
    place = tmp_path / "repository"
    place.mkdir()
    monkeypatch.chdir(place)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    first = _OPEN.replace("FastRank", "OldRank (ours)")
    (place / "paper.md").write_text(f"{first}\nAnd\n\n{_OPEN.replace('FastRank', 'NewRank (ours)')}")
    (place / "plumbline.yaml").write_text(f"files: paper.md\ndump: {dump}\nerrors: [contested]\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b.org", *command], check=True, timeout=60)
    text = (place / "paper.md").read_text()
    (place / "paper.md").write_text(text.replace("NewRank (ours) | .72", "NewRank (ours) | .73"))
    return place


def test_what_plumbline_yaml_says_need_not_be_said(repository, capsys):
    assert main(["review"]) == 0, "what is tied is none of its errors"
    assert "OldRank (ours)" in capsys.readouterr().out
    settings = repository / "plumbline.yaml"
    settings.write_text(settings.read_text().replace("[contested]", "[tied]") + "own: run 1\n")
    assert main(["review", "--format", "json", "--write", "sarif=said.sarif"]) == 1
    owned = {remark["system"] for remark in json.loads(capsys.readouterr().out) if remark["says"] == "tied"}
    assert owned == {"run 1"}
    (run,) = json.loads((repository / "said.sarif").read_text())["runs"]
    assert {remark["level"] for remark in run["results"] if remark["ruleId"] == "tied"} == {"error"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colection: x", "plumbline.yaml: colection is no key; the keys are files, url,"),
        ("errors: [wrong]", "plumbline.yaml: errors has wrong; it takes some of beyond, tied"),
        ("answers: yes", "plumbline.yaml: answers takes keys with values."),
        ("own: {a: b}", "plumbline.yaml: own takes a list."),
        ("own: [[a]]", "plumbline.yaml: own takes texts; one of them is something else."),
        ("own: &a [b]", "plumbline.yaml"),
        ("- a", "plumbline.yaml has no keys"),
    ],
)
def test_a_wrong_plumbline_yaml_says_what_it_takes(repository, capsys, text, message):
    (repository / "plumbline.yaml").write_text(text)
    assert main(["review", "paper.md"]) == 2
    assert message in capsys.readouterr().err


def test_only_tables_that_git_has_changed_are_reviewed(repository, capsys):
    assert main(["review", "--since", "HEAD", "--format", "json"]) == 0
    assert {remark["table"] for remark in json.loads(capsys.readouterr().out)} == {2}
    subprocess.run(["git", "checkout", "-q", "paper.md"], check=True, timeout=60)
    assert main(["review", "--since", "HEAD", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert main(["review", "--since", "nowhere"]) == 2
    assert "git can't say what changed since nowhere" in capsys.readouterr().err


def test_whose_a_table_is_is_asked_once_at_the_terminal(dump, tmp_path, capsys, monkeypatch):
    (tmp_path / "t.md").write_text(_OPEN)
    command = ["review", str(tmp_path / "t.md"), "--dump", str(dump)]
    assert main(command) == 3
    assert "Name yours with --own." in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.StringIO("9\n2\n"))
    assert main([*command, "--ask"]) == 1
    output = capsys.readouterr()
    assert "9 is none of 1 to 2." in output.err
    assert "+0.0200, not significantly different from run 1" in output.out
    assert "1 of 2 scores are on record with the same number." in output.out
    assert output.err.endswith("own:\n  - 'FastRank'\n")


def test_the_marks_of_a_paper_stand_beside_what_is_found(dump, tmp_path, capsys):
    (tmp_path / "t.md").write_text(_OPEN.replace("FastRank | .72", "Ours | .72†"))
    assert main(["review", str(tmp_path / "t.md"), "--dump", str(dump)]) == 1
    assert "The paper marks it †." in capsys.readouterr().out


def test_an_average_that_is_no_mean_is_said_with_both_numbers(dump, tmp_path, capsys):
    rows = "| run 1 | .70 | .30 | .50 |\n| Ours | .72 | .31 | .55 |\n"
    (tmp_path / "t.md").write_text(f"| Model | X nDCG@10 | DL 2019 AP | Avg. |\n|---|---|---|---|\n{rows}")
    main(["review", str(tmp_path / "t.md"), "--dump", str(dump), "--format", "json"])
    remarks = [
        (remark["system"], remark["line"], remark["text"])
        for remark in json.loads(capsys.readouterr().out)
        if remark["says"] == "average"
    ]
    assert remarks == [("Ours", 4, "Avg. is .55; the mean of its 2 scores here is 0.52.")]


def run_action(**inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the steps of the action as a runner does, but for the installation; files of the runner lie in ``runner``."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    context = {f"inputs.{name}": declared["default"] for name, declared in action["inputs"].items()}
    context |= {f"inputs.{name.replace('_', '-')}": text for name, text in inputs.items()}
    (step,) = (step for step in action["runs"]["steps"] if "plumbline review" in step.get("run", ""))
    runner = Path("runner")
    (runner / "bin").mkdir(parents=True, exist_ok=True)
    command = runner / "bin" / "plumbline"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m plumbline "$@"\n')
    command.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{command.parent.resolve()}:{os.environ['PATH']}",
        "PYTHONPATH": f"{ROOT}:{ROOT / 'clients/python/src'}",
        "RUNNER_TEMP": str(runner),
        "GITHUB_OUTPUT": str(runner / "output"),
        "GITHUB_STEP_SUMMARY": str(runner / "summary"),
    }
    for name, text in step["env"].items():
        source = text.removeprefix("${{ ").removesuffix(" }}").split(" || ")[0]
        environment[name] = context[source]
    asked = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(asked, env=environment, capture_output=True, text=True, check=False, timeout=300)


def test_the_action_reviews_what_a_pull_request_changes(repository):
    assert run_action(since="HEAD").returncode == 0
    summary = (repository / "runner" / "summary").read_text()
    assert "NewRank (ours)" in summary
    assert "OldRank (ours)" not in summary
    assert (repository / "runner" / "output").read_text() == "sarif=plumbline.sarif\n"
    (run,) = json.loads((repository / "plumbline.sarif").read_text())["runs"]
    (place,) = run["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "paper.md"
    (repository / "plumbline.yaml").write_text(f"dump: {repository.parent}\nerrors: tied\n")
    assert run_action(since="HEAD", files="paper.md\n").returncode == 1
    unread = run_action(since="HEAD", files="paper.md", dump="nowhere")
    assert unread.returncode == 2
    assert "nowhere is no dump" in unread.stderr


def test_the_documented_settings_and_inputs_are_those_there_are(repository):
    text = (ROOT / "docs" / "ci.md").read_text()
    inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    table = text.partition("## plumbline.yaml")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == inputs.keys()
    example = re.search(r"```yaml settings\n(.*?)```", text, re.DOTALL)[1]
    (repository / "plumbline.yaml").write_text(example.replace("main.tex, README.md", "none.tex"))
    assert main(["review", "--dump", str(repository.parent), "paper.md", "--no-ask"]) in (0, 1)


def test_tables_of_a_folder_know_its_macros_and_have_the_rows_they_input(dump, tmp_path, capsys):
    paper = tmp_path / "paper"
    (paper / "tables").mkdir(parents=True)
    (paper / "main.tex").write_text("\\newcommand{\\ours}{DeepRank (ours)}\n\\input{tables/x}\n% \\input{tables/old}\n")
    table = r"\begin{tabular}{lc} Model & X nDCG@10 \\ \input{tables/rows} \ours & .65 \\ \end{tabular}"
    (paper / "tables" / "x.tex").write_text(table)
    (paper / "tables" / "rows.tex").write_text("run 1 & .62 \\\\ % read again\nrun 3 & .50 \\\\\n")
    for paths in ([paper], [paper / "main.tex"], sorted(paper.rglob("*.tex"))):
        assert main(["review", *map(str, paths), "--dump", str(dump), "--format", "json"]) == 1
        remarks = json.loads(capsys.readouterr().out)
        assert {remark["file"] for remark in remarks} == {str(paper / "tables" / "x.tex")}
        says = {(remark["system"], remark["says"]) for remark in remarks}
        assert says >= {("run 1", "contested"), ("DeepRank (ours)", "tied")}
