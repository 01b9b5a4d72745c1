"""Pages of studies of what people sent, and of figures that papers draw of it."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from analysis.boards import snapshot_id
from analysis.figures import Panel
from analysis.papers.jayasinghe import RERANKERS
from analysis.papers.paper import Figure, Given, Reproduction, figure_of
from registry.accounts.access import require_contributor
from registry.core.http import json_response, must_exist, private
from registry.core.limits import spend
from registry.core.pages import LiveExample
from registry.leaderboards.documents.boards import snapshot_document
from registry.leaderboards.models import Snapshot
from registry.leaderboards.views.snapshots import snapshot_context
from registry.leaderboards.wording import how_surely
from registry.runs.access import get_own_upload, get_studied_upload, get_study, get_upload, may_change
from registry.runs.documents import pair_document, study_document, upload_document
from registry.runs.findings import documents_context, read_study
from registry.runs.forms import DocumentsForm, ExecutionsForm, PairForm, StudyForm
from registry.runs.models import Study, Upload
from registry.runs.services.studying import ask_for_document_study, ask_for_figures, ask_for_study
from registry.runs.studies import FIRST_ID, matrix_of, read_figures, shared_topics, uploads_behind
from registry.runs.verdicts import columns_of
from registry.tools.reproductions.forms import FigureForm
from registry.tools.reproductions.papers import reproductions
from registry.tools.reproductions.presentation import lay_out, live_pages
from registry.tools.reproductions.redrawing import Choice
from registry.tools.reproductions.sent import draw_by, papers_of_sent, sent_figure


@require_POST
def study_ask(request: HttpRequest, key: str) -> HttpResponse:
    """Ask for a study of an upload."""
    upload = get_studied_upload(key, request.user)
    form = StudyForm(request.POST, upload=upload, user=require_contributor(request.user))
    return _asked(request, upload, ask_for_study, form=form)


@require_POST
def documents_ask(request: HttpRequest, key: str) -> HttpResponse:
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
    """What a study found, as a snapshot shows it; two of its systems beside each other."""
    return study_page(request, get_study(key, pk, request.user), suffix)


def study_page(request: HttpRequest, study: Study, suffix: str = "") -> HttpResponse:
    """What a study found, or how far it is; with a suffix as JSON."""
    is_own = may_change(request.user, study.upload)
    document = study_document(study, is_own=is_own)
    if suffix:
        return private(json_response(msgspec.to_builtins(document)))
    context: dict[str, Any] = {"study": study, "upload": study.upload, "progress": document, "is_own": is_own}
    if study.kind == Study.Kind.DOCUMENTS:
        context["other"] = next(iter(uploads_behind(study)[1:]), None)
        context |= documents_context(read_study(study)) if study.content else {}
        return private(render(request, "runs/document_study.html", context))
    if study.kind == Study.Kind.FIGURES:
        context["papers"] = papers_of_sent(read_figures(study)) if study.content else []
        return private(render(request, "runs/figures.html", context))
    if study.content:
        context |= _report(study) | {"how_surely": how_surely()}
    uploads = uploads_behind(study)
    if study.content and study.own_measure:
        context["left_out"] = shared_topics(uploads).left_out
    if study.state == Study.State.DONE and (matrix := matrix_of(uploads, study.board.measure.name)):
        form = PairForm(request.GET or None, matrix.systems)
        context["pair_form"] = form
        if request.GET and form.is_valid():
            context["pair"] = pair_document(matrix, form.cleaned_data["first"], form.cleaned_data["second"])
    return private(render(request, "runs/study_detail.html", context))


def _report(study: Study) -> dict[str, Any]:
    """What the template of a snapshot shows of what was found."""
    found = Snapshot(
        pk=snapshot_id(study.content), leaderboard=study.board, content=study.content, created_at=study.created_at
    )
    document = snapshot_document(found)
    context = snapshot_context(document, found)
    context["rows"] = [(row, may, held_back, row.id >= FIRST_ID) for row, may, held_back in context["rows"]]
    return {"document": document, **context}


@require_safe
def study_progress(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """How far a study is, for the page's script."""
    document = study_document(get_study(key, pk, request.user), is_own=False)
    return private(json_response({"done": document.state == "done" or document.is_failed, "message": document.message}))


@require_POST
def study_delete(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Have a study forgotten; one that is worked on is stopped."""
    upload = get_own_upload(key, request.user)
    upload.studies.filter(pk=pk).exclude(kind=Study.Kind.BOARD, own_measure__isnull=False).delete()
    return redirect(upload)


@require_POST
def study_figures(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Have figures of papers drawn of what is behind a study."""
    study = get_study(key, pk, request.user)
    get_own_upload(key, request.user)
    if study.kind != Study.Kind.BOARD:
        raise Http404("Figures are drawn of what is behind a study of a leaderboard.")
    spend("study: account", require_contributor(request.user).pk)
    return redirect(ask_for_figures(study=study))


@require_safe
def study_figure(request: HttpRequest, key: str, pk: int, paper: str, figure: str) -> HttpResponse:
    """A figure of a paper beside the same of what was sent, for whoever may see that."""
    study = get_study(key, pk, request.user)
    known = must_exist(reproductions().get(paper), f"No paper that is computed again is called {paper}.")
    one = must_exist(figure_of(known.figures, figure), f"No figure of {known.title} is called {figure}.")
    drawn = read_figures(study) if study.kind == Study.Kind.FIGURES and study.content else None
    found = must_exist(drawn, "No figures of papers are drawn of it.")
    panel = must_exist(found.panels.get(f"{paper}/{figure}"), "This figure is not drawn of what was sent.")
    page = LiveExample(f"All figures drawn of {found.name}", study.get_absolute_url())
    return _figure_page(request, known, one, panel, Choice("", found.name, found.measure), page)


@require_safe
def executions_figure(request: HttpRequest, key: str) -> HttpResponse:
    """Columns of a table as executions of one system, as the figure of a reranker's shows them."""
    upload = get_upload(key, request.user)
    matrix = must_exist(columns_of(upload), "Only a table with scores of two systems or more can have executions.")
    form = ExecutionsForm(request.GET, matrix.systems)
    if not form.is_valid():
        raise Http404("Say on the page of the table which columns are executions, and which are baselines.")
    given, measure = form.cleaned_data, upload.under.name if upload.under else ""
    sent = Given(
        name=upload.name,
        measure=measure,
        matrices={measure: matrix.select([*given["execution"], *given["baseline"]])},
        executions=given["execution"],
    )
    (figure,) = RERANKERS.figures
    panels, why = draw_by(RERANKERS, sent)
    paper = reproductions()[RERANKERS.paper]
    one = must_exist(figure_of(paper.figures, figure), "The paper has no such figure.")
    panel = must_exist(panels.get(figure), f"It can’t be drawn: {why}.")
    address = f"{upload.get_absolute_url()}?{request.GET.urlencode()}#executions"
    choice, page = Choice("", upload.name, measure), LiveExample("The whole analysis of these executions", address)
    return _figure_page(request, paper, one, panel, choice, page)


def _figure_page(
    request: HttpRequest, paper: Reproduction, figure: Figure, panel: Panel, choice: Choice, page: LiveExample
) -> HttpResponse:
    factor = FigureForm(request.GET, figure=figure)
    document = sent_figure(paper, figure, panel, choice, page, factor.wanted["factor"] if factor.is_valid() else None)
    context = {
        "paper": paper,
        "figure": figure,
        "page": lay_out(document),
        "live": live_pages(figure.methods),
        "is_private": True,
    }
    return private(render(request, "tools/reproductions/figure_detail.html", context))
