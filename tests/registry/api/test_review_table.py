"""A table that a program sends to be reviewed."""

import json

import pytest

from registry.core.limits import LIMITS
from tests.registry.api.shapes import assert_conforms
from tests.registry.tools.review_table.test_review_table import LATEX, robust

__all__ = ["robust"]

PATH = "/api/v1/review-table/"


def ask(client, content_type="application/json", **body):
    return client.post(PATH, json.dumps(body), content_type=content_type)


@pytest.mark.usefixtures("robust")
def test_it_is_answered_as_described_and_kept_by_nobody(client):
    answer = ask(client, text=LATEX, baselines=["BM25"])
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert_conforms(answer, "review_table")


@pytest.mark.usefixtures("robust")
def test_what_the_table_leaves_out_is_an_error_and_can_be_said(client):
    text = "System,MAP\nOurs,0.39\nX,0.2\n"
    refused = ask(client, text=text)
    assert refused.status_code == 400
    assert [error["message"] for error in refused.json()["errors"]] == ["No row says the collection."]
    assert ask(client, text=text, collection="Robust04").json()["systems"] == ["Ours", "X"]


@pytest.mark.parametrize(("body", "field"), [({"text": " \n"}, "text"), ({"text": "a,b\n1,2", "form": "poem"}, "form")])
def test_what_is_refused_is_named(client, body, field):
    (part,) = ask(client, **body).json()["errors"]
    assert part["field"] == field
    assert (
        "send it as text" in part["message"] or "“poem” is not known here; choose from CSV, CSV with" in part["message"]
    )


def test_it_is_limited_as_the_page_is(client, monkeypatch):
    monkeypatch.setitem(LIMITS, "check: address", (1, 300))
    ask(client, text="a,b")
    assert ask(client, text="a,b").status_code == 429


@pytest.mark.usefixtures("robust")
def test_a_question_is_answered_under_its_key(client):
    text = "model,dataset,metric,score\nOurs,Robust04,MAP,39.0\nX,Robust04,MAP,20.0\n"
    refused = ask(client, text=text)
    assert refused.status_code == 400
    assert_conforms(refused, "review_table")
    (question,) = refused.json()["errors"]
    key = question["field"].removeprefix("answers.")
    answers = {key: question["candidates"][0]["value"]}
    assert ask(client, text=text, answers=answers).status_code == 200


@pytest.mark.usefixtures("robust")
@pytest.mark.parametrize("field", ["baselines", "own"])
def test_a_name_that_no_row_has_is_refused(client, field):
    text = "System,MAP\nBM25,0.21\nOther,nan\nOurs,0.39\n"
    assert ask(client, text=text, collection="Robust04", **{field: ["Other"]}).status_code == 200
    answer = ask(client, text=text, collection="Robust04", **{field: ["BM52"]})
    assert answer.status_code == 400
    assert answer.json()["errors"] == [
        {"field": field, "code": "unknown_system", "message": "No row of the table is of 'BM52'; did you mean BM25?"}
    ]


@pytest.mark.usefixtures("robust")
def test_rows_are_counted(client, monkeypatch):
    def wide(n: int, n_rows: int = 1) -> str:
        columns = ",".join(f"P@{number}" for number in range(1, n + 1))
        return f"System,{columns}" + ("\nA" + ",0.2" * n) * n_rows

    for text in (wide(1, 501), wide(25, 21)):
        refused = ask(client, text=text, collection="Robust04")
        assert refused.status_code == 413
        assert refused.json()["error"] == "At most 500 rows are reviewed at once. Send the table in parts."
    monkeypatch.setitem(LIMITS, "check rows: address", (30, 300))
    assert ask(client, text=wide(1, 25), collection="Robust04").status_code == 200
    assert ask(client, text=wide(1, 25), collection="Robust04").status_code == 429
