"""Undoing a log entry: whatever people confirmed since, and withdrawals as well."""

import pytest
from django.core.exceptions import ValidationError

from registry.journal.models import Entry
from registry.results.models import Result
from registry.results.services import endings
from registry.results.services.corrections import confirm_result
from registry.results.services.endings import MassChange, supersede_result, withdraw_result
from registry.results.services.merging import merge_papers, merge_systems, undo_merge
from registry.results.services.undoing import undo_batch
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_paper,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
    make_user,
)
from tests.registry.results.people import editor, make_batch, signed_in


def undo(entry: Entry, **fields) -> Entry:
    return undo_batch(entry=entry, actor=editor(), reason="vandalism", **fields)


def test_a_confirmed_result_goes_with_its_batch():
    entry, (first, second) = make_batch(2)
    confirm_result(result=first, user=make_user(), kind="second_transcription", printed=first.printed)
    page = signed_in(editor()).get(f"/log/{entry.pk}/").content.decode()
    assert "2 results are as it left them" in page
    undo(entry)
    assert not Result.objects.standing().exists()
    assert Result.objects.filter(ending="withdrawn").count() == 2
    second.refresh_from_db()
    assert second.ended_by.action == "results.batch.undone"


def test_a_corrected_result_stays():
    entry, (first, _) = make_batch(2)
    corrected = supersede_result(result=first, changes={"locator": "Table 3"}, actor=editor(), reason="found it")
    undo(entry)
    assert Result.objects.standing().get() == corrected


def test_a_withdrawal_is_undone():
    collection = make_collection()
    make_topics(collection, ["1", "2"])
    result = make_result(make_leaderboard(collection), printed="0.25", notes="as printed")
    make_topic_scores(result, [0.2, 0.3])
    withdrawn = withdraw_result(result=result, actor=editor(), reason="a slip of the hand")
    client = signed_in(editor())
    assert "Undo this" in client.get(f"/log/{withdrawn.ended_by_id}/").content.decode()
    assert client.post(f"/log/{withdrawn.ended_by_id}/undo/", {"reason": "it was right"}).status_code == 302
    again = Result.objects.standing().get()
    assert (again.printed, again.notes, again.topic_scores.get().scores) == ("0.25", "as printed", [0.2, 0.3])
    assert again.recorded_by.reason == "it was right"
    result.refresh_from_db()
    assert result.ending == "withdrawn"


def test_replicates_come_back_with_their_first_instance():
    entry, (first,) = make_batch(1)
    make_result(first.leaderboard, recorded_by=entry, replicate_of=first)
    undone = undo(entry)
    undo(undone)
    first_again = Result.objects.standing().get(replicate_of=None)
    assert Result.objects.standing().get(replicate_of=first_again).system != first_again.system
    assert undone.ended_results.count() == 2


def test_a_replicate_comes_back_behind_the_corrected_first_instance_or_by_itself_where_that_was_withdrawn():
    first = make_result(make_leaderboard())
    replicate = make_result(first.leaderboard, replicate_of=first)
    withdrawn = withdraw_result(result=replicate, actor=editor(), reason="a slip of the hand")
    corrected = supersede_result(result=first, changes={"locator": "Table 3"}, actor=editor(), reason="found it")
    undo(withdrawn.ended_by)
    again = Result.objects.standing().get(system=replicate.system)
    assert again.replicate_of == corrected
    for result in (again, corrected):
        withdrawn = withdraw_result(result=result, actor=editor(), reason="an erratum")
    again.refresh_from_db()
    undo(again.ended_by)
    assert Result.objects.standing().get(system=replicate.system).replicate_of is None


def test_nothing_is_put_over_what_stands_by_now():
    result = make_result(printed="0.25")
    withdrawn = withdraw_result(result=result, actor=editor(), reason="an erratum")
    make_result(result.leaderboard, result.system, printed="0.26", source=result.source)
    with pytest.raises(ValidationError, match="nothing of it is left to undo"):
        undo(withdrawn.ended_by)
    assert Result.objects.standing().get().printed == "0.26"


def test_what_others_are_replicates_of_is_not_taken_back_and_much_is_asked_for(monkeypatch):
    entry, (first, _) = make_batch(2)
    replicate = make_result(first.leaderboard, replicate_of=first)
    with pytest.raises(ValidationError, match="1 replicate stands on these results; withdraw it first"):
        undo(entry)
    withdraw_result(result=replicate, actor=None, reason="an erratum")
    monkeypatch.setattr(endings, "MOST_CHANGES", 1)
    with pytest.raises(MassChange, match="type the number 2"):
        undo(entry)
    assert Result.objects.standing().count() == 2
    undo(entry, confirmed_rows=2)
    assert not Result.objects.standing().exists()


def test_a_correction_on_which_a_replicate_was_put_since_is_not_taken_back():
    corrected = supersede_result(result=make_result(), changes={"locator": "Table 3"}, actor=None, reason="found it")
    replicate = make_result(corrected.leaderboard, replicate_of=corrected)
    with pytest.raises(ValidationError, match="1 replicate stands on this result; withdraw it first"):
        undo(corrected.recorded_by)
    replicate.refresh_from_db()
    assert replicate.replicate_of == corrected
    assert set(Result.objects.standing()) == {corrected, replicate}


MERGES = [("system", make_system, merge_systems), ("paper", make_paper, merge_papers)]


@pytest.mark.parametrize(("of", "make", "merge"), MERGES)
def test_nothing_comes_back_under_a_name_that_leads_to_another(of, make, merge):
    moved, gone = make_result(**{of: make("a")}), make_result(**{of: make("b")})
    withdraw_result(result=gone, actor=editor(), reason="a slip of the hand")
    for result, target in ((moved, make("c")), (gone, make("d"))):
        merge(source=getattr(result, of), target=target, actor=None, reason="one")
        result.refresh_from_db()
        with pytest.raises(ValidationError, match=f"was merged into {target} since; undo that first"):
            undo(result.ended_by)
    assert str(getattr(Result.objects.standing().get(), of)) == "c"
    merged = Entry.objects.get(action=f"results.{of}.merged", subject_id=str(getattr(gone, f"{of}_id")))
    undo_merge(entry=merged, actor=editor(), reason="they are two")
    undo(gone.ended_by)
    assert Result.objects.standing().filter(**{of: getattr(gone, of)}).exists()
