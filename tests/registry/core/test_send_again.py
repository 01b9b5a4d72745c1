"""What somebody typed comes back when it is not carried out: signed out meanwhile, from an old page, too often."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from registry.core import views
from registry.core.limits import LIMITS
from registry.core.models import Bucket
from registry.core.refusals import Refusal, gives_back, is_from_here, refuse, typed_fields
from registry.results.models import CorrectionRequest
from registry.submissions.models import Comment
from tests.registry.accounts.people import make_person, sign_in
from tests.registry.factory import make_result, make_user
from tests.registry.submissions.world import make_robust04, make_submission

pytestmark = pytest.mark.django_db

REASON = "Table 2 says 0.31.\nAnd <b>so</b> does the appendix."
ASKED = {"kind": "correct", "proposed_printed": "0.31", "reason": REASON}
HERE = {"origin": "http://testserver"}


def form_of(response) -> tuple[str, dict[str, str]]:
    """Return where the page's own form goes, and what it sends."""
    text = response.content.decode().split("<main", 1)[1]
    action = re.search(r'<form method="post" action="([^"]*)"', text)[1]
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', text))
    long = dict(re.findall(r'<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)</textarea>', text, flags=re.DOTALL))
    unescaped = {name: value.replace("&lt;", "<").replace("&gt;", ">") for name, value in (hidden | long).items()}
    return action, unescaped


def test_a_session_that_is_over_loses_nothing(client):
    ada = make_person("ada")
    result = make_result(printed="0.25")
    address = f"/results/{result.pk}/correct/"
    response = client.post(address, ASKED)
    assert response.status_code == 403
    assert 'href="/accounts/login/" target="_blank">Sign in</a>, then send it again here' in response.text
    sign_in(client, ada.email)
    action, fields = form_of(response)
    assert action == address
    assert client.post(action, fields).status_code == 302
    request = CorrectionRequest.objects.get()
    assert (request.requester, request.proposed_printed, request.reason) == (ada, "0.31", REASON)


def test_a_comment_too_many_comes_back_with_when_it_may_be_sent(monkeypatch):
    make_robust04()
    ada = make_user("ada")
    submission = make_submission(ada)
    client = Client()
    client.force_login(ada)
    monkeypatch.setitem(LIMITS, "comment", (2, 3600))
    address = f"{submission.get_absolute_url()}comment/"
    assert [client.post(address, {"text": text}).status_code for text in ("First.", "Second.")] == [302, 302]
    response = client.post(address, {"text": REASON})
    assert (response.status_code, response["Retry-After"]) == (429, "1800")
    assert "An account may comment 2 times an hour" in response.content.decode()
    assert "Try again in 30 minutes." in response.content.decode()
    action, fields = form_of(response)
    assert (action, fields["text"]) == (address, REASON)
    Bucket.objects.all().delete()
    client.post(action, fields)
    assert Comment.objects.filter(text=REASON).exists()


def test_a_page_from_before_signing_in_sends_again_with_a_fresh_token():
    make_robust04()
    ada = make_user("ada")
    submission = make_submission(ada)
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    client.get(submission.get_absolute_url())
    address = f"{submission.get_absolute_url()}comment/"
    old = client.post(address, {"text": REASON, "csrfmiddlewaretoken": "a" * 64}, headers=HERE)
    assert old.status_code == 403
    assert ">ada</a>" in old.content.decode()
    action, fields = form_of(old)
    assert client.post(action, fields, headers=HERE).status_code == 302
    assert Comment.objects.get().text == REASON


def test_a_form_of_another_site_is_not_shown_again_and_one_of_ours_is():
    for headers, why, is_shown in (
        ({"origin": "http://testserver"}, "You signed in or out since this form was opened", True),
        ({}, "The form came from another site", False),
    ):
        response = views.csrf_failed(RequestFactory().post("/a/", {"text": "what was typed"}, headers=headers))
        assert response.status_code == 403
        assert why in response.text
        assert "So it was not carried out." in response.text
        assert "<h1>Send it again</h1>" in response.text
        assert ("what was typed" in response.text) is is_shown


def test_passwords_are_never_shown_again():
    assert typed_fields([("login", ["ada@example.org"]), ("password", ["secret"])]) == []
    assert typed_fields([("code", ["123456"])]) == []
    assert typed_fields([("new_password1", ["secret"])]) == []


def test_a_view_with_a_form_of_its_own_shows_what_was_typed_and_without_a_form_the_page_does():
    @gives_back(lambda request, refusal: HttpResponse(f"{refusal.reason} {request.POST['text']}"))
    def view(request):
        raise AssertionError

    class Match:
        func = staticmethod(view)

    posted, read = RequestFactory().post("/a/", {"text": "mine"}), RequestFactory().get("/a/?b=1")
    posted.resolver_match = read.resolver_match = Match
    assert refuse(posted, Refusal(429, "Too much", "Why.", 1)).text == "Why. mine"
    assert "<h1>Too much</h1>" in refuse(read, Refusal(429, "Too much", "Why.", 1)).text


@pytest.mark.parametrize(
    ("headers", "answer"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "cross-site", "origin": "http://testserver"}, False),
        ({"origin": "http://testserver"}, True),
        ({"origin": "https://testserver"}, False),
        ({}, False),
    ],
)
def test_browsers_say_whether_a_form_is_from_here(headers, answer):
    assert is_from_here(RequestFactory().post("/", headers=headers)) is answer
