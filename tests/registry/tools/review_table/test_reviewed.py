"""What programs are told of a table: every cell, claim and count, and the sentences that sum them up."""

import json

import pytest

from registry.tools.review_table.sent import SentTable
from tests.registry.factory import make_collection, make_measure, make_model, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.pages import page_of
from tests.registry.tools.review_table.test_review_table import CLAIMS, robust

__all__ = ["robust"]

pytestmark = pytest.mark.django_db


def reviewed(client, text, **fields):
    answer = client.post("/api/v1/review-table/", json.dumps({"text": text} | fields), content_type="application/json")
    assert answer.status_code == 200, answer.text
    return answer.json()


def summary_of(client, rows, **fields):
    sent = {"text": f"System,Robust04 MAP\n{rows}", "step": "markdown", "asked": "1"} | fields
    return client.post("/review-table/", sent).text.splitlines()[2]


def test_what_is_sent_is_what_the_form_of_the_page_sends():
    sent = SentTable(
        text="a,b", form="csv", collection="c", measure="m", system="s", unit="percent", answers={"key": "yes"}
    )
    assert sent.as_form().dict() == {
        "text": "a,b", "form": "csv", "collection": "c", "measure": "m", "system": "s", "unit": "percent",
        "answer:key": "yes",
    }  # fmt: skip


@pytest.mark.usefixtures("robust")
def test_every_cell_says_whose_row_it_is_and_every_column_what_was_compared(client):
    found = reviewed(client, CLAIMS, own=["Ours"], baselines=["BM25", "Strong"])
    assert (found["systems"], found["baselines"], found["own"]) == (
        ["BM25", "Strong", "Oracle", "Ours", "Ours (large)"], ["BM25", "Strong"], ["Ours"],
    )  # fmt: skip
    known, unknown = found["columns"]
    for column in (known, unknown):
        assert [(one["system"], one["is_baseline"], one["is_own"]) for one in column["cells"]] == [
            ("BM25", True, False), ("Strong", True, False), ("Oracle", False, False), ("Ours", False, True),
            ("Ours (large)", False, False),
        ]  # fmt: skip
    assert (known["name"], known["url"], known["decimals"], known["best"]) == (
        "TREC 2004 Robust, AP", "/leaderboards/trec-2004-robust/AP/", 4, "0.3160 (run 29, 2004)",
    )  # fmt: skip
    assert (known["n_comparisons"], known["n_beyond"], known["n_unknown"]) == (1, 0, 0)
    assert (unknown["name"], unknown["url"], unknown["best"]) == ("TREC 2004 Robust, P@20", "", "")
    assert (unknown["n_comparisons"], unknown["n_beyond"], unknown["n_unknown"]) == (0, 0, 0)
    assert {(*one["kinds"], *one["words"]) for one in unknown["cells"]} == {
        ("unknown", "no analysed results are on record here")
    }
    assert (found["n_comparisons"], found["n_beyond"], found["n_unknown"], found["n_together"]) == (1, 0, 0, 2)
    (claim,) = found["claims"]
    assert [(one["column"], one["collection"], one["rival"], one["says"]) for one in claim["columns"]] == [
        ("TREC 2004 Robust, AP", "TREC 2004 Robust", "Strong", "ties"),
        ("TREC 2004 Robust, P@20", "TREC 2004 Robust", "Strong", "unknown"),
    ]
    assert [one["gain"] for one in claim["columns"]] == pytest.approx([0.005, 0.05])
    assert claim["columns"][0]["margin"] > 0.005
    assert claim["columns"][1]["margin"] is None


@pytest.mark.usefixtures("robust")
def test_the_table_itself_may_say_which_rows_are_baselines(client):
    rows = "Base,Robust04,MAP,0.25,baseline\nOther,Robust04,MAP,0.2,baseline\nNew,Robust04,MAP,0.3,\n"
    text = f"model,dataset,metric,score,role\n{rows}"
    assert reviewed(client, text)["baselines"] == ["Base", "Other"]
    assert reviewed(client, text, baselines=["New"])["baselines"] == ["New"]
    assert reviewed(client, text, baselines=[])["baselines"] == []


def test_where_nothing_is_on_record_the_lowest_cost_is_the_rival(client):
    make_collection("one", name="One")
    make_measure("cost", higher_is_better=False)
    text = "System,one cost\nHigh,0.5\nLow,0.2\nOracle,0.1\nOurs,0.3\n"
    (claim,) = reviewed(client, text, own=["Ours"])["claims"]
    (told,) = claim["columns"]
    assert (told["rival"], told["gain"], told["says"]) == ("Low", pytest.approx(-0.1), "unknown")
    assert claim["headline"] == "Ours can’t be told from luck on One, cost, where nothing is known of it."
    assert reviewed(client, text, own=["High", "Low", "Ours"])["claims"] == []


@pytest.mark.usefixtures("robust")
def test_one_comparison_is_not_told_to_be_judged_together(client):
    beyond = "1 comparison with the best baseline of the column: 1 beyond luck."
    assert summary_of(client, "Base,0.25\nNew,0.35\n", baseline=["Base"]) == beyond
    own = summary_of(client, "Base,0.25\nNew,0.35\n", baseline=["Base"], own=["New"])
    assert own == (
        "1 comparison with the best baseline of the column, judged as 1 comparison together (Holm): each own row with"
        " every row that could have been its rival. Were no two different, about one table in twenty would have any"
        " told apart."
    )
    assert summary_of(client, "New,0.35\n", own=["New"]) == "0 comparisons with the best other score of the column."


def test_what_can_not_be_judged_is_counted_and_not_judged_together(client):
    board = make_board(["0.3", "0.2"], residual_variance=None)
    analyse(board)
    text = f"System,{board.collection.slug} {board.measure}\nBase,0.2\nNew,0.3\nNewer,0.4\n"
    found = reviewed(client, text, baselines=["Base"])
    (column,) = found["columns"]
    assert (column["n_comparisons"], column["n_beyond"], column["n_unknown"]) == (2, 0, 2)
    assert (found["n_unknown"], found["n_together"]) == (2, 0)
    fields = {"text": text, "step": "markdown", "asked": "1", "baseline": "Base"}
    assert client.post("/review-table/", fields).text.splitlines()[2] == (
        "2 comparisons with the best baseline of the column: 0 beyond luck, 2 can’t be judged here."
    )
    fields |= {"own": "New"}
    assert client.post("/review-table/", fields).text.splitlines()[2] == (
        "1 comparison with the best baseline of the column."
    )


@pytest.mark.usefixtures("robust")
def test_what_is_within_the_margin_below_a_baseline_is_not_told_apart_from_it(client):
    found = reviewed(client, "System,Robust04 MAP\nBase,0.25\nNew,0.2495\n", baselines=["Base"])
    (_, new) = found["columns"][0]["cells"]
    assert new["kinds"] == ["not-told-apart", "new"]
    assert any(word.startswith("0.0005 worse than the best baseline, Base: not told apart by") for word in new["words"])


def test_a_baseline_is_weak_once_among_runs_and_toolkits_where_there_are_five(client):
    values = ["0.30", "0.32", "0.34", "0.36", "0.38"]
    board = make_board(values)
    for number, value in enumerate(values):
        make_result(board, make_system(f"kit {number}"), value, role="reference_implementation")
    mark_changed(board)
    analyse(board)
    text = f"System,{board.collection.slug} {board.measure}\nWeak,0.31\nMiddle,0.34\nNew,0.4\n"
    weak, middle, _ = reviewed(client, text, baselines=["Weak", "Middle"])["columns"][0]["cells"]
    assert (weak["kinds"], middle["kinds"]) == (["weak", "new"], ["new"])
    assert weak["words"] == [
        "8 of 10 results on record are better", "percentile 20 among 5 original runs",
        "percentile 20 among 5 toolkits’ runs", "no system or model of this name is on record here",
    ]  # fmt: skip
    assert "percentile 50 among 5 original runs" in middle["words"]
    few = make_board(values[:4])
    analyse(few)
    text = f"System,{few.collection.slug} {few.measure}\nWeak,0.31\nNew,0.4\n"
    assert reviewed(client, text, baselines=["Weak"])["columns"][0]["cells"][0]["kinds"] == ["new"]


def test_one_run_of_a_model_is_known_by_the_name_of_the_model(client, robust):
    model = make_model()
    make_result(robust, make_system("flat.splade-v3.onnx", model=model), "0.3300", role="reference_implementation")
    mark_changed(robust)
    analyse(robust)
    found = reviewed(client, f"System,Robust04 MAP\n{model.name},0.300\nOurs,0.34\n")
    assert found["columns"][0]["cells"][0]["words"][-1] == "the record has 0.3300 for 1 run of this model"


@pytest.mark.usefixtures("robust")
def test_a_name_that_is_not_known_is_asked_about_with_what_it_may_be(client):
    answer = client.post("/review-table/", {"text": "System,MAP\nOurs,0.39\n", "collection": "Robust0", "step": "read"})
    page = page_of(answer)
    assert "TREC 2004 Robust" in page.text
    clicked = [one["value"] for one in page.of("button") if one.get("name") == "use"]
    assert clicked == ["collection:trec-2004-robust"]
    chosen = client.post(
        "/review-table/", {"text": "System,MAP\nOurs,0.39\n", "collection": "Robust0", "use": clicked[0]}
    )
    assert page_of(chosen).row("Ours yours")[1] == "0.39 record new"


@pytest.mark.usefixtures("robust")
def test_names_are_no_markup_in_markdown(client):
    fields = {"text": "System,Robust04 MAP\nA*b*,0.25\nNew,0.35\n", "step": "markdown", "asked": "1"}
    text = client.post("/review-table/", fields).text
    assert r"| A\*b\* | 0.25" in text
    assert r"- A\*b\*, 0.25: " in text
