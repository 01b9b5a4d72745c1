"""Decimal commas: one question for the table, and its answer holds for all scores."""

import re

import pytest

from registry.submissions.models import Submission
from tests.registry.factory import make_leaderboard, make_measure, make_user
from tests.registry.pages import page_of
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import make_robust04, outcomes

TABLE = "Modell;MAP;P@10\nBM25;0,2031;0,4382\nBM25 + RM3;0,2319†;0,4510\nColBERT;0,3010;0.5500\n"
SENT = {"text": TABLE, "collection": "robust04", "role": "baseline", "paper": "arXiv:1904.09171", "step": "check"}
ASKED = "5 of 6 scores have a comma, as 0,2031. Are the commas decimal points?"


@pytest.fixture
def ada():
    make_leaderboard(make_robust04().collection, make_measure("P@10"))
    return signed_in(make_user("ada"))


def answer(response, choice: str) -> dict[str, str]:
    (field,) = set(re.findall(r'name="(answer:commas-[0-9a-f]+)"', response.content.decode()))
    return {field: choice}


def test_they_are_asked_about_once_and_become_points(ada):
    response = ada.post("/submit/", SENT)
    assert page_of(response).text.count(ASKED) == 1
    assert "yes: 0,2031 stands for 0.2031" in page_of(response).text
    assert not Submission.objects.exists()
    ada.post("/submit/", SENT | answer(response, "point"))
    submission = Submission.objects.get()
    assert outcomes(submission) == ["new"] * 6
    cells = [stored.cells for stored in submission.rows.order_by("line")]
    assert [row["value"] for row in cells] == ["0.2031", "0.4382", "0.2319", "0.4510", "0.3010", "0.5500"]
    assert [row.get("notes", "") for row in cells][1:3] == ['printed as "0,4382"', 'printed as "0,2319†"']
    assert "printed" not in cells[5].get("notes", "")


def test_percentages_are_told_once_commas_are(ada):
    sent = SENT | {"text": "Modell;MAP\nBM25;20,31\nQL;19,9\n"}
    response = ada.post("/submit/", sent)
    assert "Are they in percent?" not in page_of(response).text
    response = ada.post("/submit/", sent | answer(response, "point"))
    assert "All 2 scores of AP (19.9 to 20.31) are above 1" in page_of(response).text
