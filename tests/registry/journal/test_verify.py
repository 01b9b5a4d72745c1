"""manage.py verify: what was changed behind the database's back is named by its kind; an honest record passes."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command, load_command_class
from django.db import connection, transaction
from django.utils import timezone

from registry.catalog.models import Leaderboard
from registry.core.jobs import ROUTINES
from registry.dumps.services import export_dump
from registry.journal.chain import check_seals
from registry.journal.models import Entry, Seal, VerifiedShare
from registry.journal.sealing import head_after, last_head, seal, seal_after_commit, seal_new
from registry.journal.services import record
from registry.journal.verifying import (
    NIGHTS,
    Check,
    Share,
    VerifyingState,
    read_verifying_state,
    verify,
    verify_when_due,
)
from registry.leaderboards.models import Analysis, Snapshot
from registry.results.models import Result, TopicScores
from registry.results.services.endings import supersede_result, withdraw_result
from tests.registry.factory import (
    make_entry,
    make_leaderboard,
    make_result,
    make_results,
    make_topic_scores,
    make_topics,
    make_user,
)
from tests.registry.keeping import kept_on_record
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed

pytestmark = pytest.mark.django_db


@contextmanager
def behind_its_back() -> Iterator[Callable[..., None]]:
    """Statements that no trigger stops; the triggers are there again afterwards, and all of it is taken back."""
    with transaction.atomic(), connection.cursor() as cursor:
        triggers = []
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET LOCAL session_replication_role = replica")
        else:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f"DROP TRIGGER {name}")

        def forge(statement: str, *values: Any) -> None:
            cursor.execute(statement, values)
            assert cursor.rowcount
            for _, sql in triggers:
                cursor.execute(sql)
            triggers.clear()

        yield forge
        transaction.set_rollback(True)


def told() -> str:
    out = StringIO()
    call_command("verify", stdout=out)
    return out.getvalue()


def named() -> str:
    out = StringIO()
    with pytest.raises(CommandError, match="not what was recorded"):
        call_command("verify", stdout=out)
    return out.getvalue()


def make_sealed() -> None:
    """A leaderboard with its analysis, a result that was corrected and one that was withdrawn, all of it sealed."""
    board = make_board(n_topics=30)
    editor = make_user(is_editor=True)
    best, second, *_, last = Result.objects.order_by("pk")
    in_percent = make_run(board, "14.50", unit="percent")
    make_topics(board.collection, [str(topic) for topic in range(30)])
    make_topic_scores(second, [second.value] * 30)
    supersede_result(result=best, changes={"printed": "0.33"}, actor=editor, reason="A slip of the pen.")
    for wrong in (in_percent, last):
        withdraw_result(result=wrong, actor=editor, reason="Of another collection.")
    mark_changed(board)
    analyse(board)
    seal_new()


@pytest.fixture(scope="class")
def sealed(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    with kept_on_record(django_db_blocker, make_sealed):
        yield


@pytest.fixture
def board(sealed: None) -> Leaderboard:
    return Leaderboard.objects.get()


@pytest.fixture
def only_seals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else is asked of the record."""
    monkeypatch.setattr("registry.journal.verifying.CHECKS", [Check("sealed row", "sealed rows", check_seals)])


#: What is done behind the back of the site, and how it is named; ``{withdrawn}`` is a result, ``{entry}`` its end.
FORGERIES = [
    ("UPDATE results_result SET ending = '', ended_by_id = NULL, ended_at = NULL WHERE id = {withdrawn}",
     "result {withdrawn}: entry {entry} says that it was withdrawn"),
    ("UPDATE results_result SET ended_by_id = {entry} WHERE ending = 'superseded'", "says that it was superseded"),
    ("UPDATE results_result SET printed = '0.32', value = 0.32 WHERE ending = 'superseded'",
     "printed is 0.32, and was 0.31 before entry"),
    ("UPDATE results_result SET system_id = (SELECT MIN(system_id) FROM results_result) WHERE id = {withdrawn}",
     "result {withdrawn}: changed since it was sealed"),
    ("DELETE FROM results_result WHERE id = {withdrawn}", "all results of entry"),
    ("UPDATE results_topicscores SET scores = '[1]'", "scores changed since it was sealed"),
    ("DELETE FROM journal_seal WHERE id = 2", "seal 2: gone"),
    ("UPDATE journal_seal SET digest = head WHERE id = 2", "seal 2: changed, as the chain"),
]  # fmt: skip


class TestSealed:
    def test_an_honest_record_passes_and_says_what_it_took(self, board):
        started = time.process_time()
        lines = told().splitlines()
        took = time.process_time() - started
        n_sealed = [model.objects.count() for model in (Entry, Result, TopicScores, Snapshot)]
        assert lines[0].split()[:3] == [str(sum(n_sealed)), "sealed", "rows"]
        assert sum(float(line.split()[-2]) for line in lines[:-1]) < took + 0.05 * len(lines)
        assert float(lines[-1].split()[3]) < took + 0.05
        assert lines[-1].startswith(
            f"{sum(int(line.split()[0].replace(',', '')) for line in lines[:-1]):,} verified in "
        )
        assert lines[-1].endswith(" s of processor time, 0 problems")
        assert [line for line in lines[:-1] if line.split()[0] == "0"] == [line for line in lines if "dumps" in line]

    def test_what_is_not_sealed_yet_is_no_problem_and_is_sealed_by_the_routine(self, board):
        n_seals = Seal.objects.count()
        entry = record(action="results.test.made", subject=("test", 1))
        assert "0 problems" in told()
        assert ROUTINES["journal.seal_new"].step() == 1
        assert Seal.objects.filter(pk=n_seals + 1, kind="entry", subject=str(entry.pk)).exists()
        assert ROUTINES["journal.seal_new"].step() == 0

    def test_an_entry_is_sealed_at_the_commit_with_what_it_recorded(self, board, django_capture_on_commit_callbacks):
        result = Result.objects.standing().order_by("-pk").first()
        with django_capture_on_commit_callbacks(execute=True):
            new = supersede_result(result=result, changes={"notes": "Seen."}, actor=None, reason="Read again.")
        entry = str(new.recorded_by_id)
        assert {seal.kind for seal in Seal.objects.filter(subject=entry)} >= {"entry", "result"}
        assert seal_new() == 0 or Seal.objects.filter(kind="topic scores").exists()

    def test_a_changed_snapshot_is_named(self, board):
        snapshot = Snapshot.objects.get()
        with behind_its_back() as forge:
            forge("UPDATE leaderboards_snapshot SET content = %s", snapshot.content.replace("0.31", "0.39"))
            assert f"snapshot {snapshot.pk}: the content does not have this id: it was changed" in named()

    def test_a_deleted_snapshot_that_an_analysis_names_is_named(self, board):
        snapshot = Snapshot.objects.get()
        with behind_its_back() as forge:
            forge("DELETE FROM leaderboards_snapshot WHERE id = %s", snapshot.pk)
            said = named()
        assert f"snapshot {snapshot.pk}: gone; sealed on " in said
        assert f"analysis {board.pk}: names snapshot {snapshot.pk}, which is gone" in said

    def test_a_backdated_snapshot_is_named(self, board):
        snapshot = Snapshot.objects.get()
        with behind_its_back() as forge:
            forge("UPDATE leaderboards_snapshot SET created_at = %s", snapshot.created_at - timedelta(days=400))
            assert f"snapshot {snapshot.pk}: created_at changed since it was sealed" in named()

    def test_a_flattered_headline_is_named(self, board):
        headline = Analysis.objects.get().headline
        assert headline["best"] == 0.33
        with behind_its_back() as forge:
            forge("UPDATE leaderboards_analysis SET headline = %s", json.dumps(headline | {"best": 0.96}))
            assert f"headline of {board}: best is 0.96, and snapshot " in named()

    @pytest.mark.parametrize("columns", ["value = value + 0.05", "value = 0.35, printed = '0.35'"])
    def test_a_raised_score_is_named(self, board, columns):
        result = Result.objects.get(printed="0.30")
        with behind_its_back() as forge:
            forge(f"UPDATE results_result SET {columns} WHERE id = %s", result.pk)
            said = named()
        assert f"result {result.pk}: changed since it was sealed with entry {result.recorded_by_id}" in said
        assert (f"result {result.pk}: prints 0.30, and counts as 0.35" in said) == ("printed" not in columns)

    def test_a_deleted_entry_is_named(self, board):
        entry = Entry.objects.filter(action="results.result.withdrawn").latest("pk")
        with behind_its_back() as forge:
            forge("DELETE FROM journal_entry WHERE id = %s", entry.pk)
            said = named()
        assert f"entry {entry.pk}: gone; sealed on {timezone.now():%Y-%m-%d}" in said
        assert f"result {entry.subject_id}: names ended by {entry.pk}, which is gone" in said

    def test_a_reworded_reason_is_named(self, board):
        entry = Entry.objects.filter(action="results.result.withdrawn").latest("pk")
        with behind_its_back() as forge:
            forge("UPDATE journal_entry SET reason = 'It was wrong.' WHERE id = %s", entry.pk)
            said = named()
        assert f"entry {entry.pk}: reason changed since it was sealed on " in said
        assert said.count(f"entry {entry.pk}") == 1

    def test_other_forgeries_are_named_too(self, board, subtests):
        result = Result.objects.get(ending="withdrawn", unit="")
        names = {"withdrawn": result.pk, "entry": result.ended_by_id}
        for statement, said in FORGERIES:
            with subtests.test(statement), behind_its_back() as forge:
                forge(statement.format(**names))
                assert said.format(**names) in named()

    def test_a_chain_that_was_made_anew_is_seen_by_whoever_remembers_its_head(self, board, settings, tmp_path):
        settings.DUMPS = tmp_path / "dumps"
        dump = export_dump()
        assert "1 head that a dump remembers" in told()
        place, head = last_head()
        assert (dump.n_seals, dump.head) == (place, head)
        with behind_its_back() as forge:
            forge("UPDATE journal_entry SET reason = 'Made up.' WHERE action = 'results.result.withdrawn'")
            with connection.cursor() as cursor:
                if connection.vendor == "sqlite":
                    cursor.execute("DROP TRIGGER journal_seal_no_delete")
                cursor.execute("DELETE FROM journal_seal")
            seal_new()
            said = named()
            for whose in ("when the record was last verified", f"when dump {dump.name} was made"):
                now = f"it is {last_head()[1][:16]}… now: the chain was made anew"
                assert said.count(f"seal {place}: its head was {head[:16]}…, {whose}; {now}\n") == 1
            VerifiedShare.objects.all().delete()
            shutil.rmtree(settings.DUMPS)
            assert "0 problems" in told()
            with pytest.raises(CommandError, match="not what was recorded"):
                call_command("verify", head=[(place, head)], stdout=StringIO())

    def test_a_share_a_night_verifies_everything_in_a_week_and_health_says_when(self, board, client, monkeypatch):
        def health() -> Any:
            return client.get("/-/health/").json()

        today = timezone.now()
        verify_when_due()
        assert health()["verification"]["last_full_check"] is None
        for night in range(1, NIGHTS + 1):
            monkeypatch.setattr(timezone, "now", lambda night=night: today + timedelta(days=night))
            verify_when_due()
            verify_when_due()
            assert VerifiedShare.objects.exclude(checked_at=None).count() == night
        found = health()["verification"]
        place, head = last_head()
        first = (today + timedelta(days=1)).isoformat()
        assert found == {"last_full_check": first, "nights": NIGHTS, "found": 0, "seals": place, "head": head}
        monkeypatch.setattr(timezone, "now", lambda: today + timedelta(days=3 * NIGHTS))
        assert any("not verified for 7 nights" in problem for problem in health()["problems"])

    def test_health_says_what_a_night_found_until_it_is_gone(self, board, client):
        with behind_its_back() as forge:
            forge("UPDATE leaderboards_analysis SET headline = '{}'")
            named()
            found = client.get("/-/health/").json()
            assert found["verification"]["found"] > 0
            assert any("see manage.py verify" in problem for problem in found["problems"])
        told()
        assert client.get("/-/health/").json()["verification"]["found"] == 0


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE results_result SET notes = 'x' WHERE id = {last}",
         ["result {last}: changed since it was sealed with entry {entry} on "]),
        ("UPDATE results_result SET recorded_by_id = {entry} WHERE id = {other}",
         ["result {other}: changed or added since it was sealed with entry {entry} on ",
          "all results of entry {others}: gone; sealed on "]),
        ("UPDATE results_result SET recorded_by_id = {alone} WHERE id = {last}",
         ["1 results of entry {entry}: gone; sealed on ", "result {last}: added behind entry {alone}"]),
        ("DELETE FROM results_result WHERE recorded_by_id = {entry} AND id < {last}",
         ["2 results of entry {entry}: gone; sealed on "]),
        ("DELETE FROM results_result WHERE recorded_by_id = {entry}",
         ["all results of entry {entry}: gone; sealed on "]),
        ("UPDATE journal_seal SET salt = 'x' WHERE kind = 'result' AND subject = '{entry}'",
         ["results of entry {entry}: in another order than sealed on "]),
        ("UPDATE journal_entry SET reason = 'Because.', subject_id = '7' WHERE id = {entry}",
         ["entry {entry}: subject_id and reason changed since it was sealed on "]),
        ("UPDATE journal_seal SET salt = 'x' WHERE kind = 'entry' AND subject = '{entry}'",
         ["entry {entry}: something in it changed since it was sealed on "]),
        ("UPDATE journal_entry SET reason = 'Because.'",
         [f"entry {{{name}}}: reason changed since it was sealed on " for name in ("entry", "others", "alone")]),
        ("DELETE FROM journal_seal WHERE id = 2", ["seal 2: gone"]),
        ("DELETE FROM journal_seal WHERE id IN (2, 3)", ["seals 2 to 3: gone"]),
        ("UPDATE journal_seal SET head = 'x' WHERE id = 5",
         ["seal 5: changed, as the chain of seals does not come out"]),
    ],
)  # fmt: skip
def test_what_differs_from_its_seal_is_named_row_by_row_and_what_is_gone_is_counted(statement, said):
    *_, last = make_results(make_leaderboard(), [0.3, 0.2, 0.1])
    other, alone = make_result(), make_entry()
    seal_new()
    names = {"last": last.pk, "other": other.pk, "alone": alone.pk}
    names |= {"entry": last.recorded_by_id, "others": other.recorded_by_id}
    with behind_its_back() as forge:
        forge(statement.format(**names))
        found = check_seals(Share())
        assert found.n == Entry.objects.count() + Result.objects.count()
    day = f"{timezone.now():%Y-%m-%d}"
    assert [problem.partition(day)[0] for problem in found.problems] == [one.format(**names) for one in said]


def test_every_row_is_sealed_once_after_what_was_sealed_before():
    scored, *_ = make_results(board := make_leaderboard(), [0.3, 0.2])
    make_topics(board.collection, ["301"])
    scores = make_topic_scores(scored, [0.3])
    entry, other = scored.recorded_by, make_entry()
    assert seal("entry", [entry.pk, other.pk]) == 3
    assert (seal("entry", [entry.pk, other.pk]), seal_new(), seal_new()) == (0, 1, 0)
    sealed = Seal.objects.order_by("pk").values_list("pk", "kind", "subject")
    assert list(sealed) == [
        (1, "entry", str(entry.pk)), (2, "entry", str(other.pk)), (3, "result", str(entry.pk)),
        (4, "topic scores", str(scores.pk)),
    ]  # fmt: skip
    assert [len(one.salt) for one in Seal.objects.all()] == [32] * 4
    # A checksum of four bytes for the id and each column, for each row of what is sealed together.
    assert [len(one.parts) // 4 for one in Seal.objects.order_by("pk")] == [9, 9, 2, 4]


def test_whoever_writes_is_not_told_that_sealing_failed(django_capture_on_commit_callbacks, caplog):
    with django_capture_on_commit_callbacks(execute=True) as called:
        seal_after_commit("no kind", [1])
        seal_after_commit("no kind", [])
    assert len(called) == 1
    assert "no kind" in caplog.text


@pytest.mark.parametrize("text", ["12:abc", "0:" + 64 * "a", "12:" + 64 * "A", "12:" + 65 * "a", "x12:" + 64 * "a"])
def test_a_head_that_is_none_is_refused(text):
    with pytest.raises(CommandError, match="is no head; write its place, a colon and the 64 digits"):
        call_command("verify", "--head", text)


def test_the_command_says_what_a_head_is_and_where_it_is_given():
    parser = load_command_class("registry.journal", "verify").create_parser("manage.py", "verify")
    text = " ".join(parser.format_help().split())
    assert (
        "--head PLACE:HEAD a head of the chain of seals that was seen earlier, as health and manifests of dumps" in text
    )


def test_heads_that_were_seen_earlier_are_looked_for_at_their_places(only_seals):
    make_entry()
    seal_new()
    place, head = last_head()
    out = StringIO()
    with pytest.raises(CommandError, match="not what was recorded"):
        call_command("verify", "--head", f"{place}:{head}", "--head", f"10:{64 * 'a'}", stdout=out)
    gone = f"seal 10: its head was {16 * 'a'}…, as you give it; there is no such seal any more\n"
    assert out.getvalue().count(gone) == out.getvalue().count("its head was") == 1
    assert out.getvalue().endswith("processor time, 1 problem\n")


def test_what_several_shares_remember_of_the_chain_is_told_once_and_that_there_was_none_is_nothing_to_remember():
    make_entry()
    seal_new()
    today = timezone.now().date()
    heads = [(9, "b" * 64), (0, ""), (1, "a" * 64), (1, "a" * 64), last_head()]
    VerifiedShare.objects.bulk_create(
        VerifiedShare(number=number, due_on=today, n_seals=place, head=head)
        for number, (place, head) in enumerate(heads)
    )
    whose = "when the record was last verified"
    assert check_seals(Share()).problems == [
        f"seal 1: its head was {'a' * 16}…, {whose}; it is {last_head()[1][:16]}… now: the chain was made anew",
        f"seal 9: its head was {'b' * 16}…, {whose}; there is no such seal any more",
    ]


def test_what_is_not_sealed_is_no_problem_and_a_seal_of_something_else_by_its_number_is_none_of_its_own():
    result = make_result()
    subject = str(result.recorded_by_id)
    place, head = last_head()
    Seal.objects.create(
        pk=place + 1, kind="made up", subject=subject, salt="", digest="d", parts=b"",
        head=head_after(head, place + 1, "made up", subject, "d"),
    )  # fmt: skip
    found = check_seals(Share())
    assert (found.problems, found.n) == ([], 2)
    assert seal("entry", [result.recorded_by_id]) == 2
    assert check_seals(Share()).problems == []


def test_on_postgresql_whoever_seals_waits_for_others_first(monkeypatch: pytest.MonkeyPatch):
    entry, said = make_entry(), []

    @contextmanager
    def cursor() -> Iterator[Any]:
        yield SimpleNamespace(execute=lambda *asked: said.append((*asked, Seal.objects.count())))

    monkeypatch.setattr("registry.journal.sealing.connection", SimpleNamespace(vendor="postgresql", cursor=cursor))
    assert seal("entry", [entry.pk]) == 1
    assert said == [("SELECT pg_advisory_xact_lock(%s)", [0x5EA1], 0)]
    monkeypatch.setattr("registry.journal.sealing.connection", SimpleNamespace(vendor="sqlite"))
    assert seal("entry", [make_entry().pk]) == 1


def test_what_was_not_sealed_yet_is_sealed_in_the_order_of_its_keys(monkeypatch: pytest.MonkeyPatch):
    board = make_leaderboard()
    monkeypatch.setattr("registry.journal.sealing._AT_ONCE", 2)
    for key in ("c", "a", "d", "b", "e"):
        Snapshot.objects.create(pk=key, leaderboard=board, content="{}")
    assert seal_new() == 5
    assert list(Seal.objects.order_by("pk").values_list("subject", flat=True)) == ["a", "b", "c", "d", "e"]


def test_every_key_is_in_one_share():
    shares = [Share(number, NIGHTS) for number in range(NIGHTS)]
    found = [[share.number for share in shares if share.takes(key)] for key in range(100)]
    assert {len(one) for one in found} == {1}
    assert {number for (number,) in found} == set(range(NIGHTS))
    assert all(Share().takes(key) for key in range(100))


def test_what_verifies_everything_leaves_a_share_due_on_each_of_the_next_nights(only_seals):
    make_entry()
    seal_new()
    assert [(one.words, one.report.n, 0 <= one.seconds < 1) for one in verify()] == [("sealed row", 1, True)]
    today = timezone.now().date()
    kept = list(VerifiedShare.objects.order_by("number").values_list("number", "due_on", "n_seals", "head"))
    assert kept == [(number, today + timedelta(days=number + 1), *last_head()) for number in range(NIGHTS)]
    list(verify(Share(0, NIGHTS)))
    share = VerifiedShare.objects.get(number=0)
    assert (share.due_on, share.problems) == (today + timedelta(days=NIGHTS), [])


def test_how_verifying_stands_is_told_of_the_oldest_share_and_of_all_problems_once():
    now = timezone.now()
    assert read_verifying_state() == VerifyingState(None, (), False, 0, "")
    for number in range(NIGHTS):
        assert read_verifying_state().last_full is None
        VerifiedShare.objects.create(
            number=number,
            due_on=now.date() - timedelta(days=number + 1),
            checked_at=now - timedelta(days=number),
            problems=["a: gone", "b: gone"][: number + 1],
        )
    state = read_verifying_state()
    assert (state.last_full, state.found) == (now - timedelta(days=NIGHTS - 1), ("a: gone", "b: gone"))
    assert state.problems == ("not what was recorded: 2 things; see manage.py verify",)
    VerifiedShare.objects.update(problems=[], due_on=now.date() - timedelta(days=NIGHTS + 1))
    assert read_verifying_state().problems == (
        "the record was not verified for 7 nights or more; see manage.py verify",
    )
