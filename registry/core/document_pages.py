"""What is shown, declared once: a page, its JSON beside it and the API's answer are one document."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_safe

from registry.core.forms import QueryForm
from registry.core.http import json_response, kept_response, moved
from registry.core.views import bad_request

Subject = TypeVar("Subject")
AnyForm = TypeVar("AnyForm", bound=QueryForm)
Document = TypeVar("Document")

Names = dict[str, str | int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPage(Generic[Subject, AnyForm, Document]):
    """A document with everything that it takes to show it at an address.

    ``meaning`` says what it is, for the description of the API. ``names`` are the parts of the address that name what
    it is about: ``find`` takes them and gives that, or answers 404, and ``canonical`` says what they are called at the
    address that stays; None where there is no other. ``form`` reads what is asked for. ``version`` changes whenever the
    document does. ``describe`` makes the document, with the other parts of the address by name, and ``lay_out`` what
    the template needs beside it.
    """

    template: str
    meaning: str
    names: tuple[str, ...]
    find: Callable[..., Subject]
    canonical: Callable[[Subject], tuple[str | int, ...]] | None
    version: Callable[[Subject], object]
    describe: Callable[..., Document]
    lay_out: Callable[[Subject, Document, AnyForm], dict[str, Any]]
    form: type[AnyForm]

    def paths(self, stem: str, name: str) -> list[URLPattern]:
        """The address of the page, and that of its JSON, whose name ends in "-json"."""

        @require_safe
        def view(request: HttpRequest, suffix: str = "", **names: str | int) -> HttpResponse:
            return self.answer(request, self.form(request.GET), names, suffix)

        return [
            path(f"{stem}.json", view, {"suffix": "json"}, name=f"{name}-json"),
            path(f"{stem}/", view, name=name),
        ]

    def answer(self, request: HttpRequest, form: AnyForm, names: Names, suffix: str) -> HttpResponse:
        """The page, or with a suffix its JSON, kept until it changes; or where it is under canonical names."""
        subject = self.find(*(names[one] for one in self.names))
        canonical = names
        if self.canonical:
            canonical = names | dict(zip(self.names, self.canonical(subject), strict=True))
        if canonical != names:
            match = request.resolver_match
            assert match is not None
            return moved(request, reverse(match.view_name, kwargs=canonical))
        if not form.is_valid():
            return bad_request(request, form)
        others = {name: value for name, value in names.items() if name not in self.names}

        def build() -> HttpResponse:
            document = self.describe(subject, form, **others)
            if suffix:
                return json_response(msgspec.to_builtins(document))
            context = {"document": document, "form": form} | self.lay_out(subject, document, form)
            return render(request, self.template, context)

        asked = sorted((name, str(value)) for name, value in form.cleaned_data.items())
        key = f"{self.template} {suffix} {names} {asked} {self.version(subject)}"
        return kept_response(request, key=key, build=build)
