"""The command at the desk: no site is asked."""

import csv
import gzip
import json
import math
import sys

import ir_measures
import pytest

import plumbline
from analysis.boards import BoardInputs, BoardRow, KnownVariance, MeasureFacts, check_score, make_snapshot, snapshot_id
from plumbline import desk
from plumbline.__main__ import main
from registry.core.judged_files import list_runs, read_judgements, read_run
from registry.core.shipping import SHIPPED
from registry.dumps.tables import TABLES

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
    found = {one["measure"]: one for one in json.loads(capsys.readouterr().out)}
    run = list(ir_measures.read_trec_run(gzip.decompress((folder / "SPLADE--ED.run.gz").read_bytes()).decode()))
    qrels = list(ir_measures.read_trec_qrels((folder / "dl.qrels").read_text()))
    for measure, value in ir_measures.calc_aggregate(map(ir_measures.parse_measure, MEASURES), qrels, run).items():
        assert found[str(measure)]["mean"] == pytest.approx(value, abs=1e-12)
    assert len(found["nDCG@10"]["topics"]) == 43
    assert found["nDCG@10"]["interval"] is None
    low, high = found["AP(rel=2)"]["interval"]
    assert low < found["AP(rel=2)"]["mean"] < high


def test_the_interval_is_that_of_the_mean_where_topics_have_no_relevant_document():
    """Of ten judged topics half have one: the interval was that of the mean over these, and beyond the mean of all."""
    run = b"".join(b"%d Q0 d%d 1 %d x\n" % (topic, n, 99 - n) for topic in range(10) for n in range(60))
    judged = b"".join(b"%d 0 d%d %d\n" % (topic, n, topic < 5 and n % 2) for topic in range(10) for n in range(40))
    some = b"".join(line for line in judged.splitlines(keepends=True) if line < b"5")
    found, of_five = (desk.score(run, qrels, ["AP"])[0] for qrels in (judged, some))
    assert found.mean == pytest.approx(of_five.mean / 2)
    assert found.interval[0] < found.mean < found.interval[1]
    assert found.interval == pytest.approx([limit / 2 for limit in of_five.interval])


def test_gains_of_one_measure_are_not_those_of_another():
    gains = [f"nDCG(gains={{1:{2 + number},2:1}})" for number in range(10)]
    found = desk.score(b"t Q0 a 1 2 x\nt Q0 b 2 1 x\n", b"t 0 a 1\nt 0 b 2\n", ["nDCG", *gains])
    deep = 1 / math.log2(3)
    assert [one.mean for one in found] == pytest.approx([(1 + 2 * deep) / (2 + deep), *[1.0] * len(gains)], abs=1e-12)


def test_a_topic_without_an_answer_counts_as_zero_and_is_said(folder, tmp_path, capsys):
    lines = gzip.decompress((folder / "BM25.run.gz").read_bytes()).splitlines(keepends=True)
    left = tmp_path / "left.run"
    left.write_bytes(b"".join(line for line in lines if not line.startswith(b"19335 ")))
    arguments = ["--qrels", str(folder / "dl.qrels"), "--measure", "nDCG@10", "--by-topic"]
    assert main(["score", str(left), *arguments]) == 0
    told = capsys.readouterr()
    assert "nDCG@10\t19335\t0.0000\n" in told.out
    assert "1 judged topics have no answer and count as 0: 19335" in told.err


@pytest.mark.parametrize(("best", "code"), [(0.75, 0), (0.95, 1)])
def test_against_a_snapshot_the_exit_code_is_the_verdict(folder, tmp_path, capsys, best, code):
    text = snapshot_of().replace('"printed":"0.75"', f'"printed":"{best}"').replace('"value":0.75', f'"value":{best}')
    inputs = json.loads(text)["inputs"]
    assert inputs["rows"][0]["value"] == best
    file = tmp_path / "snapshot.json"
    file.write_text(text)
    assert main(command(folder, "--measure", "nDCG@10", "--against", str(file))) == code
    words = "can’t be told from" if code == 0 else "is ruled out as"
    assert words in capsys.readouterr().out


@pytest.fixture
def dump(tmp_path):
    """A dump's tables that say where a leaderboard is; DL 2019 under AP, and X under nDCG@10."""
    rows = {
        "collections": [{"id": 2, "slug": DL, "name": "DL 2019"}, {"id": 3, "slug": "x", "name": "X"}],
        "collection_aliases": [{"id": n, "collection_id": 3, "alias": alias} for n, alias in enumerate(ALIASES)],
        "measures": [{"id": 4, "name": "AP", "long_name": ""}, {"id": 5, "name": "nDCG@10", "long_name": ""}],
        "measure_aliases": [],
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
    ((found,),) = [json.loads(capsys.readouterr().out)]
    expected = check_score(desk.boards.read_snapshot(snapshot_of()).inputs, found["mean"])
    assert found["against"]["margin"] == expected.margin
    assert found["against"]["ranks"] == {"low": expected.ranks.low, "high": expected.ranks.high}


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
    lines = "".join(f'{{"leaderboard_id": 7, "snapshot_id": "{one}"}}\n' for one in "ab")
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
    (found,) = json.loads(capsys.readouterr().out)
    assert found["difference"] == pytest.approx(0.7308 - 0.5058, abs=1e-4)
    from scipy.stats import ttest_rel

    one, other = (desk.score(desk.read(file), desk.read(folder / "dl.qrels"), ["nDCG@10"])[0] for file in files)
    pvalue = ttest_rel(list(one.by_topic.values()), list(other.by_topic.values())).pvalue
    assert found["tests"][0]["pvalue"] == pytest.approx(pvalue, rel=1e-9)
    assert main(["compare", files[0], files[0], *arguments]) == 1
    assert "the same on every topic" in capsys.readouterr().out


def test_two_vectors_of_scores_are_compared_without_judgements(tmp_path, capsys):
    table = tmp_path / "by-topic.csv"
    table.write_text("topic,mine,other\n1,.5,.25\n2,.75,.5\n3,.5,.5\n4,.9,.6\n")
    assert main(["compare", "--scores", str(table), "--format", "json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["n_topics"], found["means"]) == (4, pytest.approx([0.6625, 0.4625]))
    assert [one["test"] for one in found["tests"]] == ["t", "wilcoxon", "sign", "randomization"]
    table.write_text("topic,mine\n1,.5\n2,.75\n")
    assert main(["compare", "--scores", str(table)]) == 2
    assert capsys.readouterr().err == "The table has 1 systems; a comparison takes two.\n"
    assert main(["compare", "a.run"]) == 2
    assert "Give two runs with --qrels and --measure" in capsys.readouterr().err


def test_luck_of_the_best(capsys):
    assert main(["best-of", "2", "--topics", "50", "--variance", "0.0144", "--best", "0.3", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    # Of two standard normal values the larger is 1 / sqrt(pi) on average.
    assert found["luck"] == pytest.approx((0.0144 / 50) ** 0.5 / 3.141592653589793**0.5, rel=1e-6)
    assert found["worth"] == pytest.approx(0.3 - found["luck"])
    assert main(["best-of", "0", "--topics", "50", "--variance", "0.0144"]) == 2


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
    ("run", "qrels", "measure", "said"),
    [
        ("1 Q0 a 1 2\n", "1 0 a 1\n", "AP", "line 1: has 5 fields"),
        ("1 Q0 a 1 2 x\n", "2 0 a 1\n", "AP", "No topic of the run is judged"),
        *[
            ("1 Q0 a 1 2 x\n", "1 0 a 1\n", measure, f"'{measure}' is no measure as ir-measures spells them")
            for measure in ("Fame@10", "P", "nDCG@0", "nDCG@1.5", "nDCG@99999999999999999999", "AP(rel=0)", "AP(foo=1)")
        ],
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(tmp_path, capsys, run, qrels, measure, said):
    (tmp_path / "x.run").write_text(run)
    (tmp_path / "x.qrels").write_text(qrels)
    assert main(["score", str(tmp_path / "x.run"), "--qrels", str(tmp_path / "x.qrels"), "--measure", measure]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("damage", [lambda packed: packed[:-12], lambda packed: packed[:12] + b"\0\0" + packed[14:]])
def test_a_packed_run_that_is_broken_off_or_damaged_cannot_be_read(folder, tmp_path, capsys, damage):
    file = tmp_path / "cut.run.gz"
    file.write_bytes(damage((folder / "BM25.run.gz").read_bytes()))
    assert main(["score", str(file), "--qrels", str(folder / "dl.qrels"), "--measure", "AP"]) == 2
    assert "cut.run.gz is broken off or damaged" in capsys.readouterr().err


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
    (found,) = json.loads(capsys.readouterr().out)
    assert found["difference"] == 0.5
    # Of 2 ** 8 signs two give as large a sum.
    pvalues = {one["test"]: one["pvalue"] for one in found["tests"]}
    assert pvalues["sign"] == pvalues["randomization"] == pytest.approx(2 / 2**8)
    assert "t" not in pvalues
    assert main([*command, "--measure", "RR", "--format", "latex"]) == 0
    assert r"+0.5000 &  \\" in capsys.readouterr().out


def test_judgements_of_other_topics_than_those_of_the_leaderboard_are_said(folder, tmp_path, capsys):
    (tmp_path / "some.qrels").write_text("".join((folder / "dl.qrels").read_text().splitlines(keepends=True)[:900]))
    (tmp_path / "snapshot.json").write_text(snapshot_of())
    n_there = json.loads(snapshot_of())["inputs"]["n_topics"]
    options = ["--measure", "nDCG@10", "--against", str(tmp_path / "snapshot.json")]
    main(command(folder, *options))
    assert "over the same topics" not in capsys.readouterr().err
    main([*command(folder, *options), "--qrels", str(tmp_path / "some.qrels")])
    assert f"topics, and means there are over {n_there}: they are not over the same topics." in capsys.readouterr().err
