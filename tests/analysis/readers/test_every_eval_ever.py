"""Every Eval Ever, versions 0.2 and 0.3."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import jsonschema_rs
import pytest

from analysis.readers.exchange.every_eval_ever import logs_of, read_every_eval_ever, write_every_eval_ever
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record
from tests.analysis.readers.every_eval_ever_schema import SCHEMA
from tests.analysis.readers.examples import filled_cells
from tests.data.shipped import DATA, table
from tests.thoroughness import every

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
            "score_details": {"score": 0.30, "uncertainty": {"standard_error": {"value": 0.012}, "num_samples": 300}},
        }
    ],
}
TAKES = jsonschema_rs.validator_for(SCHEMA)


def cells(text: str) -> list[dict[str, str]]:
    return filled_cells(read_every_eval_ever(text))


def with_result(**changes: object) -> str:
    return json.dumps(LOG | {"evaluation_results": [LOG["evaluation_results"][0] | changes]})


def test_a_row_for_each_result():
    text = json.dumps(LOG).replace("0.3,", "0.30,")
    assert cells(text) == [
        {
            "collection": "beir/scifact/test",
            "measure": "NDCG@10",
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
        ({"metric_config": {"lower_is_better": False, "evaluation_description": "MAP"}}, "measure", "MAP"),
        ({"metric_config": {"lower_is_better": False}, "evaluation_name": "P@10"}, "measure", "P@10"),
        ({"metric_config": {"metric_id": "lmarena.elo", "lower_is_better": False}}, "measure", "lmarena.elo"),
        ({"metric_config": {}}, "measure", ""),
        ({"source_data": {}}, "collection", "demo.scifact"),
        ({"evaluation_timestamp": "1675418400"}, "date", "2023-02-03"),
        ({"evaluation_timestamp": "last year"}, "date", ""),
        ({"score_details": {"score": 0.3, "details": {"printed": "0.300"}}}, "value", "0.300"),
        ({"score_details": {"score": 0.3, "details": {"printed": "0.4"}}}, "value", "0.3"),
        ({"score_details": {"score": 0.3, "details": {"role": "proposed"}}}, "role", "proposed"),
        ({"score_details": {"score": 0.3, "details": {"printed": "30.0", "unit": "percent"}}}, "value", "30.0"),
        ({"score_details": {"score": 0.3, "details": {"printed": "30.0", "unit": "percent"}}}, "unit", "percent"),
        ({"score_details": {"score": 0.3, "details": {"printed": "31", "unit": "percent"}}}, "unit", ""),
        ({"metric_config": {"metric_name": "MAP", "metric_unit": "percent"}}, "unit", "percent"),
        ({"metric_config": {"metric_name": "MAP", "min_score": 0, "max_score": 100.0}}, "unit", "percent"),
        ({"metric_config": {"metric_name": "MAP", "metric_unit": "proportion", "max_score": 1.0}}, "unit", ""),
        ({"metric_config": {"metric_name": "MAP", "min_score": -100, "max_score": 100}}, "unit", ""),
    ],
)
def test_where_the_cells_come_from(changes, column, text):
    assert cells(with_result(**changes))[0].get(column, "") == text


def test_all_that_is_said_of_uncertainty_stands_in_the_notes():
    uncertainty = {
        "standard_error": {"value": 0.01},
        "standard_deviation": 0.2,
        "num_samples": 50,
        "confidence_interval": {"lower": 0.28, "upper": 0.32, "confidence_level": 0.95, "method": "bootstrap"},
    }
    (row,) = cells(with_result(score_details={"score": 0.3, "uncertainty": uncertainty}))
    assert row["notes"] == (
        "standard error 0.01; standard deviation 0.2; samples 50; interval from 0.28; to 0.32; at level 0.95"
    )


@pytest.mark.parametrize(
    ("changes", "column", "text"),
    [
        ({"model_info": {"id": "uni/model-x"}}, "system", "uni/model-x"),
        ({"model_info": {"id": "uni/model-x"}}, "team", ""),
        ({"source_metadata": {"source_organization_name": "uni"}}, "source", "uni"),
        ({"source_metadata": []}, "source", ""),
        ({"evaluation_timestamp": "2020-01-01"}, "date", "2023-02-03"),
    ],
)
def test_what_a_log_says_of_all_its_results(changes, column, text):
    assert cells(json.dumps(LOG | changes))[0].get(column, "") == text


@pytest.mark.parametrize(
    ("row", "name", "kind", "relationship"),
    [
        ({"source": "a", "paper": "p", "paper_url": "u", "role": "proposed"}, "a", "documentation", "first_party"),
        ({"paper": "p", "paper_url": "u", "role": "baseline"}, "p", "documentation", "third_party"),
        ({"paper_url": "u", "role": "leaderboard", "provenance": "recomputed"}, "u", "evaluation_run", "third_party"),
        ({"provenance": "topic_scores"}, "unknown", "evaluation_run", "other"),
    ],
)
def test_where_a_log_says_that_its_results_are_from(row, name, kind, relationship):
    whole = {"collection": "c", "measure": "AP", "system": "a", "value": "0.1"} | row
    source = json.loads(write_every_eval_ever([whole]))["source_metadata"]
    assert source == {
        "source_name": name,
        "source_type": kind,
        "source_organization_name": "Plumbline",
        "evaluator_relationship": relationship,
    }


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[]", "shape"),
        ("{}", "shape"),
        (json.dumps(LOG | {"schema_version": "1.0"}), "version"),
        (json.dumps(LOG | {"schema_version": "0.30"}), "version"),
        (json.dumps(LOG | {"schema_version": 0.2}), "version"),
        (json.dumps(LOG | {"evaluation_results": []}), "empty"),
        (json.dumps(LOG)[:-1], "json"),
    ],
)
def test_logs_that_are_refused(text, code):
    (rejection,) = read_every_eval_ever(text)
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.fatal) == (code, True)
    assert rejection.line
    assert rejection.column


@pytest.mark.parametrize("score", ['"0.3"', "true", "null", "[0.3]"])
def test_a_score_that_is_no_number_keeps_none_of_the_others_out(score):
    text = json.dumps(LOG | {"evaluation_results": LOG["evaluation_results"] * 2}).replace("0.3,", f"{score},", 1)
    records = read_every_eval_ever(text)
    assert [type(record) for record in records] == [Rejection, Record]
    assert (records[0].code, records[0].line, records[0].column) == ("type", 1, "value")


def test_one_system_is_written_with_all_that_the_schema_asks_for():
    row = {"collection": "robust04", "measure": "AP", "system": "r1", "value": ".30", "team": "u", "role": "proposed"}
    rows = [row, row | {"collection": "dl20", "value": "0.4", "provenance": "topic_scores", "date": "2023-02-03"}]
    text = write_every_eval_ever(rows, retrieved=datetime(2024, 1, 1, tzinfo=UTC), lower_is_better=frozenset({"AP"}))
    log = json.loads(text)
    assert [error.message for error in TAKES.iter_errors(log)] == []
    assert log["schema_version"] == "0.3.0"
    assert log["model_info"]["additional_details"] == {"deployment_type": "unknown", "model_availability": "unknown"}
    assert log["retrieved_timestamp"] == "1704067200"
    assert log["source_metadata"]["evaluator_relationship"] == "first_party"
    assert [result["score_details"]["score"] for result in log["evaluation_results"]] == [0.3, 0.4]
    assert all(result["metric_config"]["lower_is_better"] for result in log["evaluation_results"])
    assert cells(text) == rows


def test_a_log_is_of_one_system_and_source_however_many_results_it_has():
    row = {"collection": "robust04", "measure": "AP", "system": "r1", "value": ".30", "source": "a"}
    rows = [row, row | {"collection": "dl20"}, row | {"source": "b"}, row | {"system": "r2"}]
    assert [len(log) for log in logs_of(rows)] == [2, 1, 1]


@pytest.mark.parametrize(
    ("system", "team", "own_id", "developer"),
    [
        ("BAAI/bge-m3", "BAAI", "BAAI/bge-m3", "BAAI"),
        ("BAAI/bge-m3", "", "BAAI/bge-m3", "BAAI"),
        ("r1", "uogTr", "uogTr/r1", "uogTr"),
        ("r1", "", "unknown/r1", None),
    ],
)
def test_a_model_is_named_once_with_its_revision(system, team, own_id, developer):
    row = {"collection": "c", "measure": "AP", "system": system, "team": team, "value": "0.1"}
    log = json.loads(write_every_eval_ever([row], revisions={(system, team): "5617a9f6"}))
    assert (log["model_info"]["id"], log["model_info"].get("developer")) == (own_id, developer)
    assert log["model_info"]["additional_details"]["revision"] == "5617a9f6"
    assert log["evaluation_id"].startswith(f"plumbline/{own_id}/")
    assert TAKES.is_valid(log)


def shipped_runs(step: int = 1) -> Iterator[list[dict[str, str]]]:
    """Yield the rows of every system of the shipped results, or of one in so many files where time matters."""
    for path in every(step, sorted((DATA / "results").glob("*.csv")), __file__):
        yield from logs_of([{name: cell for name, cell in row.items() if cell} for row in table(path)])


def test_everything_that_ships_is_taken():
    """One in some hundred, where time matters."""
    logs = every(20, shipped_runs(5), __file__)
    assert len(logs) > 5_000 / 100
    for run in logs:
        assert TAKES.is_valid(json.loads(write_every_eval_ever(run))), run


def test_several_systems_and_values_that_are_no_numbers_are_refused():
    with pytest.raises(Refused, match="these rows are of 2"):
        write_every_eval_ever([{"system": "a", "value": "0.1"}, {"system": "b", "value": "0.2"}])
    for value in ("n/a", "NaN", "1e400", "1_0", "٣"):
        with pytest.raises(Refused):
            write_every_eval_ever([{"system": "a", "value": value}])
