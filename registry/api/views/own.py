"""Collections of one's own for programs: beginning, reading, changing and deleting them, their measures, judgements."""

from functools import partial

import msgspec
from django.forms import Form
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from analysis.readers.rejections import Refused
from registry.api.bodies import read_bytes, read_sent
from registry.api.errors import InvalidParameters, Refusal, refusal
from registry.api.paging import PagedForm, page_address, paged
from registry.api.schema import changes_own, forgets, reads_own
from registry.api.serializers import submissions as serializers
from registry.api.views.private import PrivateView
from registry.api.views.runs import SharedView
from registry.core.http import json_response, must_exist, private
from registry.runs.access import get_changeable_collection, get_own_collection
from registry.runs.limits import take_own_collection
from registry.runs.models import OwnCollection
from registry.runs.own_boards import own_collection_document, public_own_collection
from registry.runs.own_forms import BeginForm, OwnCollectionForm, OwnMeasureForm
from registry.runs.own_sent import BegunOwnCollection, SentOwnCollection, SentOwnMeasure
from registry.runs.queries import own_collections_of, public_own_collections
from registry.runs.services.judging import put_own_judgements
from registry.runs.services.own_collections import add_measure, begin, change, forget_collection, remove_measure


def _describe(collection: OwnCollection, status: int = 200) -> HttpResponse:
    """The collection as it stands now."""
    now = OwnCollection.objects.get(pk=collection.pk)
    return private(json_response(msgspec.to_builtins(own_collection_document(now)), status=status))


def _require(form: Form) -> None:
    if not form.is_valid():
        raise InvalidParameters(form, "The body asks for something that cannot be done.")


class OwnCollectionList(PrivateView):
    """One's own collections, and beginning one."""

    @reads_own("list_own_collections", serializers.OwnCollectionList)
    def get(self, request: Request) -> HttpResponse:
        """The collections that you named and that are still kept, the latest first, with what their boards say."""
        own = own_collections_of(self.person)
        return private(
            json_response({"collections": [msgspec.to_builtins(own_collection_document(one)) for one in own]})
        )

    @changes_own("create_own_collection", serializers.BegunOwnCollectionBody, status=201)
    def post(self, request: Request) -> HttpResponse:
        """Name a collection of your own, with measures if you like. It is kept for a year; nothing of it is on
        record."""
        form = BeginForm(read_sent(request, BegunOwnCollection).as_form())
        _require(form)
        take_own_collection(self.person)
        collection = begin(owner=self.person, **form.wishes())
        response = _describe(collection, 201)
        response["Location"] = reverse("api:own-collection-detail", args=[collection.pk])
        return response


class PublicOwnCollectionList(SharedView):
    """Collections that people show to everybody."""

    @reads_own("list_public_own_collections", serializers.PublicOwnCollections, query=PagedForm, is_open=True)
    def get(self, request: Request) -> HttpResponse:
        """Collections that people show to everybody, the latest first. None is on record, none was reviewed."""
        window = self.asked(PagedForm).window
        rows = paged(window, public_own_collections(), public_own_collection, partial(page_address, request))
        return private(json_response(rows))


class OwnCollectionDetail(SharedView):
    """A collection of somebody's own, for whoever may see it; to be changed and deleted by its owner."""

    @reads_own("get_own_collection", serializers.OwnCollection, is_open=True)
    def get(self, request: Request, key: str) -> HttpResponse:
        """A collection that somebody named, with what its boards say, for whoever has the address; a private one for
        its owner alone. A public one is listed, too."""
        collection = get_own_collection(key, request.user)
        self.require_read(collection)
        return _describe(collection)

    @changes_own("update_own_collection", serializers.OwnCollectionBody)
    def patch(self, request: Request, key: str) -> HttpResponse:
        """Call it otherwise, say who sees it, or name its topics; its boards are studied anew."""
        collection = get_changeable_collection(key, self.person)
        form = OwnCollectionForm(read_sent(request, SentOwnCollection).as_form(collection))
        _require(form)
        try:
            change(collection=collection, **form.wishes())
        except Refused as refused:
            raise Refusal(400, refused.message, [refused.at(None, "visibility").as_document()]) from refused
        return _describe(collection)

    @forgets("delete_own_collection")
    def delete(self, request: Request, key: str) -> HttpResponse:
        """Delete it with everything that was sent to it and what was found."""
        forget_collection(collection=get_changeable_collection(key, self.person))
        return HttpResponse(status=204)


class OwnMeasureList(PrivateView):
    """Adding a measure."""

    @changes_own("create_own_measure", serializers.OwnMeasureBody)
    def post(self, request: Request, key: str) -> HttpResponse:
        """Add a measure. Runs that are there are scored under it, if ir-measures computes it and their documents are
        kept."""
        collection = get_changeable_collection(key, self.person)
        form = OwnMeasureForm(read_sent(request, SentOwnMeasure).as_form(), taken=collection.measure_names)
        _require(form)
        add_measure(collection=collection, facts=form.facts)
        return _describe(collection)


class OwnMeasureDetail(PrivateView):
    """Removing a measure."""

    @forgets("delete_own_measure")
    def delete(self, request: Request, key: str, measure: str) -> HttpResponse:
        """Remove a measure with the tables under it and what its board said; runs stay."""
        collection = get_changeable_collection(key, self.person)
        named = (one for one in collection.measures.all() if one.name.casefold() == measure.casefold())
        remove_measure(measure=must_exist(next(named, None), "The collection has no measure of this name."))
        return HttpResponse(status=204)


class OwnJudgements(PrivateView):
    """Putting judgements in."""

    @changes_own("create_own_judgements", None)
    def post(self, request: Request, key: str) -> HttpResponse:
        """Have runs be scored against these judgements: lines of topic, iteration, document, grade, plain, gzip or
        zstd, as the body. They take the place of those that stand, unless a run was scored against these."""
        collection = get_changeable_collection(key, self.person)
        content = read_bytes(request)
        if not content:
            raise refusal(400, "", "empty", "The body is empty; send judgements in it.")
        try:
            put_own_judgements(collection=collection, content=content)
        except Refused as refused:
            raise Refusal(400, refused.message, [refused.at(None, "").as_document()]) from refused
        return _describe(collection)
