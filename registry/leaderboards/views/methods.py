"""Pages about all verdicts: how they fared, what newer methods changed, how often they hold, how they look."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.boards import METHODS
from registry.core.document_pages import DocumentPage, as_json, as_lists
from registry.core.forms import PageForm, QueryForm, asked
from registry.core.http import kept_response, must_exist
from registry.core.pages import read_method, section_about
from registry.leaderboards.calibration import calibration_context
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.forms import (
    Selection,
)
from registry.leaderboards.method_changes import MethodsChange, methods_change
from registry.leaderboards.presentation import page_context
from registry.leaderboards.queries.boards import analysed_leaderboards
from registry.leaderboards.scoreboard import SCOREBOARD_COLUMNS, Scoreboard, scoreboard, scoreboard_rows
from registry.leaderboards.versions import registry_version
from registry.leaderboards.wording import STRENGTH

CHANGES_PER_PAGE = 100

CHANGE_COLUMNS = (
    *("collection", "name", "measure", "url", "best_before", "best", "worth_before", "worth"),
    *("n_set_before", "n_set", "evidence_before", "evidence", "snapshot_before", "snapshot", "why"),
)


def _change_rows(document: MethodsChange) -> list[tuple[object, ...]]:
    return [
        (
            *(one.collection, one.name, one.measure, one.url, one.before.best, one.after.best),
            *(one.before.corrected, one.after.corrected, one.before.n_members, one.after.n_members),
            *(one.before.evidence, one.after.evidence, one.snapshot_before, one.snapshot, "; ".join(one.why)),
        )
        for one in document.boards
    ]


SCOREBOARD = DocumentPage(
    template="leaderboards/scoreboard.html",
    meaning="How kept verdicts fared against what came to be known beside them or later.",
    document=Scoreboard,
    find=lambda: None,
    form=PageForm,
    version=lambda one: registry_version(),
    describe=lambda one, form: scoreboard(),
    lay_out=lambda one, document, form: {"page": form.cut(document.verdicts, CHANGES_PER_PAGE)},
    formats={"json": as_json} | as_lists("scoreboard", SCOREBOARD_COLUMNS, scoreboard_rows, "csv"),
)
METHOD_CHANGES = DocumentPage(
    template="leaderboards/method_changes.html",
    meaning="What a version of the methods changed: the verdicts that say something else, before and after.",
    document=MethodsChange,
    names=("version",),
    find=lambda version: must_exist(methods_change(version), f"Methods {version} replaced no analysis on this site."),
    form=PageForm,
    version=None,
    describe=lambda found, form: found,
    lay_out=lambda found, document, form: {
        "page": form.cut(document.boards, CHANGES_PER_PAGE),
        "why": section_about("changes", f"Version {document.version}"),
    },
    formats={"json": as_json} | as_lists("method-changes", CHANGE_COLUMNS, _change_rows, "csv"),
)


@require_safe
def calibration_detail(request: HttpRequest) -> HttpResponse:
    """How often verdicts held where the truth is known: the method page, with the whole table."""
    document = must_exist(read_method("calibration"), "This copy has no documents.")
    context = {"document": document, "body": document.html.partition("</h1>")[2], **calibration_context()}
    return render(request, "leaderboards/calibration.html", context)


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Every piece in every state; real verdicts, one for each kind of evidence and one with a caution."""
    asked(QueryForm(request.GET))

    def build() -> HttpResponse:
        return render(request, "leaderboards/style.html", {"verdicts": style_verdicts()})

    return kept_response(request, key=f"style {METHODS.version} {registry_version()}", build=build)


def style_verdicts() -> list[tuple[str, dict[str, Any]]]:
    boards = analysed_leaderboards()
    kinds: list[tuple[str, dict[str, object]]]
    kinds = [(f"Evidence: {kind}", {"analysis__headline__evidence": kind}) for kind in STRENGTH]
    kinds.append(("A caution at the best", {"analysis__headline__left_out": "highest"}))
    found = []
    for name, wanted in kinds:
        board = boards.filter(**wanted).first()
        if board is not None:
            document = leaderboard_document(board, Selection())
            found.append((name, page_context(document, Selection()) | {"document": document}))
    return found
