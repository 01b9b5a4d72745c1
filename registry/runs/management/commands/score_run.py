"""Score a run, or read a table of topic scores, as the form of the site does."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from analysis.readers.rejections import Refused
from registry.accounts.management.commands.account import find_user
from registry.core.http import TryLater
from registry.core.models import Job
from registry.core.services import run_job
from registry.runs.access import get_upload, may_record
from registry.runs.documents import UploadDocument, upload_document
from registry.runs.forms import MATRIX, RUN, WishesForm
from registry.runs.models import Upload
from registry.runs.pipeline.packing import DECIMALS
from registry.runs.queries import SCORE
from registry.runs.services.scoring import record_recomputed
from registry.runs.services.uploading import charge, hand_in


class Command(BaseCommand):
    help = (
        "Score a TREC run (plain, gzip, zstd) under every measure of a collection. With --measure, read a CSV table of "
        "scores by topic. Only its owner sees it, as at /runs/."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--collection", required=True, metavar="NAME")
        parser.add_argument("--owner", required=True, metavar="ACCOUNT", help="user name or email address")
        parser.add_argument("--measure", default="", metavar="NAME", help="the file is a table of topic scores of this")
        parser.add_argument("--name", default="", help="what the system is called (default: as the file)")
        parser.add_argument("--until", default="", metavar="DAY", help="the day until which it is kept")
        parser.add_argument("--result", type=int, metavar="NUMBER", help="the result on record that it is the run of")
        parser.add_argument(
            "--record",
            action="store_true",
            help="put its topic scores behind that result, if its mean is the printed one and its owner may do so",
        )

    def handle(self, *, file: Path, record: bool, **options: Any) -> None:
        upload = _sent(file, options)
        document = _scored(upload)
        if document.state != "done":
            raise CommandError(document.message)
        self._show(document)
        if record:
            self._record(get_upload(upload.pk, upload.owner or AnonymousUser()))

    def _show(self, document: UploadDocument) -> None:
        for name, mean in document.means.items():
            self.stdout.write(f"{name}\t{mean:.{DECIMALS if document.is_sealed else 4}f}")
        for line in document.report:
            self.stderr.write(f"{line.name}: {line.count:,}. {line.policy} {line.where}")
        if document.not_computed:
            self.stderr.write(f"Not computed here: {', '.join(document.not_computed)}")
        if agreement := document.agreement:
            word = "the same" if agreement.is_same else "a mismatch"
            printed = f"Printed is {agreement.printed} under {agreement.measure}"
            self.stderr.write(f"{printed}, the mean is {agreement.mean:.4f}: {word}.")
        self.stdout.write(f"until {document.forgotten} at {document.url}")

    def _record(self, upload: Upload) -> None:
        if not may_record(upload.owner or AnonymousUser(), upload):
            raise CommandError(
                "Nothing is recorded: that takes --result, one without recomputed topic scores yet, and as owner a "
                "curator of the collection or an editor."
            )
        try:
            recorded = record_recomputed(upload=upload, actor=upload.owner)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(f"recorded at {recorded.get_absolute_url()}")


def _sent(file: Path, options: dict[str, Any]) -> Upload:
    owner = find_user(options["owner"])
    try:
        n_bytes = file.stat().st_size
        if n_bytes > settings.PLUMBLINE_MAX_RUN_BYTES:
            raise CommandError(
                f"{file} has {n_bytes:,} bytes, and a run may have {settings.PLUMBLINE_MAX_RUN_BYTES:,}. Pack it."
            )
        content = file.read_bytes()
    except OSError as error:
        raise CommandError(str(error)) from error
    fields = {name: options[name] for name in ("collection", "measure", "name", "until")}
    form = WishesForm(
        fields | {"kind": MATRIX if options["measure"] else RUN, "claimed": options["result"]}, file_name=file.name
    )
    if not form.is_valid():
        raise CommandError("\n".join(f"{name}: {' '.join(map(str, errors))}" for name, errors in form.errors.items()))
    wishes = form.wishes()
    try:
        charge(owner=owner, collection=wishes["collection"], measure=wishes["measure"], n_bytes=n_bytes)
        return hand_in(owner=owner, content=content, **wishes)
    except (Refused, TryLater) as refused:
        raise CommandError(str(refused)) from refused


def _scored(upload: Upload) -> UploadDocument:
    """Score the upload here, unless a worker took it first."""
    key = Job.key_for(SCORE, {"digest": upload.work_id})
    while True:
        document = upload_document(get_upload(upload.pk, upload.owner or AnonymousUser()))
        if document.state != "waiting" or document.is_failed:
            return document
        waiting = Job.objects.filter(key=key).values_list("pk", flat=True)
        if not any(run_job(str(pk)) for pk in waiting):
            time.sleep(0.5)
