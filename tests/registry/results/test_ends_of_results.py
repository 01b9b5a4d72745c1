"""How results leave the record: what hangs on them goes along, what was earned stays, and a batch is taken back."""

import pytest
from django.core.exceptions import ValidationError

from registry.catalog.models import Leaderboard
from registry.journal.models import Entry
from registry.results.models import CorrectionRequest, Result, TopicScores
from registry.results.queries import before_confirmations, confirmed_since
from registry.results.services import mass_changes
from registry.results.services.confirming import confirm_result
from registry.results.services.corrections import accept_correction, decline_correction, request_correction
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.mass_changes import MassChange, room_left
from registry.results.services.merging import merge_papers, merge_systems
from registry.results.services.undoing import n_undoable, undo_batch, withdrawn_by
from tests.registry.factory import (
    make_entry,
    make_leaderboard,
    make_paper,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
    make_user,
)
from tests.registry.results.loading import line, load, make_robust04

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
    with pytest.raises(ValidationError, match="1 replicate stands on this result; withdraw it first"):
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


def test_what_has_ended_already_does_not_go_along():
    board, ada = make_leaderboard(), make_user("ada")
    old = make_result(board, printed="0.2500")
    gone = withdraw_result(result=make_result(board, replicate_of=old), actor=None, reason="no such run")
    decided = request_correction(result=old, requester=ada, kind="dispute", reason="not there")
    decline_correction(request=decided, actor=make_user(is_editor=True), reason="it is right")
    make_topic_scores(old, [0.1, 0.4]).__class__.objects.update(ended_at=old.recorded_at)
    new = supersede_result(result=old, changes={"notes": "Table 3"}, actor=None, reason="found it")
    gone.refresh_from_db()
    decided.refresh_from_db()
    assert (gone.replicate_of, decided.result) == (old, old)
    assert not TopicScores.objects.filter(result=new).exists()


def test_scores_by_topic_are_known_of_a_new_version_since_it_stands():
    old = make_result(printed="0.2500")
    make_topic_scores(old, [0.2, 0.3])
    new = supersede_result(result=old, changes={"notes": "Table 3"}, actor=None, reason="found it")
    assert new.topic_scores.get().recorded_at == new.recorded_at


def test_what_comes_back_makes_analyses_stale_and_is_the_last_of_its_versions():
    board = make_leaderboard()
    old = make_result(board, printed="0.25")
    new = supersede_result(result=old, changes={"printed": "0.26"}, actor=None, reason="misread")
    undo_batch(entry=new.recorded_by, actor=None, reason="it was right")
    again = Result.objects.standing().get()
    assert (again.printed, again.superseded_by) == ("0.25", None)
    gone = withdraw_result(result=again, actor=None, reason="no such run")
    before = version_of(board)
    undo_batch(entry=gone.ended_by, actor=None, reason="there is")
    assert version_of(board) == before + 1


def test_what_was_superseded_stands_again_though_its_successor_was_confirmed_since():
    entry, old = make_entry(), make_result(printed="0.40")
    new = make_result(old.leaderboard, old.system, "0.41", recorded_by=entry, source="elsewhere")
    Result.objects.filter(pk=old.pk).update(
        ended_at=new.recorded_at, ended_by=entry, ending="superseded", superseded_by=new
    )
    confirm_result(result=new, user=make_user(), kind="second_transcription", printed="0.41")
    undo_batch(entry=entry, actor=None, reason="misread")
    assert [one.printed for one in Result.objects.standing()] == ["0.40"]


def test_a_result_comes_back_beside_others_of_its_system():
    board, system, paper = make_leaderboard(), make_system(), make_paper()
    gone = withdraw_result(result=make_result(board, system, paper=paper, source="s"), actor=None, reason="a slip")
    for others in (
        {"source": "t", "paper": paper},
        {"source": "s", "paper": None},
        {"source": "s", "paper": paper, "leaderboard": make_leaderboard()},
        {"source": "s", "paper": paper, "system": make_system()},
    ):
        make_result(**{"leaderboard": board, "system": system} | others)
    assert withdrawn_by(gone.ended_by) == [gone]


def test_how_far_a_score_is_trusted_is_kept_where_a_file_knows_no_better(tmp_path):
    board = make_robust04()
    earned, other = (make_result(board, make_system(name), "0.25", source="s") for name in "ab")
    confirm_result(result=earned, user=make_user(), kind="second_transcription", printed="0.25")
    Result.objects.filter(pk=other.pk).update(provenance="recomputed")
    rows = [line(system=name, value="0.25", source="s", provenance="recomputed", notes="x") for name in "ab"]
    load(tmp_path, *rows)
    assert {one.provenance for one in Result.objects.standing()} == {"recomputed"}
    load(tmp_path, *(row.replace("recomputed", "transcribed") for row in rows))
    assert {one.provenance for one in Result.objects.standing()} == {"transcribed"}


def test_the_log_says_which_system_paper_or_first_instance_a_result_has_now(tmp_path):
    board = make_robust04()
    systems, papers = [make_system(name) for name in "ab"], [make_paper(f"Doe ({year})") for year in (2001, 2002)]
    result, first = make_result(board, systems[0], paper=papers[0]), make_result(board, make_system("c"))
    merge_systems(source=systems[0], target=systems[1], actor=None, reason="one")
    merge_papers(source=papers[0], target=papers[1], actor=None, reason="one")
    load(tmp_path, line(system="c"), line(system="d"))
    load(tmp_path, line(system="d", replicate_of="c"))
    changes = Entry.objects.filter(action="results.result.superseded").order_by("pk")
    assert [(one.before, one.after) for one in changes] == [
        ({"system_id": systems[0].pk}, {"system_id": systems[1].pk}),
        ({"paper_id": papers[0].pk}, {"paper_id": papers[1].pk}),
        ({"replicate_of_id": None}, {"replicate_of_id": first.pk}),
    ]
    assert result.system == systems[0]
