"""POST /leaderboards/<c>/<m>/pairs/<a>/<b>/: two vectors of scores that are pasted there."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from scipy import stats

from registry.catalog.models import Leaderboard
from tests.registry.pages import Page, page_of
from tests.registry.tools.compare.test_compare import FIRST, SECOND
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, scores_of


def table(first, second, separator=" ", header=""):
    lines = [
        separator.join([str(301 + n), repr(a), repr(b)]) for n, (a, b) in enumerate(zip(first, second, strict=True))
    ]
    return "\n".join([*filter(None, [header]), *lines])


def address() -> str:
    """Return the page of two results."""
    board = Leaderboard.objects.first() or make_scored_board(scores_of(2))
    first, second = board.results.order_by("pk").values_list("pk", flat=True)
    return f"{board.get_absolute_url()}pairs/{first}/{second}/"


def answer(client, scores, status=200, **fields) -> Page:
    response = client.post(address(), {"scores": scores, "margin": ""} | fields)
    assert response.status_code == status
    return page_of(response)


def test_every_test_answers(client):
    page = answer(client, table(FIRST, SECOND, "\t", "topic\tours\ttheirs"), margin="0.08")
    expected = stats.ttest_rel(FIRST, SECOND)
    interval = expected.confidence_interval()
    assert f"at 95% between {interval.low:+.4f} and {interval.high:+.4f}" in page.text
    tests = [row[0] for row in page.rows[1:]]
    assert tests == ["randomization", "t", "bootstrap-shift", "wilcoxon", "sign"]
    assert "5 of 5 tests find a difference at 0.05" in page.text
    assert "Yes, within 0.08" in page.text
    assert "higher on 30, lower on 0" in page.text


@pytest.mark.parametrize(
    "scores",
    [
        "1 .2 .3\n2 .4 .5",
        ".2;.3\n.4;.5\n",
        "a,.2,.3\n\nb,.4,.5",
        "\ntopic\trun 1\trun 2\nq 1\t.2\t.3\nq 2\t.4\t.5",
        "topic, ours, theirs\n1, .2, .3\n2, .4, .5",
    ],
)
def test_it_is_read_as_people_write_it(client, scores):
    assert "On 2 topics the first scores 0.3000, the second 0.4000" in answer(client, scores).text


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ("", "This field is required."),
        ("1 .2 .3", "Give scores on two topics or more."),
        ("1 .2 .3\n2 x", "Line 2: “2 x” is not two scores"),
        ("1 .2 .3\n2 .4 nan", "Line 2: “2 .4 nan” is not two scores"),
        ("1 .2 .3\n1 .4 .5", "Topic 1 is there twice."),
        # A score is missing: 302 is a topic.
        ("301 .31 .33\n302 .20\n303 .4 .5", "Line 2: “302 .20” has 2 cells, but line 1 has 3."),
        ("301;.31;\n302;.20;", "Line 1: “301;.31;” is not two scores"),
        # No header: one of its cells is a number.
        ("301 .31 NaN\n302 .20 .25\n303 .4 .5", "Line 1: “301 .31 NaN” is not two scores"),
        ("301;n/a;.3\n302;.20;.25\n303;.4;.5", "Line 1: “301;n/a;.3” is not two scores"),
        # Decimal commas.
        ("0,31 0,33\n0,20 0,25", "Line 1: “0,31 0,33” is not two scores"),
        ("q1;0,31;0,33\nq2;0,20;0,25", "Line 1: “q1;0,31;0,33” is not two scores"),
        ("0,31\n0,20", "Line 1: “0,31” may be two scores or one with a decimal comma"),
    ],
)
def test_what_cannot_be_read_is_said_and_stays(client, scores, message):
    assert message in answer(client, scores, status=400).text


def test_numbers_of_a_few_topics(client):
    scores = "a .50 .25\nb .25 .50\nc .75 .75\nd 1 .125\ne .375 .25\nf .5 .375\ng .5 .5"
    page = answer(client, scores, margin="0.01")
    first, second = [0.5, 0.25, 0.75, 1, 0.375, 0.5, 0.5], [0.25, 0.5, 0.75, 0.125, 0.25, 0.375, 0.5]
    assert "On 7 topics the first scores 0.5536, the second 0.3929. The difference is +0.1607" in page.text
    pvalue = stats.ttest_rel(first, second).pvalue
    assert {row[0]: row[4] for row in page.rows[1:]}["t"] == f"{pvalue:.3f}"
    assert "0 of 5 tests find a difference at 0.05" in page.text
    assert "The first scores higher on 4, lower on 1, the same on 2." in page.text
    assert "The largest differences: d +0.8750, a +0.2500, b −0.2500, e +0.1250, f +0.1250." in page.text
    assert ": the difference may lie anywhere between" in page.text


def test_a_constant_lead_is_left_to_the_tests_that_can_treat_it(client):
    page = answer(client, "1 .5 .25\n2 .75 .5\n3 1 .75\n", margin="0.3")
    assert "t: " in page.text
    assert {row[0] for row in page.rows[1:]} >= {"sign", "randomization"}


def test_nothing_of_it_is_kept(client):
    with CaptureQueriesContext(connection) as queries:
        answer(client, table([0.12345, 0.2], [0.3, 0.5]))
    assert not any("0.12345" in query["sql"] for query in queries)
    assert client.post(address(), {"scores": "1 .2 .3\n2 .4 .5"})["Cache-Control"] == "no-store"


def test_scores_that_cannot_be_added_up_are_refused(client):
    assert (
        "The scores must hold numbers within ±1e+70"
        in answer(client, "1 1.7e308 1.7e308\n2 1.7e308 0.2\n3 0.1 0.2", status=400).text
    )
    assert "On 3 topics" in answer(client, "1 1e70 -1e70\n2 1e70 0.2\n3 0.1 0.2").text
