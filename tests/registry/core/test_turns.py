"""Large jobs take turns, so that a processor is left for whoever reads."""

import os
from dataclasses import replace

import pytest
from celery import current_app

from registry.core import jobs
from registry.core.jobs import Kind, Place
from registry.core.models import Job
from registry.core.services import enqueue_jobs, hurry_jobs, run_job, run_next_job

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def two_processors(monkeypatch, settings, tmp_path):
    settings.HOME = tmp_path
    monkeypatch.setattr(os, "cpu_count", lambda: 2)


@pytest.fixture
def done(monkeypatch):
    numbers: list[int] = []
    for name, options in (
        ("small", {}),
        ("large", {"large": True}),
        ("awaited", {"awaited": True}),
        ("long", {"large": True, "awaited": True}),
    ):
        kind = Kind(f"test.{name}", lambda number: numbers.append(number), **options)
        monkeypatch.setitem(jobs.KINDS, kind.name, kind)
    return numbers


@pytest.fixture
def woken(monkeypatch, settings):
    sent: list[int] = []
    settings.REDIS_URL = settings.REDIS_URL or "redis://somewhere/0"
    monkeypatch.setattr(
        current_app, "send_task", lambda name, args, **_: sent.append(Job.objects.get(pk=args[0]).args["number"])
    )
    return sent


def add(kind: str, number: int) -> str:
    enqueue_jobs(kind=kind, args=[{"number": number}])
    return str(Job.objects.get(kind=kind, args__number=number).pk)


def test_while_one_has_the_turn_others_stay_queued_and_small_ones_are_done(done):
    large, small = add("test.large", 1), add("test.small", 2)
    with jobs.turn() as is_ours:
        assert is_ours
        assert not run_job(large)
        assert run_job(small)
    assert done == [2]
    assert Job.objects.get(pk=large).state == "queued"
    assert run_job(large)
    assert done == [2, 1]


def test_whoever_had_a_turn_wakes_a_worker_up_for_the_oldest_that_waits(done, woken):
    first = add("test.large", 1)
    add("test.small", 2)
    add("test.large", 3)
    add("test.large", 4)
    assert run_job(first)
    assert woken == [3]


def test_a_turn_is_over_when_its_work_failed(done, monkeypatch):
    def fail(number: int) -> None:
        raise LookupError(number)

    monkeypatch.setitem(jobs.KINDS, "test.large", Kind("test.large", fail, large=True))
    assert not run_job(add("test.large", 1))
    with jobs.turn() as is_ours:
        assert is_ours


@pytest.mark.parametrize(("processors", "n_turns"), [(None, 1), (1, 1), (2, 1), (4, 3)])
def test_one_processor_is_left_for_readers_where_there_are_several(monkeypatch, tmp_path, processors, n_turns):
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    held = [jobs.turn() for _ in range(n_turns + 1)]
    assert [turn.__enter__() for turn in held] == [True] * n_turns + [False]
    files = sorted(tmp_path.iterdir())
    assert [path.name for path in files] == [f"turn-{number}.lock" for number in range(n_turns)]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    for turn in held:
        turn.__exit__(None, None, None)


def test_who_asks_for_work_passes_over_what_has_no_turn(done):
    add("test.large", 1)
    add("test.small", 2)
    add("test.large", 3)
    with jobs.turn():
        assert run_next_job()
        assert not run_next_job()
    assert done == [2]
    assert [run_next_job() for _ in range(3)] == [True, True, False]
    assert done == [2, 1, 3]


def test_what_somebody_waits_for_goes_before_what_waits_longer(done):
    add("test.small", 1)
    add("test.long", 2)
    add("test.awaited", 3)
    with jobs.turn():
        assert run_next_job()
    assert done == [3]
    assert [run_next_job() for _ in range(3)] == [True, True, False]
    assert done == [3, 2, 1]


@pytest.mark.parametrize("awaited", ["test.awaited", "test.long"])
def test_a_place_that_is_kept_does_nothing_but_what_somebody_waits_for(done, awaited):
    add("test.small", 1)
    add("test.large", 2)
    assert not run_next_job(Place.KEPT)
    add(awaited, 3)
    # All turns of the other places are taken by what nobody waits for.
    with jobs.turn():
        assert run_next_job(Place.KEPT)
    assert done == [3]
    assert not run_next_job(Place.KEPT)


def test_what_somebody_sent_is_begun_before_what_somebody_looks_at(done):
    add("test.small", 1)
    add("test.small", 2)
    hurry_jobs([("test.small", {"number": number}) for number in (1, 2)])
    add("test.awaited", 3)
    # One of the places that are kept is at what somebody looks at, and no other begins more of that.
    with jobs.turn(Place.KEPT):
        assert [run_next_job(Place.KEPT) for _ in range(2)] == [True, False]
    assert done == [3]
    add("test.awaited", 4)
    assert [run_next_job() for _ in range(3)] == [True] * 3
    assert done == [3, 4, 1, 2]


def test_of_the_places_that_are_kept_one_at_most_is_at_a_large_job(done):
    add("test.long", 1)
    add("test.awaited", 2)
    with jobs.turn(Place.KEPT):
        assert run_next_job(Place.KEPT)
        assert not run_next_job(Place.KEPT)
    assert done == [2]


def test_figures_of_papers_leave_a_process_for_what_somebody_waits_for(done, monkeypatch):
    drawing = jobs.KINDS["reproductions.redraw_figures"]
    monkeypatch.setitem(jobs.KINDS, drawing.name, replace(drawing, step=lambda number: done.append(number), save=None))
    add(drawing.name, 1)
    with jobs.turn():
        assert not run_next_job()
    assert run_next_job()
