"""The form for results: from what a newcomer types to a submission that waits for a curator."""

import re
from time import monotonic

import pytest
from django.test import Client

from registry.core.limits import LIMITS
from registry.search.services import index_registry
from registry.submissions.models import Submission
from registry.submissions.services.drafting import submit
from registry.submissions.services.reviewing import publish_submission
from tests.registry.accounts.people import make_person, sign_in
from tests.registry.factory import make_collection, make_user
from tests.registry.pages import page_of
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import make_deep_learning, make_published, only_row

pytestmark = pytest.mark.usefixtures("board")

TYPED = {
    "collection": "robust04", "measure": "MAP", "system": "Model X", "value": "0.3012",
    "paper": "10.1145/2766462.2767812", "role": "proposed",
}  # fmt: skip
BIBTEX = """@inproceedings{doe2021, author = {Jane Doe}, title = {A model}, booktitle = {Proceedings of SIGIR 2021},
 year = {2021}, doi = {10.1145/3404835.3462812}}"""


def send(client, step="check", **typed):
    return client.post("/submit/", TYPED | typed | {"step": step})


def only_cells() -> dict[str, str]:
    return only_row(Submission.objects.get()).cells


def test_who_ran_it_again_gives_a_score_and_both_stand_and_name_each_other(client):
    reported = make_published(rows=[only_from_paper() | {"team": "Glasgow", "value": "0.3012"}]).rows.get().result
    door = page_of(client.get(reported.get_absolute_url())).link("Did you run it again?")
    form = page_of(signed_in().get(door))
    filled = {tag["name"]: tag["value"] for tag in form.of("input") if tag.get("value") and "name" in tag}
    assert filled.items() >= {"measure": "AP", "system": "Model X", "team": "Glasgow"}.items()
    assert [tag["value"] for tag in form.of("option") if "selected" in tag and tag["value"]][:1] == [
        "reference_implementation"
    ]
    grace = make_user("grace")
    fields = TYPED | filled | {"role": "reference_implementation", "value": "0.2512", "step": "check"}
    fields |= {"paper": "https://example.org/log"}
    signed_in(grace).post("/submit/", fields)
    draft = Submission.objects.get(contributor=grace)
    (signal,) = only_row(draft).signals.filter(code="contested")
    assert "0.3012 in Doe (SIGIR 2021)" in signal.message
    tried = signed_in(make_user("alan")).post(
        "/api/v1/submissions/?dry_run=true", {"results": [only_row(draft).cells]}, content_type="application/json"
    )
    assert [row["outcome"] for row in tried.json()["results"]] == ["new"]
    submit(submission=draft, version=draft.version, actor=grace)
    draft.refresh_from_db()
    publish_submission(submission=draft, version=draft.version, actor=make_user(is_editor=True))
    again = only_row(draft).result
    shown = page_of(client.get(reported.get_absolute_url())).text
    assert "0.2512 run again by example.org/log: 0.0500 lower" in shown
    assert "0.3012 as reported by Doe (SIGIR 2021): 0.0500 higher" in page_of(client.get(again.get_absolute_url())).text
    reported.refresh_from_db()
    assert reported.ended_at is None


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("10.1145/2766462.2767812", "https://doi.org/10.1145/2766462.2767812"),
        ("arXiv:1904.09171v2", "https://arxiv.org/abs/1904.09171"),
        (BIBTEX, "https://doi.org/10.1145/3404835.3462812"),
    ],
)
def test_a_paper_is_known_by_any_of_its_names(typed, url):
    send(signed_in(), paper=typed)
    assert only_cells()["paper_url"] == url


def test_a_paper_on_record_keeps_its_citation():
    make_published(rows=[only_from_paper()])
    client = signed_in()
    send(client, system="Model Y", paper="10.1145/3404835.3462812")
    newest = Submission.objects.order_by("-created_at").first()
    assert only_row(newest).cells["paper"] == "Doe (SIGIR 2021)"


def only_from_paper():
    return {
        **{name: TYPED[name] for name in ("collection", "measure", "system", "value", "role")},
        "paper": "Doe (SIGIR 2021)",
        "paper_url": "https://doi.org/10.1145/3404835.3462812",
    }


def test_a_visitor_signs_in_at_the_end_and_finds_everything_as_it_was(client):
    make_person("ada")
    response = send(client, value="0.312*", notes="read twice")
    assert 'href="/accounts/login/?next=/submit/" target="_blank">Sign in to send it</a>' in response.text
    page = page_of(response)
    assert "What we see so far" in page.text
    assert "new expected rank 1 of 1" in page.text
    assert not Submission.objects.exists()
    assert {tag["value"] for tag in page.of("input") if tag.get("name") in {"system", "value"}} == {"Model X", "0.312*"}
    assert "read twice" in page.text
    assert sign_in(client).status_code == 302
    assert send(client, value="0.312*", notes="read twice").status_code == 302


def test_over_the_limit_of_checks_the_form_comes_back_filled(monkeypatch):
    client = signed_in()
    monkeypatch.setitem(LIMITS, "check: account", (2, 300))
    began = monotonic()
    assert [send(client, step="").status_code for _ in range(2)] == [200, 200]
    response = send(client, value="0.312*", notes="read <twice>")
    taken = monotonic() - began
    text = response.content.decode()
    assert response.status_code == 429
    # A token comes back 150 seconds after the first was taken.
    assert 150 - taken <= int(response["Retry-After"]) <= 150
    assert "An account may have results checked 2 times in five minutes" in text
    assert "Try again in 3 minutes." in text
    assert 'value="0.312*"' in text
    assert "read &lt;twice&gt;" in text
    assert not Submission.objects.exists()


def test_a_form_of_another_session_comes_back_filled():
    ada = make_user("ada")
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ada)
    browser.get("/submit/")
    form = TYPED | {"step": "check", "notes": "read twice", "csrfmiddlewaretoken": "x" * 64}
    response = browser.post("/submit/", form, headers={"origin": "http://testserver"})
    text = response.content.decode()
    assert response.status_code == 403
    assert "You signed in or out since this form was opened" in text
    assert "read twice" in text
    assert 'value="Model X"' in text
    (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', text))
    again = browser.post("/submit/", form | {"csrfmiddlewaretoken": token}, headers={"origin": "http://testserver"})
    assert Submission.objects.count() == 1
    assert again.status_code == 302


@pytest.mark.parametrize("headers", [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {}])
def test_what_another_site_sends_is_not_a_click_away(headers):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(make_user("ada"))
    response = browser.post("/submit/", TYPED | {"step": "check"}, headers=headers)
    assert response.status_code == 403
    assert "Model X" not in response.content.decode()


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("system", "Model\u202eX", "which cannot be seen; delete it"),
        ("system", "x" * 10_000, "has 10,000 characters; the most is 300"),
        ("value", "0,2345", "write 0.2345 for a decimal comma"),
        ("value", r"\textbf{0.3", "brace is opened and never closed"),
        ("paper", BIBTEX[:70], "copy it up to the } that closes it"),
        ("paper", "javascript:alert(1)", "is no DOI, arXiv, ACL Anthology or DBLP id"),
        ("year", "20044", "did you mean 2004?"),
        ("measure", "\0", "Null characters are not allowed."),
        ("role", "emperor", "“emperor” is not known here; choose from"),
    ],
)
def test_what_cannot_be_taken_is_said_and_nothing_is_lost(field, typed, message):
    client = signed_in()
    response = send(client, **{field: typed})
    text = response.content.decode()
    assert response.status_code == 200
    assert message.replace("'", "&#x27;") in text
    assert "Model" in text or field == "system"
    assert not Submission.objects.exists()


def read_posted(response) -> str:
    assert response.status_code == 200
    return response.content.decode()


def test_an_ambiguous_name_is_one_question_and_a_click_answers_it(client):
    make_deep_learning()
    page = read_posted(send(client, "check", collection="dl'19"))
    assert "Several have this name. Passage or document ranking?" in page
    assert page.count("Did you mean") == 1
    for slug, label in (("dl-passage", "passages"), ("dl-doc", "documents")):
        assert f'name="use" value="collection:{slug}"' in page
        assert f'<span class="why">{label}</span>' in page
    assert 'value="Model X"' in page, "nothing that was typed is lost"
    assert not Submission.objects.exists()
    response = client.post("/submit/", TYPED | {"collection": "dl'19", "use": "collection:dl-doc"})
    assert 'value="dl-doc"' in read_posted(response)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("kind=collection&q=robst04", "trec-2004-robust"),
        ("kind=collection&q=TREC 2004", "trec-2004-robust"),
        ("kind=measure&q=&collection=robust04", "AP"),
        ("kind=system&q=Mdel X", "Model X"),
        ("kind=paper&q=doe sigir", "Doe (SIGIR 2021) https://doi.org/10.1145/3404835.3462812"),
    ],
)
def test_names_are_suggested_as_they_are_typed(client, query, first):
    make_published(rows=[only_from_paper()])
    make_collection("msmarco-passage")
    index_registry()
    suggestions = client.get(f"/submit/suggestions.json?{query}").json()["suggestions"]
    assert suggestions[0]["value"] == first
