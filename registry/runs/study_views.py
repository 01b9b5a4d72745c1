"""Pages of studies of what people sent."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from analysis.boards import snapshot_id
from registry.accounts.access import require_contributor
from registry.core.http import json_response, private
from registry.core.limits import spend
from registry.core.views import one_of
from registry.leaderboards.documents.boards import snapshot_document
from registry.leaderboards.models import Snapshot
from registry.leaderboards.views.snapshots import snapshot_context
from registry.runs.access import get_own_upload, get_studied_upload, get_study, may_change
from registry.runs.documents import study_document, upload_document
from registry.runs.executions import compare_sent
from registry.runs.findings import documents_context, read_study
from registry.runs.forms import DocumentsForm, PairForm, StudyForm
from registry.runs.models import Study, Upload
from registry.runs.services.studying import ask_for_document_study, ask_for_study
from registry.runs.studies import FIRST_ID, matrix_of, rows_of, shared_topics, uploads_behind
from registry.runs.views import upload_delete, upload_executions, upload_keep, upload_progress, upload_record
from registry.tools.pairs.paired_tests import paired_tests


@require_POST
def _study_ask(request: HttpRequest, key: str) -> HttpResponse:
    """Ask for a study of an upload."""
    upload = get_studied_upload(key, request.user)
    form = StudyForm(request.POST, upload=upload, user=require_contributor(request.user))
    return _asked(request, upload, ask_for_study, form=form)


@require_POST
def _documents_ask(request: HttpRequest, key: str) -> HttpResponse:
    """Ask how far the average precision of a run would move with other documents."""
    upload = get_studied_upload(key, request.user)
    return _asked(request, upload, ask_for_document_study, documents_form=DocumentsForm(request.POST, upload=upload))


def _asked(
    request: HttpRequest, upload: Upload, ask: Callable[..., Study], **forms: StudyForm | DocumentsForm
) -> HttpResponse:
    """The study that was asked for; the page of the upload with its one form again, where that is not valid."""
    (form,) = forms.values()
    if not form.is_valid():
        context = {"upload": upload, "document": upload_document(upload), "is_own": True, **forms}
        return private(render(request, "runs/upload_detail.html", context, status=400))
    spend("study: account", require_contributor(request.user).pk)
    return redirect(ask(upload=upload, **form.wishes()))


@require_safe
def study_detail(request: HttpRequest, key: str, pk: int, suffix: str = "") -> HttpResponse:
    """Return what a study found, as a snapshot shows it; two of its systems beside each other."""
    return study_page(request, get_study(key, pk, request.user), suffix)


def study_page(request: HttpRequest, study: Study, suffix: str = "") -> HttpResponse:
    """Return what a study found, or how far it is; with a suffix as JSON."""
    is_own = may_change(request.user, study.upload)
    document = study_document(study)
    uploads = uploads_behind(study)
    is_board = study.kind == Study.Kind.BOARD and study.state == Study.State.DONE
    measure = study.board.measure.name
    if suffix:
        compared = compare_sent(uploads, measure) if is_board else None
        return private(json_response(msgspec.to_builtins(document) | {"compared": msgspec.to_builtins(compared)}))
    context: dict[str, Any] = {"study": study, "upload": study.upload, "progress": document, "is_own": is_own}
    if study.kind == Study.Kind.DOCUMENTS:
        context["other"] = next(iter(uploads[1:]), None)
        context |= documents_context(read_study(study)) if study.content else {}
        return private(render(request, "runs/document_study.html", context))
    if study.content:
        context |= _report(study)
    if study.content and study.own_measure:
        context["left_out"] = shared_topics(uploads, measure).left_out
    systems = [row.name for row in rows_of(uploads, measure) if row.scores] if is_board else []
    if len(systems) > 1:
        form = PairForm(request.GET or None, systems)
        context["pair_form"], asked = form, form.cleaned_data if request.GET and form.is_valid() else {}
        context["compared"] = compare_sent(uploads, measure, **asked)
        if asked.get("second") and (matrix := matrix_of(uploads, measure)):
            context["tests"] = paired_tests(matrix.select([asked["first"], asked["second"]]))
    return private(render(request, "runs/study_detail.html", context))


def _report(study: Study) -> dict[str, Any]:
    """Return what the template of a snapshot shows of what was found."""
    found = Snapshot(
        pk=snapshot_id(study.content), leaderboard=study.board, content=study.content, created_at=study.created_at
    )
    document = snapshot_document(found)
    context = snapshot_context(document, found)
    context["rows"] = [(row, may, held_back, row.id >= FIRST_ID) for row, may, held_back in context["rows"]]
    return {"document": document, **context}


@require_safe
def _study_progress(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Return how far a study is, for the page's script."""
    document = study_document(get_study(key, pk, request.user))
    return private(json_response({"done": document.state == "done" or document.is_failed, "message": document.message}))


@require_POST
def _study_delete(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Have a study forgotten; one that is worked on is stopped."""
    upload = get_own_upload(key, request.user)
    upload.studies.filter(pk=pk).exclude(kind=Study.Kind.BOARD, own_measure__isnull=False).delete()
    return redirect(upload)


#: What is done with an upload or a study by its page, by the end of the address.
upload_act = one_of(
    {
        "progress": upload_progress,
        "keep": upload_keep,
        "delete": upload_delete,
        "record": upload_record,
        "studies": _study_ask,
        "documents": _documents_ask,
        "systems": upload_executions,
    }
)
study_act = one_of({"progress": _study_progress, "delete": _study_delete})
