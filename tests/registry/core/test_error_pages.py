"""Pages for what goes wrong."""

from types import SimpleNamespace

from django.http import Http404
from django.test import RequestFactory

from analysis.readers.rejections import Candidate, Refused
from registry.core import views
from registry.core.http import Ambiguous


def test_of_a_name_that_may_mean_several_things_it_is_asked_which_with_the_address_of_each():
    candidates = [Candidate("a-1", "A of 2001", "fifty topics"), Candidate("a-2", "A of 2002")]
    ambiguous = Ambiguous("collection", "a", Refused("ambiguous", "Two.", candidates, "Which of them is meant?"))
    response = views.not_found(RequestFactory().get("/collections/a/?page=2"), ambiguous)
    assert response.status_code == 300
    assert "Which of them is meant?" in response.text
    for candidate in candidates:
        assert f'href="/collections/{candidate.value}/?page=2"' in response.text
        assert candidate.label in response.text


def test_what_is_not_there_is_said_in_its_words_with_what_comes_near_to_people_alone():
    def nearest(path: str) -> list[SimpleNamespace]:
        return [SimpleNamespace(address="/systems/1/", title=f"near {path}", detail="")]

    page = views.not_found(RequestFactory().get("/systems/x/"), Http404("No system is called x."), nearest)
    assert page.status_code == 404
    assert "No system is called x." in page.text
    assert '<a href="/systems/1/"><bdi>near /systems/x/</bdi></a>' in page.text
    assert "Did you mean" not in views.not_found(RequestFactory().get("/systems/x/"), Http404({"tried": []})).text
    document = views.not_found(RequestFactory().get("/systems/x.json"), Http404("No system is called x."), nearest)
    assert (document.status_code, document["Content-Type"]) == (404, "application/json")


def test_a_form_of_another_site_is_not_shown_again_and_one_of_ours_is():
    for headers, why, is_shown in (
        ({"origin": "http://testserver"}, "You signed in or out since this form was opened", True),
        ({}, "The form came from another site", False),
    ):
        response = views.csrf_failed(RequestFactory().post("/a/", {"text": "what was typed"}, headers=headers))
        assert response.status_code == 403
        assert f"{why}" in response.text
        assert "So it was not carried out." in response.text
        assert "<h1>Send it again</h1>" in response.text
        assert ("what was typed" in response.text) is is_shown
