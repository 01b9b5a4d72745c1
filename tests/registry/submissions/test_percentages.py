"""Tables and forms in percent: proposed where scores look like it, asked once, and never taken for granted."""

import re
from typing import Any

import pytest

from registry.submissions.models import Submission
from tests.analysis.readers import test_printed_tables as printed_tables
from tests.registry.factory import make_collection, make_leaderboard, make_measure
from tests.registry.pages import read
from tests.registry.submissions.test_submit_form import TYPED
from tests.registry.submissions.world import make_robust04, make_submission, outcomes, row

FOR_ALL = {"role": "baseline", "paper": "arXiv:1904.09171"}


ANSWER = re.compile(r'name="(answer:unit-[0-9a-f]+)"')


@pytest.fixture
def beir():
    ndcg = make_measure("nDCG@10")
    for slug, name in (("trec-covid", "TREC-COVID"), ("nfcorpus", "NFCorpus"), ("scifact", "SciFact")):
        make_leaderboard(make_collection(f"beir-{slug}", aliases=[name], name=f"BEIR {name}"), ndcg)
    make_leaderboard(make_collection("beir-fiqa", aliases=["FiQA-2018"]), ndcg)
    make_leaderboard(make_collection("trec-2004-robust", aliases=["robust04"]), make_measure("AP", aliases=["MAP"]))


def send(client: Any, text: str, step: str = "check", **fields: str) -> Any:
    return client.post("/submit/", {"text": text, **FOR_ALL, **fields, "step": step})


def asked(response: Any) -> str:
    """Return what the page asks about percentages; the field for the answer is the only one of its kind."""
    page = response.content.decode()
    assert response.status_code == 200
    assert not Submission.objects.exists()
    return re.sub(r"<[^>]+>|\s+", " ", page.partition("<legend>")[2].partition("</fieldset>")[0])


def answer(response: Any, unit: str) -> dict[str, str]:
    (field,) = set(ANSWER.findall(response.content.decode()))
    return {field: unit}


def units() -> list[tuple[str, str]]:
    rows = Submission.objects.get().rows.order_by("line").values_list("cells", flat=True)
    return [(cells["value"], cells.get("unit", "")) for cells in rows]


def test_a_table_of_a_paper_in_percent_is_asked_about_once_and_taken_whole(ada, beir):
    (path,) = [path for path in printed_tables.FILES if path.stem == "latex-beir-groups"]
    text = printed_tables.expected(path).text.replace("Ours", "MyModel")
    response = send(ada, text, measure="nDCG@10")
    question = asked(response)
    assert (
        "All 16 scores of nDCG@10 (23.4 to 74.0) are above 1, where the measure ends. Are they in percent?" in question
    )
    assert "yes: 74.0 stands for 0.740" in question
    send(ada, text, measure="nDCG@10", **answer(response, "percent"))
    submission = Submission.objects.get()
    assert outcomes(submission) == ["new"] * 16
    assert units()[0] == ("65.1", "percent")


@pytest.mark.parametrize(
    "text",
    [
        "system\tMAP\nBM25\t0.2531\nMyModel\t0.2903\n",
        "system\tMAP\nBM25\t0.2531\nMyModel\t0.2903\nTheirs\t29\n",  # one is wrong, whichever
        "system\tMAP\nBM25\t25.31%\nMyModel\t29.03%\n",  # each says it
        "system\tMAP\nBM25\t2531\nMyModel\t2903\n",  # no percentages either
        "system\tMAP (%)\nBM25\t25.31\nMyModel\t29.03\n",  # the head says it
        "system,MAP [in %] ↑\nBM25,25.31\nMyModel,29.03\n",
        "system,measure,value,unit\nBM25,MAP,25.31,percent\nMyModel,MAP,29.03,%\n",
    ],
)
def test_nothing_is_asked_where_there_is_nothing_to_ask(ada, beir, text):
    assert send(ada, text, collection="robust04").status_code == 302


def test_a_head_says_it_of_its_column_alone(ada, beir):
    text = "| Model | MAP (%) | nDCG@10 |\n| --- | --- | --- |\n| BM25 | 25.31 | 0.4224 |\n| MyModel | 0.9 | 0.4391 |\n"
    send(ada, text, collection="robust04")
    assert units() == [("25.31", "percent"), ("0.4224", ""), ("0.9", "percent"), ("0.4391", "")]
    assert set(outcomes(Submission.objects.get())) == {"new"}


def test_a_draft_that_was_refused_for_it_is_mended_at_once(ada, beir):
    rows = [
        row(value="30.12"),
        row(system="B", value="29"),
        row(system="C", value="0.3"),
        row(system="D", value="n/a"),
        row(system="E", value="31", unit="fraction"),
    ]
    submission = make_submission(ada.get("/submissions/").wsgi_request.user, rows=rows)
    assert outcomes(submission) == ["refused", "refused", "new", "refused", "refused"]
    page = read(ada, submission.get_absolute_url())
    assert "2 rows are refused: the score is above 1" in page.text
    response = ada.post(f"{submission.get_absolute_url()}rows/percent/", {"version": submission.version}, follow=True)
    assert "2 rows read as percentages." in response.content.decode()
    assert outcomes(submission) == ["new", "new", "new", "refused", "refused"]
    assert submission.rows.get(line=1).cells["unit"] == "percent"
    assert "Does the source print percent?" not in response.content.decode()


def test_the_form_offers_percent_where_a_score_is_too_high(client):
    make_robust04()
    page = client.post("/submit/", TYPED | {"value": "30.12", "step": "check"}).content.decode()
    assert (
        "30.12 is above 1, where AP ends; if it is in percent, say so by the unit percent, or by writing 30.12%."
        in page
    )
    assert '<button class="button-quiet" name="use" value="unit:percent"><bdi>in percent</bdi></button>' in page
    page = client.post("/submit/", TYPED | {"value": "30.12", "use": "unit:percent"}).content.decode()
    assert '<option value="percent" selected>' in page
