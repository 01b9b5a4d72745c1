"""What a study takes of the record, what is kept of what it finds, and what a document shows of either."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.boards import METHODS, BoardInputs, Caution, read_snapshot
from registry.catalog.models import Collection, CollectionLink, Leaderboard, Measure
from registry.catalog.relatives import MEMBER_OF
from registry.curation.lineage.models import SystemFacts, TrainingDeclaration
from registry.curation.suites.models import Suite
from registry.curation.suites.services.elsewhere import refresh_elsewhere
from registry.journal.models import Seal
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.documents.suites import suite_document, suite_record
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Analysis, ReferenceSet, Snapshot
from registry.leaderboards.queries.boards import read_board, read_rows
from registry.leaderboards.queries.suites import members_state, read_suite
from registry.leaderboards.services import save_finding, save_suite_finding
from registry.leaderboards.stored import Strip, read_stored, strips_of
from registry.leaderboards.studies import analyse_leaderboard, analyse_suite
from registry.leaderboards.traits import Traits
from registry.results.models import Result, TopicScores
from tests.registry.curation.suites.world import make_boards, make_scores, make_suite
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_paper,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
)
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.earlier_methods import OLD
from tests.registry.leaderboards.suites import declare, make_members, suite_board

pytestmark = pytest.mark.django_db

FEW = ("0.31", "0.30", "0.25")


def as_shown(board: Leaderboard) -> Leaderboard:
    return Leaderboard.objects.with_names().select_related("analysis__snapshot").get(pk=board.pk)


def test_a_study_takes_what_the_same_systems_score_on_the_other_members_of_a_suite():
    member, other = make_boards("arguana", "fiqa")
    make_suite("beir", [member, other])
    systems = [make_scores([member, other], *scores) for scores in (("0.5", "0.4"), ("0.3", None))]
    apart = make_result(other, make_system(), "0.9")
    refresh_elsewhere()
    inputs = read_board(member.pk).inputs
    assert inputs.is_zero_shot
    assert (inputs.elsewhere.name, inputs.elsewhere.datasets) == ("BEIR", ("fiqa, nDCG@10",))
    assert inputs.elsewhere.as_of == timezone.now().date().isoformat()
    assert [(row.system, row.elsewhere, row.flagged_elsewhere) for row in inputs.rows] == [
        (systems[0].name, (0.4,), ()), (systems[1].name, (), ()),
    ]  # fmt: skip
    assert [row.elsewhere for row in read_board(other.pk).inputs.rows if row.id == apart.pk] == [()]
    then = read_board(member.pk, known_at=timezone.now() - timedelta(days=1))
    assert (then.rows, then.inputs.elsewhere) == ((), None)


def member_of(mean: Leaderboard, **fields: Any) -> Leaderboard:
    board = make_board([], measure=mean.measure, **fields)
    CollectionLink.objects.create(collection=board.collection, base=mean.collection, relation=MEMBER_OF)
    return board


def flag(board: Leaderboard, result: Result, *others: Caution) -> None:
    """Have the analysis in force hold this one back, and say something else besides."""
    analysis = analyse(board)
    kept = read_snapshot(analysis.snapshot.content)
    caution = Caution(code="gap", message="m", results=(result.pk,), is_flag=True)
    verdict = replace(kept.findings.verdict, cautions=(caution, *others), best_unflagged=kept.findings.verdict.shown)
    findings = replace(kept.findings, verdict=verdict)
    snapshot = Snapshot.objects.create(
        pk=f"{board.pk:020d}", leaderboard=board, content=replace(kept, findings=findings).text
    )
    Analysis.objects.filter(leaderboard=board).update(snapshot=snapshot)


def test_what_is_held_back_on_members_is_told_by_the_systems_of_the_mean():
    mean = make_board([], residual_variance=None)
    first, second = (member_of(mean, n_topics=n) for n in (41, None))
    Collection.objects.filter(pk=second.collection_id).update(n_topics_at_least=30)
    held, free = make_system("held back"), make_system("free")
    before = timezone.now()
    for board in (mean, first, second):
        results = [make_result(board, system, printed) for system, printed in ((held, "0.5"), (free, "0.4"))]
        if board != mean:
            flag(board, results[0])
    make_leaderboard(first.collection, results_version=1)
    inputs = read_board(mean.pk).inputs
    told = {one.collection: (one.name, one.n_topics, one.snapshot) for one in inputs.members}
    assert told == {
        board.collection.slug: (board.collection.name, n_topics, "") for board, n_topics in ((first, 41), (second, 30))
    }
    names = tuple(board.collection.name for board in sorted((first, second), key=lambda one: one.collection.slug))
    assert {row.system: row.flagged_on for row in inputs.rows} == {"held back": names, "free": ()}

    def evidence(inputs: BoardInputs) -> str:
        return next(one.evidence.kind for one in inputs.members if one.collection == first.collection.slug)

    then = read_board(mean.pk, known_at=timezone.now()).inputs
    assert [row.flagged_on for row in then.rows] == [(), ()]
    assert evidence(then) == evidence(inputs) != "none"
    assert evidence(read_board(mean.pk, known_at=before).inputs) == "none"
    Analysis.objects.filter(leaderboard=first).delete()
    (held_back,) = (row.flagged_on for row in read_board(mean.pk).inputs.rows if row.system == "held back")
    assert held_back == (second.collection.name,), "found now, nothing holds it back on the first"


def test_leaderboards_that_share_topics_or_documents_are_read_in_as_many_queries_as_one():
    board = make_leaderboard(make_collection("m"))
    system = make_system()
    make_result(board, system)

    def linked() -> list[tuple[str, str, bool]]:
        inputs = read_board(board.pk).inputs
        assert inputs.members is None
        assert len(inputs.rows[0].linked) == len(inputs.linked)
        return [(one.collection, one.kind, one.is_first) for one in inputs.linked]

    def link(slug: str, relation: str, *, is_base: bool = True) -> None:
        other = make_leaderboard(make_collection(slug), board.measure)
        make_result(other, system, "0.5")
        pair = (board.collection, other.collection) if is_base else (other.collection, board.collection)
        CollectionLink.objects.create(collection=pair[0], base=pair[1], relation=relation)

    n_queries = []
    for slug, relation in (("z", "hard_negatives"), ("b", "version"), ("y", "other_split")):
        link(slug, relation)
        with CaptureQueriesContext(connection) as queries:
            linked()
        n_queries.append(len(queries))
    assert n_queries[0] == n_queries[1] == n_queries[2]
    link("a", "re_judged", is_base=False)
    link("c", "translation")
    link("d", MEMBER_OF)
    CollectionLink.objects.create(collection=make_collection("e"), base=make_collection("f"), relation="version")
    assert linked() == [
        ("a", "new-judgements", False), ("b", "new-version", True), ("y", "other-topics", True),
        ("z", "fewer-documents", True),
    ]  # fmt: skip
    for fields in ({"high": 2.0}, {"high": 1.0, "low": -1.0}, {"low": 0.0, "higher_is_better": False}):
        Measure.objects.filter(pk=board.measure_id).update(**fields)
        assert linked() == []


def test_the_analysis_of_another_leaderboard_is_none_of_ones_own():
    board, other = make_board(FEW[:1], comparability="doubtful"), make_board(FEW[:1], comparability="doubtful")
    findings = [analyse_leaderboard(one.pk) for one in (board, other)]
    for one in (board, other):
        Analysis.objects.create(
            leaderboard=one, results_version=9, methods_version="1", obstacle="no_comparable_result", n_results=70
        )
    for one, finding in zip((board, other), findings, strict=True):
        assert save_finding(finding).n_results == 70, "what was found is of older results"
        Analysis.objects.filter(leaderboard=one).delete()
        analysis = save_finding(finding)
        assert (analysis.leaderboard, analysis.results_version, analysis.methods_version) == (one, 1, METHODS.version)
        assert (analysis.n_results, analysis.n_counted, analysis.snapshot_id) == (1, 0, None)
        assert (analysis.obstacle, analysis.headline) == ("no_comparable_result", {})
        Analysis.objects.filter(leaderboard=one).update(results_version=9, methods_version="1")


def test_the_first_analysis_freezes_who_to_standardize_against():
    board = make_board(FEW)
    make_run(board, "0.9", role="reference_implementation")
    analysis = analyse(board)
    assert (analysis.n_results, analysis.n_counted) == (4, 3)
    assert (analysis.leaderboard, analysis.headline["best"], analysis.obstacle) == (board, 0.9, "")
    assert (analysis.snapshot.leaderboard, analysis.snapshot.suite) == (board, None)
    (reference,) = ReferenceSet.objects.all()
    assert set(reference.members.values_list("printed", flat=True)) == set(FEW)
    later = read_board(board.pk).inputs.references
    assert [one.name for one in later] == [reference.name]


def test_the_names_of_makers_are_shown_as_they_are_today():
    board = make_board(FEW)
    analysis = analyse(board)
    type(board.results.first().system).objects.update(team="renamed")
    document = leaderboard_document(as_shown(board), Selection())
    assert (document.analysis.state, document.snapshot.id) == ("current", analysis.snapshot_id)
    assert {row.team for row in document.results} == {"renamed"}
    assert (document.snapshot.url, document.snapshot.created) == (
        f"/snapshots/{analysis.snapshot_id}/", f"{analysis.snapshot.created_at:%Y-%m-%dT%H:%M:%S}+00:00",
    )  # fmt: skip
    assert (document.as_of, document.published_by, document.n_undated, document.next_page) == (None, None, None, None)
    assert [one.n_systems for one in document.reference_sets] == [3]
    assert (document.n_with_topic_scores, document.not_comparable, document.count) == (0, (), 3)
    assert document.facets["role"] == {"trec_run": 3}
    first = leaderboard_document(as_shown(board), Selection(top=2, sort="-rank", query={"top": "2"}))
    assert [row.value for row in first.results] == [0.25, 0.3]
    assert (first.count, first.selection, first.snapshot.id) == (3, {"top": "2"}, analysis.snapshot_id)


def test_filters_are_studied_of_what_the_snapshot_has_while_it_is_current():
    board = make_board(FEW)
    make_run(board, "0.9", role="proposed")
    mark_changed(board)
    analysis = analyse(board)
    question = replace(Selection().question, role="trec_run")
    found = leaderboard_document(as_shown(board), Selection(question))
    assert (found.snapshot, found.verdict.best.value, found.verdict.tries.n_results) == (None, 0.31, 4)
    assert (found.analysis.state, [row.value for row in found.results]) == ("current", [0.31, 0.3, 0.25])
    nobody = leaderboard_document(as_shown(board), Selection(replace(question, role="baseline")))
    assert (nobody.verdict, nobody.snapshot, nobody.count) == (None, None, 0)
    assert nobody.analysis.message == "No analysis: no result passes the filters."
    make_run(board, "0.8")
    Collection.objects.filter(pk=board.collection_id).update(n_topics=60)
    Leaderboard.objects.filter(pk=board.pk).mark_changed()
    stale = leaderboard_document(as_shown(board), Selection())
    assert (stale.analysis.state, stale.snapshot.id, stale.verdict.best.value) == ("stale", analysis.snapshot_id, 0.9)
    assert [row.value for row in stale.results] == [0.9, 0.8, 0.31, 0.3, 0.25]
    asked = leaderboard_document(as_shown(board), Selection(question))
    assert (asked.snapshot, asked.verdict.best.value, asked.verdict.tries.n_results) == (None, 0.8, 5)
    assert (stale.collection["n_topics"], asked.collection["n_topics"]) == (50, 60)


def test_a_stale_analysis_is_shown_with_what_stands_in_the_way_of_the_next():
    board = make_board(FEW)
    analysis = analyse(board)
    board.results.update(comparability="doubtful")
    Leaderboard.objects.filter(pk=board.pk).mark_changed()
    found = leaderboard_document(as_shown(board), Selection())
    assert (found.snapshot.id, found.verdict.best.value) == (analysis.snapshot_id, 0.31)
    assert (found.analysis.state, found.analysis.obstacle) == ("stale", "no_comparable_result")
    assert found.analysis.message.startswith("Results or methods changed since this analysis")
    assert {row.training for row in found.results} == {"says_nothing"}
    question = replace(Selection().question, role="trec_run")
    filtered = leaderboard_document(as_shown(board), Selection(question))
    assert (filtered.verdict, filtered.analysis.message) == (
        None, "No analysis: no comparable result is recorded.",
    )  # fmt: skip


def test_results_of_a_year_are_asked_of_the_record_of_a_day():
    board = make_board([])
    for printed, year in (("0.31", 2020), ("0.9", 2010), ("0.25", 2021)):
        make_run(board, printed, year=year)
    mark_changed(board)
    found = leaderboard_document(as_shown(board), Selection(traits=Traits(since=2020)))
    assert (found.verdict.best.value, found.snapshot, found.count) == (0.31, None, 3)
    assert found.analysis.state == "queued"
    tomorrow = timezone.now().date() + timedelta(days=1)
    past = leaderboard_document(as_shown(board), Selection(as_of=tomorrow, traits=Traits(since=2021)))
    assert (past.verdict.best.value, past.analysis.state, past.as_of) == (0.25, "past", tomorrow.isoformat())
    before = leaderboard_document(as_shown(board), Selection(published_by=date(2015, 1, 1)))
    assert (before.verdict.best.value, before.count, before.n_undated) == (0.9, 1, 0)
    assert before.published_by == "2015-01-01"
    later = timezone.now() + timedelta(days=3)
    SystemFacts.objects.create(
        system=board.results.get(printed="0.25").system, has_open_weights=True, source="card", recorded_at=later
    )
    for selection, best in ((Selection(), 0.25), (Selection(as_of=tomorrow), None)):
        of_open = leaderboard_document(as_shown(board), replace(selection, traits=Traits(weights="open")))
        assert (of_open.verdict and of_open.verdict.best.value) == best
    nothing = leaderboard_document(as_shown(board), Selection(as_of=date(2015, 1, 1)))
    assert (nothing.verdict, nothing.count, nothing.facets["role"]) == (None, 0, {})
    assert nothing.analysis.message == "The registry knew none of these results on that day."


def test_of_an_earlier_day_relevant_documents_and_suites_are_those_of_its_snapshot():
    board = make_board([f"0.{number}" for number in range(20, 34)], residual_variance=None)
    Collection.objects.filter(pk=board.collection_id).update(relevant_per_topic=50.0)
    kept = read_snapshot(analyse(board).snapshot.content).findings.verdict
    assert kept.view == "all"
    Collection.objects.filter(pk=board.collection_id).update(relevant_per_topic=1.5)
    for place, result in enumerate(board.results.order_by("pk")):
        declare(result.system, board.collection, "no" if place < 11 else "yes")
    make_suite("later", [board])
    question = replace(Selection().question, role="trec_run")
    tomorrow = Selection(as_of=timezone.now().date() + timedelta(days=1), question=question)
    asked = leaderboard_document(as_shown(board), tomorrow)
    assert (asked.snapshot, asked.verdict.view, asked.verdict.evidence.residual_variance) == (
        None, "all", kept.evidence.residual_variance,
    )  # fmt: skip


def test_of_an_earlier_day_the_snapshot_of_the_same_results_is_shown():
    board = make_board(FEW)
    analysis = analyse(board)
    Collection.objects.filter(pk=board.collection_id).update(n_topics=60)
    board.measure.residual_variances.update(residual_variance=0.9)
    tomorrow = Selection(as_of=timezone.now().date() + timedelta(days=1))
    found = leaderboard_document(as_shown(board), tomorrow)
    assert (found.snapshot.id, found.analysis.state, found.collection["n_topics"]) == (analysis.snapshot_id, "past", 50)
    question = replace(Selection().question, role="trec_run")
    asked = leaderboard_document(as_shown(board), replace(tomorrow, question=question))
    assert (asked.snapshot, asked.verdict.evidence.residual_variance) == (None, 0.0144)
    assert (asked.verdict.best.value, asked.collection["n_topics"]) == (0.31, 50)
    make_run(board, "0.9")
    more = leaderboard_document(as_shown(board), tomorrow)
    assert (more.snapshot, more.verdict.best.value, more.collection["n_topics"]) == (None, 0.9, 50)
    assert len(read_rows(board).rows) == 4


def test_before_its_first_analysis_a_leaderboard_shows_its_results_alone():
    board = make_board(FEW)
    make_topics(board.collection, ["t1", "t2"])
    for place, result in enumerate(board.results.order_by("-value")[:2]):
        make_topic_scores(result, [result.value - 0.1, result.value + 0.1 + place])
    found = leaderboard_document(as_shown(board), Selection())
    assert (found.analysis.state, found.snapshot, found.verdict, found.n_with_topic_scores) == ("queued", None, None, 2)
    assert [(row.value, row.rank, row.training) for row in found.results] == [
        (0.31, None, "says_nothing"), (0.3, None, "says_nothing"), (0.25, None, "says_nothing"),
    ]  # fmt: skip
    empty = leaderboard_document(make_leaderboard(), Selection())
    assert (empty.analysis.state, empty.count, empty.best_result, empty.scales) == ("none", 0, None, {})


def test_a_suite_is_studied_from_the_standing_analyses_of_its_members():
    members = make_members(2, 3)
    Collection.objects.filter(pk=members[1].collection_id).update(n_topics=None, n_topics_at_least=40)
    Collection.objects.filter(pk=members[0].collection_id).update(language="Danish", domain="law", n_documents=9)
    Suite.objects.update(is_zero_shot=False, name="The suite", url="https://x.org", description="of two")
    assert read_suite(suite_board(), members_state(suite_board())) is None
    waiting = suite_document(suite_board())
    assert [(one.name, one.n_topics, one.snapshot, one.evidence) for one in waiting.members] == [
        ("member-0", 50, "", None), ("member-1", 40, "", None),
    ]  # fmt: skip
    assert (waiting.snapshot, waiting.n_incomplete, waiting.rules, waiting.uplift) == (None, None, None, None)
    record = suite_record(Suite.objects.get())
    assert [(one.name, one.n_topics, one.language) for one in record.members] == [
        ("member-0", 50, "Danish"), ("member-1", 40, ""),
    ]  # fmt: skip
    best = Result.objects.filter(system__name="s0")
    for board in members:
        noted = Caution(code="other-pool", message="m", results=tuple(board.results.values_list("pk", flat=True)))
        flag(board, best.get(leaderboard=board), noted)
    state = members_state(suite_board())
    assert state.is_settled
    inputs = read_suite(suite_board(), state)
    assert (inputs.suite, inputs.name, inputs.measure.name, inputs.is_zero_shot) == (
        "beir", "The suite", "nDCG@10", False,
    )  # fmt: skip
    snapshots = [Analysis.objects.get(leaderboard=board).snapshot_id for board in members]
    assert [(one.collection, one.name, one.n_topics, one.snapshot) for one in inputs.members] == [
        ("member-0", "member-0", 50, snapshots[0]), ("member-1", "member-1", 40, snapshots[1]),
    ]  # fmt: skip
    assert [one.evidence.kind for one in inputs.members] == ["own-variance", "own-variance"]
    first, *others = inputs.rows
    assert (first.system, [(one.code, one.member) for one in first.flags]) == ("s0", [("gap", 0), ("gap", 1)])
    assert first.results == tuple(best.order_by("leaderboard").values_list("pk", flat=True))
    assert [(row.system, row.flags) for row in others] == [("s1", ()), ("s2", ())]
    analysis = save_suite_finding(analyse_suite("beir", "nDCG@10"))
    assert (analysis.version, analysis.suite.slug, analysis.measure.name) == (state.version, "beir", "nDCG@10")
    assert (analysis.snapshot.suite, analysis.snapshot.leaderboard) == (analysis.suite, None)
    document = suite_document(suite_board())
    member = document.members[0]
    assert (member.url, member.has_results) == ("/leaderboards/member-0/nDCG@10/", True)
    assert (member.snapshot, member.n_topics, member.evidence.kind) == (
        f"/snapshots/{snapshots[0]}/", 50, "own-variance",
    )  # fmt: skip
    assert (member.language, member.domain, member.n_documents) == ("Danish", "law", 9)
    assert (document.suite.source_url, document.suite.description, document.n_incomplete) == (
        "https://x.org", "of two", 0,
    )  # fmt: skip
    assert (document.snapshot.id, document.analysis.state) == (analysis.snapshot_id, "current")


def test_where_results_stand_is_read_from_what_stands():
    board, other = make_board(FEW), make_board(FEW)
    Collection.objects.filter(pk=board.collection_id).update(year=2004)
    analysis = analyse(board)
    found = read_stored([board.pk, other.pk])
    assert set(found) == {board.pk}
    stored = found[board.pk]
    assert (stored.leaderboard_id, stored.collection_year, stored.snapshot_id, stored.created, stored.is_stale) == (
        board.pk, 2004, analysis.snapshot_id, analysis.snapshot.created_at, False,
    )  # fmt: skip
    assert (stored.best.value, [row.value for row in stored.competing]) == (0.31, [0.31, 0.3, 0.25])
    for fields in ({"methods_version": "1"}, {"methods_version": METHODS.version, "results_version": 0}):
        Analysis.objects.update(**fields)
        assert read_stored([board.pk])[board.pk].is_stale
    paper = make_paper()
    best, middle, last = board.results.order_by("-value")
    Result.objects.filter(pk__in=[best.pk, middle.pk]).update(paper=paper, role="proposed")
    Result.objects.filter(pk=last.pk).update(paper=paper, role="baseline")
    mark_changed(board)
    analyse(board)

    def strips() -> dict[int, Strip]:
        return strips_of(list(Result.objects.order_by("-value", "pk")), read_stored([board.pk]))

    both = strips()
    assert set(both) == {best.pk, middle.pk, last.pk}
    baseline = both[best.pk].baseline
    assert (baseline.result, baseline.gain, both[last.pk].baseline) == (last.pk, pytest.approx(0.06), None)
    # A planned pair of means is told apart from 0.053 on, and from 0.063 on where two were planned.
    assert baseline.is_beyond is False
    Result.objects.filter(pk=middle.pk).update(ended_at=timezone.now(), ending="withdrawn", ended_by=middle.recorded_by)
    alone = strips()
    assert (set(alone), alone[best.pk].baseline.is_beyond) == ({best.pk, last.pk}, True)
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=board, content=OLD)
    Analysis.objects.update(snapshot=old)
    assert read_stored([board.pk]) == {}


def test_what_is_found_is_sealed_once_it_is_kept(django_capture_on_commit_callbacks):
    board = make_board(FEW)
    with django_capture_on_commit_callbacks(execute=True):
        analysis = analyse(board)
    assert Seal.objects.filter(kind="snapshot", subject=analysis.snapshot_id).exists()


def test_topic_scores_that_changed_since_the_analysis_are_taken_as_they_are():
    board = make_board(FEW, n_topics=2, residual_variance=None)
    make_topics(board.collection, ["t1", "t2"])
    first, *_ = results = list(board.results.order_by("-value"))
    for place, one in enumerate(results):
        make_topic_scores(one, [one.value - 0.05 - place / 100, one.value + 0.05 + place / 100])
    mark_changed(board)
    analyse(board)
    runs = Selection(replace(Selection().question, role="trec_run"))
    assert leaderboard_document(as_shown(board), runs).n_with_topic_scores == 3
    TopicScores.objects.filter(result=first).delete()
    found = leaderboard_document(as_shown(board), runs)
    assert (found.n_with_topic_scores, found.verdict.best.value, found.snapshot) == (2, 0.31, None)


def test_views_count_the_rows_that_compete():
    board = make_board([f"0.{20 + place}" for place in range(11)])
    make_run(board, "0.9", comparability="topic_subset")
    for result in board.results.exclude(printed="0.20"):
        TrainingDeclaration.objects.create(
            system=result.system, collection=board.collection, declared="yes", source="card", recorded_at=timezone.now()
        )
    mark_changed(board)
    analyse(board)
    document = leaderboard_document(as_shown(board), Selection())
    assert {one.view: one.n_rows for one in document.verdict.views} == {"all": 11, "trained-here": 10}
    assert [(row.value, row.why_not_comparable) for row in document.results][:2] == [
        (0.9, "other set of topics"), (0.3, ""),
    ]  # fmt: skip
    assert [(one.reason, one.n) for one in document.not_comparable] == [("other set of topics", 1)]
