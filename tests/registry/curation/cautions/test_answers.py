"""Answering a caution: who may, where it shows, and taking it back."""

import re

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from registry.accounts.documents import account_document
from registry.accounts.services import delete_account
from registry.core.limits import LIMITS
from registry.curation.cautions.models import CautionAnswer
from registry.curation.cautions.services import answer_caution, withdraw_answer
from registry.journal.models import Entry
from registry.results.services.endings import supersede_result
from tests.registry.curation.cautions.world import CODE, address_of, given, make_apart
from tests.registry.factory import make_paper, make_user
from tests.registry.leaderboards.boards import analyse
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db

ANSWER = {"text": "It was trained on Robust04 only; the list is public.", "url": "https://example.org/training"}


def test_anybody_who_is_signed_in_answers_and_everybody_reads_it(client):
    result, person = make_apart(), make_user("ada")
    response = signed_in(person).post(address_of(result, "answer/"), ANSWER)
    assert response.headers["Location"] == address_of(result)
    page = read(client, result.leaderboard.get_absolute_url())
    assert f"answer by {person.public_name}" in page.text
    assert ANSWER["text"] in page.text
    assert page.link("example.org/training") == ANSWER["url"]
    (caution,) = given(client, result.leaderboard)
    (answer,) = caution["answers"]
    assert (answer["text"], answer["url"], answer["by"]) == (*ANSWER.values(), person.public_name)
    assert (answer["result"], answer["is_author"]) == (result.pk, False)
    names = [result.leaderboard.collection.slug, result.leaderboard.measure.name]
    api = client.get("/api/v1/leaderboards/{}/{}/".format(*names)).json()["verdict"]["cautions"]
    assert caution in api


def test_the_page_of_a_caution_leads_from_the_leaderboard_and_is_for_everybody(client):
    result = make_apart()
    address = read(client, result.leaderboard.get_absolute_url()).link("Say what you know about this")
    page = read(client, address)
    assert "stands apart from all others" in page.text
    assert "Nobody has said anything to it yet, and nothing is decided." in page.text
    assert page.link("Say what you know about this") == address_of(result, "answer/")
    assert "Decide on it" not in page.text


def test_a_visitor_signs_in_first_and_nothing_typed_is_lost(client):
    result = make_apart()
    response = client.post(address_of(result, "answer/"), ANSWER)
    assert response.status_code == 302
    assert "/accounts/" in response.headers["Location"]
    assert not CautionAnswer.objects.exists()


def test_the_snapshot_that_is_cited_shows_the_answers_too(client):
    result = make_apart()
    answer_caution(result=result, code=CODE, person=make_user(), **ANSWER)
    snapshot = result.leaderboard.analysis.snapshot
    assert ANSWER["text"] in read(client, snapshot.get_absolute_url()).text
    found = client.get(f"/api/v1/snapshots/{snapshot.pk}/").json()["verdict"]["cautions"]
    assert found[0]["answers"][0]["text"] == ANSWER["text"]


def test_an_author_by_orcid_answers_as_one(client):
    orcid = "0000-0002-1825-0097"
    result = make_apart(paper=make_paper(author_orcids=[orcid]))
    author = make_user(orcid=orcid, orcid_verified_at=timezone.now())
    answer_caution(result=result, code=CODE, person=author, **ANSWER)
    assert given(client, result.leaderboard)[0]["answers"][0]["is_author"] is True
    assert "answer of an author by " in read(client, result.leaderboard.get_absolute_url()).text


def test_a_second_answer_takes_the_place_of_the_first(client):
    result, person = make_apart(), make_user()
    first = answer_caution(result=result, code=CODE, person=person, **ANSWER)
    assert answer_caution(result=result, code=CODE, person=person, **ANSWER) == first
    answer_caution(result=result, code=CODE, person=person, text="Another paper says so too.")
    answer_caution(result=result, code=CODE, person=make_user(), text="So do we.")
    texts = [one["text"] for one in given(client, result.leaderboard)[0]["answers"]]
    assert texts == ["Another paper says so too.", "So do we."]
    entries = Entry.objects.filter(action="results.caution.answered").order_by("pk")
    assert [entry.after["caution"] for entry in entries] == [CODE] * 3
    assert entries[0].after["answer"] == first.pk


def test_an_answer_to_the_score_of_before_stays_beside_that_to_the_new_one():
    result, person = make_apart(), make_user()
    answer_caution(result=result, code=CODE, person=person, **ANSWER)
    moved = supersede_result(result=result, changes={"printed": "0.950"}, actor=None, reason="a misprint")
    answer_caution(result=moved, code=CODE, person=person, text="That is right too.")
    assert [answer.result for answer in CautionAnswer.objects.filter(ended_at=None)] == [result, moved]


def test_an_answer_that_stands_says_something():
    result = make_apart()
    answer = answer_caution(result=result, code=CODE, person=make_user(), **ANSWER)
    with pytest.raises(IntegrityError), transaction.atomic():
        CautionAnswer.objects.filter(pk=answer.pk).update(text="")


def test_the_form_names_what_it_asks_for():
    shown = signed_in().get(address_of(make_apart(), "answer/")).content.decode()
    assert re.search(r'<label[^>]* for="id_text"[^>]*>\s*Answer', shown) or '<label for="id_text">Answer' in shown
    assert "Everybody can read this beside it, under your name." in " ".join(shown.split())


@pytest.mark.parametrize(
    "typed", [{"text": " "}, {"text": "x" * 2001}, {"text": "yes", "url": "javascript:alert(1)"}, {"url": "nowhere"}]
)
def test_what_cannot_stand_there_is_said_on_the_form(typed):
    result = make_apart()
    response = signed_in().post(address_of(result, "answer/"), typed)
    assert response.status_code == 200
    assert b"errorlist" in response.content
    assert not CautionAnswer.objects.exists()


@pytest.mark.parametrize("code", ["few-topics", "failed-runs", "outlier-elsewhere", "nonsense"])
def test_a_caution_that_is_not_given_has_no_page(client, code):
    result = make_apart()
    assert client.get(address_of(result, code=code)).status_code == 404
    assert signed_in().get(address_of(result, "answer/", code=code)).status_code == 404


def test_an_account_answers_so_often(monkeypatch):
    _, span = LIMITS["comment"]
    monkeypatch.setitem(LIMITS, "comment", (3, span))
    result, browser = make_apart(), signed_in()
    for number in range(3):
        assert browser.post(address_of(result, "answer/"), {"text": f"answer {number}"}).status_code == 302
    assert browser.post(address_of(result, "answer/"), {"text": "once more"}).status_code == 429


def test_who_gave_an_answer_takes_it_back_and_others_do_not(client):
    result, person = make_apart(), make_user()
    answer = answer_caution(result=result, code=CODE, person=person, **ANSWER)
    address = f"/cautions/answers/{answer.pk}/withdraw/"
    assert signed_in().post(address, {"reason": "no"}).status_code == 403
    assert signed_in(person).post(address, {"reason": "a mistake"}).status_code == 302
    assert ANSWER["text"] not in read(client, result.leaderboard.get_absolute_url()).text
    assert Entry.objects.get(action="results.caution.answer_withdrawn").reason == "a mistake"
    assert signed_in(person).post(address, {"reason": "a mistake"}).status_code == 404


def test_an_editor_removes_what_does_not_belong_there(client):
    result = make_apart()
    answer = answer_caution(result=result, code=CODE, person=make_user(), text="buy pills")
    signed_in(editor()).post(f"/cautions/answers/{answer.pk}/withdraw/", {"reason": "advertising"})
    assert given(client, result.leaderboard)[0]["answers"] == []


def test_an_answer_is_about_a_score(client):
    result = make_apart()
    answer_caution(result=result, code=CODE, person=make_user(), **ANSWER)
    moved = supersede_result(result=result, changes={"notes": "as in the journal version"}, actor=None, reason="found")
    analyse(result.leaderboard)
    assert given(client, result.leaderboard)[0]["answers"][0]["result"] == moved.pk
    supersede_result(result=moved, changes={"printed": "0.950"}, actor=None, reason="a misprint")
    analyse(result.leaderboard)
    assert given(client, result.leaderboard)[0]["answers"] == []


def test_an_export_has_the_answers_and_a_deletion_takes_them_along(client):
    result, person = make_apart(), make_user("ada")
    answer = answer_caution(result=result, code=CODE, person=person, **ANSWER)
    withdraw_answer(answer=answer, actor=person, reason="a mistake")
    answer_caution(result=result, code=CODE, person=person, text="Now it is right.")
    exported = account_document(person)["caution_answers"]
    assert [(one["caution"], one["text"], bool(one["withdrawn"])) for one in exported] == [
        (CODE, ANSWER["text"], True),
        (CODE, "Now it is right.", False),
    ]
    assert exported[0]["created"] == answer.recorded_at.isoformat(timespec="seconds")
    answer.refresh_from_db()
    assert exported[0]["withdrawn"] == answer.ended_at.isoformat(timespec="seconds")
    assert account_document(make_user())["caution_answers"] == []
    delete_account(user=person)
    assert given(client, result.leaderboard)[0]["answers"] == []
    assert set(CautionAnswer.objects.values_list("text", "url")) == {("", "")}
