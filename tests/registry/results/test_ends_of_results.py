"""How results leave the record: what hangs on them goes along, what was earned stays, and a batch is taken back."""

import pytest
from django.core.exceptions import ValidationError

from registry.catalog.models import Leaderboard
from registry.journal.models import Entry
from registry.results.models import CorrectionRequest, Result, TopicScores
from registry.results.queries import before_confirmations, confirmed_since
from registry.results.services import mass_changes
from registry.results.services.confirming import confirm_result
from registry.results.services.corrections import accept_correction, request_correction
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.mass_changes import MassChange, room_left
from registry.results.services.undoing import n_undoable, undo_batch, withdrawn_by
from tests.registry.factory import make_entry, make_leaderboard, make_result, make_topic_scores, make_topics, make_user

pytestmark = pytest.mark.django_db


def version_of(board: Leaderboard) -> int:
    return Leaderboard.objects.get(pk=board.pk).results_version


def test_a_correction_takes_replicates_requests_scores_and_what_was_earned_along():
    ada, editor = make_user("ada"), make_user("grace", is_editor=True)
    board = make_leaderboard()
    make_topics(board.collection, ["1", "2"])
    old = confirm_result(
        result=make_result(board, printed="0.2500"),
        user=ada,
        kind="second_transcription",
        printed="25.00",
        unit="percent",
    )
    assert old.provenance == "double_checked"
    replicate = make_result(board, printed="0.2600", replicate_of=old)
    make_topic_scores(old, [0.2, 0.3])
    asked = request_correction(result=old, requester=ada, kind="dispute", reason="another table")
    before = version_of(board)
    new = supersede_result(
        result=old, changes={"printed": "25.00", "unit": "percent"}, actor=editor, reason=" as printed "
    )
    assert version_of(board) > before
    old.refresh_from_db()
    asked.refresh_from_db()
    replicate.refresh_from_db()
    assert (old.superseded_by, old.ending, old.ended_by) == (new, "superseded", new.recorded_by)
    assert (asked.result, replicate.replicate_of, new.provenance) == (new, new, "double_checked")
    assert TopicScores.objects.standing().get(result=new).scores == [0.2, 0.3]
    entry = new.recorded_by
    assert (entry.action, entry.subject_type, entry.subject_id) == ("results.result.superseded", "result", str(old.pk))
    assert (entry.actor, entry.reason) == (editor, "as printed")
    assert (entry.before, entry.after) == (
        {"printed": "0.2500", "unit": ""}, {"printed": "25.00", "unit": "percent"}
    )  # fmt: skip
    assert supersede_result(result=new, changes={"printed": "25.00"}, actor=editor, reason="again") == new

    other = supersede_result(
        result=new, changes={"printed": "0.27", "unit": "", "year": 2004}, actor=editor, reason="no"
    )
    assert (other.value, other.provenance, other.year) == (0.27, "transcribed", 2004)
    assert not TopicScores.objects.standing().filter(result=other).exists()
    with pytest.raises(ValidationError, match="1 replicates stand on this result; withdraw them first"):
        withdraw_result(result=other, actor=editor, reason="no such run")
    with pytest.raises(ValidationError, match="not on the record any more: it was superseded"):
        withdraw_result(result=new, actor=editor, reason="no such run")
    refused = {
        "these are not part of a result's content: source, value": {"value": 1, "source": "x"},
        "provenance is earned": {"provenance": "double_checked"},
        "printed": {"printed": "7"},
    }
    for why, changes in refused.items():
        with pytest.raises(ValidationError, match=why):
            supersede_result(result=other, changes=changes, actor=editor, reason="no")
    replicate.refresh_from_db()
    withdraw_result(result=replicate, actor=editor, reason="no such run")
    gone = withdraw_result(result=other, actor=editor, reason="no such run")
    assert gone.ended_by.before == {
        "printed": "0.27", "system": str(other.system), "leaderboard": str(board)
    }  # fmt: skip
    assert gone.ended_by.after == {"ending": "withdrawn"}
    n_entries = Entry.objects.count()
    assert withdraw_result(result=other, actor=editor, reason="again") == gone
    assert Entry.objects.count() == n_entries


def test_a_request_is_decided_once_and_its_result_superseded_or_withdrawn():
    ada, editor = make_user("ada"), make_user("grace", is_editor=True)
    first, second = make_result(printed="0.2500"), make_result(printed="0.3000")
    asked = request_correction(
        result=first, requester=ada, kind="correct", reason=" table 2 ", proposed_printed=" 0.2600 "
    )
    said = Entry.objects.get(action="results.correction.requested")
    assert (said.actor, said.reason, said.subject_type, said.subject_id) == (ada, "table 2", "result", str(first.pk))
    assert said.after == {"kind": "correct", "request": asked.pk, "proposed": "0.2600"}
    assert request_correction(result=first, requester=ada, kind="correct", reason="x", proposed_printed="0.27") == asked
    assert Entry.objects.filter(action="results.correction.requested").count() == 1
    for printed, why in (("", "say which score should stand there"), ("0.2500", "the score that stands there already")):
        with pytest.raises(ValidationError, match=why):
            request_correction(result=first, requester=ada, kind="correct", reason="x", proposed_printed=printed)
    accept_correction(request=asked, actor=editor, reason=" so it is ", printed="0.2600")
    decided = Entry.objects.get(action="results.correction.accepted")
    assert (decided.actor, decided.reason, decided.subject_type) == (editor, "so it is", "result")
    assert decided.after == {"kind": "correct", "request": asked.pk}
    asked.refresh_from_db()
    assert (asked.state, asked.decided_by, asked.decision_reason) == ("accepted", editor, "so it is")
    assert asked.decided_at is not None
    now = Result.objects.standing().get(system=first.system)
    assert (now.printed, now.recorded_by.reason, now.recorded_by.actor) == ("0.2600", "so it is", editor)
    with pytest.raises(ValidationError, match="this request was accepted already"):
        accept_correction(request=asked, actor=editor, reason="x")
    dispute = request_correction(result=second, requester=ada, kind="dispute", reason="not there")
    accept_correction(request=dispute, actor=editor, reason="nowhere")
    second.refresh_from_db()
    assert (second.ending, second.ended_by.reason, second.ended_by.actor) == ("withdrawn", "nowhere", editor)
    assert not CorrectionRequest.objects.open().exists()


def test_a_batch_is_taken_back_with_what_it_superseded_and_what_people_confirmed_since():
    ada, editor = make_user("ada"), make_user("grace", is_editor=True)
    batch, earlier = make_entry(), make_entry()
    added, confirmed, corrected = (make_result(recorded_by=batch, printed=f"0.{n}") for n in (31, 32, 33))
    old = make_result(recorded_by=earlier, printed="0.40")
    new = make_result(recorded_by=batch, leaderboard=old.leaderboard, printed="0.41")
    Result.objects.filter(pk=old.pk).update(
        ended_at=new.recorded_at, ended_by=batch, ending="superseded", superseded_by=new
    )
    gone = make_result(
        recorded_by=earlier, printed="0.50", ended_at=new.recorded_at, ended_by=batch, ending="withdrawn"
    )
    risen = confirm_result(result=confirmed, user=ada, kind="second_transcription", printed="0.32")
    supersede_result(result=corrected, changes={"printed": "0.34"}, actor=ada, reason="misread")
    assert confirmed_since(batch) == {risen.pk: confirmed.pk}
    assert before_confirmations(risen).pk == confirmed.pk
    assert before_confirmations(added) == added
    assert withdrawn_by(batch) == [gone]
    assert n_undoable(batch) == 4
    undone = undo_batch(entry=batch, actor=editor, reason=" the wrong file ")
    assert (undone.action, undone.subject_type, undone.subject_id) == ("results.batch.undone", "entry", str(batch.pk))
    assert (undone.actor, undone.reason) == (editor, "the wrong file")
    assert undone.before == {"action": batch.action, "subject": f"{batch.subject_type} {batch.subject_id}"}
    assert undone.after == {"withdrawn": 2, "restored": 2}
    standing = {one.printed: one for one in Result.objects.standing()}
    assert set(standing) == {"0.34", "0.40", "0.50"}
    assert {one.recorded_by for name, one in standing.items() if name != "0.34"} == {undone}
    added.refresh_from_db()
    new.refresh_from_db()
    assert (added.ending, added.ended_by, new.superseded_by) == ("withdrawn", undone, standing["0.40"])
    assert n_undoable(batch) == 0
    with pytest.raises(ValidationError, match="nothing of it is left to undo"):
        undo_batch(entry=batch, actor=editor, reason="again")


def test_an_account_may_end_so_many_within_an_hour_and_then_types_their_number(monkeypatch):
    monkeypatch.setattr(mass_changes, "MOST_CHANGES", 3)
    ada = make_user("ada", is_editor=True)
    results = [make_result() for _ in range(6)]
    for result in results[:2]:
        withdraw_result(result=result, actor=ada, reason="no such run")
    assert (room_left(ada), room_left(make_user())) == (1, 3)
    withdraw_result(result=results[2], actor=ada, reason="no such run")
    with pytest.raises(MassChange, match=r"taken 4 results off the record .*type the number 4") as stopped:
        withdraw_result(result=results[3], actor=ada, reason="no such run")
    assert stopped.value.n_rows == 4
    for number in (3, 5):
        with pytest.raises(MassChange):
            withdraw_result(result=results[3], actor=ada, reason="no such run", confirmed_rows=number)
    withdraw_result(result=results[3], actor=ada, reason="no such run", confirmed_rows=4)
    withdraw_result(result=results[4], actor=None, reason="no such run")
    assert room_left(ada) == 0
    hour = mass_changes.WITHIN
    assert hour.total_seconds() == 3600
    for result in Result.objects.filter(ended_by__actor=ada):
        Result.objects.filter(pk=result.pk).update(ended_at=result.ended_at - hour)
    assert room_left(ada) == 3
