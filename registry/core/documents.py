"""Documents: made of what they are about, and declared once as a page, its files beside it and the API's answer.

Some texts of theirs are more than texts; the API's description says what.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Annotated, Any, Generic, TypeVar, cast, get_type_hints
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import URLPattern, path, register_converter, reverse
from django.urls.converters import StringConverter
from django.views.decorators.http import require_safe

from registry.core.columns import list_file
from registry.core.forms import QueryForm, asked
from registry.core.http import MEDIA_TYPES, json_response, moved, must_exist, negotiated
from registry.core.kept import kept_response
from registry.core.services import hurry_jobs

Day = Annotated[str, date]
Moment = Annotated[str, datetime]
Uuid = Annotated[str, UUID]

Kind = TypeVar("Kind")
Subject = TypeVar("Subject")
Document = TypeVar("Document")


def document_of(kind: type[Kind], source: object, /, **values: object) -> Kind:
    """Return an object of this class, a dataclass or typed dictionary, with every field as in ``values``, else as the
    source has it under the same name."""
    names = fields_of(cast("Hashable", kind))
    # Again with ``values``, so that a name that is no field is an error.
    return kind(**{name: values[name] if name in values else getattr(source, name) for name in names} | values)


@cache
def fields_of(kind: Hashable) -> Collection[str]:
    """Return the names of the fields, those of its bases first."""
    return tuple(get_type_hints(kind))


def to_the_second(moment: datetime | None) -> str | None:
    """Return the moment as answers write it."""
    return moment.isoformat(timespec="seconds") if moment else None


class Format(StringConverter):
    """The suffix of a file of rows or of a document."""

    regex = "csv|json"


register_converter(Format, "format")

Names = dict[str, str | int]
#: The format of the API where it is not the JSON beside the page.
API = "api"
#: Makes the answer in one format from the subject, the document and the form.
Writer = Callable[[Any, Any, Any], HttpResponse]


def as_json(subject: object, document: object, form: QueryForm) -> HttpResponse:
    """Return the document as it is."""
    return json_response(msgspec.to_builtins(document))


def as_lists(
    name: str, columns: Sequence[str], rows_of: Callable[[Any], Sequence[Sequence[object]]], *suffixes: str
) -> dict[str, Writer]:
    """Return the rows of a document as files with these columns, a writer for each suffix."""

    def writer(suffix: str) -> Writer:
        return lambda subject, document, form: list_file(name, columns, rows_of(document), suffix)

    return {suffix: writer(suffix) for suffix in suffixes}


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPage(Generic[Subject, Document]):
    """A document with everything that it takes to show it at an address.

    ``meaning`` says what it is, and no two have the same; ``document`` is its class, which says what its fields mean:
    both describe it in the API. ``names`` are the parts of the address that name what it is about: ``find`` takes them
    and gives that, or answers 404, and ``canonical`` says what they are called at the address that stays, None where
    they are called so already; itself None where there is no other. It is asked before the form is known to be valid.
    ``form`` reads what is asked for, by default nothing, or ``read`` does, from the subject, the query and the format,
    where it takes more.
    ``version`` changes whenever the document does; without one no answer is kept. ``describe`` makes the document, with
    the other parts of the address by name, and ``lay_out`` what the template needs beside it; without a ``template``
    there is no page. ``formats`` are those beside the page, by the suffix of their address; the API has the one called
    ``API``, else the JSON. ``finish`` gives every answer the headers that tell of the document. ``awaits`` names the
    jobs that the document lacks something of: workers do them next when it is looked at.
    """

    template: str = ""
    meaning: str
    document: type[Document]
    names: tuple[str, ...] = ()
    find: Callable[..., Subject]
    canonical: Callable[[Any, Any], tuple[str | int, ...] | None] | None = None
    version: Callable[[Subject], object] | None
    describe: Callable[..., Document]
    lay_out: Callable[[Subject, Document, Any], dict[str, Any]] = lambda subject, document, form: {}
    form: type[QueryForm] = QueryForm
    read: Callable[[Subject, QueryDict, str], QueryForm] | None = None
    formats: Mapping[str, Writer] = field(default_factory=lambda: {"json": as_json})
    finish: Callable[[HttpResponse, Document], HttpResponse] = lambda response, document: response
    awaits: Callable[[Subject, Document], Sequence[tuple[str, dict[str, Any]]]] = lambda subject, document: ()

    @property
    def view(self) -> Callable[..., HttpResponse]:
        """Answers with the page, or in the format that the address names or else its reader prefers."""

        @require_safe
        @negotiated(*(suffix for suffix in self.formats if suffix in MEDIA_TYPES))
        def view(request: HttpRequest, suffix: str = "", **names: str | int) -> HttpResponse:
            return self.answer(request, names, suffix)

        return view

    def files(self, stem: str, name: str) -> list[URLPattern]:
        """Return the address of the formats, whose name ends in "-file"."""
        return [path(f"{stem}.<format:suffix>", self.view, name=f"{name}-file")]

    def paths(self, stem: str, name: str) -> list[URLPattern]:
        """Return the addresses of the formats, and of the page where there is one."""
        files = self.files(stem, name)
        return [*files, path(f"{stem}/", self.view, name=name)] if self.template else files

    def answer(self, request: HttpRequest, names: Names, suffix: str) -> HttpResponse:
        """Return the page, or the format of the suffix, kept until it changes; or redirect to its canonical names."""
        subject = self.find(*(names[name] for name in self.names))
        form = self.read(subject, request.GET, suffix) if self.read else self.form(request.GET)
        standing_names = self.canonical(subject, form) if self.canonical else None
        if standing_names is not None and standing_names != tuple(names[name] for name in self.names):
            match = request.resolver_match
            assert match is not None
            kwargs = match.kwargs | dict(zip(self.names, standing_names, strict=True))
            return moved(request, reverse(match.view_name, kwargs=kwargs))
        asked(form)
        must_exist(self.formats.get(suffix) if suffix else self, f"It is not written as {suffix}.")
        others = {name: value for name, value in names.items() if name not in self.names}

        def build() -> HttpResponse:
            document = self.describe(subject, form, **others)
            if jobs := self.awaits(subject, document):
                hurry_jobs(jobs)
            if suffix:
                return self.finish(self.formats[suffix](subject, document, form), document)
            context = {"document": document, "form": form} | self.lay_out(subject, document, form)
            return self.finish(render(request, self.template, context), document)

        if self.version is None:
            return build()
        key = f"{self.meaning} {suffix} {names} {form.asked} {self.version(subject)}"
        return kept_response(request, key=key, build=build)
