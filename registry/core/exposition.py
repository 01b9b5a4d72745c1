"""How the site stands, in the format of Prometheus: what its web processes counted, and what the database tells."""

import logging
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from prometheus_client import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from registry.core.metrics import counted, read_memory
from registry.core.queries import SECTIONS, read_routines, read_workload

logger = logging.getLogger(__name__)


def exposition() -> bytes:
    """Return everything as text."""
    return generate_latest(_Standing())


class _Standing:
    """How the site stands when it is asked."""

    def collect(self) -> Iterator[Metric]:
        """Yield what the database tells, and the machine; without the database that it does not answer."""
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
    failures = {name: one.n_failures for name, one in read_routines().items()}
    yield _by("routine_failures", "How often each routine failed in a row.", "routine", failures)


def _of_sections() -> Iterator[Metric]:
    """What apps tell the health page, as far as it is a number or a time."""
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
