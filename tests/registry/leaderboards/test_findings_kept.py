"""What is kept of findings: headlines, reference sets, verdicts against what came later; and commands that keep it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from types import SimpleNamespace

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from analysis.boards import Caution, SuiteSnapshot, SuiteUplift, UpliftOnMember, View, read_snapshot
from registry.catalog.models import Collection, Leaderboard
from registry.journal.models import Seal
from registry.leaderboards import verification
from registry.leaderboards.documents.boards import _facets, _not_comparable, leaderboard_document, snapshot_document
from registry.leaderboards.documents.states import standing_snapshot
from registry.leaderboards.documents.suites import (
    any_snapshot_document,
    suite_cells,
    suite_document,
    suite_list,
    suite_record,
    suite_summaries,
)
from registry.leaderboards.drawings.snapshots import drawings_of, small_drawings
from registry.leaderboards.forms import Selection
from registry.leaderboards.management.commands import recompute
from registry.leaderboards.models import Analysis, ReferenceSet, Snapshot, SuiteAnalysis
from registry.leaderboards.queries.boards import read_board
from registry.leaderboards.queries.suites import suite_boards
from registry.leaderboards.references import RECORDED, propose_references
from registry.leaderboards.services import save_suite_finding
from registry.leaderboards.studies import _left_out, _note, analyse_suite, headline_of
from registry.leaderboards.verification import _verify_headline, check_snapshots
from registry.results.models import Result
from tests.registry.api.world import make_varied_board
from tests.registry.curation.suites.world import add_member, make_suite
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_topic_scores,
    make_topics,
)
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.earlier_methods import OLD
from tests.registry.leaderboards.suites import analyse_all, make_members, suite_board

pytestmark = pytest.mark.django_db


def test_the_verdict_as_lists_show_it():
    board = make_board()
    analysis = analyse(board)
    made = read_snapshot(analysis.snapshot.content)
    verdict = made.findings.verdict
    found = headline_of(made)
    assert (found.best, found.highest, found.n_results, found.n_families) == (0.31, 0.31, 8, verdict.tries.n_families)
    assert (found.n_members, found.margin, found.evidence) == (
        verdict.set.n_members, verdict.set.margin, verdict.evidence.kind,
    )  # fmt: skip
    assert found.resolves == pytest.approx(2.2281 * (2 * 0.0144 / 50) ** 0.5, rel=1e-4)
    assert (found.note, found.left_out, found.view) == ("", "", "all")
    assert found.decimals == (verdict.corrected.decimals if verdict.corrected else board.measure.decimals)
    assert analysis.headline["sentence"] == found.sentence

    varied = make_varied_board()
    kept = read_snapshot(analyse(varied).snapshot.content)
    worth, of = headline_of(kept), kept.findings.verdict
    assert (worth.corrected, worth.decimals) == (of.corrected.value, of.corrected.decimals)
    whole, some = (
        View(best=replace(of.best, value=value), best_unflagged=None, corrected=None, why_no_value="", set=None,
             why_no_set="", view=view)
        for view, value in (("all", 0.9), ("declared-none", 0.2))
    )  # fmt: skip
    seen = replace(of, view="declared-none", views=(some, whole))
    of_some = headline_of(replace(kept, findings=replace(kept.findings, verdict=seen)))
    assert (of_some.highest, of_some.view) == (0.9, "declared-none")

    def saying(**changes):
        return replace(verdict, **changes)

    noted = Caution(code="unusual-elsewhere", message="m", results=(verdict.best.result,))
    other = Caution(code="few-topics", message="m", results=(verdict.best.result,))
    assert _note(saying(cautions=(other, noted))) == "unusual-elsewhere"
    assert _note(saying(cautions=(other,))) == ""
    assert _note(saying(cautions=(replace(noted, results=(10**6,)),))) == ""
    unflagged = SimpleNamespace(result=verdict.best.result)
    assert _left_out(SimpleNamespace(best_unflagged=None)) == ""
    assert _left_out(SimpleNamespace(best_unflagged=unflagged, best=verdict.best)) == "others"
    unflagged.result += 1
    assert _left_out(SimpleNamespace(best_unflagged=unflagged, best=verdict.best)) == "highest"


def test_sets_are_proposed_of_the_first_sort_that_there_is_enough_of():
    board = make_leaderboard()
    make_topics(board.collection, ["t1", "t2"])
    runs = [make_run(board, value) for value in ("0.2", "0.3")]
    tools = [make_run(board, value, role="reference_implementation") for value in ("0.4", "0.5", "0.6")]
    proposed = make_result(board, printed="0.7", role="proposed")
    make_run(board, "0.9", comparability="topic_subset")
    make_run(board, "0.8", replicate_of=tools[0], source="again")

    def found() -> list[tuple[str, str, set[int]]]:
        return [(one.reference.basis, one.reference.name.partition(": ")[2], set(one.members))
                for one in propose_references(read_board(board.pk))]  # fmt: skip

    assert found() == [("published-means", "3 reference implementations", {one.pk for one in tools})]
    third = make_run(board, "0.1")
    (means,) = propose_references(read_board(board.pk))
    assert means.reference.name == f"{board.collection.name}: 3 original shared-task runs"
    values = np.array([0.3, 0.2, 0.1])
    assert means.reference.factors["means"] == [0.3, 0.2, 0.1]
    assert (means.reference.factors["mean"], means.reference.factors["sd"]) == (
        pytest.approx(values.mean()), pytest.approx(values.std(ddof=1)),
    )  # fmt: skip
    assert (means.reference.n_systems, means.reference.frozen_on) == (3, timezone.now().date())
    for place, one in enumerate([*runs, *tools, proposed]):
        make_topic_scores(one, [0.1 + place / 10, 0.2 + place / 20])
    assert found()[1] == ("topic-scores", "3 reference implementations", {one.pk for one in tools})
    make_topic_scores(third, [0.3, 0.1])
    assert found()[1][1:] == ("3 original shared-task runs", {runs[0].pk, runs[1].pk, third.pk})
    Result.objects.filter(pk__in=[one.pk for one in (*runs, third)]).update(value=0.2)
    assert found()[0][1] == "3 reference implementations", "runs that all score the same are no yardstick"
    few = make_leaderboard()
    for value in ("0.2", "0.3"):
        make_run(few, value)
    assert propose_references(read_board(few.pk)) == ()
    make_result(few, printed="0.4", role="proposed")
    (whatever,) = propose_references(read_board(few.pk))
    assert whatever.reference.name == f"{few.collection.name}: 3 {RECORDED}"
    assert whatever.reference.name.endswith(RECORDED)


def test_a_snapshot_says_what_was_found_then():
    board = make_board()
    snapshot = analyse(board).snapshot
    Collection.objects.filter(pk=board.collection_id).update(n_topics=7)
    snapshot.refresh_from_db()
    document = snapshot_document(Snapshot.objects.select_related("leaderboard__collection").get(pk=snapshot.pk))
    assert document.collection["n_topics"] == 50
    assert (document.verdict.best.value, document.snapshot.id, document.n_results) == (0.31, snapshot.pk, 8)
    assert document.content["findings"]["verdict"]["best"]["value"] == 0.31
    assert document.best_result == document.scales["published"]
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=board, content=OLD)
    earlier = snapshot_document(old)
    assert (earlier.verdict, earlier.scales, earlier.best_result, earlier.n_results) == (None, {}, None, None)
    assert earlier.collection["n_topics"] == 7


def test_a_leaderboard_says_what_stands_under_choices_and_on_earlier_days():
    board = make_board()
    make_run(board, "0.5", role="proposed", provenance="recomputed", comparability="topic_subset")
    make_run(board, "0.4", role="proposed", comparability="topic_subset", source="b")
    make_run(board, "0.45", role="proposed", comparability="oracle", source="c")
    mark_changed(board)
    analysis = analyse(board)
    standing = leaderboard_document(board, Selection())
    assert (standing.analysis.state, standing.snapshot.id, standing.count) == ("current", analysis.snapshot_id, 11)
    assert [one.n for one in standing.not_comparable] == [2, 1]
    assert standing.facets["role"] == {"trec_run": 8, "proposed": 3}
    assert standing.facets["provenance"] == {"transcribed": 10, "recomputed": 1}
    assert standing.facets["run_type"] == {}
    assert standing.verdict.tries.n_results == 8
    top = leaderboard_document(board, Selection(top=3))
    assert (len(top.results), top.count) == (3, 11)
    assert leaderboard_document(board, Selection(sort="-rank")).results == standing.results[::-1]
    question = replace(Selection().question, role="proposed")
    filtered = leaderboard_document(board, Selection(question=question, query={"role": "proposed"}))
    assert (filtered.count, filtered.snapshot, filtered.selection) == (3, None, {"role": "proposed"})
    assert filtered.verdict is None
    assert filtered.analysis.message == "No analysis: no result passes the filters."
    runs = leaderboard_document(board, Selection(question=replace(Selection().question, role="trec_run")))
    assert (runs.count, runs.verdict.best.value, runs.snapshot) == (8, 0.31, None)
    assert [row.rank_low for row in runs.results] == [None] * 8
    assert standing.results[3].rank_low == 1
    make_run(board, "0.6", source="new")
    mark_changed(board)
    board = Leaderboard.objects.with_names().select_related("analysis__snapshot").get(pk=board.pk)
    stale = leaderboard_document(board, Selection())
    assert (stale.analysis.state, stale.snapshot.id, stale.count) == ("stale", analysis.snapshot_id, 12)
    assert (stale.verdict.best.value, stale.results[0].rank) == (0.31, None)
    asked = leaderboard_document(board, Selection(question=replace(Selection().question, role="trec_run")))
    assert (asked.verdict.best.value, asked.snapshot) == (0.6, None)
    assert (stale.analysis.obstacle, stale.analysis.message[:7]) == ("", "Results")
    board.results.update(comparability="doubtful")
    doubtful = leaderboard_document(board, Selection())
    assert (doubtful.analysis.state, doubtful.analysis.obstacle) == ("stale", "no_comparable_result")
    assert doubtful.snapshot.id == analysis.snapshot_id
    board.results.exclude(role="proposed").update(comparability="standard")
    past = leaderboard_document(board, Selection(as_of=timezone.now().date() + timedelta(days=1)))
    assert (past.analysis.state, past.count, past.verdict.best.value) == ("past", 12, 0.6)
    assert _not_comparable([]) == ()
    assert _facets([]) == {"role": {}, "run_type": {}, "provenance": {}}


def test_as_many_topics_are_told_as_the_verdict_beside_them_was_found_with():
    board = make_board(n_topics=50)
    analyse(board)
    Collection.objects.filter(pk=board.collection_id).update(n_topics=49)
    mark_changed(board)
    assert leaderboard_document(Leaderboard.objects.get(pk=board.pk), Selection()).collection["n_topics"] == 50


def test_small_drawings_are_read_once_and_kept(django_assert_num_queries):
    one, two, none = make_board(), make_board(), make_board(["0.3"])
    for board in (one, two, none):
        analyse(board)
    empty = make_leaderboard()
    boards = list(Leaderboard.objects.with_names().select_related("analysis").order_by("pk"))
    with django_assert_num_queries(1):
        drawn = drawings_of(boards)
    assert set(drawn) == {one.pk, two.pk}
    assert '<svg class="chart small" viewBox="0 0 240.0 ' in drawn[one.pk]
    assert empty.pk not in drawn
    with django_assert_num_queries(0):
        assert drawings_of(boards) == drawn
    assert small_drawings([(None, boards[0].measure)]) == {}
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=one, content=OLD)
    assert small_drawings([(old.pk, {"name": "AP", "higher_is_better": True, "decimals": 4})]) == {}


def test_suites_are_listed_with_their_headlines_and_members():
    members = make_members(3)
    analysis = analyse_all(members)
    listed = make_suite("listed", members[:2], is_average=False, position=5)
    (summary,) = suite_summaries()
    assert (summary.n_members, summary.analysis.state, summary.url) == (3, "current", "/suites/beir/nDCG@10/")
    assert (summary.snapshot and summary.snapshot.id) == analysis.snapshot_id
    found = suite_list()
    assert (found.count, [one.n_members for one in found.lists]) == (1, [2])
    cells = suite_cells(found)
    assert cells[0][:4] == ("beir", "nDCG@10", "BEIR", 3)
    assert cells[0][4] == (summary.headline.sentence if summary.headline else "")
    assert cells[1] == ("listed", "", "LISTED", 2, "", "", "/suites/listed/")
    bare = make_leaderboard(make_collection("bare"), members[0].measure)
    add_member(listed, bare, 2)
    part = add_member(listed, members[2], 3)
    part.part_of = listed.members.first()
    part.save()
    record = suite_record(listed)
    assert (record.is_average, [one.has_results for one in record.members]) == (False, [True, True, False])
    assert record.members[2].url == "/collections/bare/"
    assert record.members[0].url == members[0].get_absolute_url()
    assert (record.members[0].measure, record.members[0].collection) == ("nDCG@10", members[0].collection.slug)
    document = suite_document(suite_board())
    assert (document.count, len(document.members), document.n_listed) == (10, 3, 10)
    assert [row.rank for row in document.listed][:2] == [1, 2]
    assert document.name == "BEIR"
    assert [question for question, _ in document.verdicts] == ["other-collections", "same-collections"]


def test_suites_wait_for_their_first_analysis_in_lists(django_assert_num_queries):
    members = make_members(2, 3)
    (cells,) = suite_cells(suite_list())
    assert cells == ("beir", "nDCG@10", "BEIR", 2, "", "", "/suites/beir/nDCG@10/")
    (waiting,) = suite_summaries()
    assert (waiting.headline, waiting.snapshot, waiting.analysis.state) == (None, None, "queued")
    Collection.objects.filter(pk=members[0].collection_id).update(n_topics=None)
    make_suite("later", [make_leaderboard(members[0].collection, make_measure("AP")), members[1]])
    by_name = {board.names: suite_document(board) for board in suite_boards(["later"])}
    (member,) = by_name["later", "AP"].members
    assert (member.has_results, member.url) == (False, f"/collections/{members[0].collection.slug}/")
    analyse_all(members)
    with django_assert_num_queries(3):
        assert [one.snapshot is None for one in suite_summaries()] == [False, True, True]


def test_what_declared_training_goes_with_on_a_suite_stands_in_its_document():
    members = make_members(2, 3)
    analysis = analyse_all(members)
    assert suite_document(suite_board()).uplift is None
    kept = read_snapshot(analysis.snapshot.content, SuiteSnapshot)
    low, high = (
        UpliftOnMember(member=place, value=value, low=value - 0.01, high=value + 0.01, n_declare=8, n_others=9)
        for place, value in enumerate((0.02, 0.05))
    )
    uplift = SuiteUplift(estimate=0.04, standard_error=0.01, n_systems=20, n_families=10, members=(low, high))
    caution = Caution(code="gap", message="a gap", results=(kept.inputs.rows[0].id,))
    noted = replace(kept.findings.other_collections, cautions=(caution,))
    text = replace(kept, findings=replace(kept.findings, uplift=uplift, other_collections=noted)).text
    told = Snapshot.objects.create(pk="0" * 20, suite=analysis.suite, content=text)
    SuiteAnalysis.objects.update(snapshot=told)
    document = suite_document(suite_board())
    for one in (document, any_snapshot_document(told)):
        (said,) = one.verdict.cautions
        assert (said.code, said.message, said.results) == ("gap", "a gap", caution.results)
        assert one.verdict_here.cautions == ()
        assert (one.suite.slug, one.measure["name"], one.url) == ("beir", "nDCG@10", "/suites/beir/nDCG@10/")
    assert [row.system for row in document.results if row.cautions] == [kept.inputs.rows[0].system]
    found = document.uplift
    assert (found.estimate, found.standard_error, found.n_systems, found.n_families) == (0.04, 0.01, 20, 10)
    assert [(one.collection, one.value) for one in found.members] == [("member-1", 0.05), ("member-0", 0.02)]
    assert found.members[0].name in found.members[0].sentence


def test_the_snapshot_of_a_moment_is_the_newest_until_then(monkeypatch):
    board, other = make_board(), make_board()
    moments = [datetime(2020, month, 1, tzinfo=UTC) for month in (1, 3, 2)]
    for number, moment in enumerate(moments):
        monkeypatch.setattr("django.utils.timezone.now", lambda moment=moment: moment)
        Snapshot.objects.create(pk=f"{number}" * 20, leaderboard=board, content=OLD)
        Snapshot.objects.create(pk=f"{number}" * 19 + "f", leaderboard=other, content=OLD)
    for month, key in ((2, "2"), (3, "1"), (4, "1"), (1, "0")):
        snapshot, state = standing_snapshot(board, datetime(2020, month, 1, tzinfo=UTC))
        assert (snapshot.pk, state) == (key * 20, "past")
    assert standing_snapshot(board, datetime(2019, 1, 1, tzinfo=UTC)) == (None, "past")


def test_recompute_brings_up_to_date_what_is_behind():
    one, two = make_board(), make_board()
    analyse(one)
    out, error = StringIO(), StringIO()
    call_command("recompute", processes=1, stdout=out, stderr=error)
    assert out.getvalue().startswith("1 leaderboard looked at, 1 analysed in ")
    assert "a second)" in out.getvalue()
    assert "suite" not in out.getvalue()
    assert error.getvalue() == "\r1 of 1 leaderboards\n"
    assert Analysis.objects.filter(leaderboard=two).exists()
    out, error = StringIO(), StringIO()
    make_leaderboard()
    call_command("recompute", processes=1, stdout=out, stderr=error)
    assert (out.getvalue(), error.getvalue()) == ("0 leaderboards looked at, 0 analysed in 0.0 s\n", "")
    out = StringIO()
    call_command("recompute", "--all", processes=1, verbosity=0, stdout=out, stderr=error)
    assert error.getvalue() == ""
    assert out.getvalue().startswith("2 leaderboards looked at, 2 analysed in ")
    out = StringIO()
    call_command("recompute", one.collection.slug, one.measure.name, processes=1, verbosity=0, stdout=out)
    assert out.getvalue().startswith("1 leaderboard looked at, 0 analysed in ")
    with pytest.raises(CommandError, match="Name a collection and a measure, or neither"):
        call_command("recompute", one.collection.slug, processes=1)
    with pytest.raises(CommandError, match="nowhere"):
        call_command("recompute", "nowhere", one.measure.name, processes=1)


def test_recompute_says_what_it_takes_and_how_far_it_is(monkeypatch):
    parser = recompute.Command().create_parser("manage.py", "recompute")
    said = " ".join(parser.format_help().split())
    for words in ("slug or alias of the collection", "name or alias of the measure", "default: one a core",
                  "also the leaderboards that are up to date"):  # fmt: skip
        assert words in said
    given = parser.parse_args([])
    assert (given.collection, given.measure, given.all) == (None, None, False)
    assert given.processes >= 1
    monkeypatch.setattr(recompute, "_results", lambda ids, forced, n: iter([True] * 150 + [False] * 50))
    monkeypatch.setattr(recompute.Command, "_wanted", lambda self, options: list(range(200)))
    out, error = StringIO(), StringIO()
    call_command("recompute", processes=1, stdout=out, stderr=error)
    assert error.getvalue() == "\r100 of 200 leaderboards\r200 of 200 leaderboards\n"
    assert out.getvalue().startswith("200 leaderboards looked at, 150 analysed in ")


def test_snapshots_are_checked_with_the_analyses_that_stand_on_them(monkeypatch):
    board, other = make_board(), make_board()
    first, second = analyse(board), analyse(other)
    everything = SimpleNamespace(takes=lambda pk: True)
    report = check_snapshots(everything)
    assert (report.n, report.problems) == (2, [])
    monkeypatch.setattr(verification, "_AT_ONCE", 1)
    assert check_snapshots(everything).n == 2, "each once, however many are read at once"
    second.headline["best"] = 0.9
    second.save()
    Analysis.objects.filter(pk=first.pk).update(snapshot=second.snapshot_id)
    report = check_snapshots(everything)
    assert len([one for one in report.problems if "which is of something else" in one]) == 1
    assert f"headline of {other}: best is 0.9, and snapshot {second.snapshot_id} says 0.31" in report.problems
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=board, content=OLD)
    Analysis.objects.filter(pk=first.pk).update(snapshot=old)
    changed = "snapshot 00000000000000000000: the content does not have this id: it was changed"
    assert [one for one in check_snapshots(everything).problems if "0" * 20 in one] == [changed]
    none = check_snapshots(SimpleNamespace(takes=lambda pk: False))
    assert (none.n, none.problems) == (0, [])


def test_what_is_kept_is_called_by_what_it_is_of():
    board = make_board()
    analysis = analyse(board)
    assert str(analysis) == f"analysis of {board.pk}"
    assert str(analysis.snapshot) == analysis.snapshot_id
    assert analysis.snapshot.get_absolute_url() == f"/snapshots/{analysis.snapshot_id}/"
    assert str(SuiteAnalysis(suite_id=3, measure_id=4)) == "analysis of 3 under 4"
    reference = ReferenceSet.objects.get()
    assert str(reference) == reference.name == f"{board.collection.name}: {len(VALUES)} original shared-task runs"


def test_suites_of_the_same_members_are_analysed_each():
    boards = make_members(3, 5)
    first = analyse_all(boards)
    make_suite("twin", boards, position=1)
    twin = save_suite_finding(analyse_suite("twin", boards[0].measure.name))
    assert list(_verify_headline(twin, first.snapshot, twin.headline)) == [
        f"analysis of twin nDCG@10: stands on snapshot {first.snapshot_id}, which is of something else"
    ]
    assert list(_verify_headline(twin, twin.snapshot, twin.headline)) == []
    more = twin.headline | {"zz": 1, "aa": 2, "mm": 3, "bb": 4}
    assert list(_verify_headline(twin, twin.snapshot, more)) == [
        f"headline of twin nDCG@10: {name} is None, and snapshot {twin.snapshot_id} says {value}"
        for name, value in (("aa", 2), ("bb", 4), ("mm", 3), ("zz", 1))
    ]
    assert (twin.suite.slug, twin.version) == ("twin", first.version)
    assert analyse_suite("twin", boards[0].measure.name) is analyse_suite("beir", boards[0].measure.name) is None


def test_what_is_found_is_sealed_with_its_change_and_named_by_its_second(django_capture_on_commit_callbacks):
    boards = make_members(3, 5)
    with django_capture_on_commit_callbacks(execute=True):
        analysis = analyse_all(boards)
    kept = {*Snapshot.objects.values_list("pk", flat=True)}
    assert len(kept) == 4
    assert {*Seal.objects.filter(kind="snapshot").values_list("subject", flat=True)} == kept
    document = suite_document(suite_board())
    created = analysis.snapshot.created_at.replace(microsecond=0).isoformat()
    assert (document.snapshot.id, document.snapshot.created) == (analysis.snapshot_id, created)
    (cells,) = suite_cells(suite_list())
    assert cells[:3] + cells[5:6] == ("beir", "nDCG@10", "BEIR", analysis.snapshot_id)
