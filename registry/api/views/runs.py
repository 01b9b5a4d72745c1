"""Runs that programs send, their findings, and collections of one's own with their measures and judgements."""

import sys
from collections.abc import Callable
from typing import Any

import msgspec
from django.forms import Form
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from analysis.readers.rejections import Refused
from registry.accounts.authentication import require_scope
from registry.accounts.models import ApiToken
from registry.api.bodies import read_bytes, read_sent, require_size
from registry.api.errors import InvalidParameters, Refusal, refusal
from registry.api.forms import PagedForm, RunForm
from registry.api.schema import OWN_COLLECTION, RUN, changes_own, forgets, reads_own, takes_run
from registry.api.shapes import describe, paged
from registry.api.views.private import PrivateView
from registry.core.http import json_response, max_body_bytes, must_exist, private
from registry.core.limits import spend
from registry.runs import forms as run_forms
from registry.runs import own_forms
from registry.runs.access import get_changeable_collection, get_own_collection, get_own_upload, get_upload
from registry.runs.documents import PublicOwnCollection, own_collection_document, public_own_collection, upload_document
from registry.runs.models import OwnCollection, Upload
from registry.runs.queries import own_collections_of, public_own_collections, uploads_of
from registry.runs.services.judging import put_own_judgements
from registry.runs.services.own_collections import add_measure, begin, change, forget_collection, remove_measure
from registry.runs.services.uploading import charge, forget, hand_in, hand_in_own_run, hand_in_table
from registry.submissions.services.changing import Answer

_RUNS = paged("RunList", RUN, meaning="One's runs and tables of topic scores, in pages.")
_OWN_COLLECTIONS = describe(
    "OwnCollectionList",
    meaning="One's own collections.",
    collections=list[OWN_COLLECTION],  # type: ignore[valid-type]
)
_PUBLIC_COLLECTIONS = paged(
    "PublicOwnCollections",
    PublicOwnCollection,
    meaning="Collections that people show to everybody, in pages. None is on record, none was reviewed.",
)


def _describe(upload: Upload, status: int = 200) -> HttpResponse:
    return private(json_response(msgspec.to_builtins(upload_document(upload)), status=status))


def _most(request: Request) -> int:
    return max_body_bytes(request.method or "", request.path_info, request.headers.get("Authorization", ""))


class RunList(PrivateView):
    """One's runs, and sending one."""

    #: More than other bodies, with a token: as the settings say.
    most_bytes = sys.maxsize
    if_larger = "Pack it with gzip or zstd."

    def require_size(self, request: Request) -> None:
        require_size(request, _most(request))

    def require_room(self, request: Request) -> None:
        if request.method == "POST":
            self._charge(request, is_only_asked=True)

    def _charge(self, request: Request, *, is_only_asked: bool = False) -> None:
        wishes, length = self.asked(RunForm).wishes(), int(request.META.get("CONTENT_LENGTH") or 0)
        about = {"owner": self.person, "collection": wishes["collection"], "measure": wishes["measure"]}
        charge(**about, n_bytes=length, is_only_asked=is_only_asked)

    @reads_own("list_runs", _RUNS, query=PagedForm)
    def get(self, request: Request) -> HttpResponse:
        """Your own runs and tables of topic scores that are still kept, the latest first."""
        own = uploads_of(self.person).prefetch_related("collection__leaderboards__measure", "own_collection__measures")
        return json_response(self.page_of(self.asked(PagedForm), own, upload_document))

    @takes_run("create_run", query=RunForm)
    def post(self, request: Request) -> HttpResponse:
        """Have a run scored for your own eyes under every measure of its collection, or a table of topic scores read.
        The file is the body: plain, gzip or zstd. `Location` has the address to ask for what is found."""
        if (request._request.content_type or "").startswith("multipart/"):
            message = "Send the file itself as the body: curl --data-binary @run.gz"
            raise refusal(415, "Content-Type", "unsupported", message)
        form = self.asked(RunForm)
        own = get_changeable_collection(form.cleaned_data["own"], self.person) if form.cleaned_data["own"] else None
        content = read_bytes(request, _most(request))
        if not content:
            raise refusal(400, "", "empty", "The body is empty; send a run in it.")

        def prepare() -> Callable[[], Answer]:
            self._charge(request)
            return lambda: Answer(201, msgspec.to_builtins(upload_document(self._hand_in(form, own, content))))

        try:
            response = self.answered(content, prepare)
        except Refused as refused:
            raise Refusal(400, refused.message, [refused.at(None, "collection").as_document()]) from refused
        response["Retry-After"] = "2"
        return private(response)

    def _hand_in(self, form: RunForm, own: OwnCollection | None, content: bytes) -> Upload:
        wishes = form.wishes()
        if own is None:
            return hand_in(owner=self.person, content=content, **wishes)
        if form.cleaned_data["kind"] == run_forms.RUN:
            return hand_in_own_run(name=wishes["name"], collection=own, content=content)
        name = form.cleaned_data["measure"].casefold()
        measure = next((measure for measure in own.measures.all() if measure.name.casefold() == name), None)
        if measure is None:
            raise refusal(400, "measure", "unknown_measure", "The collection has no measure of this name.")
        return hand_in_table(name=wishes["name"], measure=measure, content=content)


class SharedView(PrivateView):
    """A view for whoever has the address; of private collections for their owner, with a token that may read."""

    def get_permissions(self) -> Any:
        return [] if self.is_open else super().get_permissions()

    @property
    def is_open(self) -> bool:
        """Return whether no token is needed; False where the view is only described."""
        request = getattr(self, "request", None)
        return request is not None and request.method in SAFE_METHODS

    def require_read(self, collection: OwnCollection | None) -> None:
        """Refuse with 403 where a token may not read private collections."""
        if collection and collection.is_private:
            require_scope(self.request, ApiToken.Scope.READ)


class RunDetail(SharedView):
    """The findings on a run, for whoever has the address; deleting it, for its owner."""

    @reads_own("get_run", RUN, is_open=True)
    def get(self, request: Request, key: str) -> HttpResponse:
        """Return what was found of what somebody sent, for whoever has the address: means, counts of what to know about
        the run, the printed score that it is said to be behind. Until `state` is no longer `waiting`, how far it is. On
        a private collection of somebody's own there is nothing here for anybody but them."""
        upload = get_upload(key, request.user)
        self.require_read(upload.own_collection)
        return _describe(upload)

    @forgets("delete_run")
    def delete(self, request: Request, key: str) -> HttpResponse:
        """Delete what you sent, with its studies and everything that was found; what is still worked on is stopped."""
        forget(upload=get_own_upload(key, self.person))
        return HttpResponse(status=204)


def _describe_own(collection: OwnCollection, status: int = 200) -> HttpResponse:
    now = OwnCollection.objects.get(pk=collection.pk)
    return private(json_response(msgspec.to_builtins(own_collection_document(now)), status=status))


def _require(form: Form) -> None:
    if not form.is_valid():
        raise InvalidParameters(form, "The body asks for something that cannot be done.")


class OwnCollectionList(PrivateView):
    """One's own collections, and beginning one."""

    @reads_own("list_own_collections", _OWN_COLLECTIONS)
    def get(self, request: Request) -> HttpResponse:
        """The collections that you named and that are still kept, the latest first, with what their boards say."""
        collections = [own_collection_document(own, is_listed=True) for own in own_collections_of(self.person)]
        return private(json_response({"collections": msgspec.to_builtins(collections)}))

    @changes_own("create_own_collection", describe("BegunOwnCollectionBody", own_forms.BegunOwnCollection), status=201)
    def post(self, request: Request) -> HttpResponse:
        """Name a collection of your own, with measures if you like. It is kept for a year; nothing of it is on
        record."""
        form = own_forms.BeginForm(read_sent(request, own_forms.BegunOwnCollection).as_form())
        _require(form)
        spend("own collection: account", self.person.pk)
        collection = begin(owner=self.person, **form.wishes())
        response = _describe_own(collection, 201)
        response["Location"] = reverse("api:own-collection-detail", args=[collection.pk])
        return response


class PublicOwnCollectionList(SharedView):
    @reads_own("list_public_own_collections", _PUBLIC_COLLECTIONS, query=PagedForm, is_open=True)
    def get(self, request: Request) -> HttpResponse:
        """Collections that people show to everybody, the latest first. None is on record, none was reviewed."""
        rows = self.page_of(self.asked(PagedForm), public_own_collections(), public_own_collection)
        return private(json_response(rows))


class OwnCollectionDetail(SharedView):
    """A collection of somebody's own, for whoever may see it; to be changed and deleted by its owner."""

    @reads_own("get_own_collection", OWN_COLLECTION, is_open=True)
    def get(self, request: Request, key: str) -> HttpResponse:
        """A collection that somebody named, with what its boards say, for whoever has the address; a private one for
        its owner alone. A public one is listed, too."""
        collection = get_own_collection(key, request.user)
        self.require_read(collection)
        return _describe_own(collection)

    @changes_own("update_own_collection", describe("OwnCollectionBody", own_forms.ChangedOwnCollection))
    def patch(self, request: Request, key: str) -> HttpResponse:
        """Rename it, say who sees it, name its topics or executions; its boards are studied anew."""
        collection = get_changeable_collection(key, self.person)
        sent = read_sent(request, own_forms.ChangedOwnCollection)
        form = own_forms.OwnCollectionForm(sent.as_form(collection))
        _require(form)
        try:
            change(collection=collection, **form.wishes(), **sent.executions_on(collection))
        except Refused as refused:
            at = "executions" if refused.code == "executions" else "visibility"
            raise Refusal(400, refused.message, [refused.at(None, at).as_document()]) from refused
        return _describe_own(collection)

    @forgets("delete_own_collection")
    def delete(self, request: Request, key: str) -> HttpResponse:
        """Delete it with everything that was sent to it and what was found."""
        forget_collection(collection=get_changeable_collection(key, self.person))
        return HttpResponse(status=204)


class OwnMeasureList(PrivateView):
    @changes_own("create_own_measure", describe("OwnMeasureBody", own_forms.SentOwnMeasure))
    def post(self, request: Request, key: str) -> HttpResponse:
        """Add a measure. Runs that are there are scored under it, if ir-measures computes it and their documents are
        kept."""
        collection = get_changeable_collection(key, self.person)
        form = own_forms.OwnMeasureForm(
            read_sent(request, own_forms.SentOwnMeasure).as_form(), taken=collection.measure_names
        )
        _require(form)
        add_measure(collection=collection, facts=form.facts)
        return _describe_own(collection)


class OwnMeasureDetail(PrivateView):
    @forgets("delete_own_measure")
    def delete(self, request: Request, key: str, measure: str) -> HttpResponse:
        """Remove a measure with the tables under it and what its board said; runs stay."""
        collection = get_changeable_collection(key, self.person)
        named = (own for own in collection.measures.all() if own.name.casefold() == measure.casefold())
        remove_measure(measure=must_exist(next(named, None), "The collection has no measure of this name."))
        return HttpResponse(status=204)


class OwnJudgements(PrivateView):
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
        return _describe_own(collection)
