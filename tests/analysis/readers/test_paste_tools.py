"""What evaluation tools print and keep, beyond the examples in ``printed_tables``."""

from pathlib import Path

import pytest

from analysis.readers.names import measure_key
from analysis.readers.recognizing import Reading, read_text
from tests.analysis.readers.examples import Names, read, refuse, scores
from tests.data.shipped import table

ONE = "map\tall\t0.2031\nP_10\tall\t0.4382\n"


@pytest.mark.parametrize("name", ["", "runid\tall\t7\n", "runid\tall\t0.5\n"])
def test_a_system_without_a_name_is_asked_for_and_never_a_number(name):
    table = read(f"{name}{ONE}")
    assert scores(table) == [("", "", "map", "0.2031"), ("", "", "P@10", "0.4382")]
    assert "system" in {question.about for question in table.questions}


def test_the_form_may_be_chosen_and_then_needs_means():
    (rejection,) = refuse("map\t301\t0.2031\n", form="trec_eval or ir_measures")
    assert rejection.code == "no_means"


def test_tables_that_look_alike_are_read_as_tables():
    assert scores(read("System BM25\nMAP 0.2531\nP@10 0.4310\n")) == [
        ("BM25", "", "MAP", "0.2531"),
        ("BM25", "", "P@10", "0.4310"),
    ]
    assert scores(read("Method Topics MAP\nBM25 all 0.25\nQL all 0.24\n"))[0] == ("BM25", "", "AP", "0.25")
    heading = "            MAP   P@10\nSparse\nBM25        0.25  0.43\nQL          0.24  0.42\n"
    assert scores(read(heading))[0] == ("BM25", "", "AP", "0.25")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"a": {"b": 1}}', "shape"),
        ("[{}]", "shape"),
        ('{"task_name": "X", "scores": {"test": []}}', "empty"),
        ("- dataset:\n    id: x\n  metric: y\n", "shape"),
        ("model-index:\n- name: x\n  results: []\n", "empty"),
        ("name: BM25\nscores:\n  MAP: 0.25\n", "not_a_table"),
    ],
)
def test_files_of_another_shape_are_refused_as_what_they_are(text, code):
    rejections = read_text(text, Names())
    assert not isinstance(rejections, Reading)
    assert [rejection.code for rejection in rejections] == [code]


WRITTEN = Path(__file__).parents[2] / "fixtures" / "written"


THREE = {"ap", measure_key("nDCG@10"), measure_key("P@5")}
#: What a file has of the three, where it is not all.
FEWER = {
    "beir": THREE - {"ap"}, "mteb-task": THREE - {"ap"}, "mteb": {"ndcg@10"}, "hugging-face-results": {"ndcg@10"},
    "ms-marco": {measure_key("RR@10")},
}  # fmt: skip


@pytest.mark.parametrize(
    "path", sorted(path for path in WRITTEN.iterdir() if path.name != "means.csv"), ids=lambda path: path.name
)
def test_what_tools_wrote_themselves_has_the_means_that_ir_measures_computes(path):
    """``tests/fixtures/make/write.py`` had each tool write it. A measure that is asked for is nDCG@10."""
    rows = table(WRITTEN / "means.csv")
    means = {(row["system"], measure_key(row["measure"])): float(row["value"]) for row in rows}
    reading = read_text(path.read_text(), Names())
    assert isinstance(reading, Reading)
    asked = {question.about for question in reading.questions}
    values = {}
    for system, collection, measure, value in scores(reading):
        assert "scifact" in collection.lower() if collection else "collection" in asked
        assert system or "system" in asked
        assert measure or "measure" in asked
        values[system or "bm25", measure_key(measure or "nDCG@10")] = value
    wanted = next((FEWER[tool] for tool in FEWER if path.name.startswith(tool)), THREE)
    assert {(system, measure) for system, _ in values for measure in wanted} <= values.keys()
    for place, value in values.items():
        if place in means and not path.name.startswith("ir-metadata"):
            decimals = len(value.partition(".")[2])
            assert float(value) == pytest.approx(means[place], abs=0.56 * 10.0**-decimals + 1e-12), place
