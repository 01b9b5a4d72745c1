"""Leaderboards by their collections and measures: found, added where they lack, named."""

import pytest

from registry.catalog.models import CollectionLink, Leaderboard
from registry.catalog.services import ensure_leaderboards, mark_leaderboards_changed
from registry.core.models import Job
from tests.registry import factory


@pytest.fixture
def halves():
    collections = [factory.make_collection(slug) for slug in ("one", "two")]
    return [collection.pk for collection in collections], [factory.make_measure(name).pk for name in ("AP", "RR")]


def test_leaderboards_that_lack_are_added_and_others_are_found(halves):
    (first_collection, second_collection), (ap, rr) = halves
    first = ensure_leaderboards(pairs=[(first_collection, ap)])
    both = ensure_leaderboards(pairs=[(first_collection, ap), (second_collection, rr), (second_collection, rr)])
    assert both.keys() == {(first_collection, ap), (second_collection, rr)}
    assert both[first_collection, ap] == first[first_collection, ap]
    assert Leaderboard.objects.get(pk=both[second_collection, rr]).names == ("two", "RR")
    assert Leaderboard.objects.count() == 2
    assert ensure_leaderboards(pairs=[]) == {}


def test_each_changed_leaderboard_counts_a_version_and_is_analysed_again(halves, monkeypatch):
    monkeypatch.setattr("registry.catalog.services._BATCH", 2)
    known = ensure_leaderboards(pairs=[(collection, measure) for collection in halves[0] for measure in halves[1]])
    changed = sorted(known.values())[:3]
    mark_leaderboards_changed(leaderboard_ids=iter(reversed(changed)))
    versions = dict(Leaderboard.objects.values_list("pk", "results_version"))
    assert versions == {pk: 1 if pk in changed else 0 for pk in known.values()}
    assert Leaderboard.objects.filter(results_changed_at__isnull=True).count() == 1
    assert sorted(job.args["leaderboard_id"] for job in Job.objects.all()) == changed


def test_what_rests_on_a_changed_leaderboard_is_analysed_again_with_it():
    measure = factory.make_measure()
    collections = {name: factory.make_collection(name) for name in ("mean", "full", "hard", "translated", "apart")}
    boards = {name: factory.make_leaderboard(row, measure, results_version=1) for name, row in collections.items()}
    other = factory.make_leaderboard(collections["mean"], results_version=1)
    for name, base, relation in (
        ("full", "mean", "member_of"), ("hard", "full", "hard_negatives"), ("translated", "full", "translation"),
    ):  # fmt: skip
        links = {"collection": collections[name], "base": collections[base]}
        CollectionLink.objects.create(**links, relation=relation)

    def analysed(*changed: str) -> set[str]:
        before = dict(Leaderboard.objects.values_list("pk", "results_version"))
        mark_leaderboards_changed(leaderboard_ids=[boards[name].pk for name in changed])
        queued = [job.args["leaderboard_id"] for job in Job.objects.all()]
        Job.objects.all().delete()
        after = dict(Leaderboard.objects.values_list("pk", "results_version"))
        assert {pk: after[pk] - before[pk] for pk in after if after[pk] != before[pk]} == dict.fromkeys(queued, 1)
        assert other.pk not in queued
        return {name for name, board in boards.items() if board.pk in queued}

    assert analysed("full") == {"full", "mean", "hard"}
    assert analysed("hard") == {"hard", "full"}
    assert analysed("hard", "full") == {"hard", "full", "mean"}
    assert [analysed(name) for name in ("mean", "translated", "apart")] == [{"mean"}, {"translated"}, {"apart"}]
    Leaderboard.objects.filter(pk=boards["mean"].pk).update(results_version=0)
    assert analysed("full") == {"full", "hard"}, "without results there is nothing to analyse"
