"""How far a large request is, for its page and for programs."""

from dataclasses import dataclass
from typing import Annotated, Literal

from typing_extensions import TypedDict

from registry.accounts.models import Errand
from registry.core.documents import Moment, Uuid, document_of
from registry.core.models import Job
from registry.core.queries import read_workload

ErrandState = Literal["held", "queued", "running", "failed"]

#: Jobs that wait are stored under it.
RUN_ERRAND = "submissions.run_errand"


@dataclass(frozen=True, slots=True)
class Progress:
    """Whether somebody is at it, and what somebody who waits should know; blank while all is well."""

    state: ErrandState
    message: str = ""

    @property
    def is_failed(self) -> bool:
        return self.state == "failed"


def arguments_of(errand: Errand) -> dict[str, str]:
    """The arguments of the job that is to answer it."""
    return {"errand_id": str(errand.pk)}


def job_of(errand: Errand) -> Job | None:
    """The newest job that is to answer it, or did; None while it waits for its visitor."""
    key = Job.key_for(RUN_ERRAND, arguments_of(errand))
    return Job.objects.filter(key=key).order_by("-created_at").first()


def read_errand_progress(errand: Errand) -> Progress:
    """How far an errand is that is not answered yet."""
    job = job_of(errand)
    if job is None:
        return Progress("held")
    if job.state == Job.State.FAILED:
        return Progress("failed", "It failed. Start it again; if it fails again, tell whoever runs this site.")
    if not read_workload().is_worker_alive:
        return Progress("queued", "Nobody is at work on it just now. It is kept, and done as soon as a worker is back.")
    return Progress("running" if job.state == Job.State.RUNNING else "queued")


class ErrandAnswer(TypedDict):
    """A large request that a worker answers."""

    id: Uuid
    url: Annotated[str, "Where its answer will be, as it would have come at once."]
    state: ErrandState
    message: Annotated[str, "What somebody who waits should know; blank while all is well."]
    created: Moment


def errand_document(errand: Errand, address: str) -> ErrandAnswer:
    """A large request that is not answered yet; its answer will be at ``address``."""
    created = errand.created_at.isoformat(timespec="seconds")
    return document_of(ErrandAnswer, read_errand_progress(errand), id=str(errand.pk), url=address, created=created)
