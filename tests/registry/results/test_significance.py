"""Whether a paper tests its differences for significance: a reader says it, the survey counts it."""

import pytest
from django.test import Client

from registry.results.models import Paper
from tests.registry.factory import make_collection, make_leaderboard, make_paper, make_result, make_user
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db

SAID = "paired t test, p < 0.05, Table 3"


def say(client: Client, paper: Paper, reports: str, said: str = SAID, reason: str = "I read it"):
    return client.post(f"/papers/{paper.slug}/significance/", {"reports": reports, "said": said, "reason": reason})


def test_a_reader_says_it_and_it_shows(client: Client):
    paper = make_result(paper=make_paper("Doe (2021)")).paper
    assert "nobody has noted" in read(client, paper.get_absolute_url()).text
    assert client.get(f"/api/v1/papers/{paper.slug}/").json()["reports_significance"] is None
    assert say(signed_in(make_user()), paper, "yes").status_code == 302
    assert f"It tests differences for significance: {SAID}." in read(client, paper.get_absolute_url()).text
    found = client.get(f"/api/v1/papers/{paper.slug}/").json()
    assert (found["reports_significance"], found["significance_said"]) == (True, SAID)
    assert "I read it" in read(client, "/log/").text


def test_what_is_answered_is_changed_by_editors(client: Client):
    paper = make_result(paper=make_paper("Doe (2021)")).paper
    say(signed_in(make_user()), paper, "yes")
    assert say(signed_in(make_user()), paper, "no").status_code == 403
    assert say(signed_in(editor()), paper, "no", reason="Table 3 has none").status_code == 302
    assert "It tests no difference for significance" in read(client, paper.get_absolute_url()).text
    assert client.get(f"/api/v1/papers/{paper.slug}/").json()["significance_said"] == ""
    say(signed_in(editor()), paper, "", reason="it is not clear")
    assert Paper.objects.get(pk=paper.pk).reports_significance is None


def test_a_test_has_a_name_and_a_place_and_a_visitor_signs_in(client: Client):
    paper = make_paper("Doe (2021)")
    page = say(signed_in(make_user()), paper, "yes", said=" ")
    assert page.status_code == 200
    assert "which test, and where does the paper say so?" in page.content.decode()
    assert say(client, paper, "yes").status_code in {302, 303, 403}
    assert Paper.objects.get(pk=paper.pk).reports_significance is None


def test_the_survey_counts_what_readers_said(client: Client):
    collection = make_collection("robust", name="Robust")
    board = make_leaderboard(collection)
    papers = [make_paper(f"Doe ({2001 + number % 2})", identity=f"cite:{number}") for number in range(6)]
    for number, paper in enumerate(papers):
        Paper.objects.filter(pk=paper.pk).update(year=2001 + number % 2)
        make_result(leaderboard=board, paper=paper)
    for paper, answer in zip(papers, ("yes", "no", "yes"), strict=False):
        say(signed_in(make_user()), paper, answer)
    address = "/methods/papers/sanderson-zobel-2005/section-3-survey/?collection=robust"
    page = read(client, address)
    assert page.row("all") == ["all", "6", "3", "2"]
    assert page.row("2001") == ["2001", "3", "2", "2"]
    assert page.row("2002") == ["2002", "3", "1", "0"]
    assert "which are not printed" in page.text
