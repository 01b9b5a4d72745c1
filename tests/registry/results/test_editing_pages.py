"""Withdrawing, superseding and undoing by pages: who may, with which reason, and how much at once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from registry.results.models import Result
from registry.results.services import endings
from registry.results.services.corrections import request_correction
from registry.results.services.endings import withdraw_result
from tests.registry.factory import make_paper, make_result, make_system, make_user
from tests.registry.results.people import editor, make_batch, make_handed_in, signed_in
from tests.registry.submissions.world import make_published

REASON = {"reason": "an erratum"}


def test_who_repeats_a_result_does_not_own_it():
    first, second = make_user(), make_user()
    result = make_handed_in(first)
    assert make_published(second).rows.get().result == result
    assert signed_in(second).post(f"/results/{result.pk}/withdraw/", REASON).status_code == 403


def pages() -> list[str]:
    entry, (result,) = make_batch(1)
    paper, system = make_paper(), make_system()
    return [
        f"/results/{result.pk}/withdraw/",
        f"/results/{result.pk}/supersede/",
        f"/systems/{system.slug}/merge/",
        f"/systems/{system.slug}/rename/",
        f"/papers/{paper.slug}/merge/",
        f"/papers/{paper.slug}/correct/",
        f"/log/{entry.pk}/undo/",
    ]


def test_others_may_not(client):
    for page in pages():
        assert client.post(page, REASON).status_code == 403
        assert signed_in().get(page).status_code == 403
        assert signed_in().post(page, REASON).status_code == 403
        assert signed_in(editor()).get(page).status_code == 200
        assert signed_in(editor()).put(page).status_code == 405
    assert Result.objects.standing().count() == 1


def test_the_content_is_corrected_and_the_evidence_is_not():
    result = make_result(printed="0.25", locator="Table 1")
    typed = {"printed": "0.25", "role": "baseline", "comparability": "standard", "locator": "Table 2",
             "provenance": "author_confirmed", **REASON}  # fmt: skip
    assert signed_in(editor()).post(f"/results/{result.pk}/supersede/", typed).status_code == 302
    new = Result.objects.standing().get()
    assert (new.locator, new.provenance, new.supersedes.get()) == ("Table 2", "transcribed", result)


def test_a_mass_change_stops_until_its_number_is_typed(monkeypatch):
    monkeypatch.setattr(endings, "MOST_CHANGES", 2)
    entry, _ = make_batch(3)
    client, page = signed_in(editor()), f"/log/{entry.pk}/undo/"
    for typed in ({}, {"confirmed_rows": "2"}, {"confirmed_rows": "x"}):
        assert client.post(page, REASON | typed).status_code == 200
    assert "type the number 3" in client.post(page, REASON).content.decode()
    assert Result.objects.standing().count() == 3
    assert client.post(page, REASON | {"confirmed_rows": "3"}).status_code == 302
    assert not Result.objects.standing().exists()


def test_so_many_results_may_go_within_an_hour_before_the_account_is_asked(monkeypatch):
    monkeypatch.setattr(endings, "MOST_CHANGES", 3)
    who, other = editor(), editor()
    recent, earlier, of_another, _ = [make_result() for _ in range(4)]
    for result, actor in ((recent, who), (earlier, who), (of_another, other)):
        withdraw_result(result=result, actor=actor, reason="an erratum")
    ended = timezone.now() - timedelta(minutes=59)
    Result.objects.filter(pk=recent.pk).update(ended_at=ended)
    Result.objects.filter(pk=earlier.pk).update(ended_at=ended - timedelta(minutes=2))
    assert (endings.room_left(who), endings.room_left(make_user())) == (2, 3)

    def ask(n_rows: int, actor=who, confirmed_rows=None) -> None:
        endings.require_confirmation(actor=actor, n_rows=n_rows, confirmed_rows=confirmed_rows)

    ask(2)
    ask(1000, actor=None)
    ask(3, confirmed_rows=4)
    with pytest.raises(endings.MassChange) as caught:
        ask(1999, confirmed_rows=1999)
    assert caught.value.n_rows == 2000
    assert str(caught.value) == (
        "With this you will have taken 2,000 results off the record within an hour. "
        "If that is what you want, type the number 2000."
    )
    monkeypatch.setattr(endings, "MOST_CHANGES", 0)
    assert endings.room_left(who) == 0


def test_who_corrects_needs_a_second_factor_where_the_site_requires_one(settings):
    contributor, curator = make_user(), make_user()
    own, other = make_handed_in(contributor), make_result(printed="0.25")
    asked = request_correction(result=other, requester=contributor, kind="dispute", reason="not there")
    other.leaderboard.collection.curators.create(user=curator)
    settings.PLUMBLINE_REQUIRE_SECOND_FACTOR = True
    for who in (editor(), curator):
        browser = signed_in(who)
        for path in (f"/results/{other.pk}/withdraw/", f"/results/{other.pk}/supersede/", f"/corrections/{asked.pk}/"):
            answer = browser.post(path, REASON | {"decision": "decline"})
            assert (answer.status_code, "This needs a second factor" in answer.content.decode()) == (403, True), path
    assert signed_in(contributor).post(f"/results/{own.pk}/withdraw/", REASON).status_code == 302
    assert list(Result.objects.standing()) == [other]
    asked.refresh_from_db()
    assert asked.state == "open"
