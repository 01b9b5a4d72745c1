"""The mean over the collections of a suite: when it is analysed, from what, and what pages, files and API say."""

import io
from itertools import product

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django.asserts import assertContains

from analysis.boards import SuiteSnapshot, read_snapshot
from registry.catalog.models import Leaderboard
from registry.catalog.services import mark_leaderboards_changed
from registry.core import loading
from registry.core.kept import kept_answers
from registry.core.models import Job
from registry.leaderboards.documents.suites import suite_document
from registry.leaderboards.models import Snapshot, SuiteAnalysis
from registry.leaderboards.services import ANALYSE_SUITE, enqueue_stale, save_suite_finding
from registry.leaderboards.studies import analyse_suite
from registry.leaderboards.wording import facts
from registry.results.models import Result
from tests.registry.curation.suites.world import make_scores, make_suite
from tests.registry.factory import make_leaderboard, make_measure, make_result, make_system
from tests.registry.keeping import kept_on_record
from tests.registry.leaderboards.boards import analyse, analyse_again, mark_changed
from tests.registry.leaderboards.suites import analyse_all, declare, make_members, suite_board, system
from tests.verdicts.places import differences


@pytest.fixture(scope="class")
def rows(django_db_setup, django_db_blocker):
    """A suite whose members are not analysed yet."""
    with kept_on_record(django_db_blocker, make_members):
        yield


@pytest.fixture(scope="class")
def analysed(rows, django_db_blocker):
    with kept_on_record(django_db_blocker, lambda: analyse_all(Leaderboard.objects.order_by("pk"))):
        yield


@pytest.fixture
def members(rows):
    return list(Leaderboard.objects.order_by("pk"))


def inputs_of(analysis):
    return read_snapshot(analysis.snapshot.content, SuiteSnapshot).inputs


def row_of(analysis, name):
    return next(row for row in inputs_of(analysis).rows if row.system == name)


def queued():
    return [job.args for job in Job.objects.filter(kind=ANALYSE_SUITE, state=Job.State.QUEUED)]


def test_rows_stand_by_their_systems_whichever_has_a_result_first():
    boards = make_members(2, 3)
    early, late = make_system("early", team="e"), make_system("late", team="l")
    make_scores(boards, "0.51", "0.52", system=late)
    make_scores(boards, "0.41", "0.42", system=early)
    for board in boards:
        mark_changed(board)
    rows = inputs_of(analyse_all(boards)).rows
    assert [row.system for row in rows][-2:] == ["early", "late"]
    assert [row.id for row in rows] == sorted(row.id for row in rows)


def test_where_no_mean_is_judged_means_over_some_members_are_led_to(members, client):
    make_suite("wide", [*members, make_result().leaderboard], position=1, is_average=False)
    make_suite("elsewhere", [make_result().leaderboard], position=2)
    recall = make_measure("R@100")
    make_suite("recall", [make_leaderboard(board.collection, recall) for board in members], position=3)
    assertContains(client.get("/benchmarks/wide/"), 'some of them: <a href="/benchmarks/beir/">BEIR</a>.</p>')


class TestJobs:
    def test_the_last_member_that_is_analysed_queues_the_suite(self, members):
        for board in members[:-1]:
            analyse(board)
        assert queued() == []
        analyse(members[-1])
        assert queued() == [{"suite": "beir", "measure": "nDCG@10"}]

    def test_the_command_brings_suites_up_to_date_after_their_members(self, members):
        stream = io.StringIO()
        call_command("recompute", "--processes", "1", stdout=stream, verbosity=0)
        assert "1 suite analysed" in stream.getvalue()
        assert suite_document(suite_board()).analysis.state == "current"

    @pytest.mark.parametrize("address", ["/benchmarks/", "/benchmarks/beir/nDCG%4010/"])
    def test_whoever_looks_at_it_before_has_its_members_analysed_next(self, members, client, address):
        enqueue_stale()
        other = make_result().leaderboard
        mark_leaderboards_changed(leaderboard_ids=[other.pk])
        assert "This suite has not been analysed yet; it is about to be." in read(client, address)
        awaited = Job.objects.filter(awaited_at__isnull=False)
        # And then the suite itself.
        assert {job.args.get("leaderboard_id") for job in awaited} == {board.pk for board in members} | {None}
        assert queued() == [awaited.get(kind=ANALYSE_SUITE).args]


class TestInputs:
    @pytest.mark.parametrize(
        "fields", [{"printed": "0"}, {"comparability": Result.Comparability.DOUBTFUL}], ids=["failed", "doubtful"]
    )
    def test_what_does_not_compete_on_a_member_is_no_score(self, members, fields):
        make_scores(members, *(["0.5"] * 8), None, system=None)
        late = Result.objects.latest("pk").system
        make_result(members[8], late, **({"printed": "0.5", "role": Result.Role.LEADERBOARD} | fields))
        document = document_of(members)
        row = next(row for row in document.results if row.id == late.pk)
        assert (row.missing, row.rank, row.value) == (("member-8",), None, None)
        assert document.n_incomplete == 1

    def test_a_toolkits_run_competes_and_is_said_to_be_one(self, members):
        make_scores(members, *(["0.9"] * 9), role=Result.Role.REFERENCE_IMPLEMENTATION)
        document = document_of(members)
        assert not document.verdict.best.is_original
        best, *_ = facts(document, document.verdict, document.results)
        assert best.meaning.endswith("(with reference runs in it)")


def document_of(members):
    for board in members:
        mark_changed(board)
    analyse_all(members)
    return suite_document(suite_board())


def analysed_again(board):
    """Analyse the suite after something happened on one of its members."""
    analyse_again(board)
    return save_suite_finding(analyse_suite("beir", "nDCG@10"))


class TestObstacles:
    def test_a_member_without_an_analysis_is_an_obstacle(self, members, client):
        analysis = save_suite_finding(analyse_suite("beir", "nDCG@10"))
        assert analysis.obstacle == "no_verdict_of_member"
        page = read(client, "/benchmarks/beir/nDCG@10/")
        assert "member-4 and 4 more have none yet." in page
        assert "No analysis: a mean over 9 collections takes the verdict on each under nDCG@10. " in page
        # Its members are in sight, without what an analysis knows of them, and there is nothing to cite.
        assert 'id="members"' in page
        assert not [part for part in ("Cite this", "Variance between topics", ">Analysis</th>") if part in page]

    def test_it_is_said_on_which_members_nobody_has_a_result_and_where_scores_are_doubtful(self, members, client):
        Leaderboard.objects.filter(pk=members[0].pk).update(results_version=0)
        Leaderboard.objects.filter(pk=members[1].pk).update(is_doubtful=True)
        analyse_all(members[1:])
        names = [board.collection.name for board in members]
        message = client.get("/benchmarks/beir/nDCG@10.json").json()["analysis"]["message"]
        why = f"{names[1]} has none, since too many scores there are doubtful."
        assert message.endswith(f"nDCG@10. Nobody has a result on {names[0]}. {why}")

    def test_without_a_complete_system_the_nearest_are_named_with_what_they_lack(self, members, client):
        Result.objects.filter(leaderboard=members[0], system__in=[system(f"s{n}") for n in range(1, 10)]).delete()
        Result.objects.filter(leaderboard=members[1], system=system("s0")).delete()
        analysis = analyse_all(members)
        assert analysis.obstacle == "no_complete_system"
        names = [board.collection.name for board in members]
        message = (
            "No analysis: no system has a score on every member. 10 systems come nearest, with 8 of 9, and lack"
            f" {names[0]} or {names[1]}."
        )
        assert client.get("/api/v1/suites/beir/nDCG@10/").json()["analysis"]["message"] == message
        assert message in read(client, "/benchmarks/beir/nDCG@10/")
        assert message in read(client, "/benchmarks/")


def read(client, address):
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def test_page_api_files_and_snapshot_say_the_same():
    members = make_members()
    make_scores(members, *(["0.5"] * 8), None)
    assert differences(document_of(members), SuiteAnalysis.objects.get().snapshot) == []


@pytest.mark.usefixtures("analysed")
class TestAnalysed:
    """What is asked of a suite that was analysed, with its members."""

    def test_a_result_on_a_member_makes_another_snapshot_and_leaves_the_first(self, members):
        first = SuiteAnalysis.objects.get().snapshot_id
        make_result(members[0], system("s3"), "0.9", role=Result.Role.LEADERBOARD, source="later")
        mark_changed(members[0])
        analyse(members[0])
        assert suite_document(suite_board()).analysis.state == "stale"
        second = save_suite_finding(analyse_suite("beir", "nDCG@10"))
        assert suite_document(suite_board()).analysis.state == "current"
        assert second.snapshot_id != first
        assert Snapshot.objects.filter(suite__slug="beir").count() == 2

    def test_members_that_share_a_task_make_another_analysis_which_counts_tasks(self, client):
        suite_board().suite.members.filter(position__lt=6).update(task="T")
        assert suite_document(suite_board()).analysis.state == "stale"
        save_suite_finding(analyse_suite("beir", "nDCG@10"))
        says = "On BEIR (9 data sets of 4 tasks, mean nDCG@10), 4 tasks are too few to rank 10 systems."
        assert suite_document(suite_board()).verdict.sentence == says
        assertContains(client.get("/benchmarks/beir/nDCG@10/"), "The 9 data sets of 4 tasks")
        assert [member["task"] for member in client.get("/api/v1/suites/beir/").json()["members"]][5:7] == ["T", ""]

    def test_a_member_that_leaves_the_suite_is_found_by_the_sweep(self):
        analysis = SuiteAnalysis.objects.get()
        Job.objects.all().delete()
        assert enqueue_stale() == 0
        analysis.suite.members.last().delete()
        assert enqueue_stale() == 1
        assert queued() == [{"suite": "beir", "measure": "nDCG@10"}]

    def test_a_score_is_that_of_the_members_leaderboard_with_its_evidence(self, members):
        analysis = SuiteAnalysis.objects.get()
        inputs = inputs_of(analysis)
        assert [member.collection for member in inputs.members] == [f"member-{place}" for place in range(9)]
        assert [member.snapshot for member in inputs.members] == [board.analysis.snapshot_id for board in members]
        assert {(member.evidence.kind, member.evidence.residual_variance) for member in inputs.members} == {
            ("own-variance", 0.02)
        }
        first = row_of(analysis, "s0")
        stored = Result.objects.filter(system__name="s0").order_by("leaderboard")
        assert list(first.scores) == [result.value for result in stored]
        assert list(first.results) == [result.pk for result in stored]
        assert "team:t0" in first.lineage

    def test_of_executions_the_mean_stands_for_the_system(self, members):
        first = Result.objects.get(system__name="s2", leaderboard=members[0])
        make_result(members[0], first.system, "0.9", replicate_of=first, role=Result.Role.LEADERBOARD, source="later")
        row = row_of(analysed_again(members[0]), "s2")
        assert row.scores[0] == pytest.approx((first.value + 0.9) / 2)
        assert row.results[0] == first.pk

    def test_of_several_results_the_one_recorded_first_stands_for_the_system(self, members):
        first = Result.objects.get(system__name="s2", leaderboard=members[0])
        make_result(members[0], first.system, "0.95", role=Result.Role.LEADERBOARD, source="later")
        assert row_of(analysed_again(members[0]), "s2").scores[0] == first.value

    def test_the_snapshot_is_cited_in_latex_and_checked_by_the_command(self, client):
        analysis = SuiteAnalysis.objects.get()
        page = read(client, f"/snapshots/{analysis.snapshot_id}/")
        assert f"~\\cite{{plumbline-{analysis.snapshot_id}}}" in page
        assert "On BEIR (9 data sets, mean nDCG@10), " in page
        assert "It is what <a" in page
        stream = io.StringIO()
        call_command("verify", stdout=stream)
        assert "0 problems" in stream.getvalue()

    def test_the_list_asks_no_more_of_many_suites_than_of_one(self, client, members):
        def n_queries() -> int:
            kept_answers.clear()
            with CaptureQueriesContext(connection) as asked:
                read(client, "/benchmarks/")
            return len(asked)

        of_one = n_queries()
        for slug in ("second", "third"):
            make_suite(slug, members[:5])
            assert save_suite_finding(analyse_suite(slug, "nDCG@10"))
        assert n_queries() == of_one


def test_where_nothing_is_known_the_figure_counts_those_of_its_view(client):
    members = make_members(n=4, n_systems=13)
    for number in range(13):
        for board in members:
            declare(system(f"s{number}"), board.collection, "yes" if number == 3 else "no")
    document = document_of(members)
    assert (document.verdict.view, document.verdict.set) == ("declared-none", None)
    claim = "On BEIR (4 data sets), 4 data sets are too few to rank 12 zero-shot systems."
    assert claim in read(client, "/benchmarks/beir/nDCG@10/").replace("\n", " ")


def test_a_view_ranks_its_systems_alone_wherever_it_is_told(client):
    members = make_members(n=9, n_systems=16)
    for number, board in product(range(16), members):
        declare(system(f"s{number}"), board.collection, "yes" if number < 3 else "no")
    document_of(members)
    address = "/benchmarks/beir/nDCG@10/"
    first, everybody = (client.get(f"/api/v1/suites/beir/nDCG@10/{query}").json() for query in ("", "?training=all"))
    assert (first["selection"], first["verdict"]["leader"], first["verdict"]["n_ranked"]) == ({}, "s3", 13)
    assert (everybody["selection"], everybody["verdict"]["leader"]) == ({"training": "all"}, "s0")
    assert [row["place_low"] for row in first["results"][:4]] == [None, None, None, 1]
    page = read(client, address)
    assert "3 trained on at least one, not ranked here" in page
    assert page.index(">s3<") < page.index('id="not-ranked"') < page.index(">s0<")
    for ending in ("/", ".md", ".json"):
        assert everybody["verdict"]["sentence"].strip(".") in read(client, f"{address[:-1]}{ending}?training=all")


def test_an_excluded_system_is_folded_and_counts_in_no_rank(client):
    members = make_members(n=9, n_systems=30, step=0.003)
    make_scores(members, *(["0.999"] * 9), system=make_system("apart", team="another"))
    rows = document_of(members).results
    assert [(row.system, row.place_low) for row in rows if row.is_held_back] == [("apart", None)]
    assert (rows[1].rank, rows[1].place_low) == (1, 1)
    page = read(client, "/benchmarks/beir/nDCG@10/")
    assert page.index("1 excluded: needs evidence, not ranked here") < page.index(">apart<")


@pytest.fixture
def printed(tmp_path, monkeypatch):
    """Means of the suite as somebody prints them, given as system, print, unit, known reason."""

    def ship(*rows):
        header = "suite,measure,system,printed,unit,year,paper,paper_url,source,locator,why\n"
        lines = [
            f"beir,nDCG@10,{system},{score},{unit},2025,A page,https://a.page/,a/b,x.md#L1,{why}\n"
            for system, score, unit, why in rows
        ]
        (tmp_path / "printed_means.csv").write_text(header + "".join(lines))
        monkeypatch.setattr(loading, "SHIPPED", tmp_path)
        loading.shipped_rows.cache_clear()

    yield ship
    loading.shipped_rows.cache_clear()


class TestPrintedMeans:
    def test_they_stand_beside_ours_with_why_they_differ(self, client, printed):
        boards = make_members(3, 4)
        make_scores(boards[:2], "0.5", "0.6", system=make_system("short", team="t"))
        make_result(boards[1], system=system("s1"), printed="90.1", unit="percent", source="card of s1")
        analyse_all(boards)
        means = {result.system: result.value for result in suite_document(suite_board()).results}
        printed(
            ("S0", f"{100 * means['s0']:.1f}", "percent", ""),
            ("s1", "0.9", "", ""),
            ("s2", "0.1", "", ""),
            ("s3", "0.2", "", "over other sets"),
            ("short", "0.55", "", ""),
            ("nobody", "0.5", "", ""),
        )
        printed_means = client.get("/api/v1/suites/beir/nDCG@10/").json()["printed_means"]
        assert [mean["system"] for mean in printed_means] == ["s2", "s1", "s3", "s0", "short"]
        by_name = {mean["system"]: mean for mean in printed_means}
        counted = Result.objects.exclude(source="card of s1").get(leaderboard=boards[1], system=system("s1")).value
        assert {name: (mean["agrees"], mean["why"]) for name, mean in by_name.items()} == {
            "s0": (True, ""),
            "s1": (False, f"on member-1, card of s1 reports 0.901; {counted:.3f} counts here"),
            "s2": (False, "not known"),
            "s3": (False, "over other sets"),
            "short": (None, "no mean here: 1 of 3 scores missing"),
        }
        assert by_name["s2"]["difference"] == pytest.approx(0.1 - means["s2"])
        page = client.get(suite_board().get_absolute_url())
        assertContains(page, "Means as reported")
        assertContains(page, "over other sets")
