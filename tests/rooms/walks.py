"""The walks: each prepares what is on record, and is then asked for something, from the request to what was found."""

from collections.abc import Callable

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from registry.core.kept import kept_answers
from registry.core.models import Job
from registry.core.services import run_job
from registry.results.models import Result
from registry.runs.models import Upload
from registry.submissions.models import Submission
from tests.registry.factory import make_user
from tests.registry.leaderboards.boards import analysed, make_board
from tests.registry.runs.world import make_judged, run_of, signed_in
from tests.registry.submissions.world import make_robust04, row

Walk = Callable[[], None]


def a_submitted_score() -> Walk:
    """A score that is typed into the form, submitted, and published by an editor."""
    make_robust04()
    contributor, editor = signed_in(make_user()), signed_in(make_user(is_editor=True))

    def walk() -> None:
        contributor.post("/submit/", row() | {"step": "check"})
        contributor.post(f"{Submission.objects.get().get_absolute_url()}submit/", {"version": 1})
        page = f"/moderation/{Submission.objects.get().pk}/"
        editor.post(f"{page}start/", {"version": Submission.objects.get().version})
        decision = {"decision": "publish", "reason": "", "version": Submission.objects.get().version}
        editor.post(page, decision)
        assert Result.objects.standing().count() == 1

    return walk


def a_board() -> Walk:
    """The page of a leaderboard of which a snapshot stands, and nothing is kept."""
    board = analysed(make_board())

    def walk() -> None:
        kept_answers.clear()
        assert Client().get(board.get_absolute_url()).status_code == 200

    return walk


def an_uploaded_run() -> Walk:
    """A run that is sent, scored by a worker, and looked at."""
    collection = make_judged()
    sender = signed_in(make_user())

    def walk() -> None:
        run = SimpleUploadedFile("mine.run", run_of("good", "fair", "bad"))
        sender.post("/runs/", {"kind": "run", "collection": collection.slug, "name": "mine", "file": run})
        # However slow the machine is, no lease is renewed on the way.
        with override_settings(PLUMBLINE_JOB_LEASE_SECONDS=3600):
            for job in Job.objects.filter(state=Job.State.QUEUED):
                run_job(str(job.pk))
        upload = Upload.objects.get()
        assert sender.get(upload.get_absolute_url()).status_code == 200

    return walk


WALKS: tuple[Callable[[], Walk], ...] = (a_submitted_score, a_board, an_uploaded_run)
