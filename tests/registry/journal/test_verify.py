"""manage.py verify: what was changed behind the database's back is named by its kind; an honest record passes."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone

from registry.catalog.models import Leaderboard
from registry.core.jobs import ROUTINES
from registry.dumps.services import export_dump
from registry.journal.models import Entry, Seal, VerifiedShare
from registry.journal.sealing import last_head, seal_new
from registry.journal.services import note_writes, record
from registry.journal.verifying import NIGHTS, Share, verify_when_due
from registry.leaderboards.models import Analysis, Snapshot
from registry.results.models import Result, TopicScores
from registry.results.services.endings import supersede_result, withdraw_result
from tests.registry.factory import make_entry, make_topic_scores, make_topics, make_user
from tests.registry.keeping import kept_on_record
from tests.registry.leaderboards.boards import analyse_again, make_board, make_run


@contextmanager
def behind_its_back() -> Iterator[Callable[..., None]]:
    """Run statements that no trigger stops; the triggers are there again afterwards, and all of it is taken back."""
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


def verify() -> str:
    out = StringIO()
    call_command("verify", stdout=out)
    return out.getvalue()


def named() -> str:
    out = StringIO()
    with pytest.raises(CommandError, match="not what was recorded"):
        call_command("verify", stdout=out)
    return out.getvalue()


def make_sealed() -> None:
    """Make a leaderboard with its analysis, a corrected result and a withdrawn one, all of it sealed."""
    board = make_board(n_topics=30)
    editor = make_user(is_editor=True)
    best, second, *_, last = Result.objects.order_by("pk")
    in_percent = make_run(board, "14.50", unit="percent")
    make_topics(board.collection, [str(topic) for topic in range(30)])
    make_topic_scores(second, [second.value] * 30)
    supersede_result(result=best, changes={"printed": "0.33"}, actor=editor, reason="A slip of the pen.")
    for wrong in (in_percent, last):
        withdraw_result(result=wrong, actor=editor, reason="Of another collection.")
    analyse_again(board)
    seal_new()


@pytest.fixture(scope="class")
def sealed(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    with kept_on_record(django_db_blocker, make_sealed):
        yield


@pytest.fixture
def board(sealed: None) -> Leaderboard:
    return Leaderboard.objects.get()


#: What is done behind the back of the site, and how it is named; ``{withdrawn}`` is a result.
FORGERIES = [
    ("UPDATE results_result SET ending = '', ended_by_id = NULL, ended_at = NULL WHERE id = {withdrawn}",
     "result {withdrawn}: changed, and no entry says so; sealed with entry "),
    ("DELETE FROM results_result WHERE id = {withdrawn}", "result {withdrawn}: gone, and no entry says so; sealed"),
    ("UPDATE leaderboards_snapshot SET content = replace(content, '0.31', '0.39')",
     "snapshot {snapshot}: the content does not have this id: it was changed"),
    ("UPDATE leaderboards_snapshot SET created_at = '2024-01-01 00:00:00'",
     "snapshot {snapshot}: changed, and no entry says so; sealed on "),
    ("UPDATE journal_entry SET reason = 'It was wrong.' WHERE id = {entry}",
     "entry {entry}: changed, and no entry says so; sealed with entry "),
    ("UPDATE journal_seal SET salt = 'other' WHERE id = 3", "seal 3: changed, as what it says of its rows"),
    ("DELETE FROM journal_seal WHERE id = 2", "seal 2: gone"),
    ("UPDATE journal_seal SET digest = head WHERE id = 2", "seal 2: changed, as the chain"),
]  # fmt: skip


class TestSealed:
    def test_an_honest_record_passes_and_says_what_it_took(self, board):
        started = time.process_time()
        lines = verify().splitlines()
        took = time.process_time() - started
        n_sealed = [model.objects.count() for model in (Entry, Result, TopicScores, Snapshot)]
        assert lines[0].split()[1:3] == ["sealed", "rows"]
        assert int(lines[0].split()[0]) > sum(n_sealed)
        assert sum(float(line.split()[-2]) for line in lines[:-1]) < took + 0.05 * len(lines)
        assert float(lines[-1].split()[3]) < took + 0.05
        assert lines[-1].startswith(
            f"{sum(int(line.split()[0].replace(',', '')) for line in lines[:-1]):,} verified in "
        )
        assert lines[-1].endswith(" s of processor time, 0 problems")
        nothing = [line for line in lines[:-1] if line.split()[0] == "0"]
        assert nothing == [line for line in lines if "dumps" in line or "refuted" in line]

    def test_what_is_not_sealed_yet_is_no_problem_and_is_sealed_by_the_routine(self, board):
        n_seals = Seal.objects.count()
        entry = record(action="results.test.made", subject=("test", 1))
        assert "0 problems" in verify()
        assert ROUTINES["journal.seal_new"].step() == 1
        assert Seal.objects.filter(pk=n_seals + 1, kind="entries", subject=str(entry.pk)).exists()
        assert ROUTINES["journal.seal_new"].step() == 0

    def test_an_entry_is_sealed_at_the_commit_with_what_it_recorded(self, board, django_capture_on_commit_callbacks):
        result = Result.objects.standing().order_by("-pk").first()
        with django_capture_on_commit_callbacks(execute=True):
            new = supersede_result(result=result, changes={"notes": "Seen."}, actor=None, reason="Read again.")
        entry = str(new.recorded_by_id)
        assert {seal.kind for seal in Seal.objects.filter(subject=entry)} >= {"entries", "results", "leaderboards"}
        assert seal_new() == 0

    def test_a_deleted_snapshot_that_an_analysis_names_is_named(self, board):
        snapshot = Snapshot.objects.get()
        with behind_its_back() as forge:
            forge("DELETE FROM leaderboards_snapshot WHERE id = %s", snapshot.pk)
            output = named()
        assert f"snapshot {snapshot.pk}: gone, and no entry says so; sealed on " in output
        assert f"analysis {board.pk}: names snapshot {snapshot.pk}, which is gone" in output

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
            output = named()
        assert f"result {result.pk}: changed, and no entry says so; sealed with entry " in output
        assert (f"result {result.pk}: prints 0.30, and counts as 0.35" in output) == ("printed" not in columns)

    def test_a_deleted_entry_is_named(self, board):
        entry = Entry.objects.filter(action="results.result.withdrawn").latest("pk")
        with behind_its_back() as forge:
            forge("DELETE FROM journal_entry WHERE id = %s", entry.pk)
            output = named()
        assert f"entry {entry.pk}: gone, and no entry says so; sealed with entry " in output
        assert f"result {entry.subject_id}: names ended by {entry.pk}, which is gone" in output

    def test_other_forgeries_are_named_too(self, board, subtests):
        result = Result.objects.get(ending="withdrawn", unit="")
        names = {"withdrawn": result.pk, "snapshot": Snapshot.objects.get().pk, "entry": result.ended_by_id}
        for statement, message in FORGERIES:
            with subtests.test(statement), behind_its_back() as forge:
                forge(statement.format(**names))
                assert message.format(**names) in named()

    def test_a_chain_that_was_made_anew_is_seen_by_whoever_remembers_its_head(self, board, settings, tmp_path):
        settings.DUMPS = tmp_path / "dumps"
        dump = export_dump()
        assert "1 head that a dump remembers" in verify()
        place, head = last_head()
        assert (dump.n_seals, dump.head) == (place, head)
        with behind_its_back() as forge:
            forge("UPDATE journal_entry SET reason = 'Made up.' WHERE action = 'results.result.withdrawn'")
            with connection.cursor() as cursor:
                if connection.vendor == "sqlite":
                    cursor.execute("DROP TRIGGER journal_seal_no_delete")
                cursor.execute("DELETE FROM journal_seal")
                if connection.vendor == "postgresql":
                    cursor.execute("SET LOCAL session_replication_role = origin")
            note_writes()
            output = named()
            for whose in ("when the record was last verified", f"when dump {dump.name} was made"):
                now = f"it is {last_head()[1][:16]}… now: the chain was made anew"
                assert output.count(f"seal {place}: its head was {head[:16]}…, {whose}; {now}\n") == 1
            VerifiedShare.objects.all().delete()
            shutil.rmtree(settings.DUMPS)
            assert "0 problems" in verify()
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
        verification = health()["verification"]
        place, head = last_head()
        first = (today + timedelta(days=1)).isoformat()
        assert verification == {"last_full_check": first, "nights": NIGHTS, "found": 0, "seals": place, "head": head}
        monkeypatch.setattr(timezone, "now", lambda: today + timedelta(days=3 * NIGHTS))
        assert any("not verified for 7 nights" in problem for problem in health()["problems"])

    def test_health_says_what_a_night_found_until_it_is_gone(self, board, client):
        with behind_its_back() as forge:
            forge("UPDATE leaderboards_analysis SET headline = '{}'")
            named()
            answer = client.get("/-/health/").json()
            assert answer["verification"]["found"] > 0
            assert any("see manage.py verify" in problem for problem in answer["problems"])
        verify()
        assert client.get("/-/health/").json()["verification"]["found"] == 0


def test_heads_that_were_seen_earlier_are_looked_for_at_their_places():
    make_entry()
    seal_new()
    place, head = last_head()
    out = StringIO()
    with pytest.raises(CommandError, match="not what was recorded"):
        call_command("verify", "--head", f"{place}:{head}", "--head", f"10:{64 * 'a'}", stdout=out)
    gone = f"seal 10: its head was {16 * 'a'}…, as you give it; there is no such seal any more\n"
    assert out.getvalue().count(gone) == out.getvalue().count("its head was") == 1
    assert out.getvalue().endswith("processor time, 1 problem\n")


def test_every_key_is_in_one_share():
    shares = [Share(number, NIGHTS) for number in range(NIGHTS)]
    shares_by_key = [[share.number for share in shares if share.takes(key)] for key in range(100)]
    assert {len(numbers) for numbers in shares_by_key} == {1}
    assert {number for (number,) in shares_by_key} == set(range(NIGHTS))
    assert all(Share().takes(key) for key in range(100))
