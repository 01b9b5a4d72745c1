"""What holds for every text in a format of exchange: nothing is raised, and what was written is read."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.readers.columns import COLUMNS
from analysis.readers.exchange.formats import FORMATS
from analysis.readers.grids import Flaw
from analysis.readers.rejections import Rejection
from analysis.readers.structured import read_json, read_yaml, write_yaml
from analysis.readers.tables import Record, guard_formula, unguard_formula
from tests.analysis.readers.examples import examples, hostile, storable
from tests.thoroughness import every

NO_TEXT = re.compile("[\0\ud800-\udfff]")
BLANKS = dict.fromkeys(COLUMNS, "")
SCORES = st.from_regex(r"\A(?:0|1|0?\.[0-9]{1,8}|[0-9]{1,3}\.[0-9]{1,3})\Z")
OTHERS = st.dictionaries(
    st.sampled_from([name for name in COLUMNS if name not in {"measure", "value"}]), storable(), max_size=5
)
NODES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | hostile(3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(hostile(2), inner, max_size=3),
    max_leaves=8,
)


def check(records):
    """Check for rows that a database can keep, or rejections with their places."""
    assert records
    for record in records:
        if isinstance(record, Rejection):
            assert record.code
            assert record.message
            assert record.line
            assert record.column or record.code == "ragged"
            str(record).encode()
        else:
            assert list(record.cells) == list(COLUMNS)
            assert not any(NO_TEXT.search(text) for text in record.cells.values())


def written_and_read(name, rows):
    form = FORMATS[name]
    return [record.cells for record in form.read(form.write(rows)) if isinstance(record, Record)]


@pytest.mark.parametrize("name", FORMATS)
@examples
@given(text=hostile())
def test_any_text_is_read_or_refused(name, text):
    check(FORMATS[name].read(text))


@pytest.mark.parametrize("name", ["json", "every_eval_ever"])
@examples
@given(node=NODES, cell=NODES)
def test_any_json_is_read_or_refused(name, node, cell):
    result = {"value": cell, "system": cell, "score_details": {"score": cell, "details": node}, "metric_config": node}
    for document in (
        node,
        {"results": [node, result]},
        {"schema_version": "0.2.1", "evaluation_results": [node, result]},
    ):
        check(FORMATS[name].read(json.dumps(document)))


@pytest.mark.parametrize("name", ["ir_metadata", "run_card"])
@examples
@given(node=NODES.filter(lambda node: not NO_TEXT.search(json.dumps(node, ensure_ascii=False))), cell=NODES)
def test_any_yaml_is_read_or_refused(name, node, cell):
    evaluation = {"results": [node], "reported measures": node}
    document = {
        "tag": node,
        "research goal": {"evaluation": evaluation, "publication": node, "venue": node},
        "data": {"test collection": node},
        "run": {"results": {"MAP": node}, "date": node, "team": node},
        "benchmark": node,
        "paper": node,
        "plumbline": node,
    }
    check(FORMATS[name].read(json.dumps(document)))


@pytest.mark.parametrize("name", ["csv", "json"])
@examples
@given(
    rows=st.lists(
        st.builds(lambda value, other: BLANKS | other | {"value": value}, SCORES, OTHERS), min_size=1, max_size=3
    )
)
def test_rows_that_were_written_are_read(name, rows):
    assert written_and_read(name, rows) == rows


@pytest.mark.parametrize("name", ["ir_metadata", "run_card", "every_eval_ever"])
@examples
@given(results=st.dictionaries(storable(), SCORES, min_size=1, max_size=3), other=OTHERS)
def test_runs_that_were_written_are_read(name, results, other):
    rows = [BLANKS | other | {"measure": measure, "value": value} for measure, value in results.items()]
    assert written_and_read(name, rows) == rows


@pytest.mark.parametrize("name", every(2, FORMATS, __file__))
@examples
@given(results=st.dictionaries(st.sampled_from(["AP", "P@10", "nDCG@10"]), SCORES, min_size=1))
def test_scores_in_percent_keep_their_print(name, results):
    rows = [
        BLANKS | {"system": "X", "unit": "percent", "measure": measure, "value": value}
        for measure, value in results.items()
    ]
    assert written_and_read(name, rows) == rows


@examples
@given(text=storable())
def test_guarding_formulas_can_be_undone(text):
    guarded = guard_formula(text)
    assert unguard_formula(guarded) == text
    assert not guarded.startswith(("=", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))


@examples
@given(
    value=st.recursive(
        storable(),
        lambda inner: (
            st.lists(inner, min_size=1, max_size=3) | st.dictionaries(storable(), inner, min_size=1, max_size=3)
        ),
        max_leaves=6,
    )
)
def test_yaml_that_was_written_is_read(value):
    assert read_yaml(write_yaml(value)) == value


@examples
@given(text=hostile())
def test_any_json_or_yaml_is_a_value_or_a_flaw(text):
    for read in (read_json, read_yaml):
        try:
            read(text)
        except Flaw as flaw:
            rejection = flaw.rejection
        else:
            continue
        assert rejection.fatal
        assert rejection.line
