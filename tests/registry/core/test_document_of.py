"""Documents made of what they are about, and shown at an address as a page and as files."""

from datetime import UTC, datetime
from types import SimpleNamespace

from django import forms
from django.test import RequestFactory
from typing_extensions import TypedDict

from registry.core.documents import API, DocumentPage, as_json, as_lists, fields_of, to_the_second
from registry.core.forms import QueryForm


class Brief(TypedDict):
    name: str


class Full(Brief):
    notes: str
    url: str


def test_fields_are_those_of_all_bases_and_a_moment_is_said_to_the_second():
    assert fields_of(Full) == ("name", "notes", "url")
    assert to_the_second(datetime(2026, 5, 6, 7, 8, 9, 999_999, tzinfo=UTC)) == "2026-05-06T07:08:09+00:00"
    assert to_the_second(None) is None


class Asked(QueryForm):
    unit = forms.CharField()


def describe(subject: str, form: Asked, part: str = "all") -> dict[str, str]:
    return {"subject": subject, "unit": form.cleaned_data["unit"], "part": part}


def finish(response, document):
    response["X-Subject"] = document["subject"]
    return response


ROBUST = {"document": dict, "find": str.upper, "describe": describe, "form": Asked, "finish": finish, "version": None}


def test_a_document_moves_to_what_it_is_called_with_the_query_before_that_is_looked_at():
    def called(subject: str, form: Asked) -> tuple[str] | None:
        return ("other",) if subject == "ROBUST" else None

    page = DocumentPage(meaning="c", names=("name",), canonical=called, **ROBUST)
    request = RequestFactory().get("/?colour=x")
    request.resolver_match = SimpleNamespace(view_name="core:document-detail", kwargs={"name": "robust"})
    moved = page.view(request, suffix="json", name="robust")
    assert (moved.status_code, moved["Location"]) == (301, "/docs/other/?colour=x")
    assert page.view(RequestFactory().get("/"), suffix="json", name="dl19").status_code == 200
    same = DocumentPage(meaning="c", names=("name",), canonical=lambda subject, form: ("robust",), **ROBUST)
    assert same.view(RequestFactory().get("/"), suffix="json", name="robust").status_code == 200


def test_a_document_is_made_again_when_its_version_changes_or_something_else_is_asked():
    made: list[str] = []
    versions = {"ROBUST": 1}

    def count(subject: str, form: Asked) -> dict[str, str]:
        made.append(form.cleaned_data["unit"])
        return {"subject": subject}

    page = DocumentPage(
        meaning="d", names=("name",), **(ROBUST | {"version": versions.get, "describe": count}),
    )  # fmt: skip
    for query in ("unit=x", "unit=x", "unit=y", "unit=x"):
        page.view(RequestFactory().get(f"/?{query}"), suffix="json", name="robust")
    assert made == ["x", "y"]
    versions["ROBUST"] = 2
    page.view(RequestFactory().get("/?unit=x"), suffix="json", name="robust")
    assert made == ["x", "y", "x"]


def test_a_document_has_an_address_for_each_format_and_for_its_page_where_there_is_one():
    lists = as_lists("measures", ("name",), lambda document: [(document["subject"],)], "csv", "json")
    page = DocumentPage(meaning="e", names=("name",), formats=lists, template="404.html", **ROBUST)
    assert [(str(one.pattern), one.name) for one in page.paths("<slug:name>", "thing")] == [
        ("<slug:name>.<format:suffix>", "thing-file"), ("<slug:name>/", "thing"),
    ]  # fmt: skip
    csv = page.view(RequestFactory().get("/"), suffix="csv", name="robust")
    assert csv.content == b"name\nROBUST\n"
    liked = page.view(RequestFactory().get("/", headers={"accept": "application/json"}), name="robust")
    assert (liked.content, liked["Vary"]) == (b'{"count": 1, "results": [{"name": "ROBUST"}]}', "Accept")
    alone = DocumentPage(meaning="f", formats={"json": as_json, API: as_json}, **ROBUST)
    assert [one.name for one in alone.paths("thing", "thing")] == ["thing-file"]
