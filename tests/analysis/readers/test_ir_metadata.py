"""ir_metadata: the head of a run file, or the YAML beside it."""

import pytest

from analysis.readers.exchange.ir_metadata import read_ir_metadata, write_ir_metadata
from analysis.readers.rejections import Rejection
from analysis.readers.structured import read_yaml
from tests.analysis.readers.examples import filled_cells

YAML = """\
schema-version: 0.1
run-version: 1.0
tag: demo.run-1
platform:
  software:
    libraries: [numpy, scipy]
research goal:
  venue:
    name: SIGIR
    year: 2021
  publication:
    doi: https://doi.org/10.1145/1.2
    dblp: https://dblp.org/rec/conf/sigir/Doe21
  evaluation:
    reported measures:
    - map
    - P_10
method:
  automatic: true
actor:
  name: Jane Doe
  team: uni
data:
  test collection:
    name: Robust 2004
    ir_datasets: https://ir-datasets.com/disks45.html#disks45/nocr/trec-robust-2004
"""
EXPECTED = {
    "system": "demo.run-1",
    "team": "uni",
    "run_type": "automatic",
    "collection": "disks45/nocr/trec-robust-2004",
    "year": "2021",
    "paper_url": "https://doi.org/10.1145/1.2",
}


def cells(text: str) -> list[dict[str, str]]:
    return filled_cells(read_ir_metadata(text))


def test_measures_are_rows_whose_values_are_to_be_filled_in():
    assert cells(YAML) == [EXPECTED | {"measure": "map"}, EXPECTED | {"measure": "P_10"}]


def test_results_are_an_addition_of_ours():
    results = "    results:\n    - {measure: AP, value: 0.30, role: proposed}\n    - {measure: P@10, value: 0.4}\n"
    rows = cells(YAML.replace("    reported", results + "    reported"))
    assert [(row["measure"], row["value"]) for row in rows] == [("AP", "0.30"), ("P@10", "0.4")]
    assert rows[0]["role"] == "proposed"


@pytest.mark.parametrize(
    ("change", "column", "text"),
    [
        (("automatic: true", "automatic: false"), "run_type", "manual"),
        (("automatic: true", "automatic: unknown"), "run_type", "unknown"),
        (("tag: demo.run-1", "tag:"), "system", ""),
        (("method:\n", "method:\n  name: From method\n"), "system", "demo.run-1"),
        (("  team: uni\n", ""), "team", "Jane Doe"),
        (
            ("    ir_datasets: https://ir-datasets.com/disks45.html#disks45/nocr/trec-robust-2004\n", ""),
            "collection",
            "Robust 2004",
        ),
        (
            ("https://ir-datasets.com/disks45.html#disks45/nocr/trec-robust-2004", "beir/scifact"),
            "collection",
            "beir/scifact",
        ),
        (
            ("https://ir-datasets.com/disks45.html#disks45/nocr/trec-robust-2004", '" beir/scifact "'),
            "collection",
            "beir/scifact",
        ),
        (
            ("https://ir-datasets.com/disks45.html#disks45/nocr/trec-robust-2004", "https://ir-datasets.com/nyt.html"),
            "collection",
            "nyt",
        ),
        (("    doi: https://doi.org/10.1145/1.2\n", ""), "paper_url", "https://dblp.org/rec/conf/sigir/Doe21"),
        (("https://doi.org/10.1145/1.2", "not a doi"), "paper_url", "not a doi"),
        (
            ("    doi: https://doi.org/10.1145/1.2\n", "    arxiv: arXiv:1904.09171\n"),
            "paper_url",
            "https://arxiv.org/abs/1904.09171",
        ),
    ],
)
def test_where_the_cells_come_from(change, column, text):
    assert cells(YAML.replace(*change))[0].get(column, "") == text


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "shape", 1),
        ("just text", "shape", 1),
        ("- a\n- b\n", "shape", 1),
        ("tag: [a\n", "yaml", 2),
        ("tag: a\n\tb: c\n", "yaml", 2),
        ("tag: a\ntag: b\n", "duplicate_key", 2),
        ("a: &x [1]\nb: *x\n", "alias", 1),
        ("tag: a\nb: !!python/object/apply:os.system [ls]\n", "tag", 2),
        ("tag: !!binary aGk=\n", "tag", 1),
        ("? [a, b]\n: c\n", "key", 1),
        ("tag: a\n---\ntag: b\n", "several_documents", 2),
        ("tag: " + "[" * 60 + "]" * 60, "nesting", 1),
        ("tag: \x07\n", "yaml", 1),
        ("tag: \ud800\n", "yaml", 1),
        ("tag: a\n# " + "x" * 130_000, "too_long", 1),
        ("ir_metadata.start\ntag: a\n", "cut_off", 1),
        ("# ir_metadata.start\n# tag: a\n301 Q0 d 1 9 t\n", "cut_off", 1),
    ],
)
def test_yaml_that_is_refused(text, code, line):
    (rejection,) = read_ir_metadata(text)
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.line, rejection.fatal) == (code, line, True)
    assert rejection.column


def test_a_billion_laughs_are_not_read():
    text = "a: &a [x,x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)},*{chr(97 + n)}]\n" for n in range(20)
    )
    assert read_ir_metadata(text)[0].code == "alias"


def test_one_run_is_written():
    row = {"collection": "robust04", "system": "r1", "run_type": "automatic", "team": "u"}
    rows = [row | {"measure": "AP", "value": "0.30"}, row | {"measure": "P@10", "value": "0.4"}]
    text = write_ir_metadata(rows)
    assert text.startswith("schema-version: 0.1\nrun-version: 1.0\ntag: r1\n")
    assert read_yaml(text)["tag"] == "r1"
    assert "value: '0.30'" in text
    assert cells(text) == rows
