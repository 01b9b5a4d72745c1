"""The state of the site, for the health page and for Prometheus: background work, pages, what apps above tell."""

import logging
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any
from urllib.parse import unquote

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.handlers.exception import convert_exception_to_response
from django.core.handlers.wsgi import WSGIRequest
from django.db import DatabaseError, InterfaceError
from django.db.models import Count, Min
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.template.response import SimpleTemplateResponse
from django.urls import resolve
from prometheus_client import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from registry.core.metrics import counted, read_memory
from registry.core.models import Heartbeat, Job, RoutineState

logger = logging.getLogger(__name__)

#: So many failures of a routine in a row are a problem.
_FAILURES_TOLD = 3


@dataclass(frozen=True, slots=True)
class Workload:
    """Numbers of jobs, how long the oldest waits, when a worker was last seen, and failures of routines in a row.

    Ages are in seconds.
    """

    n_queued: int
    n_running: int
    n_failed: int
    oldest_queued_age: float | None
    heartbeat_age: float | None
    failing: tuple[tuple[str, int], ...] = ()
    #: The age of the oldest job that somebody waits for.
    oldest_awaited_age: float | None = None

    @property
    def is_worker_alive(self) -> bool:
        """Return whether a worker was seen lately: it gives a sign with every sweep, and where it renews a lease."""
        patience = max(30, 3 * settings.PLUMBLINE_SWEEP_SECONDS, settings.PLUMBLINE_JOB_LEASE_SECONDS / 2)
        return self.heartbeat_age is not None and self.heartbeat_age <= patience

    @property
    def problems(self) -> tuple[str, ...]:
        """Return what an operator should look at, in words; empty when all is well."""
        problems = []
        if not self.is_worker_alive:
            seen = "was never seen" if self.heartbeat_age is None else f"was last seen {self.heartbeat_age:.0f} s ago"
            problems.append(f"no worker is running: one {seen}")
        if self.n_failed:
            problems.append(f"failed jobs: {self.n_failed}; see manage.py jobs")
        for name, times in self.failing:
            problems.append(f"the routine {name} failed {times} times in a row; see manage.py jobs")
        return tuple(problems)


def read_workload() -> Workload:
    """Return the state of background work now, by the database's clock."""
    counts = dict(
        Job.objects.filter(state__in=["queued", "running", "failed"]).values_list("state").annotate(Count("pk"))
    )
    queued = Job.objects.filter(state=Job.State.QUEUED)
    since = queued.aggregate(now=Min(Now()), oldest=Min("created_at"), awaited=Min("awaited_at"))
    heartbeat = Heartbeat.objects.filter(name=Heartbeat.WORKER).annotate(now=Now())
    return Workload(
        n_queued=counts.get("queued", 0),
        n_running=counts.get("running", 0),
        n_failed=counts.get("failed", 0),
        oldest_queued_age=_age((since["now"], since["oldest"])),
        heartbeat_age=_age(heartbeat.values_list("now", "beaten_at").first()),
        oldest_awaited_age=_age((since["now"], since["awaited"])),
        failing=tuple(
            (name, progress.n_failures)
            for name, progress in sorted(read_routines().items())
            if progress.n_failures >= _FAILURES_TOLD
        ),
    )


@dataclass(frozen=True, slots=True)
class RoutineProgress:
    """The state of a routine: whether somebody is at it, how often it failed in a row, and last when."""

    is_running: bool
    n_failures: int
    started_at: datetime | None


def read_routines() -> dict[str, RoutineProgress]:
    """Return the state of every routine by its name; one whose process ended in the middle has failed."""
    rows = RoutineState.objects.annotate(now=Now()).values_list(
        "name", "n_failures", "started_at", "leased_until", "now"
    )
    return {
        name: RoutineProgress(
            is_running=leased_until is not None and leased_until > now,
            n_failures=n_failures + (leased_until is not None and leased_until <= now),
            started_at=started_at,
        )
        for name, n_failures, started_at, leased_until, now in rows
    }


def _age(times: tuple[datetime, datetime | None] | None) -> float | None:
    """Return the seconds between now and then; None where there is no then."""
    return max(0.0, (times[0] - times[1]) / timedelta(seconds=1)) if times and times[1] else None


#: Returns a section of the health page, and what an operator should look at, in words.
Section = Callable[[], tuple[dict[str, Any], Sequence[str]]]

SECTIONS: dict[str, Section] = {}


def register_section(name: str, section: Section) -> None:
    """Add a section to the health page."""
    SECTIONS[name] = section


def exposition() -> bytes:
    """Return all metrics as text."""
    return generate_latest(_Standing())


class _Standing:
    """The state of the site when it is asked."""

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of machine and database; without the database, that it does not answer."""
        yield from counted()
        yield _gauge("disk_free_bytes", "Room below PLUMBLINE_HOME.", shutil.disk_usage(settings.HOME).free)
        yield _by("memory_bytes", "Resident memory of each web process.", "pid", read_memory())
        try:
            measured = [*_of_jobs(), *_of_sections()]
        except (DatabaseError, InterfaceError):
            logger.exception("the database does not answer")
            yield _gauge("database_up", "1 where the database answers.", 0)
        else:
            yield _gauge("database_up", "1 where the database answers.", 1)
            yield from measured


def _of_jobs() -> Iterator[Metric]:
    workload = read_workload()
    states = {"queued": workload.n_queued, "running": workload.n_running, "failed": workload.n_failed}
    yield _by("jobs", "Background jobs that are not done.", "state", states)
    ages = {"yes": workload.oldest_awaited_age, "no": workload.oldest_queued_age}
    yield _by(
        "oldest_job_seconds",
        "How long the oldest job waits to be begun: of those that somebody waits for, and of all; 0 for none.",
        "awaited",
        {awaited: age or 0.0 for awaited, age in ages.items()},
    )
    if workload.heartbeat_age is not None:
        yield _gauge("worker_silent_seconds", "Since a worker was last seen.", workload.heartbeat_age)
    failures = {name: progress.n_failures for name, progress in read_routines().items()}
    yield _by("routine_failures", "How often each routine failed in a row.", "routine", failures)


def _of_sections() -> Iterator[Metric]:
    """Yield what apps tell the health page, as far as it is a number or a time."""
    for section, describe in SECTIONS.items():
        for name, value in describe()[0].items():
            if isinstance(value, int | float):
                yield _gauge(f"{section}_{name}", f"{name} of {section} on the health page.", value)
            elif isinstance(value, str):
                with suppress(ValueError):
                    at = datetime.fromisoformat(value).timestamp()
                    yield _gauge(f"{section}_{name}_timestamp_seconds", f"{name} of {section} on the health page.", at)


def _gauge(name: str, documentation: str, value: float) -> Metric:
    return GaugeMetricFamily(f"plumbline_{name}", documentation, value=value)


def _by(name: str, documentation: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(f"plumbline_{name}", documentation, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


#: Pages that could be read are not tried again for so long: monitors ask more often.
_SECONDS_BETWEEN_TRIES = 60.0
_FAILED = 500

Finder = Callable[[], Iterable[str]]
_FINDERS: list[Finder] = []


def register_pages(find: Finder) -> None:
    """Try the addresses that ``find`` returns: one of each kind of page, of what is cheap to show."""
    if find not in _FINDERS:
        _FINDERS.append(find)


class TriedPages:
    """The last try of one page of each kind."""

    def __init__(self) -> None:
        self._right_until = 0.0

    def failing(self, request: HttpRequest) -> list[str]:
        """Return the addresses that fail, each with its status; after a try without failures, rest for a minute."""
        if time.monotonic() < self._right_until:
            return []
        failing = failing_pages(request)
        if not failing:
            self._right_until = time.monotonic() + _SECONDS_BETWEEN_TRIES
        return failing


def failing_pages(request: HttpRequest) -> list[str]:
    """Ask for one page of each kind, and return the addresses that fail, each with its status.

    They are asked under the name that the request came by, as somebody without an account.
    """
    answers = {path: _ask(path, request) for find in _FINDERS for path in find()}
    return [f"{path} ({response.status_code})" for path, response in answers.items() if response.status_code >= _FAILED]


def _ask(path: str, request: HttpRequest) -> HttpResponse:
    environment = {name: value for name, value in request.META.items() if name.startswith(("SERVER_", "HTTP_HOST"))}
    path_info = unquote(path).encode().decode("latin-1")
    page_request = WSGIRequest(
        {**environment, "REQUEST_METHOD": "GET", "PATH_INFO": path_info, "wsgi.input": BytesIO()}
    )
    page_request.user = AnonymousUser()
    response = convert_exception_to_response(_answer)(page_request)
    assert isinstance(response, HttpResponse)
    return response


def _answer(request: HttpRequest) -> HttpResponse:
    match = resolve(request.path_info)
    response: HttpResponse = match.func(request, *match.args, **match.kwargs)
    return response.render() if isinstance(response, SimpleTemplateResponse) else response
