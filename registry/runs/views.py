"""Pages on which people submit runs and topic scores, read the findings, and put judgements in."""

import sys
from math import ceil
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from analysis.papers.shipped import FileChanged, read_run
from analysis.readers.rejections import Refused
from analysis.runs.reading import Unreadable
from registry.accounts.access import require_contributor
from registry.catalog.access import can_edit_collection, get_editable_collection, get_visible_collection
from registry.catalog.models import Collection
from registry.core.forms import invalid
from registry.core.http import as_download, json_response, must_exist, private, takes_at_most
from registry.core.loading import SHIPPED
from registry.core.views import may_post
from registry.runs import queries
from registry.runs.access import get_own_upload, get_upload, may_change, may_record
from registry.runs.documents import upload_document
from registry.runs.executions import columns_of, compare_sent
from registry.runs.forms import DocumentsForm, ExecutionsForm, JudgementsForm, StudyForm, UploadForm
from registry.runs.models import Upload, Work
from registry.runs.pipeline.packing import topic_scores_csv
from registry.runs.services import uploading
from registry.runs.services.judging import put_judgements
from registry.runs.services.scoring import record_recomputed
from registry.runs.services.studying import declare_executions
from registry.runs.verdicts import boards_of, own_verdict, run_verdict
from registry.tools.examples import example_of_run

_FILE_CHANGED = (
    "A file that ships with this site is gone, or another. The people who run the site have to load it again."
)


@takes_at_most(sys.maxsize, "Pack it with gzip or zstd; programs may send larger runs with a token (the API).")
@may_post
def upload_list(request: HttpRequest) -> HttpResponse:
    """Show a form for a run, or a table of topic scores, and one's uploads; a run needs no account."""
    user = request.user if request.user.is_authenticated else None
    form = UploadForm(initial=request.GET.dict(), is_visitor=user is None)
    if request.method == "POST":
        form = UploadForm(request.POST, request.FILES, is_visitor=user is None)
        if form.is_valid() and (response := _take(request, form)):
            return private(response)
    context = {"form": form, "own": queries.uploads_of(user) if user else [], "example": queries.example()}
    context["example_result"] = None if form.is_bound else example_of_run()
    return private(render(request, "runs/upload_list.html", context, status=400 if form.errors else 200))


def _take(request: HttpRequest, form: UploadForm) -> HttpResponse | None:
    """Have a run scored on the collection that is named, or on each that fits; None where the form says why not."""
    owner = require_contributor(request.user) if request.user.is_authenticated else None
    wishes, content = form.wishes(), form.cleaned_data["file"].read()
    collections, visitor, n_topics = [wishes.pop("collection")], "", {}
    if owner is None:
        visitor = uploading.take_visitors_run(request)
    else:
        uploading.charge(owner=owner, collection=collections[0], measure=wishes["measure"])
    try:
        if collections[0] is None:
            fits, seconds = queries.recognize(content)
            uploading.charge_visitor(visitor, seconds)
            collections = [fit.collection for fit in fits]
            n_topics = {fit.collection.pk: fit for fit in fits}
        uploads = [
            uploading.hand_in(owner=owner, visitor=visitor, content=content, collection=collection, **wishes)
            for collection in collections
        ]
    except Unreadable as refused:
        uploading.charge_visitor(visitor, refused.seconds)
        form.add_error("file", str(refused))
        return None
    except Refused as refused:
        form.add_error("collection", invalid(refused))
        return None
    if not uploads:
        form.add_error(
            "collection", "Its topics and documents fit no collection with judgements here. Which one is it?"
        )
        return None
    if len(uploads) == 1:
        return redirect(uploads[0])
    choices = [(upload, n_topics[upload.collection_id]) for upload in uploads if upload.collection_id]
    return render(request, "runs/which.html", {"choices": choices}, status=300)


def example_run(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return redirect("runs:upload-list")
    run, collection = must_exist(queries.example(), "The run that is the example does not ship with this site.")
    try:
        content = read_run(SHIPPED, run)
    except FileChanged as error:
        raise Http404(_FILE_CHANGED) from error
    visitor = uploading.take_visitors_run(request)
    where = uploading.hand_in(owner=None, visitor=visitor, name=run.system, collection=collection, content=content)
    return private(redirect(where))


@require_POST
def upload_keep(request: HttpRequest, key: str) -> HttpResponse:
    """Have what a visitor sent be one's own, or keep one's own longer."""
    upload = get_own_upload(key, request.user)
    if upload.own_collection:
        raise Http404("It is kept as long as its collection.")
    uploading.keep(upload=upload, owner=require_contributor(request.user), until=timezone.now() + uploading.KEPT)
    return redirect(upload)


@require_safe
def upload_detail(request: HttpRequest, key: str) -> HttpResponse:
    """Show the findings on an upload; until then, its progress."""
    return _page(request, get_upload(key, request.user))


def _page(request: HttpRequest, upload: Upload, executions_form: ExecutionsForm | None = None) -> HttpResponse:
    """Show an upload, with executions as they were sent where that form is not valid."""
    is_own = may_change(request.user, upload)
    context: dict[str, Any] = {
        "upload": upload,
        "document": upload_document(upload),
        "is_own": is_own,
        "is_kept": upload.forgotten_at > timezone.now() + uploading.SHOWN,
        "studies": upload.studies.select_related("leaderboard__measure", "upload__measure").all(),
        "may_record": may_record(request.user, upload),
    }
    if context["document"].is_sealed and upload.collection:
        context |= _answers(upload.collection)
    elif not context["document"].is_complete:
        context["incomplete"] = upload.work.report
    elif boards := boards_of(upload):
        board = boards.get(request.GET.get("measure", ""), next(iter(boards.values())))
        fields = [field for field in context["document"].standardized if field.measure == board.measure.name]
        context |= {"verdict": run_verdict(upload, board), "boards": boards, "standardized": fields}
    elif upload.own_collection and upload.work.kind == Work.Kind.RUN and upload.work.scores:
        scored = (measure for measure in upload.own_collection.measures.all() if measure.name in upload.work.means)
        context["own_verdicts"] = [own_verdict(upload, measure) for measure in scored]
    if upload.owner_id and is_own and upload.work.state == Work.State.DONE:
        context["form"] = StudyForm(upload=upload, user=require_contributor(request.user))
        context["documents_form"] = DocumentsForm(upload=upload)
    if not upload.own_collection and (measures := queries.measures_of_sent(upload)):
        chosen = request.GET.get("measure")
        measure = chosen if chosen in measures else measures[0]
        beside, executions = (
            queries.runs_beside(upload),
            [name for names in upload.executions.values() for name in names],
        )
        together = [run for run in beside if run == upload or run.name in executions]
        compared = compare_sent(together, measure) if executions else None
        context |= {"compared": compared, "measure": measure, "measures": measures}
        if is_own and (len(beside) > 1 or (upload.measure and len(upload.work.means) > 1)):
            context["executions_form"] = executions_form or ExecutionsForm(None, [*columns_of(beside, measure)], upload)
    return private(render(request, "runs/upload_detail.html", context, status=400 if executions_form else 200))


@require_POST
def upload_executions(request: HttpRequest, key: str) -> HttpResponse:
    """Keep which columns, or runs of one's own on the collection, are executions of which system."""
    upload = get_own_upload(key, request.user)
    measures = queries.measures_of_sent(upload)
    if upload.own_collection or not measures:
        raise Http404("Executions are named where its collection is, once it is read.")
    form = ExecutionsForm(request.POST, [*columns_of(queries.runs_beside(upload), measures[0])], upload)
    if not form.is_valid():
        return _page(request, upload, form)
    declare_executions(kept=upload, **form.cleaned_data)
    return redirect(f"{upload.get_absolute_url()}#executions")


@require_safe
def upload_progress(request: HttpRequest, key: str) -> HttpResponse:
    document = upload_document(get_upload(key, request.user))
    return private(
        json_response({"done": document.state != "waiting" or document.is_failed, "message": document.message})
    )


@require_safe
def upload_scores(request: HttpRequest, key: str) -> HttpResponse:
    upload = get_upload(key, request.user)
    if not upload.work.scores:
        raise Http404("No topic scores are given out here.")
    text = topic_scores_csv(bytes(upload.work.scores))
    return private(as_download(text, "text/csv; charset=utf-8", "topic-scores.csv"))


@require_POST
def upload_delete(request: HttpRequest, key: str) -> HttpResponse:
    """Have an upload forgotten; what is still worked on is stopped."""
    uploading.forget(upload=get_own_upload(key, request.user))
    messages.success(request, "It is deleted, with everything that was found.")
    return redirect("runs:upload-list")


@require_POST
def upload_record(request: HttpRequest, key: str) -> HttpResponse:
    upload = get_upload(key, request.user)
    if upload.collection is None:
        raise Http404("There is nothing to record here.")
    get_editable_collection(request.user, upload.collection.slug)
    if not may_record(request.user, upload):
        raise Http404("There is nothing to record here.")
    try:
        result = record_recomputed(upload=upload, actor=require_contributor(request.user))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect(upload)
    return redirect(result)


@may_post
def judgements_detail(request: HttpRequest, name: str) -> HttpResponse:
    """Show the judgements that runs on a collection are scored against; for its editors, a form to put others in."""
    collection = get_visible_collection(name)
    if collection.slug != name:
        return redirect("runs:judgements-detail", collection.slug, permanent=True)
    form = None
    if can_edit_collection(request.user, collection):
        form = JudgementsForm(request.POST or None, request.FILES or None, collection=collection)
    if request.method == "POST":
        get_editable_collection(request.user, name)
        assert form is not None
        if form.is_valid() and _put(request, form, collection):
            return redirect(request.path)
    known, unknown = queries.measures_of(collection)
    context = {
        "collection": collection,
        "judgements": queries.standing_judgements(collection),
        "runs": queries.shipped_runs_of(collection),
        "form": form,
        **_answers(collection),
        "measures": list(known),
        "not_computed": unknown,
    }
    status = 400 if form and form.errors else 200
    response = render(request, "runs/judgements_detail.html", context, status=status)
    response["Cache-Control"] = "private, no-cache"
    return response


def _answers(collection: Collection) -> dict[str, int]:
    """Count the answers that sealed judgements of the collection give, and those that are left."""
    n_answers = queries.answers_of(collection)
    n_bits = ceil(n_answers * queries.BITS_AN_ANSWER)
    return {"n_answers": n_answers, "n_left": queries.answers_left(collection), "n_bits": n_bits}


def _put(request: HttpRequest, form: JudgementsForm, collection: Any) -> bool:
    fields = form.cleaned_data
    try:
        put_judgements(
            collection=collection,
            content=fields["file"].read(),
            source=fields["source"],
            licence=fields["licence"],
            measure=form.measures.get(fields["sealed"]),
            actor=require_contributor(request.user),
        )
    except Refused as refused:
        form.add_error("file", invalid(refused))
        return False
    return True


@require_safe
def judgements_lines(request: HttpRequest, name: str) -> HttpResponse:
    collection = get_visible_collection(name)
    judgements = queries.standing_judgements(collection)
    if judgements is None or judgements.is_sealed:
        raise Http404(f"No judgements of {collection} are given out here.")
    try:
        lines = queries.lines_of(judgements)
    except FileChanged as error:
        raise Http404(_FILE_CHANGED) from error
    return as_download(lines.decode(), "text/plain; charset=utf-8", f"{collection.slug}.qrels")


@require_safe
def shipped_run(request: HttpRequest, name: str, run: str) -> HttpResponse:
    collection = get_visible_collection(name)
    named = (shipped for shipped in queries.shipped_runs_of(collection) if shipped.name == run)
    shipped = must_exist(next(named, None), f"No run of this name on {collection} is here.")
    try:
        lines = read_run(SHIPPED, shipped)
    except FileChanged as error:
        raise Http404(_FILE_CHANGED) from error
    return as_download(lines.decode(), "text/plain; charset=utf-8", f"{collection.slug}.{shipped.name}.run")
