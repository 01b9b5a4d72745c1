"""What merged names are called today, and what becomes of names and results where a merge is undone."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from registry.journal.models import Entry
from registry.results.models import Result, System, TopicScores
from registry.results.pipeline.merged_names import MergedNames
from registry.results.queries import was_parted, what_it_is
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.merging import merge_papers, merge_systems, rename_system
from registry.results.services.undoing import n_undoable, undo_batch
from registry.results.services.unmerging import merged_by, undo_merge
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

pytestmark = pytest.mark.django_db


def merge(source: System, target: System) -> Entry:
    merge_systems(source=source, target=target, actor=None, reason="one system")
    return Entry.objects.filter(action="results.system.merged").order_by("pk").last()


def test_names_are_read_once_and_lead_to_the_end(django_assert_num_queries):
    first, second, third = make_system("First", "A"), make_system("Second"), make_system("Third", "C")
    merge(first, second)
    merge(second, third)
    paper, other = make_paper("Doe (2001)"), make_paper("Roe (2002)")
    merge_papers(source=paper, target=other, actor=None, reason="one paper")
    with django_assert_num_queries(2):
        names = MergedNames.read()
    assert names == MergedNames(
        {("first", "a"): ("third", "c"), ("second", ""): ("third", "c")}, {paper.identity: other.identity}
    )


def test_where_a_merge_is_undone_each_has_its_own_topic_scores_and_a_twin_is_a_replicate_again():
    board = make_leaderboard()
    source, target = make_system("source"), make_system("target")
    joined = make_result(board, source, "0.4000", source="two")
    twin = make_result(board, target, "0.4000", source="two", replicate_of=joined)
    make_topic_scores(joined, [0.3, 0.5])
    make_topic_scores(twin, [0.2, 0.6])
    entry = merge(source, target)
    twin.refresh_from_db()
    assert twin.replicate_of is None
    undo_merge(entry=entry, actor=None, reason="they are two")
    twin.refresh_from_db()
    again = Result.objects.standing().get(system=source)
    assert twin.replicate_of == again
    standing = TopicScores.objects.standing().vectors([again.pk, twin.pk])
    assert standing == {again.pk: [0.3, 0.5], twin.pk: [0.2, 0.6]}


def test_between_undoing_a_merge_and_merging_again_a_name_led_nowhere():
    source, target = make_system("source"), make_system("target")
    undo_merge(entry=merge(source, target), actor=None, reason="they are two")
    between = timezone.now()
    merge(source, target)
    source.refresh_from_db()
    assert (what_it_is(source, between), what_it_is(source, timezone.now()), what_it_is(source, None)) == (
        None, target, target,
    )  # fmt: skip


def test_an_undone_merge_gives_back_results_replicates_topic_scores_and_names():
    board = make_leaderboard()
    make_topics(board.collection, ["1", "2"])
    alias, source, target = make_system("alias"), make_system("source"), make_system("target")
    merge(alias, source)
    moved = make_result(board, source, "0.3000", source="one")
    joined, twin = (make_result(board, one, "0.4000", source="two") for one in (source, target))
    replicate = make_result(board, printed="0.4100", replicate_of=joined)
    gone = make_result(board, source, "0.5000", source="three")
    make_topic_scores(joined, [0.3, 0.5])
    entry = merge(source, target)
    assert entry.after == {"name": "target", "merged_into": target.pk, "results": 3, "names": [alias.pk]}
    assert entry.before == {"name": "source"}
    replicate.refresh_from_db()
    assert replicate.replicate_of == twin
    assert TopicScores.objects.standing().get(result=twin).scores == [0.3, 0.5]
    gone.refresh_from_db()
    withdraw_result(result=gone.superseded_by, actor=None, reason="no such run")
    moved.refresh_from_db()
    supersede_result(result=moved.superseded_by, changes={"printed": "0.3100"}, actor=None, reason="misread")
    assert merged_by(entry) == source
    assert not was_parted(source, target)
    alias.refresh_from_db()
    assert what_it_is(alias, None) == target

    undone = undo_merge(entry=entry, actor=make_user("ada"), reason=" two systems ")
    assert (undone.action, undone.subject_type, undone.subject_id) == (
        "results.system.merge_undone", "system", str(source.pk)
    )  # fmt: skip
    assert (undone.actor.username, undone.reason) == ("ada", "two systems")
    assert undone.before == {"name": "target", "merged_into": target.pk}
    assert undone.after == {"name": "source", "entry": entry.pk, "results": 2}
    standing = {
        (one.system.name, one.printed, one.source): one for one in Result.objects.standing().exclude(pk=replicate.pk)
    }
    assert set(standing) == {
        ("source", "0.3100", "one"), ("source", "0.4000", "two"), ("target", "0.4000", "two")
    }  # fmt: skip
    own = standing["source", "0.4000", "two"]
    replicate.refresh_from_db()
    assert (replicate.replicate_of, own.recorded_by) == (own, undone)
    assert [one.result for one in TopicScores.objects.standing().filter(result__ended_at=None)] == [own]
    tombstone = Result.objects.get(recorded_by=undone, ending="withdrawn")
    assert (tombstone.system, tombstone.printed, tombstone.ended_by) == (source, "0.5000", undone)
    alias.refresh_from_db()
    source.refresh_from_db()
    assert (alias.merged_into, source.merged_into) == (source, None)
    assert (was_parted(source, target), was_parted(target, source), was_parted(alias, target)) == (True, True, False)
    assert what_it_is(source, None) is None
    assert what_it_is(source, entry.recorded_at) == target
    assert what_it_is(source, undone.recorded_at) is None

    assert merged_by(entry) is None
    assert n_undoable(undone) == 0
    with pytest.raises(ValidationError, match="nothing of it is left to undo"):
        undo_merge(entry=entry, actor=None, reason="again")
    with pytest.raises(ValidationError, match="this undid a merge; merge the two again"):
        undo_batch(entry=undone, actor=None, reason="again")
    again = merge(source, target)
    assert (merged_by(again).pk, merged_by(entry)) == (source.pk, None)


def test_a_renaming_is_no_merge_to_undo_and_a_name_that_was_merged_may_be_taken_back():
    result = make_result(system=make_system("old name", "team"))
    new = rename_system(system=result.system, name="new name", team="team", actor=None, reason="its paper")
    merged = Entry.objects.get(action="results.system.merged")
    assert merged_by(merged) is None
    with pytest.raises(ValidationError, match="part of a renaming; rename the system back"):
        undo_merge(entry=merged, actor=None, reason="no")
    assert merged_by(make_entry()) is None
    back = rename_system(system=new, name="old name", team="team", actor=None, reason="a slip")
    assert back.pk == result.system.pk
    assert Result.objects.standing().get().system == back
    taken = make_system("taken")
    with pytest.raises(ValidationError, match=f"this is the name of system {taken.pk}; merge the two"):
        rename_system(system=back, name="Taken", team="", actor=None, reason="why not")
    n_entries = Entry.objects.count()
    assert rename_system(system=taken, name="taken", team="", actor=None, reason="nothing").name == "taken"
    assert Entry.objects.count() == n_entries
    assert rename_system(system=taken, name="TAKEN", team="", actor=None, reason="in capitals").pk == taken.pk
    said = Entry.objects.order_by("pk").last()
    assert (said.before, said.after) == ({"name": "taken", "team": ""}, {"name": "TAKEN", "team": ""})
    for name, why in (("  ", "a system has a name"), ("0.25", "a number is not the name of a system")):
        with pytest.raises(ValidationError, match=why):
            rename_system(system=taken, name=name, team="", actor=None, reason="why not")
    with pytest.raises(ValidationError, match="these are the same already"):
        merge(taken, taken)
    with pytest.raises(ValidationError, match="was merged into"):
        merge(System.objects.get(name="new name"), taken)


def test_results_that_contradict_each_other_are_not_joined():
    board, one, other = make_leaderboard(), make_system("one"), make_system("other")
    first, second = make_result(board, one, "0.30"), make_result(board, other, "0.31")
    with pytest.raises(ValidationError, match=rf"results {first.pk} \(0\.30\) and {second.pk} \(0\.31\) would stand"):
        merge(one, other)
    assert Result.objects.standing().count() == 2
    assert not Entry.objects.filter(action="results.system.merged").exists()
