"""Pages on which lineages are decided and training is answered: what their forms begin with and where they lead."""

import pytest
from django.contrib.messages import get_messages

from registry.core.limits import LIMITS
from registry.curation.lineage.models import LineageDecision, TrainingDeclaration
from registry.curation.lineage.services.deciding import join_lineage
from tests.registry.curation.lineage.world import make_of
from tests.registry.factory import make_system, make_user
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db

DECIDED = "It is decided. The leaderboards concerned are analysed again."


def said(response) -> list[str]:
    return [str(one) for one in get_messages(response.wsgi_request)]


def test_a_lineage_comes_in_pages_of_two_hundred_with_links_for_editors(client):
    systems = [make_system(name, "Lab") for name in ("b", "a")]
    shown = client.get("/lineages/?key=Team:LAB").context
    assert (shown["lineage"].key, shown["query"], shown["may_edit"]) == ("team:lab", {"key": "team:lab"}, False)
    assert ([one.name for one in shown["page"]], shown["page"].paginator.per_page) == (["a", "b"], 200)
    assert signed_in(editor()).get("/lineages/?key=team:lab").context["may_edit"] is True
    assert client.get("/lineages/").status_code == 400
    assert client.get("/lineages/?key=team:none").status_code == 404
    assert client.post("/lineages/?key=team:lab").status_code == 405
    assert len(systems) == 2


def test_a_system_is_joined_and_taken_out_from_its_page():
    system = make_of("a", "Lab").system
    browser = signed_in(editor())
    address = f"/systems/{system.slug}/lineage/"
    assert browser.get(address).context["form"].initial == {"decision": "join", "key": ""}
    begun = browser.get(f"{address}?decision=leave&key=team:lab").context["form"].initial
    assert begun == {"decision": "leave", "key": "team:lab"}
    sent = browser.post(address, {"decision": "join", "key": "model:m", "reason": "its card"})
    assert (sent.status_code, sent["Location"], said(sent)) == (302, system.get_absolute_url(), [DECIDED])
    browser.post(address, {"decision": "leave", "key": "team:lab", "reason": "another lab"})
    assert [(one.kind, one.key, one.entry.reason) for one in LineageDecision.objects.order_by("pk")] == [
        ("join", "model:m", "its card"), ("leave", "team:lab", "another lab"),
    ]  # fmt: skip
    joined = LineageDecision.objects.get(kind="join")
    back = browser.post(f"/lineages/decisions/{joined.pk}/take-back/", {"reason": "a slip"})
    assert (back.status_code, back["Location"]) == (302, system.get_absolute_url())
    joined.refresh_from_db()
    assert joined.ended_by.reason == "a slip"
    for path in (address, f"/lineages/decisions/{joined.pk}/take-back/"):
        assert signed_in().get(path).status_code == 403


def test_a_lineage_is_merged_or_dissolved_as_a_whole():
    make_of("a", "Lab")
    browser = signed_in(editor())
    address = "/lineages/decide/?key=team:lab"
    assert browser.get(address).context["form"].initial == {"decision": "merge"}
    merged = browser.post(address, {"decision": "merge", "into": "team:labs", "reason": "one lab"})
    assert (merged.status_code, merged["Location"], said(merged)) == (302, "/lineages/?key=team%3Alabs", [DECIDED])
    dissolved = browser.post(address, {"decision": "dissolve", "reason": "a platform"})
    assert (dissolved.status_code, dissolved["Location"]) == (302, "/lineages/?key=team%3Alab")
    assert LineageDecision.objects.get(ended_at=None).kind == "leave"
    assert signed_in().get(address).status_code == 403
    decision = LineageDecision.objects.get(ended_at=None)
    back = browser.post(f"/lineages/decisions/{decision.pk}/take-back/", {"reason": "x"})
    assert back["Location"] == "/lineages/?key=team%3Alab"


def test_what_a_system_was_trained_on_is_answered_and_taken_back(monkeypatch):
    monkeypatch.setitem(LIMITS, "comment", (1, 3600))
    system, person = make_of("a").system, make_user()
    browser = signed_in(person)
    address = f"/systems/{system.slug}/training/"
    assert browser.get(address).context["form"].initial == {"dataset": ""}
    assert browser.get(f"{address}?dataset=NQ").context["form"].initial == {"dataset": "NQ"}
    given = {"declared": "no", "dataset": "NQ", "text": "No.", "url": "https://example.org/"}
    sent = browser.post(address, given)
    assert (sent.status_code, sent["Location"]) == (302, system.get_absolute_url())
    assert said(sent) == ["Your answer stands beside the others."]
    assert browser.post(address, given | {"dataset": "FiQA"}).status_code == 429
    answer = TrainingDeclaration.objects.get()
    assert (answer.person, answer.dataset, answer.quotation) == (person, "NQ", "No.")
    back = browser.post(f"/training/answers/{answer.pk}/withdraw/", {"reason": "a mistake"})
    assert (back.status_code, back["Location"], said(back)[-1]) == (302, system.get_absolute_url(), "It is taken back.")
    answer.refresh_from_db()
    assert answer.ended_at is not None


def test_a_decision_on_nothing_is_not_there():
    decision = join_lineage(system=make_of("a").system, key="model:m", actor=None, reason="x")
    browser = signed_in(editor())
    assert browser.get(f"/lineages/decisions/{decision.pk}/take-back/").status_code == 200
    assert browser.get("/lineages/decisions/999999/take-back/").status_code == 404
    assert browser.get("/training/answers/999999/withdraw/").status_code == 404
