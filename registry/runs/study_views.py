"""Pages of studies of uploads."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from analysis.figures import Axis, Panel, series
from registry.accounts.access import require_contributor
from registry.core.charts import Chart, draw
from registry.core.http import json_response, one_of, private
from registry.core.limits import spend
from registry.leaderboards.views.snapshots import snapshot_context
from registry.runs.access import get_own_upload, get_studied_upload, get_study, may_change
from registry.runs.documents import found_by, study_document, upload_document
from registry.runs.executions import compare_sent, matrix_of, rows_of, shared_topics
from registry.runs.forms import DocumentsForm, PairForm, StudyForm
from registry.runs.models import Study, Upload
from registry.runs.pipeline.precision import DocumentStudy, TopicPrecision
from registry.runs.queries import uploads_behind
from registry.runs.services.studying import FIRST_ID, ask_for_document_study, ask_for_study
from registry.runs.views import upload_delete, upload_executions, upload_keep, upload_progress, upload_record
from registry.tools.pairs.pair_documents import paired_tests


@require_POST
def _study_ask(request: HttpRequest, key: str) -> HttpResponse:
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
    """Redirect to the study; show the page of the upload with its one form again, where that is not valid."""
    (form,) = forms.values()
    if not form.is_valid():
        context = {"upload": upload, "document": upload_document(upload), "is_own": True, **forms}
        return private(render(request, "runs/upload_detail.html", context, status=400))
    spend("study: account", require_contributor(request.user).pk)
    return redirect(ask(upload=upload, **form.wishes()))


@require_safe
def study_detail(request: HttpRequest, key: str, pk: int, suffix: str = "") -> HttpResponse:
    """Show the findings of a study as a snapshot; two of its systems beside each other."""
    return study_page(request, get_study(key, pk, request.user), suffix)


def study_page(request: HttpRequest, study: Study, suffix: str = "") -> HttpResponse:
    """Show the findings of a study, or its progress; with a suffix as JSON."""
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
        context |= documents_context(msgspec.json.decode(study.content, type=DocumentStudy)) if study.content else {}
        return private(render(request, "runs/document_study.html", context))
    if study.content:
        context |= _report(study)
    if study.content and study.own_measure:
        context["left_out"] = shared_topics(uploads, measure).left_out
    systems = [row.name for row in rows_of(uploads, measure) if row.scores] if is_board else []
    if len(systems) > 1:
        form = PairForm(request.GET or None, systems)
        context["pair_form"], pair = form, form.cleaned_data if request.GET and form.is_valid() else {}
        context["compared"] = compare_sent(uploads, measure, **pair)
        if pair.get("second") and (matrix := matrix_of(uploads, measure)):
            context["tests"] = paired_tests(matrix.select([pair["first"], pair["second"]]))
    return private(render(request, "runs/study_detail.html", context))


def _report(study: Study) -> dict[str, Any]:
    """Return the findings as the template of a snapshot takes them."""
    document, snapshot = found_by(study)
    context = snapshot_context(document, snapshot, file="")
    context["rows"] = [(row, may, held_back, row.id >= FIRST_ID) for row, may, held_back in context["rows"]]
    return {"document": document, **context}


#: With fewer relevant documents the intervals are known to be too short (docs/methods/precision-of-ap.md).
_FEW = 10


def draw_topics(topics: Sequence[TopicPrecision]) -> Chart:
    xs = range(1, len(topics) + 1)
    labels = [f"{topic.topic}: {topic.estimate:.3f}" for topic in topics]
    estimates = [topic.estimate for topic in topics]
    ends = [(topic.logit.low, topic.logit.high) if topic.logit else (None, None) for topic in topics]
    low, high = ([end[place] for end in ends] for place in (0, 1))
    panel = Panel(
        data=f"{len(topics)} topics",
        series=(
            series("95 % interval", xs, estimates, low=low, high=high, labels=labels, mark="columns"),
            series("AP", xs, estimates, labels=labels, mark="points", is_highlighted=True),
        ),
    )
    x, y = Axis(label="topics, by AP", low=0.5, high=len(topics) + 0.5), Axis(label="AP", low=0, high=1)
    return draw(panel, x, y, name="topics", text="AP of each topic with its interval")


def documents_context(precision: DocumentStudy) -> dict[str, object]:
    topics = sorted(precision.topics, key=lambda topic: -topic.estimate)
    differences: list[tuple[str, float, float]] = []
    if precision.pair:
        logit = precision.pair.logit
        rows = zip(precision.pair.topics, logit.topic_differences, logit.topic_standard_errors, strict=True)
        differences = sorted(rows, key=lambda row: -row[1])
    return {
        "precision": precision,
        "mean": precision.means[0],
        "topics": topics,
        "chart": draw_topics(topics),
        "n_few": sum(topic.n_relevant < _FEW for topic in topics),
        "few": _FEW,
        "differences": differences,
    }


@require_safe
def _study_progress(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Send the progress of a study, for the page's script."""
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
