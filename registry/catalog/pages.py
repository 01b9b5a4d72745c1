"""What pages about a collection have in common: its other names, JSON beside the page, answers that are kept."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.catalog.access import get_visible_collection
from registry.catalog.models import Collection
from registry.core.forms import QueryForm
from registry.core.http import json_response, kept_response, moved
from registry.core.views import bad_request

AnyDocument = TypeVar("AnyDocument")


@dataclass(frozen=True, slots=True)
class CollectionPage(Generic[AnyDocument]):
    """A page of an app about a collection, with its JSON; ``name`` stands in its addresses and its template.

    ``version`` changes whenever the document does; ``lay_out`` gives what the template needs beside it.
    """

    app: str
    name: str
    version: Callable[[Collection], object]
    describe: Callable[[Collection], AnyDocument]
    lay_out: Callable[[AnyDocument], dict[str, Any]] = lambda _: {}

    def answer(self, request: HttpRequest, name: str, suffix: str) -> HttpResponse:
        """The page, or with a suffix its JSON; or where it is under the collection's own name."""
        collection = get_visible_collection(name)
        if collection.slug != name:
            if suffix:
                return moved(request, reverse(f"{self.app}:{self.name}-format", args=[collection.slug, suffix]))
            return moved(request, reverse(f"{self.app}:collection-{self.name}", args=[collection.slug]))
        form = QueryForm(request.GET)
        if not form.is_valid():
            return bad_request(request, form)

        def build() -> HttpResponse:
            document = self.describe(collection)
            if suffix:
                return json_response(msgspec.to_builtins(document))
            context = {"collection": collection, "document": document} | self.lay_out(document)
            return render(request, f"{self.app}/collection_{self.name}.html", context)

        return kept_response(request, key=f"{self.name} {suffix} {self.version(collection)}", build=build)
