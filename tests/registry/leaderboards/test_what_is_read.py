"""What is read of leaderboards and suites: rows, members, links, versions, what is stale and what rests on what."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.http import Http404
from django.utils import timezone

from analysis.boards import METHODS, Caution, read_snapshot
from analysis.boards import Snapshot as KeptStudy
from registry.catalog.models import Collection, CollectionLink, Leaderboard
from registry.catalog.relatives import MEMBER_OF, resting_on
from registry.catalog.services import mark_leaderboards_changed
from registry.core.models import Job
from registry.curation.suites.models import Suite
from registry.journal.models import Entry
from registry.leaderboards.access import get_visible_leaderboard, get_visible_snapshot, get_visible_suite
from registry.leaderboards.documents.boards import leaderboard_document, leaderboard_summary
from registry.leaderboards.earlier_days import _OF_SOME, last_change, last_publication
from registry.leaderboards.exports import feeds
from registry.leaderboards.exports.feeds import leaderboard_events, site_events, suite_events
from registry.leaderboards.forms import Selection
from registry.leaderboards.linked import linked_of
from registry.leaderboards.live_examples import _busiest, _suite
from registry.leaderboards.models import Analysis, ReferenceSet, Snapshot, SuiteAnalysis
from registry.leaderboards.named_results import Cautioned, read_cautions
from registry.leaderboards.queries.boards import (
    analysed_leaderboards,
    leaderboards_of,
    read_board,
    read_reference_factors,
    read_rows,
    read_shown,
    read_topic_scores,
    stale_leaderboards,
    summarised_leaderboards,
)
from registry.leaderboards.queries.suites import (
    find_suite_board,
    listed_members,
    stale_suite_boards,
    suite_boards,
    suite_boards_of,
    suites_version,
    suites_without_mean,
)
from registry.leaderboards.resolving import collection_columns, resolving, resolving_cells
from registry.leaderboards.services import enqueue_stale, enqueue_suites_of, save_finding
from registry.leaderboards.studies import analyse_leaderboard
from registry.leaderboards.verification import (
    _verify_headline,
    is_by_present_methods,
    is_readable,
    measure_of,
    read_kept,
)
from registry.results.models import Result
from tests.registry.curation.suites.world import add_member, make_boards, make_scores, make_suite
from tests.registry.factory import (
    make_entry,
    make_leaderboard,
    make_measure,
    make_paper,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
)
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.earlier_methods import OLD

pytestmark = pytest.mark.django_db


def verdict_of(snapshot: Snapshot) -> dict[str, Any]:
    return json.loads(snapshot.content)["findings"]["verdict"]


def test_rows_stand_best_first_with_their_facts(django_assert_num_queries):
    board = make_leaderboard(measure=make_measure(higher_is_better=False))
    paper = make_paper("Doe (2020)", url="https://x.org")
    titled = make_paper("", title="A title")
    b, a = make_system("B", "T"), make_system("a")
    one = make_result(board, b, "0.5", paper=paper, notes="unjudged@10=0.25", source="s")
    two = make_result(board, a, "0.5", paper=titled)
    best = make_result(board, make_system("best"), "0.1")
    again = make_result(board, a, "0.5", source="again", replicate_of=two)
    make_result(make_leaderboard(), a, "0.5")
    with django_assert_num_queries(1):
        found = read_rows(board)
    assert [row.id for row in found.rows] == [best.pk, two.pk, again.pk, one.pk]
    assert (found.n_undated, found.leaderboard) == (0, board)
    row, facts = found.rows[3], found.facts[one.pk]
    assert (row.system, row.team, row.printed, row.unjudged, row.replicate_of) == ("B", "T", "0.5", 0.25, None)
    assert found.rows[2].replicate_of == two.pk
    assert (facts.system_id, facts.system_slug, facts.team, facts.paper, facts.paper_url) == (
        b.pk, b.slug, "T", "Doe (2020)", "https://x.org",
    )  # fmt: skip
    assert (facts.paper_id, facts.paper_slug, facts.source, facts.notes, facts.is_disputed) == (
        paper.pk, paper.slug, "s", "unjudged@10=0.25", False,
    )  # fmt: skip
    assert (found.facts[best.pk].paper, found.facts[best.pk].paper_url, found.facts[best.pk].paper_id) == ("", "", None)


def test_rows_of_an_earlier_day_are_those_that_were_known_or_published():
    board = make_leaderboard()
    early, late = datetime(2020, 1, 1, tzinfo=UTC), datetime(2022, 1, 1, tzinfo=UTC)
    first = make_result(board, printed="0.3", year=2018)
    second = make_result(board, printed="0.2", year=2021, source="b")
    undated = make_result(board, printed="0.1", year=None, source="c")
    Result.objects.update(recorded_at=late)
    Result.objects.filter(pk=first.pk).update(recorded_at=early)
    assert [row.id for row in read_rows(board, known_at=early).rows] == [first.pk]
    assert [row.id for row in read_rows(board, known_at=late).rows] == [first.pk, second.pk, undated.pk]
    published = read_rows(board, published_by=date(2018, 12, 31))
    assert ([row.id for row in published.rows], published.n_undated) == ([first.pk], 1)
    assert read_rows(board, published_by=date(2018, 12, 30)).rows == ()
    assert read_rows(board).n_undated == 0
    assert last_publication(board.pk, date(2021, 5, 1)) == date(2018, 12, 31)
    assert last_publication(board.pk, date(2017, 5, 1)) == date(2017, 5, 1)
    document = leaderboard_document(board, Selection(as_of=date(2020, 1, 1)))
    assert (document.as_of, document.published_by, document.n_undated, document.count) == ("2020-01-01", None, None, 1)
    document = leaderboard_document(board, Selection(published_by=date(2021, 12, 31)))
    assert (document.as_of, document.published_by, document.n_undated, document.count) == (None, "2021-12-31", 1, 2)


def test_the_last_change_is_of_this_leaderboard_or_of_all():
    board, other = make_leaderboard(), make_leaderboard()
    result, elsewhere = make_result(board), make_result(other)
    Entry.objects.all()
    Result.objects.filter(pk=result.pk).update(recorded_at=datetime(2020, 3, 1, 23, tzinfo=UTC))
    Result.objects.filter(pk=elsewhere.pk).update(recorded_at=datetime(2020, 4, 1, tzinfo=UTC))
    assert last_change(board.pk, date(2020, 5, 1)) == date(2020, 3, 1)
    assert last_change(board.pk, date(2020, 3, 1)) == date(2020, 3, 1)
    assert last_change(board.pk, date(2020, 2, 29)) == date(2020, 2, 29)
    assert last_change(other.pk, date(2020, 5, 1)) == date(2020, 4, 1)
    Result.objects.filter(pk=result.pk).update(
        ended_at=datetime(2020, 4, 20, tzinfo=UTC), ended_by=result.recorded_by, ending="withdrawn"
    )
    assert last_change(board.pk, date(2020, 5, 1)) == date(2020, 4, 20)
    today = timezone.now().date()
    make_entry("results.system.renamed", subject_type="system", subject_id="1")
    assert last_change(board.pk, today + timedelta(days=9)) == timezone.now().date()
    for action in ("results.result.added", "submissions.y", "accounts.z", "results.file.loaded"):
        make_entry(action)
    assert not Entry.objects.exclude(_OF_SOME).exclude(action="results.system.renamed").exists()


def test_topic_scores_enter_where_two_have_all_of_them():
    board = make_leaderboard()
    make_topics(make_leaderboard().collection, ["elsewhere"])
    make_topics(board.collection, ["t1", "t2"])
    one, two, part = (make_result(board, printed=value) for value in ("0.3", "0.2", "0.1"))
    make_topic_scores(make_result(board, printed="0.25", comparability="oracle"), [0.2, 0.3])
    make_topic_scores(one, [0.2, 0.4])
    assert read_topic_scores(board, [one.pk, two.pk]) is None
    make_topic_scores(part, [0.1, None])
    assert read_topic_scores(board, [one.pk, part.pk]) is None
    make_topic_scores(two, [0.1, 0.3])
    found = read_topic_scores(board, [two.pk, one.pk, part.pk])
    assert (found.systems, found.topics) == ((str(two.pk), str(one.pk)), ("t1", "t2"))
    assert found.scores.tolist() == [[0.1, 0.3], [0.2, 0.4]]
    assert read_topic_scores(board, [one.pk]) is None
    known = read_board(board.pk)
    assert known.topic_scores.systems == (str(one.pk), str(two.pk))
    assert known.inputs.topic_scores.results == (one.pk, two.pk)


def test_scores_on_a_single_topic_do_not_enter():
    board = make_leaderboard()
    make_topics(board.collection, ["t1"])
    results = [make_result(board, printed=value) for value in ("0.3", "0.2")]
    for one in results:
        make_topic_scores(one, [one.value])
    assert read_topic_scores(board, [one.pk for one in results]) is None
    assert read_board(board.pk).topic_scores is None


def test_reference_sets_in_force_are_the_newest_of_each_basis():
    board = make_leaderboard()

    def freeze(version: int, basis: str, **factors) -> ReferenceSet:
        return ReferenceSet.objects.create(
            leaderboard=board, version=version, basis=basis, name=f"set {version}", n_systems=3,
            frozen_on=date(2020, 1, version), factors=factors,
        )  # fmt: skip

    by_means, by_topics = ReferenceSet.Basis.PUBLISHED_MEANS, ReferenceSet.Basis.TOPIC_SCORES
    freeze(2, by_means, means=[0.1, 0.2], mean=0.15, sd=0.05)
    freeze(1, by_means, means=[0.9])
    freeze(1, by_topics, topics=["t1"], means=[0.5], sds=[0.1])
    ReferenceSet.objects.update(leaderboard=board)
    other = make_leaderboard()
    for version, basis in ((1, by_topics), (9, by_means)):
        elsewhere = freeze(version + 2, basis, topics=[], means=[], sds=[])
        ReferenceSet.objects.filter(pk=elsewhere.pk).update(leaderboard=other)
    assert [one.basis for one in read_reference_factors(other)] == ["published-means", "topic-scores"]
    means, topics = read_reference_factors(board)
    assert (means.basis, means.name, means.means, means.topics, means.topic_means) == (
        "published-means", "set 2", (0.1, 0.2), (), (),
    )  # fmt: skip
    assert (means.n_systems, means.frozen) == (3, "2020-01-02")
    assert (topics.basis, topics.means, topics.topics, topics.topic_means, topics.topic_sds) == (
        "topic-scores", (), ("t1",), (0.5,), (0.1,),
    )  # fmt: skip


def test_a_mean_over_members_has_their_evidence_and_what_is_held_back_there():
    measure = make_measure()
    mean, first, second = (make_board([], measure=measure, residual_variance=None) for _ in range(3))
    for place, board in ((1, first), (0, second)):
        Collection.objects.filter(pk=board.collection_id).update(slug=f"member-{place}", n_topics=40 + place)
        CollectionLink.objects.create(collection=board.collection, base=mean.collection, relation=MEMBER_OF)
    system, other = make_system("apart", "ours"), make_system("other", "theirs")
    for board in (mean, first, second):
        make_result(board, other, "0.25")
    make_result(mean, system, "0.3")
    apart = make_result(first, system, "0.9")
    for number in range(30):
        make_result(first, make_system(team=f"t{number}"), f"0.{200 + number}")
    for board in (mean, first, second):
        mark_changed(board)
    analyse(first)
    in_doubt = make_board(["0.5"], measure=measure, residual_variance=None, n_topics=None, comparability="doubtful")
    Collection.objects.filter(pk=in_doubt.collection_id).update(slug="member-2", n_topics_at_least=30)
    CollectionLink.objects.create(collection=in_doubt.collection, base=mean.collection, relation=MEMBER_OF)
    Leaderboard.objects.filter(pk=make_board(["0.9"]).pk).update(collection=first.collection)
    inputs = read_board(mean.pk).inputs
    assert [(one.collection, one.n_topics, one.snapshot) for one in inputs.members] == [
        ("member-0", 40, ""), ("member-1", 41, ""), ("member-2", 30, ""),
    ]  # fmt: skip
    assert [one.name for one in inputs.members][:2] == [second.collection.name, first.collection.name]
    assert inputs.members[2].evidence.kind == "none", "nothing can be compared there"
    verdict = verdict_of(Analysis.objects.get(leaderboard=first).snapshot)
    assert inputs.members[1].evidence.kind == verdict["evidence"]["kind"]
    held = {row.system: row.flagged_on for row in inputs.rows}
    assert held == {"apart": (first.collection.name,), "other": ()}
    assert apart.pk in {row for one in verdict["cautions"] if one["is_flag"] for row in one["results"]}
    assert read_board(first.pk).inputs.members is None
    another = make_leaderboard(mean.collection, make_measure(), results_version=1)
    under_it = make_leaderboard(first.collection, another.measure)
    assert set(resting_on([first.pk])) == {mean}
    assert set(resting_on([under_it.pk])) == {another}
    assert set(resting_on([first.pk, mean.pk])) == set()
    Leaderboard.objects.filter(pk=mean.pk).update(results_version=0)
    assert set(resting_on([first.pk])) == set()


def test_a_member_that_was_not_analysed_yet_is_judged_by_its_topic_scores():
    measure = make_measure()
    mean, member = make_board(["0.3"], measure=measure), make_board([], measure=measure, n_topics=30)
    CollectionLink.objects.create(collection=member.collection, base=mean.collection, relation=MEMBER_OF)
    make_topics(member.collection, [f"t{number}" for number in range(30)])
    for place in range(3):
        scores = [0.2 + 0.05 * place + 0.01 * ((number * (place + 3)) % 7) for number in range(30)]
        make_topic_scores(make_run(member, f"{sum(scores) / 30:.4f}", system=make_system(team=f"t{place}")), scores)
    mark_changed(member)
    (one,) = read_board(mean.pk).inputs.members
    assert one.evidence.kind == "own-topics"


def test_only_links_to_larger_or_older_collections_check_scores():
    board, full, member = (make_leaderboard(measure=measure) for measure in [make_measure()] * 3)
    systems = [make_system(f"s{n}") for n in range(3)]
    links = [
        CollectionLink.objects.create(collection=board.collection, base=full.collection, relation="hard_negatives"),
        CollectionLink.objects.create(collection=member.collection, base=board.collection, relation=MEMBER_OF),
    ]
    make_result(full, systems[0], "0.5")
    make_result(full, systems[0], "0.6", source="later")
    make_result(full, systems[1], "0.4", comparability="topic_subset")
    run = make_result(full, make_system("not asked for"), "0.2")
    make_result(full, systems[1], "0.45", source="again", replicate_of=run)
    make_result(make_leaderboard(full.collection), systems[1], "0.9")
    for system in systems:
        make_result(member, system, "0.9")
    everybody = [one.pk for one in systems]
    found = linked_of(board, links, everybody)
    (one,) = found.boards
    assert (one.collection, one.name, one.kind) == (full.collection.slug, full.collection.name, "fewer-documents")
    assert (one.is_first, one.has_same_topics) == (True, True)
    assert found.scores == {systems[0].pk: (0.5,)}
    assert linked_of(board, links[1:], everybody).boards == ()
    assert linked_of(board, links, [systems[2].pk]).boards == ()
    Collection.objects.filter(pk=full.collection_id).update(n_topics=None)
    back = CollectionLink.objects.select_related("base", "collection").get(pk=links[0].pk)
    make_result(board, systems[2], "0.3")
    (other,) = linked_of(full, [back], everybody).boards
    assert (other.collection, other.is_first, other.has_same_topics) == (board.collection.slug, False, False)
    Collection.objects.update(n_topics=None)
    back = CollectionLink.objects.select_related("base", "collection").get(pk=links[0].pk)
    (other,) = linked_of(full, [back], everybody).boards
    assert other.has_same_topics is False, "of neither is known how many it has"
    for one in (board, full, member):
        mark_changed(one)
    assert set(resting_on([board.pk])) == {full}
    assert set(resting_on([full.pk])) == set(resting_on([member.pk])) == {board}


def test_leaderboards_are_listed_by_what_stands_on_them(django_assert_num_queries):
    few, many, none, old = make_board(["0.1"]), make_board(), make_leaderboard(), make_board()
    for board in (many, old):
        analyse(board)
    Analysis.objects.filter(leaderboard=old).update(methods_version="1", n_counted=99)
    assert set(stale_leaderboards(METHODS.version)) == {few, old}
    Leaderboard.objects.filter(pk=many.pk).mark_changed()
    assert set(stale_leaderboards(METHODS.version)) == {few, old, many}
    with django_assert_num_queries(1):
        found = list(analysed_leaderboards())
        assert [(one, one.analysis.n_counted, str(one) != "") for one in found] == [(old, 99, True), (many, 8, True)]
    assert set(summarised_leaderboards()) == {few, many, old}
    many = Leaderboard.objects.with_names().select_related("analysis").get(pk=many.pk)
    with django_assert_num_queries(1):
        shown = read_shown(many.pk)
        assert (shown, shown.analysis.snapshot.pk, shown.collection.slug) == (
            many, many.analysis.snapshot_id, many.collection.slug,
        )  # fmt: skip
    second = make_leaderboard(many.collection, make_measure("A first"))
    third = make_leaderboard(many.collection, make_measure("B second"))
    gone = make_result(third)
    Result.objects.filter(pk=gone.pk).update(ended_at=timezone.now(), ended_by=gone.recorded_by, ending="withdrawn")
    make_result(second)
    make_leaderboard(many.collection, make_measure("empty"))
    late = [make_leaderboard(many.collection, make_measure(name)) for name in ("z two", "z more", "1 one")]
    for board, n in zip(late, (1, 2, 1), strict=True):
        for number in range(n):
            make_result(board, printed=f"0.{number + 1}")
    with django_assert_num_queries(1):
        listed = list(leaderboards_of(many.collection))
        assert [(one.measure.name, one.n_standing) for one in listed] == [
            (many.measure.name, 8), ("z more", 2), ("1 one", 1), ("A first", 1), ("z two", 1),
        ]  # fmt: skip
    with django_assert_num_queries(1):
        found = {one: one.analysis.snapshot.created_at for one in summarised_leaderboards() if one == many}
        assert [str(one) for one in found] == [str(many)]
    assert none not in summarised_leaderboards()
    in_doubt = make_board(["0.1"], comparability="doubtful")
    analyse(in_doubt)
    assert in_doubt not in analysed_leaderboards()
    nothing = leaderboard_summary(in_doubt)
    assert (nothing.headline, nothing.snapshot, nothing.n_recorded) == (None, None, 1)
    assert (nothing.analysis.obstacle, nothing.analysis.message) == (
        "no_comparable_result", "No analysis: no comparable result is recorded.",
    )  # fmt: skip
    summary = leaderboard_summary(many)
    assert (summary.n_recorded, summary.snapshot.id) == (8, many.analysis.snapshot_id)
    assert summary.headline.n_results == 8
    bare = leaderboard_summary(none)
    assert (bare.n_recorded, bare.headline, bare.snapshot, bare.analysis.state) == (None, None, None, "none")


def test_suites_are_boards_of_their_members_in_order(django_assert_num_queries):
    first, second, third, alone = make_boards("c-first", "c-second", "c-third", "c-alone")
    late = make_suite("late", [second, first], position=2)
    early = make_suite("early", [third], position=1)
    listed = make_suite("listed", [first, third], position=0, is_average=False)
    other = make_leaderboard(first.collection, make_measure("AP"), results_version=1)
    add_member(early, other, 1)
    add_member(listed, other, 2)
    part = add_member(listed, alone, 3)
    part.part_of = listed.members.first()
    part.save()
    part_of = add_member(late, alone, 5)
    part_of.part_of = late.members.first()
    part_of.save()
    with django_assert_num_queries(1):
        found = suite_boards()
        assert [(one.names, [member.collection.slug for member in one.members]) for one in found] == [
            (("early", "nDCG@10"), ["c-third"]), (("early", "AP"), ["c-first"]),
            (("late", "nDCG@10"), ["c-second", "c-first"]),
        ]  # fmt: skip
    assert found[0].get_absolute_url() == "/suites/early/nDCG@10/"
    assert [one.names for one in suite_boards(["late"])] == [("late", "nDCG@10")]
    assert suite_boards(["listed"]) == []
    assert [one.names for one in suite_boards_of(first.collection)] == [("early", "AP"), ("late", "nDCG@10")]
    assert suite_boards_of(alone.collection) == []
    assert find_suite_board("early", "AP").measure == other.measure
    assert (find_suite_board("early", "P@9"), find_suite_board("none", "AP")) == (None, None)
    assert get_visible_suite("early").measure == third.measure
    assert get_visible_suite("early", "ap").measure == other.measure
    for slug, measure in (("listed", None), ("none", None), ("late", "AP")):
        with pytest.raises(Http404):
            get_visible_suite(slug, measure)
    (without,) = suites_without_mean()
    assert (without, without.n_members) == (listed, 2)
    make_scores([second], "0.5")
    ended = make_scores([first], "0.5")
    Result.objects.filter(system=ended).update(
        ended_at=timezone.now(), ending="withdrawn", ended_by=Result.objects.get(system=ended).recorded_by
    )
    members = list(late.members.filter(part_of=None).select_related("collection", "measure").order_by("position"))
    with django_assert_num_queries(1):
        told = listed_members(members)
        assert [(one.collection.slug, one.board and one.board.pk) for one in told] == [
            ("c-second", second.pk), ("c-first", None),
        ]  # fmt: skip
    assert {one.names for one in stale_suite_boards()} == {one.names for one in found}
    assert Suite.objects.count() == 3


def test_a_suite_is_analysed_once_its_members_are_settled():
    members = make_boards("m1", "m2")
    suite = make_suite("beir", members)
    add_member(suite, make_leaderboard(measure=members[0].measure), 2)
    outside = make_boards("outside", measure=make_measure("AP"))[0]

    def queued() -> list[dict]:
        return [one.args for one in Job.objects.filter(kind="leaderboards.analyse_suite")]

    enqueue_suites_of(members[0])
    enqueue_suites_of(outside)
    assert queued() == []
    for board in members:
        Analysis.objects.create(
            leaderboard=board, results_version=1, methods_version=METHODS.version,
            obstacle=next(one for one in Analysis.Obstacle.values if one),
        )  # fmt: skip
    same_collection = make_leaderboard(members[0].collection, make_measure("P@5"), results_version=1)
    enqueue_suites_of(same_collection)
    assert queued() == []
    enqueue_suites_of(members[0])
    assert queued() == [{"suite": "beir", "measure": "nDCG@10"}]
    version = suites_version()
    SuiteAnalysis.objects.create(suite=Suite.objects.get(), measure=members[0].measure, version="x",
                                 obstacle=next(one for one in SuiteAnalysis.Obstacle.values if one))  # fmt: skip
    changed = suites_version()
    assert changed != version
    SuiteAnalysis.objects.update(version="y")
    later = suites_version()
    assert later != changed
    SuiteAnalysis.objects.create(suite=make_suite("twin", members), measure=members[0].measure, version="x",
                                 obstacle=next(one for one in SuiteAnalysis.Obstacle.values if one))  # fmt: skip
    assert suites_version() != later


def test_what_changes_wakes_itself_and_what_rests_on_it_up():
    mean, member, apart = make_board(), make_board(), make_board()
    Leaderboard.objects.filter(pk=mean.pk).update(measure=member.measure)
    CollectionLink.objects.create(collection=member.collection, base=mean.collection, relation=MEMBER_OF)
    Job.objects.all().delete()
    mark_leaderboards_changed(leaderboard_ids=[member.pk])
    queued = {one.args["leaderboard_id"] for one in Job.objects.filter(kind="leaderboards.analyse_leaderboard")}
    assert queued == {member.pk, mean.pk}
    versions = {one.pk: one.results_version for one in Leaderboard.objects.all()}
    assert versions == {member.pk: 2, mean.pk: 2, apart.pk: 1}
    Job.objects.all().delete()
    assert enqueue_stale() == 3


def test_an_analysis_is_saved_with_its_snapshot_and_older_findings_are_dropped():
    board = make_board()
    assert save_finding(None) is None
    old = analyse_leaderboard(board.pk)
    make_run(board, "0.9", role="reference_implementation")
    mark_changed(board)
    analysis = analyse(board)
    assert (analysis.results_version, analysis.n_results, analysis.n_counted) == (2, 9, 8)
    assert analysis.methods_version == METHODS.version
    stands = save_finding(old)
    assert (stands.snapshot_id, Analysis.objects.get().results_version) == (analysis.snapshot_id, 2)
    assert analyse_leaderboard(board.pk) is None
    again = save_finding(analyse_leaderboard(board.pk, is_forced=True))
    assert again.snapshot_id == analysis.snapshot_id
    assert Snapshot.objects.count() == 1
    (reference,) = ReferenceSet.objects.all()
    assert reference.members.count() == reference.n_systems == 8
    Analysis.objects.update(methods_version="1", headline={"sentence": "before"})
    save_finding(analyse_leaderboard(board.pk))
    empty = make_board([])
    mark_changed(empty)
    nothing = analyse(empty)
    assert (nothing.snapshot_id, nothing.headline, bool(nothing.obstacle)) == (None, {}, True)


def test_snapshots_of_any_release_are_told_apart(django_assert_num_queries):
    board = make_board()
    snapshot = analyse(board).snapshot
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=board, content=OLD)
    assert (is_readable(snapshot), is_by_present_methods(snapshot)) == (True, True)
    assert measure_of(snapshot) == board.measure.name
    assert (is_readable(old), is_by_present_methods(old)) == (False, False)
    content = snapshot.content.replace(f'"version":"{METHODS.version}"', '"version":"1"')
    earlier = Snapshot(content=content, leaderboard=board)
    assert (is_readable(earlier), is_by_present_methods(earlier)) == (True, False)
    assert read_kept(snapshot, KeptStudy).inputs.name == board.collection.name
    assert read_kept(None, KeptStudy) is None
    assert read_kept(old, KeptStudy) is None
    assert get_visible_snapshot(snapshot.pk) == snapshot
    with django_assert_num_queries(1):
        assert str(get_visible_snapshot(snapshot.pk).leaderboard) == str(board)
    with pytest.raises(Http404, match="No snapshot has the id abc"):
        get_visible_snapshot("abc")
    assert get_visible_leaderboard(board.collection.slug, board.measure.name) == board
    again = make_leaderboard(measure=board.measure)
    assert get_visible_leaderboard(again.collection.slug, board.measure.name) == again
    with pytest.raises(Http404, match="No results are recorded for"):
        get_visible_leaderboard(board.collection.slug, make_measure().name)


def test_a_headline_that_differs_is_named_by_each_number():
    board, other = make_board(), make_board()
    analysis = analyse(board)
    elsewhere = Snapshot(pk="x", leaderboard=other)
    expected = dict(analysis.headline) | {"best": 0.9, "zebra": 1}
    analysis.headline["ape"] = 2
    said = list(_verify_headline(analysis, elsewhere, expected))
    assert said == [
        f"analysis of {board}: stands on snapshot x, which is of something else",
        f"headline of {board}: ape is 2, and snapshot x says None",
        f"headline of {board}: best is 0.31, and snapshot x says 0.9",
        f"headline of {board}: zebra is None, and snapshot x says 1",
    ]
    del analysis.headline["ape"]
    assert list(_verify_headline(analysis, analysis.snapshot, analysis.headline)) == []


def test_a_result_stays_held_back_whatever_else_is_said_of_it():
    board = make_board()
    kept = read_snapshot(analyse(board).snapshot.content)
    first, second, third, *_ = (row.id for row in kept.inputs.rows)
    cautions = (
        Caution(code="self-reported", message="m", results=(third,)),
        Caution(code="gap", message="m", results=(first, second), is_flag=True),
        Caution(code="other-pool", message="m", results=(first, third)),
    )
    findings = replace(kept.findings, verdict=replace(kept.findings.verdict, cautions=cautions))
    content = replace(kept, findings=findings).text
    other = Snapshot.objects.create(pk="0" * 20, leaderboard=board, content=content)
    Analysis.objects.update(snapshot=other)
    found = read_cautions()
    assert found[first] == Cautioned(("gap", "other-pool"), is_held_back=True)
    assert found[second] == Cautioned(("gap",), is_held_back=True)
    assert found[third] == Cautioned(("self-reported", "other-pool"), is_held_back=False)
    assert len(found) == 8
    assert found[kept.inputs.rows[3].id] == Cautioned()


def test_feeds_have_what_happened_where_they_are_about(monkeypatch):
    members = make_boards("f1", "f2")
    suite = make_suite("beir", members)
    elsewhere = make_leaderboard(members[0].collection, make_measure("AP"))
    inside, outside = make_result(members[0]), make_result(elsewhere)
    own = Snapshot.objects.create(pk="a" * 20, suite=suite, content="{}")
    of_member = Snapshot.objects.create(pk="b" * 20, leaderboard=members[0], content="{}")
    of_other = Snapshot.objects.create(pk="c" * 20, leaderboard=elsewhere, content="{}")
    make_suite("other", [elsewhere])
    events = suite_events(suite)
    assert {one.path for one in events} == {inside.get_absolute_url(), own.get_absolute_url()}
    assert [one.at for one in events] == sorted((one.at for one in events), reverse=True)
    (analysed,) = [one for one in events if one.path == own.get_absolute_url()]
    assert (analysed.title, analysed.author, analysed.text) == (f"Analysed: snapshot {own.pk}", "registry", "")
    (recorded,) = [one for one in events if one.path == inside.get_absolute_url()]
    assert recorded.title.endswith(f", on {members[0]}")
    board = leaderboard_events(members[0])
    assert {one.path for one in board} == {inside.get_absolute_url(), of_member.get_absolute_url()}
    assert not any(" on " in one.title for one in board)
    assert {one.path for one in leaderboard_events(elsewhere)} == {
        outside.get_absolute_url(), of_other.get_absolute_url(),
    }  # fmt: skip
    assert {one.path for one in site_events()} == {inside.get_absolute_url(), outside.get_absolute_url()}
    monkeypatch.setattr(feeds, "MAX_ENTRIES", 1)
    late = datetime(2035, 1, 1, tzinfo=UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: late)
    newest = [
        Snapshot.objects.create(pk=f"{place}" * 20, content="{}", **of)
        for place, of in enumerate(({"suite": suite}, {"leaderboard": members[0]}))
    ]
    for events, snapshot in zip((suite_events(suite), leaderboard_events(members[0])), newest, strict=True):
        assert [one.path for one in events if one.title.startswith("Analysed")] == [snapshot.get_absolute_url()]


def test_collections_are_narrowed_down_and_sorted_by_what_they_resolve():
    first, second, third = make_board(), make_board(), make_board(residual_variance=None)
    for board in (first, second):
        analyse(board)
    names = {"a": first, "b": second, "c": third}
    for name, board in names.items():
        Collection.objects.filter(pk=board.collection_id).update(name=name, slug=name)
    for board, value in ((first, 0.05), (second, 0.02)):
        analysis = Analysis.objects.get(leaderboard=board)
        analysis.headline["resolves"] = value
        analysis.save()
    smaller = make_leaderboard(first.collection, make_measure("Small"), results_version=1)
    headline = {"resolves": 0.01, "evidence": "predicted"}
    Analysis.objects.create(leaderboard=smaller, results_version=1, methods_version="1", n_results=1,
                            snapshot=Snapshot.objects.first(), headline=headline)  # fmt: skip

    def found(**asked) -> list[tuple[str, float | None]]:
        return [(one.slug, one.resolves) for one in resolving(Collection.objects.all(), **asked)]

    assert found(sort="resolves") == [("b", 0.02), ("a", 0.05), ("c", None)]
    assert found(sort="-resolves") == [("a", 0.05), ("b", 0.02), ("c", None)]
    assert found(sort="-name") == [("c", None), ("b", 0.02), ("a", 0.05)]
    assert found(at_most=0.02, sort="name") == [("b", 0.02)]
    assert found(at_most=0.019, sort="name") == []
    assert found(measure="small", sort="name") == [("a", 0.01), ("b", None), ("c", None)]
    Analysis.objects.filter(leaderboard=smaller).update(n_results=99)
    assert found(sort="name")[0] == ("a", 0.01), "under the measure of most results"
    one = resolving(Collection.objects.filter(slug="a"), measure="Small").get()
    assert one.told == {"measure": "Small", "decimals": smaller.measure.decimals, "evidence": "predicted"}
    for name, suite in (("a", "z"), ("b", "y"), ("c", "y")):
        Collection.objects.filter(slug=name).update(suite=suite)
    assert [slug for slug, _ in found(sort="year")] == [slug for slug, _ in found(sort="-year")] == ["b", "c", "a"]
    told = resolving(Collection.objects.with_results().filter(slug="a"), measure="small").get()
    assert resolving_cells(told)[-4:] == (0.01, "Small", "predicted", first.collection.get_absolute_url())
    with_counts = resolving(Collection.objects.with_results().filter(slug="c")).get()
    assert resolving_cells(with_counts)[-4:-1] == (None, None, None)
    columns = {column.name: column for column in collection_columns("-resolves")}
    assert list(columns) == ["Collection", "Resolves", "Leaderboards", "Topics", "Year"]
    assert [(one.sort, one.order, one.is_number) for one in columns.values()] == [
        ("name", "", False), ("resolves", "descending", True), ("leaderboards", "", True), ("topics", "", True),
        ("year", "", True),
    ]  # fmt: skip
    assert [(one.sort, one.order) for one in collection_columns("year")][3:] == [("topics", ""), ("-year", "ascending")]
    assert [(one.sort, one.order) for one in collection_columns("")][:2] == [("name", ""), ("resolves", "")]


def test_methods_have_the_busiest_leaderboard_for_an_example():
    few, many = make_board(), make_board([f"0.{200 + number}" for number in range(30)])
    for board in (few, many):
        analyse(board)
    example = _busiest(analysis__headline__evidence="own-variance")()
    assert (example.title, example.url) == (str(many), many.get_absolute_url())
    assert example.sentence == many.analysis.headline["sentence"]
    assert _busiest(analysis__headline__evidence="none")() is None
    assert _suite() is None
    members = make_boards("e1", "e2")
    make_suite("beir", members)
    assert _suite() is None
    headline = many.analysis.headline | {"sentence": "The best mean is 0.5."}
    SuiteAnalysis.objects.create(suite=Suite.objects.get(), measure=members[0].measure, version="x", headline=headline,
                                 snapshot=many.analysis.snapshot)  # fmt: skip
    told = _suite()
    assert (told.title, told.url, told.sentence) == ("BEIR, nDCG@10", "/suites/beir/nDCG@10/", "The best mean is 0.5.")
