"""What is found out about a collection, and about a system or a year across collections, as pages show it."""

from collections.abc import Callable
from typing import ClassVar

import msgspec
from django.http import Http404, HttpResponse
from rest_framework.request import Request

from registry.api import serializers
from registry.api.schema import reads
from registry.api.views.reading import PlainView
from registry.baselines.documents import baselines_document, baselines_version
from registry.catalog.models import Collection
from registry.core.http import json_response, kept_response
from registry.leaderboards.access import get_visible_collection
from registry.resolution.documents import resolution_document
from registry.resolution.queries import resolution_version
from registry.results.access import get_visible_system
from registry.standardization.across import across_version, system_across, year_across
from registry.standardization.documents import standardized_document
from registry.standardization.queries import standardization_version


class CollectionView(PlainView):
    """Something about a collection; by slug or alias."""

    name: ClassVar[str]

    def answer(
        self, name: str, version: Callable[[Collection], object], build: Callable[[Collection], object]
    ) -> HttpResponse:
        """The document, kept while the version holds; or where it is under the canonical name."""
        collection = get_visible_collection(name)
        if collection.slug != name:
            return self.moved(f"api:{self.name}", collection.slug)
        key = f"api {self.name} {version(collection)}"
        return kept_response(self.request, key=key, build=lambda: json_response(msgspec.to_builtins(build(collection))))


class CollectionResolution(CollectionView):
    """How much a collection can resolve: swap rates, resolvable differences, topics needed; by slug or alias."""

    name = "collection-resolution"

    @reads("get_collection_resolution", serializers.CollectionResolution, by_name=True)
    def get(self, request: Request, collection: str) -> HttpResponse:
        return self.answer(collection, resolution_version, resolution_document)


class CollectionBaselines(CollectionView):
    """What papers on a collection compared with, and whether their gains add up; by slug or alias."""

    name = "collection-baselines"

    @reads("get_collection_baselines", serializers.CollectionBaselines, by_name=True)
    def get(self, request: Request, collection: str) -> HttpResponse:
        return self.answer(collection, baselines_version, baselines_document)


class CollectionStandardized(CollectionView):
    """Scores on the scale of fixed reference systems, and original runs among systems of today; by slug or alias."""

    name = "collection-standardized"

    @reads("get_collection_standardized", serializers.CollectionStandardized, by_name=True)
    def get(self, request: Request, collection: str) -> HttpResponse:
        return self.answer(collection, standardization_version, standardized_document)


class SystemStandardized(PlainView):
    """All results of a system on the scales of their collections' reference systems, with its mean over them."""

    @reads("get_system_standardized", serializers.SystemAcross, by_name=True)
    def get(self, request: Request, id: int) -> HttpResponse:
        system = get_visible_system(id)
        if system.merged_into_id:
            return self.moved("api:system-standardized", system.merged_into_id)
        key = f"api system-standardized {id} {across_version()}"
        return kept_response(
            self.request, key=key, build=lambda: json_response(msgspec.to_builtins(system_across(system)))
        )


class YearStandardized(PlainView):
    """The results of a year on the scales of their collections' reference systems: quartiles by collection."""

    @reads("get_year", serializers.YearAcross)
    def get(self, request: Request, year: int) -> HttpResponse:
        def build() -> HttpResponse:
            found = year_across(year)
            if not found.n_results:
                raise Http404(f"No comparable result of {year} is recorded.")
            return json_response(msgspec.to_builtins(found))

        return kept_response(self.request, key=f"api year {year} {across_version()}", build=build)
