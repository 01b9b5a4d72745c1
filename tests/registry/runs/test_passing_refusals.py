"""What is refused for what it cost on that day is tried again; what is wrong with the content stays refused."""

import sys
from contextlib import contextmanager

import pytest

from registry.core.models import Job
from registry.core.services import run_job
from registry.runs.services.studying import ask_for_study
from registry.runs.services.uploading import hand_in
from tests.registry.factory import make_user
from tests.registry.runs.world import make_judged, run_of, score, work


@pytest.fixture
def ended_by(monkeypatch, tmp_path):
    """Has whoever reads runs ended by a signal."""

    @contextmanager
    def end(signal):
        reader = tmp_path / "reader"
        reader.write_text(f"#!/bin/sh\nkill -{signal} $$\n")
        reader.chmod(0o700)
        with monkeypatch.context() as ending:
            ending.setattr(sys, "executable", str(reader))
            yield

    return end


def test_the_same_bytes_are_tried_again_only_where_the_machine_refused_them(ended_by):
    collection = make_judged()
    with ended_by("XCPU"):
        first = score(run_of("good"), collection)
    assert (first.work.state, first.work.refusal[:34]) == ("refused", "Reading it takes more than 90 seco")
    again = score(run_of("good"), collection)
    assert (again.work_id, again.work.state) == (first.work_id, "done")
    for state in ("waiting", "refused"):
        upload = hand_in(owner=make_user(), name="mine", collection=collection, content=b"1 Q0")
        upload.work.refresh_from_db()
        assert upload.work.state == state
        work()


def test_a_higher_limit_asks_anew(settings):
    settings.PLUMBLINE_RUN_LINES = 5
    collection = make_judged()
    assert "5 lines" in score(run_of("good"), collection).work.refusal
    settings.PLUMBLINE_RUN_LINES = 500
    assert score(run_of("good"), collection).work.state == "done"


def test_a_child_that_somebody_kills_says_nothing_of_the_content(ended_by):
    upload = hand_in(owner=make_user(), name="mine", collection=make_judged(), content=run_of("good"))
    job = Job.objects.get(kind="runs.score")
    with ended_by("KILL"):
        assert not run_job(str(job.pk))
    upload.work.refresh_from_db()
    assert upload.work.state == "waiting"
    Job.objects.update(state="failed")
    # Given up in the end; whoever sends the same has it done.
    again = score(run_of("good"), upload.collection)
    assert (again.work_id, again.work.state) == (upload.work_id, "done")


def test_a_study_that_met_an_obstacle_is_tried_again_when_it_is_asked_for_again():
    upload = score(run_of("good"))
    board = upload.collection.leaderboards.get(measure__name="AP")

    def ask():
        return ask_for_study(upload=upload, others=[], leaderboard=board, is_alone=True)

    study = ask()
    type(study).objects.update(state="done", obstacle="it took too long")
    Job.objects.filter(kind="runs.study").update(state="done")
    assert ask().state == "waiting"
    work()
    study.refresh_from_db()
    assert (study.state, study.obstacle) != ("done", "it took too long")
