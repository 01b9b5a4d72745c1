"""Suites: those whose mean people quote, with their verdict, and all of them with their collections."""

from dataclasses import replace

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request

from registry.api import serializers
from registry.api.forms import SystemsForm
from registry.api.paging import Window
from registry.api.schema import reads
from registry.api.views.reading import PlainView, ReadView
from registry.core.http import json_response, kept_response
from registry.leaderboards.access import get_visible_suite, get_visible_suite_record
from registry.leaderboards.exports.files import with_links
from registry.leaderboards.queries import registry_version
from registry.leaderboards.suite_documents import suite_document, suite_summary
from registry.leaderboards.suite_queries import members_state, suite_boards, suites_version, suites_without_mean
from registry.leaderboards.suite_records import suite_listed, suite_record


class SuiteList(PlainView):
    """The suites whose mean people quote, with the headline of their analysis; and those whose mean is not judged."""

    @reads("list_suites", serializers.SuiteList)
    def get(self, request: Request) -> HttpResponse:
        def build() -> HttpResponse:
            listed = [msgspec.to_builtins(suite_summary(board)) for board in suite_boards()]
            lists = [msgspec.to_builtins(suite_listed(suite)) for suite in suites_without_mean()]
            return json_response({"count": len(listed), "results": listed, "lists": lists})

        return kept_response(request, key=f"api suites {registry_version()}", build=build)


class SuiteRecord(PlainView):
    """One suite with its collections, whether or not people quote their mean."""

    @reads("get_suite_record", serializers.SuiteRecord)
    def get(self, request: Request, suite: str) -> HttpResponse:
        record = get_visible_suite_record(suite)
        return self.kept(lambda: msgspec.to_builtins(suite_record(record)))


class SuiteDetail(ReadView[SystemsForm]):
    """One suite: which system has the best mean over its collections, and all systems in pages."""

    form_class = SystemsForm

    @reads("get_suite", serializers.Suite, query=SystemsForm, by_name=True)
    def get(self, request: Request, suite: str, measure: str) -> HttpResponse:
        board = get_visible_suite(suite, measure)
        if board.measure.name != measure:
            return self.moved("api:suite-detail", *board.names)
        window: Window = self.query.window

        def build() -> HttpResponse:
            document = suite_document(board)
            page = replace(document, next_page=window.next_token(document.count), results=window.cut(document.results))
            return with_links(json_response(msgspec.to_builtins(page)), document)

        key = f"api suite {board.names} {members_state(board).version} {suites_version()} {window}"
        return kept_response(request, key=key, build=build)
