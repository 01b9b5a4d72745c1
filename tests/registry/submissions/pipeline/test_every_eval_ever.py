"""Every Eval Ever, version 0.2."""

import json
from datetime import UTC, datetime

import pytest

from registry.core.rejections import Refused, Rejection
from registry.core.tables import Record
from registry.submissions.pipeline.every_eval_ever import read_every_eval_ever, write_every_eval_ever

LOG = {
    "schema_version": "0.2.2",
    "evaluation_id": "demo/uni/model-x/1",
    "retrieved_timestamp": "1700000000",
    "source_metadata": {
        "source_name": "Demo board",
        "source_type": "documentation",
        "source_organization_name": "uni",
        "evaluator_relationship": "third_party",
    },
    "model_info": {"name": "Model X", "id": "uni/model-x", "developer": "uni"},
    "eval_library": {"name": "unknown", "version": "unknown"},
    "evaluation_results": [
        {
            "evaluation_name": "demo.scifact",
            "evaluation_timestamp": "2023-02-03T10:00:00Z",
            "source_data": {"dataset_name": "beir/scifact/test", "source_type": "other"},
            "metric_config": {"metric_id": "ndcg_at_10", "metric_name": "NDCG@10", "lower_is_better": False},
            "score_details": {
                "score": 0.30,
                "uncertainty": {"standard_error": {"value": 0.012}, "num_samples": 300},
            },
        }
    ],
}
#: Which parts the schema asks for, as of version 0.2.2.
REQUIRED = {
    "": ("schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info", "eval_library",
         "evaluation_results"),
    "source_metadata": ("source_type", "source_organization_name", "evaluator_relationship"),
    "model_info": ("name", "id"),
    "eval_library": ("name", "version"),
}  # fmt: skip
REQUIRED_OF_RESULTS = ("evaluation_name", "source_data", "metric_config", "score_details")


def cells(text: str) -> list[dict[str, str]]:
    records = read_every_eval_ever(text)
    assert all(isinstance(record, Record) for record in records), records
    return [{column: cell for column, cell in record.cells.items() if cell} for record in records]


def with_result(**changes: object) -> str:
    return json.dumps(LOG | {"evaluation_results": [LOG["evaluation_results"][0] | changes]})


def test_a_row_for_each_result():
    text = json.dumps(LOG).replace("0.3,", "0.30,")
    assert cells(text) == [
        {
            "collection": "beir/scifact/test",
            "measure": "nDCG@10",
            "system": "Model X",
            "value": "0.30",
            "team": "uni",
            "source": "Demo board",
            "date": "2023-02-03",
            "notes": "standard error 0.012; samples 300",
        }
    ]


@pytest.mark.parametrize(
    ("changes", "column", "text"),
    [
        ({"metric_config": {"lower_is_better": False, "evaluation_description": "MAP"}}, "measure", "AP"),
        ({"metric_config": {"lower_is_better": False}, "evaluation_name": "P@10"}, "measure", "P@10"),
        ({"metric_config": {"metric_id": "lmarena.elo", "lower_is_better": False}}, "measure", "lmarena.elo"),
        ({"metric_config": {}}, "measure", ""),
        ({"source_data": {}}, "collection", "demo.scifact"),
        ({"evaluation_timestamp": "1675418400"}, "date", "2023-02-03"),
        ({"evaluation_timestamp": "last year"}, "date", ""),
        ({"score_details": {"score": 0.3, "details": {"printed": "0.300"}}}, "value", "0.300"),
        ({"score_details": {"score": 0.3, "details": {"printed": "0.4"}}}, "value", "0.3"),
        ({"score_details": {"score": 0.3, "details": {"role": "proposed"}}}, "role", "proposed"),
    ],
)
def test_where_the_cells_come_from(changes, column, text):
    assert cells(with_result(**changes))[0].get(column, "") == text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[]", "shape"),
        ("{}", "shape"),
        (json.dumps(LOG | {"schema_version": "1.0"}), "version"),
        (json.dumps(LOG | {"schema_version": 0.2}), "version"),
        (json.dumps(LOG | {"evaluation_results": []}), "empty"),
        (json.dumps(LOG)[:-1], "json"),
    ],
)
def test_logs_that_are_refused(text, code):
    (one,) = read_every_eval_ever(text)
    assert isinstance(one, Rejection)
    assert (one.code, one.fatal) == (code, True)
    assert one.line
    assert one.column


@pytest.mark.parametrize("score", ['"0.3"', "true", "null", "[0.3]"])
def test_a_score_that_is_no_number_keeps_none_of_the_others_out(score):
    text = json.dumps(LOG | {"evaluation_results": LOG["evaluation_results"] * 2}).replace("0.3,", f"{score},", 1)
    records = read_every_eval_ever(text)
    assert [type(record) for record in records] == [Rejection, Record]
    assert (records[0].code, records[0].line, records[0].column) == ("type", 1, "value")


def test_one_system_is_written_with_all_that_the_schema_asks_for():
    row = {"collection": "robust04", "measure": "AP", "system": "r1", "value": ".30", "team": "u", "role": "proposed"}
    rows = [row, row | {"collection": "dl20", "value": "0.4", "evidence": "topic_scores", "date": "2023-02-03"}]
    text = write_every_eval_ever(rows, retrieved=datetime(2024, 1, 1, tzinfo=UTC), lower_is_better=frozenset({"AP"}))
    log = json.loads(text)
    for part, keys in REQUIRED.items():
        assert set(keys) <= set(log[part] if part else log)
    assert all(set(REQUIRED_OF_RESULTS) <= set(result) for result in log["evaluation_results"])
    assert log["schema_version"] == "0.2.2"
    assert log["retrieved_timestamp"] == "1704067200"
    assert log["source_metadata"]["evaluator_relationship"] == "first_party"
    assert [result["score_details"]["score"] for result in log["evaluation_results"]] == [0.3, 0.4]
    assert all(result["metric_config"]["lower_is_better"] for result in log["evaluation_results"])
    assert all(
        isinstance(v, str) for result in log["evaluation_results"] for v in result["score_details"]["details"].values()
    )
    assert cells(text) == rows


def test_the_same_rows_have_the_same_id():
    row = {"collection": "robust04", "measure": "AP", "system": "r1", "value": "0.30"}
    ids = {
        json.loads(write_every_eval_ever([one]))["evaluation_id"] for one in (row, dict(row), row | {"value": "0.3"})
    }
    assert len(ids) == 2


def test_several_systems_and_values_that_are_no_numbers_are_refused():
    with pytest.raises(Refused, match="these rows are of 2"):
        write_every_eval_ever([{"system": "a", "value": "0.1"}, {"system": "b", "value": "0.2"}])
    for value in ("n/a", "NaN", "1e400", "1_0", "٣"):
        with pytest.raises(Refused):
            write_every_eval_ever([{"system": "a", "value": value}])
