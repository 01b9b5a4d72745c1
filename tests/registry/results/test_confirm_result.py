"""Tiers of provenance are earned: by a second transcription, by an author with ORCID, and in no other way by people."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from registry.results.models import Confirmation, Result
from registry.results.queries import before_confirmations, confirmed_since
from registry.results.services.corrections import confirm_result, why_not
from registry.results.services.endings import supersede_result
from tests.registry.factory import make_entry, make_paper, make_result, make_user
from tests.registry.results.loading import line, load, make_robust04
from tests.registry.results.people import editor, make_handed_in, signed_in

ORCID = "0000-0002-1825-0097"


def author() -> object:
    return make_user(orcid=ORCID, orcid_verified_at=timezone.now())


def confirm(result, user, kind="second_transcription", printed="0.25") -> Result:
    return confirm_result(result=result, user=user, kind=kind, printed=printed)


def test_a_second_transcription_raises_the_tier():
    result = make_result(printed="0.25")
    response = signed_in().post(f"/results/{result.pk}/transcribe/", {"printed": ".25"})
    new = Result.objects.standing().get()
    assert response.url == f"/results/{new.pk}/"
    assert (new.provenance, new.supersedes.get()) == ("double_checked", result)
    assert Confirmation.objects.get().result == result


@pytest.mark.parametrize("printed", ["0.26", "0.250", "25", "x", "", "NaN"])
def test_another_score_raises_nothing(printed):
    result = make_result(printed="0.25")
    assert signed_in().post(f"/results/{result.pk}/transcribe/", {"printed": printed}).status_code == 200
    assert Result.objects.get().provenance == "transcribed"
    assert not Confirmation.objects.exists()


def test_an_author_with_orcid_confirms():
    result = make_result(printed="0.25", paper=make_paper(author_orcids=[ORCID]))
    assert signed_in(author()).post(f"/results/{result.pk}/confirm/", {"printed": "0.25"}).status_code == 302
    assert Result.objects.standing().get().provenance == "author_confirmed"


@pytest.mark.parametrize("orcids", [[], ["0000-0001-5109-3700"]])
def test_others_than_the_authors_do_not(client, orcids):
    result = make_result(printed="0.25", paper=make_paper(author_orcids=orcids))
    page = f"/results/{result.pk}/confirm/"
    assert client.post(page, {"printed": "0.25"}).status_code == 403
    for user in (author(), make_user(), editor()):
        assert signed_in(user).post(page, {"printed": "0.25"}).status_code == 403
    assert Result.objects.get().provenance == "transcribed"


@pytest.mark.parametrize("provenance", ["double_checked", "author_confirmed", "topic_scores", "recomputed"])
def test_a_tier_never_goes_down_by_confirming(provenance):
    result = make_result(printed="0.25", provenance=provenance)
    assert confirm(result, make_user()) == result
    assert Result.objects.get().provenance == provenance


def test_loading_the_file_again_takes_nothing_away(tmp_path):
    make_robust04()
    load(tmp_path, line())
    confirm(Result.objects.get(), make_user(), printed="0.2500")
    assert load(tmp_path, line()).unchanged == 1
    assert load(tmp_path, line(locator="Table 2")).superseded == 1
    standing = Result.objects.standing().get()
    assert (standing.provenance, standing.locator) == ("double_checked", "Table 2")
    load(tmp_path, line(value="0.2600"))
    assert Result.objects.standing().get().provenance == "transcribed"


def test_why_somebody_cannot_confirm_it():
    contributor, owner = make_user(), author()
    result = make_handed_in(contributor)
    recorder, page = result.recorded_by.actor, f"/results/{result.pk}/transcribe/"
    assert signed_in(contributor).post(page, {"printed": result.printed}).status_code == 403
    assert why_not(result, recorder, "second_transcription") == (
        "somebody other than whoever recorded it has to read it a second time"
    )
    with pytest.raises(ValidationError, match="somebody other than whoever recorded it"):
        confirm(result, recorder)
    assert why_not(result, make_user(), "second_transcription") == ""
    stranger = make_user()
    assert why_not(result, stranger, "author") == "sign in with ORCID first, so that we know which papers are yours"
    assert why_not(result, owner, "author") == "your ORCID iD is not among those of the paper's authors"
    with pytest.raises(ValidationError) as caught:
        confirm(result, make_user(), printed="0.26")
    assert caught.value.message_dict == {
        "printed": ["the record says 0.3012; if the paper does not, ask for a correction"]
    }
    assert Result.objects.standing().get().provenance == "transcribed"


def test_what_is_not_on_the_record_any_more_is_not_confirmed():
    result = confirm(make_result(printed="0.25"), make_user())
    supersede_result(result=result, changes={"locator": "Table 2"}, actor=None, reason="found it")
    before = Confirmation.objects.count()
    with pytest.raises(ValidationError, match="not on the record any more: it was superseded"):
        confirm(Result.objects.get(pk=result.pk), make_user())
    assert Confirmation.objects.count() == before


def test_what_was_only_confirmed_since_is_followed_to_what_stands():
    entry = make_entry()
    twice, once, corrected, unconfirmed = (
        make_result(printed="0.25", recorded_by=entry, paper=make_paper(author_orcids=[ORCID])) for _ in range(4)
    )
    new = confirm(confirm(twice, make_user()), author(), "author")
    assert new.provenance == "author_confirmed"
    assert before_confirmations(new) == twice
    followed = {new.pk: twice.pk, confirm(once, make_user()).pk: once.pk}
    supersede_result(result=confirm(corrected, make_user()), changes={"printed": "0.26"}, actor=None, reason="a slip")
    assert confirmed_since(entry) == followed
    assert unconfirmed.pk not in followed
