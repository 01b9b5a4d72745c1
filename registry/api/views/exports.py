"""Results to take away in the formats that programs exchange; each can be handed in again as it is."""

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from analysis.readers.exchange.every_eval_ever import write_every_eval_ever
from analysis.readers.exchange.formats import Format
from analysis.readers.rejections import Refused
from analysis.readers.rows import Row
from registry.api.errors import refusal
from registry.api.forms import FileForm
from registry.api.schema import gives_files
from registry.api.views.documents import AnyType, public_version
from registry.api.views.private import PrivateView
from registry.catalog.models import Measure
from registry.core.document_pages import API, DocumentPage
from registry.core.http import as_download
from registry.curation.lineage.models import SystemFacts
from registry.leaderboards.access import get_visible_leaderboard
from registry.results.access import get_visible_paper, get_visible_system
from registry.results.documents import result_cells
from registry.results.models import Result
from registry.results.querysets import ResultQuerySet
from registry.submissions.access import get_visible_submission

#: Files of an archive are as old as the format, so that the same results make the same archive.
_EPOCH = (1980, 1, 1, 0, 0, 0)


def file_of(rows: Sequence[Row], chosen: Format, name: str) -> HttpResponse:
    """The rows in the format; where that holds one run or model a file and there are several, an archive of files."""
    # JSON is UTF-8 by itself.
    media_type = chosen.media_type + ("" if chosen.media_type == "application/json" else "; charset=utf-8")
    if chosen.divide is None:
        return as_download(chosen.write(rows), media_type, f"{name}.{chosen.suffix}")
    write = _writer(chosen, rows)
    files = [(_file_name(run[0].get("system", "")), write(run)) for run in chosen.divide(rows)]
    if len(files) == 1:
        return as_download(files[0][1], media_type, f"{name}.{chosen.suffix}")
    members = [(f"{number:04}-{system}.{chosen.suffix}", text) for number, (system, text) in enumerate(files, 1)]
    return HttpResponse(
        _archive(members),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}.{chosen.name}.zip"'},
    )


def _writer(chosen: Format, rows: Sequence[Row]) -> Callable[[Sequence[Row]], str]:
    if chosen.name != "every_eval_ever":
        return chosen.write
    lower = frozenset(Measure.objects.filter(higher_is_better=False).values_list("name", flat=True))
    systems = {row.get("system", "") for row in rows}
    facts = SystemFacts.objects.standing().exclude(revision="").order_by("pk")
    known = facts.values_list("system__name", "system__team", "revision")
    revisions = {(name, team): revision for name, team, revision in known if name in systems}
    return partial(write_every_eval_ever, lower_is_better=lower, revisions=revisions)


def _file_name(text: str) -> str:
    """The text in plain ASCII, as part of a file's name."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", text)[:80].strip("-.") or "results"


def _archive(members: Iterable[tuple[str, str]]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members:
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), text, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _write(subject: object, named: tuple[str, ResultQuerySet], form: FileForm) -> HttpResponse:
    name, results = named
    return file_of([result_cells(one) for one in results.for_export()], form.chosen, _file_name(name))


_results = partial(DocumentPage, document=tuple, version=public_version, form=FileForm, formats={API: _write})
LEADERBOARD_RESULTS = _results(
    meaning="All results that stand on a leaderboard, as a file to take away and to hand in elsewhere.",
    names=("collection", "measure"),
    find=get_visible_leaderboard,
    canonical=lambda board, form: board.names,
    describe=lambda board, form: (" ".join(board.names), Result.objects.for_leaderboard(board)),
)
SYSTEM_RESULTS = _results(
    meaning="All results that stand of a system, as a file.",
    names=("slug",),
    find=get_visible_system,
    canonical=lambda system, form: ((system.merged_into or system).slug,),
    describe=lambda system, form: (system.name, system.results.all()),
)
PAPER_RESULTS = _results(
    meaning="All results that stand and that a paper prints, as a file.",
    names=("slug",),
    find=get_visible_paper,
    canonical=lambda paper, form: ((paper.merged_into or paper).slug,),
    describe=lambda paper, form: (str(paper), paper.results.all()),
)


class SubmissionResults(PrivateView):
    """The rows of a submission as a file."""

    content_negotiation_class = AnyType

    @gives_files("get_submission_results", is_private=True)
    def get(self, request: Request, id: UUID) -> HttpResponse:
        """The rows of a submission as they were given, as a file."""
        submission = get_visible_submission(id, request.user)
        rows = list(submission.rows.values_list("cells", flat=True))
        try:
            return file_of(rows, self.asked(FileForm).chosen, f"submission-{str(id)[:8]}")
        except Refused as refused:
            message = f"The rows cannot be written in this format: {refused.message}."
            raise refusal(409, "format", refused.code, message) from refused
