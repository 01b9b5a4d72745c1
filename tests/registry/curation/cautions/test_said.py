"""What is said to cautions, and decided on them, without a verdict behind it: who, what, about which score."""

from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404
from django.utils import timezone

from analysis.boards import CAUTION_CODES
from registry.catalog.models import Curator
from registry.curation.cautions import verdicts
from registry.curation.cautions.access import (
    get_answer_to_withdraw,
    get_answerable_caution,
    get_decidable_caution,
    get_visible_caution,
)
from registry.curation.cautions.documents import describe_answers, describe_decisions
from registry.curation.cautions.models import CautionAnswer, CautionDecision
from registry.curation.cautions.personal import erase_answers, export_answers
from registry.curation.cautions.queries import Said, said_of, scores_of
from registry.curation.cautions.services import answer_caution, decide_on_caution, withdraw_answer
from registry.journal.models import Entry
from registry.results.models import System
from registry.results.services.endings import supersede_result
from tests.registry.factory import make_leaderboard, make_paper, make_result, make_system, make_user
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db

CODE, OTHER = "stands-apart", "self-reported"


@pytest.fixture
def given(monkeypatch):
    """Verdicts that say of every result that it stands apart."""
    monkeypatch.setattr(verdicts, "_FINDERS", [
        lambda result, code: "", lambda result, code: "far away" if code == CODE else "",
    ])  # fmt: skip


def decide(result, kind: str = "cleared", code: str = CODE, actor=None, reason: str = " settled "):
    return decide_on_caution(result=result, code=code, kind=kind, actor=actor or editor(), reason=reason)


def answer(result, person=None, text: str = " It is so. ", **fields):
    return answer_caution(result=result, code=CODE, person=person or make_user(), **{"text": text} | fields)


def version(result) -> int:
    result.leaderboard.refresh_from_db()
    return result.leaderboard.results_version


def test_an_answer_is_kept_as_it_is_given_and_the_log_says_that_there_is_one():
    result, person = make_result(), make_user()
    first = answer(result, person, url="https://example.org/log")
    assert (first.text, first.url, first.is_author, first.ended_at) == (
        "It is so.", "https://example.org/log", False, None,
    )  # fmt: skip
    entry = Entry.objects.latest("pk")
    assert (entry.action, entry.subject_type, entry.subject_id, entry.actor) == (
        "results.caution.answered", "result", str(result.pk), person,
    )  # fmt: skip
    assert entry.after == {"caution": CODE, "answer": first.pk}
    assert answer(result, person, text="It is so.", url="https://example.org/log") == first
    second = answer(result, person)
    assert second != first
    other = answer_caution(result=result, code=OTHER, person=person, text="Another.")
    of_somebody = answer(result)
    assert list(CautionAnswer.objects.standing()) == [second, other, of_somebody]
    first.refresh_from_db()
    assert first.ended_at == second.recorded_at
    for text, code in ((" ", CODE), ("x", "few-topics")):
        with pytest.raises(ValidationError):
            answer_caution(result=result, code=code, person=person, text=text)
    assert version(result) == 0


def test_an_author_is_known_by_the_orcid_id_of_the_paper():
    orcid = "0000-0002-1825-0097"
    result = make_result(paper=make_paper(author_orcids=[orcid]))
    assert answer(result, make_user(orcid=orcid, orcid_verified_at=timezone.now())).is_author is True
    assert answer(result, make_user()).is_author is False


def test_an_answer_is_withdrawn_once():
    result, person = make_result(), make_user()
    given = answer(result, person)
    with pytest.raises(ValidationError, match="say why"):
        withdraw_answer(answer=given, actor=person, reason=" ")
    withdrawn = withdraw_answer(answer=given, actor=person, reason=" a mistake ")
    assert withdrawn.ended_at is not None
    n_entries = Entry.objects.count()
    assert withdraw_answer(answer=given, actor=person, reason="again").ended_at == withdrawn.ended_at
    assert Entry.objects.count() == n_entries
    entry = Entry.objects.latest("pk")
    assert (entry.action, entry.subject_type, entry.subject_id) == (
        "results.caution.answer_withdrawn", "result", str(result.pk),
    )  # fmt: skip
    assert (entry.actor, entry.reason, entry.before) == (person, "a mistake", {"caution": CODE, "answer": given.pk})


def test_a_decision_is_kept_with_its_reason_and_the_verdict_studied_again_where_it_changes():
    result, person = make_result(), editor()
    cleared = decide(result, actor=person)
    assert (cleared.kind, cleared.entry.reason, cleared.entry.actor) == ("cleared", "settled", person)
    assert (cleared.entry.action, cleared.entry.before) == ("results.caution.cleared", None)
    assert (cleared.entry.subject_type, cleared.entry.subject_id) == ("result", str(result.pk))
    assert cleared.entry.after == {"caution": CODE, "decision": "cleared"}
    assert version(result) == 1
    assert decide(result) == cleared
    assert version(result) == 1
    kept = decide(result, "kept")
    assert (kept.entry.action, kept.entry.before) == ("results.caution.kept", {"decision": "cleared"})
    cleared.refresh_from_db()
    assert cleared.ended_at == kept.recorded_at
    assert version(result) == 2, "it is given again"
    elsewhere = decide(result, "kept", code=OTHER)
    assert version(result) == 2, "as it was"
    assert list(CautionDecision.objects.standing()) == [kept, elsewhere]
    decide(result)
    assert version(result) == 3
    with pytest.raises(ValidationError, match="say why"):
        decide(result, "kept", reason=" ")


def test_who_answered_a_caution_does_not_decide_on_it():
    result, person = make_result(), editor()
    given = answer(result, person)
    with pytest.raises(ValidationError, match="somebody else than who answered it decides on it"):
        decide(result, actor=person)
    decide(result, actor=person, code=OTHER)
    withdraw_answer(answer=given, actor=person, reason="a mistake")
    decide(result, actor=person)


def test_what_was_said_is_about_a_score_under_both_names_of_its_system(django_assert_num_queries):
    board = make_leaderboard()
    result, other = make_result(board), make_result(board)
    person = make_user("ada")
    answered, cleared, kept = answer(result, person), decide(result), decide(other, "kept", code=OTHER)
    moved = supersede_result(result=result, changes={"notes": "as in the journal"}, actor=None, reason="found")
    scores = scores_of([moved.pk, other.pk, other.pk])
    assert sorted(one.id for one in scores) == sorted([moved.pk, other.pk])
    with django_assert_num_queries(3):
        said = said_of(scores)
        documents = describe_answers(said, CODE, (other.pk, moved.pk))
        decisions = describe_decisions(said, CODE, (other.pk, moved.pk))
    assert said.answers == {(CODE, moved.pk): [answered]}
    assert said.decisions == {(CODE, moved.pk): cleared, (OTHER, other.pk): kept}
    assert said.cleared == ((CODE, moved.pk),)
    (document,), (decision,) = documents, decisions
    assert (document.id, document.result, document.by, document.text, document.url) == (
        answered.pk, moved.pk, person.public_name, "It is so.", "",
    )  # fmt: skip
    assert (document.is_author, document.at) == (False, answered.recorded_at.isoformat(timespec="seconds"))
    assert (decision.result, decision.decision, decision.reason) == (moved.pk, "cleared", "settled")
    assert (decision.by, decision.at) == (
        cleared.entry.actor_name, cleared.recorded_at.isoformat(timespec="seconds"),
    )  # fmt: skip
    into = make_system()
    System.objects.filter(pk=result.system_id).update(merged_into=into)
    under_new_name = make_result(board, into, result.printed)
    assert said_of(scores_of([under_new_name.pk])).answers == {(CODE, under_new_name.pk): [answered]}
    assert said_of(scores_of([make_result(board, result.system, "0.9", source="else").pk])) == Said()
    assert said_of(scores_of([make_result(None, result.system, result.printed).pk])) == Said()
    before = answered.recorded_at - timedelta(seconds=1)
    assert said_of(scores_of([result.pk]), moment=before) == Said()
    alone, two = (scores_of([make_result().pk for _ in range(n)]) for n in (1, 2))
    for n_queries, some in ((0, []), (1, alone), (2, two)):
        with django_assert_num_queries(n_queries):
            assert said_of(some) == Said()


def test_a_merged_systems_score_is_the_same_score():
    board, old, new = make_leaderboard(), make_system(), make_system()
    first = make_result(board, old, "0.3")
    System.objects.filter(pk=old.pk).update(merged_into=new)
    person = make_user()
    given = answer(first, person)
    again = make_result(board, new, "0.3")
    assert answer_caution(result=again, code=CODE, person=person, text="It is so.") == given
    apart = make_result(board, new, "0.4", source="else")
    assert answer(apart, person) != given
    elsewhere = make_result(None, new, "0.3")
    assert answer(elsewhere, person) != given


@pytest.mark.usefixtures("given")
def test_a_caution_is_there_while_it_is_given_or_anything_was_said_to_it():
    result = make_result()
    caution = get_visible_caution(result.pk, CODE)
    assert (caution.message, caution.is_flag, caution.code, caution.result) == ("far away", True, CODE, result)
    assert caution.meaning == CAUTION_CODES[CODE]
    for code in (OTHER, "few-topics", "nonsense"):
        with pytest.raises(Http404, match=f"Nothing of the kind {code} is said of result {result.pk}"):
            get_visible_caution(result.pk, code)
    answer_caution(result=result, code=OTHER, person=make_user(), text="It is so.")
    assert (get_visible_caution(result.pk, OTHER).message, get_visible_caution(result.pk, OTHER).is_flag) == ("", False)
    decide(result, code="other-pool")
    assert get_visible_caution(result.pk, "other-pool").message == ""
    with pytest.raises(PermissionDenied, match="This is not said of the score any more"):
        get_answerable_caution(result.pk, OTHER, make_user())
    person = make_user()
    assert get_answerable_caution(result.pk, CODE, person)[1] == person


@pytest.mark.usefixtures("given")
def test_who_looks_after_the_result_decides_with_a_second_factor_where_it_is_required(settings):
    result, curator, somebody = make_result(), make_user(), make_user()
    Curator.objects.create(collection=result.leaderboard.collection, user=curator)
    for person in (editor(), curator):
        assert get_decidable_caution(result.pk, CODE, person)[1] == person
    with pytest.raises(PermissionDenied, match="Only editors and curators of its collection decide on this"):
        get_decidable_caution(result.pk, CODE, somebody)
    given = answer(result, somebody)
    for person in (somebody, curator):
        assert get_answer_to_withdraw(given.pk, person) == (given, person)
    with pytest.raises(PermissionDenied, match="Only who gave an answer and who looks after the result"):
        get_answer_to_withdraw(given.pk, make_user())
    settings.PLUMBLINE_REQUIRE_SECOND_FACTOR = True
    assert get_answer_to_withdraw(given.pk, somebody)[1] == somebody
    with pytest.raises(PermissionDenied, match="second factor"):
        get_answer_to_withdraw(given.pk, curator)
    with pytest.raises(PermissionDenied, match="second factor"):
        get_decidable_caution(result.pk, CODE, curator)
    withdraw_answer(answer=given, actor=somebody, reason="a mistake")
    with pytest.raises(Http404, match="There is no such answer"):
        get_answer_to_withdraw(given.pk, somebody)


@pytest.mark.usefixtures("given")
def test_the_form_begins_with_ones_own_answer_and_leads_back():
    result, person = make_result(), make_user()
    answer(result, text="Of another.")
    address = f"/results/{result.pk}/cautions/{CODE}/"
    browser = signed_in(person)
    assert browser.get(f"{address}answer/").context["form"].initial == {}
    sent = browser.post(f"{address}answer/", {"text": "Mine.", "url": "https://example.org/"})
    assert (sent.status_code, sent["Location"]) == (302, address)
    assert [str(one) for one in get_messages(sent.wsgi_request)] == ["Your answer stands beside it."]
    assert browser.get(f"{address}answer/").context["form"].initial == {"text": "Mine.", "url": "https://example.org/"}
    shown = browser.get(address).context
    assert [one.text for _, one in shown["answers"]] == ["Of another.", "Mine."]
    assert shown["may_decide"] is False
    decided = signed_in(editor()).post(f"{address}decide/", {"decision": "kept", "reason": "so it is"})
    assert (decided.status_code, decided["Location"]) == (302, address)
    assert [str(one) for one in get_messages(decided.wsgi_request)] == ["It is decided."]
    assert [one.decision for _, one in browser.get(address).context["decisions"]] == ["kept"]
    assert browser.get(f"{address}?nonsense=1").status_code == 400


def test_what_somebody_said_is_exported_and_erased():
    result, person = make_result(), make_user()
    first = answer(result, person, url="https://example.org/")
    withdraw_answer(answer=first, actor=person, reason="a mistake")
    second = answer(result, person, text="Now.")
    of_another = answer(result)
    first.refresh_from_db()
    exported = export_answers(person)
    assert exported[0] == {
        "result": result.pk, "caution": CODE, "text": "It is so.", "url": "https://example.org/",
        "created": first.recorded_at.isoformat(timespec="seconds"),
        "withdrawn": first.ended_at.isoformat(timespec="seconds"),
    }  # fmt: skip
    assert [(one["text"], one["withdrawn"]) for one in exported[1:]] == [("Now.", None)]
    erase_answers(person)
    ended_at = first.ended_at
    for one in (first, second, of_another):
        one.refresh_from_db()
    assert (first.text, first.url, first.ended_at) == ("", "", ended_at)
    assert second.text == ""
    assert second.ended_at is not None
    assert (of_another.text, of_another.ended_at) == ("It is so.", None)
