"""A paper that was taken back: editors note it, and wherever its results lead people read it."""

from django.test import Client

from registry.journal.models import Entry
from registry.results.models import Paper, Result
from tests.registry.factory import make_paper, make_result
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in

SAID = "Withdrawn by its authors on 2 May 2021: the judgements were used in training"


def note(paper: Paper, retraction: str, reason: str = "arXiv says so"):
    correction = {"cite": paper.cite, "title": "Ranking", "retraction": retraction, "reason": reason}
    return signed_in(editor()).post(f"/papers/{paper.slug}/correct/", correction)


def test_it_is_said_wherever_its_results_lead_and_they_stand(client: Client):
    result = make_result(paper=make_paper("Doe (2021)"))
    assert "Retracted" not in read(client, result.paper.get_absolute_url()).text
    assert note(result.paper, f" {SAID}. ").status_code == 302
    for address in (result.paper.get_absolute_url(), result.get_absolute_url()):
        text = read(client, address).text
        assert "Retracted" in text
        assert SAID in text
    assert client.get(f"/api/v1/papers/{result.paper.slug}/").json()["retraction"] == SAID
    assert Result.objects.standing().get() == result
    entry = Entry.objects.get(action="results.paper.corrected")
    assert entry.before == {"title": "", "retraction": ""}
    assert "arXiv says so" in read(client, "/log/").text


def test_it_is_noted_with_a_reason():
    paper = make_paper("Doe (2021)")
    assert note(paper, SAID, "").status_code == 200  # the form again
    assert Paper.objects.get(pk=paper.pk).retraction == ""
