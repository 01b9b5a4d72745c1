"""What workers do: check long tables, in parts that survive a crash."""

from datetime import timedelta

import pytest
from django.utils import timezone

from registry.core.models import Job
from registry.core.services import run_job
from registry.submissions.models import Submission
from registry.submissions.services import changing, drafting
from registry.submissions.services.changing import check_submission
from registry.submissions.services.drafting import update_row
from tests.registry.core.lab import until
from tests.registry.factory import make_result, make_system
from tests.registry.submissions.world import make_robust04, make_submission, outcomes, row

pytestmark = pytest.mark.django_db


@pytest.fixture
def long_table(monkeypatch) -> Submission:
    """Six rows, two of them bad and one with a signal, that a job has to check in parts of two."""
    board = make_robust04()
    make_result(board, make_system("d"), "0.2", source="elsewhere")
    monkeypatch.setattr(drafting, "MAX_ROWS_AT_ONCE", 5)
    monkeypatch.setattr(changing, "_BATCH", 2)
    names = ["a", "b", "c", "d", "e", "a"]
    return make_submission(rows=[row(system=name) for name in names[:-1]] + [row(value="NaN")], way="table")


class Killed(BaseException):
    """What no code of ours may catch."""


def found(submission: Submission) -> list[tuple[str, int]]:
    """What is known of each row: its outcome and the number of its signals."""
    return [(one.outcome, one.signals.count()) for one in submission.rows.order_by("line")]


ALL = [("new", 0)] * 3 + [("new", 1), ("new", 0), ("refused", 0)]


def test_a_long_table_is_checked_by_a_job(long_table):
    assert found(long_table) == [("", 0)] * 6
    run_job(str(Job.objects.get().pk))
    assert found(long_table) == ALL
    assert Job.objects.get().state == "done"


def test_a_check_that_was_interrupted_goes_on_and_doubles_nothing(long_table, monkeypatch):
    n_saved = 0

    def save_and_die(*args):
        nonlocal n_saved
        n_saved += 1
        if n_saved == 3:
            raise Killed
        save(*args)

    save = changing.save_signals
    monkeypatch.setattr(changing, "save_signals", save_and_die)
    with pytest.raises(Killed):
        run_job(str(Job.objects.get().pk))
    # The refused row, then two more: each part is whole.
    assert found(long_table) == [("new", 0), ("new", 0), ("", 0), ("", 0), ("", 0), ("refused", 0)]
    monkeypatch.setattr(changing, "save_signals", save)
    Job.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    run_job(str(Job.objects.get().pk))
    assert found(long_table) == ALL
    assert Job.objects.get().state == "done"


def test_a_check_that_runs_once_more_touches_no_row_that_was_edited_meanwhile(long_table):
    check_submission(str(long_table.pk))
    changed = update_row(submission=long_table, line=6, cells=row(system="f"), version=1, actor=long_table.contributor)
    check_submission(str(long_table.pk))
    assert outcomes(changed) == ["new"] * 6


LONG_TABLE = """
from registry.accounts.models import User
from registry.submissions.services.drafting import create_submission
from registry.submissions.services import drafting
from tests.registry.submissions.world import make_robust04, row

make_robust04()
person = User.objects.create_user("contributor")
rows = [row(system=f"system {number}") for number in range(drafting.MAX_ROWS_AT_ONCE + 500)]
create_submission(contributor=person, way="table", rows=rows)
"""
UNCHECKED = "SELECT count(*) FROM submissions_submittedrow WHERE outcome = ''"


@pytest.mark.slow
def test_a_worker_that_is_killed_at_work_leaves_nothing_undone(lab):
    lab.environment |= {"LAB_JOB_LEASE_SECONDS": "10", "LAB_JOB_MAX_ATTEMPTS": "5"}
    lab.run("manage.py", "shell", "-v0", "-c", LONG_TABLE)
    ((n_rows,),) = lab.query(UNCHECKED)
    assert n_rows == drafting.MAX_ROWS_AT_ONCE + 500
    worker = lab.start_worker("registry")
    until(lambda: lab.query(UNCHECKED) < [(n_rows,)], 60, "a part of the table is checked")
    lab.kill(worker)
    lab.start_worker("registry")
    until(lambda: lab.query("SELECT state FROM core_job") == [("done",)], 90, "the check is done")
    assert lab.query("SELECT outcome, count(*) FROM submissions_submittedrow GROUP BY outcome") == [("new", n_rows)]
