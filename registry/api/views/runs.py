"""Runs that programs send, and what was found of them for whoever has the address."""

from collections.abc import Mapping
from typing import ClassVar

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from registry.api import serializers
from registry.api.bodies import read_bytes, require_size
from registry.api.errors import Refusal
from registry.api.forms import RunForm
from registry.api.schema import reads_own, takes_run
from registry.api.views.reading import PlainView
from registry.api.views.submissions import PrivateView
from registry.core.forms import QueryForm
from registry.core.http import json_response, max_body_bytes
from registry.core.rejections import Refused
from registry.runs.access import get_upload
from registry.runs.documents import kept_for_nobody_else, upload_document
from registry.runs.models import Upload
from registry.runs.services.uploading import charge, hand_in


def _describe(upload: Upload, status: int = 200) -> HttpResponse:
    response = json_response(msgspec.to_builtins(upload_document(upload)), status=status)
    for name, value in kept_for_nobody_else().items():
        response[name] = value
    return response


def _most(request: Request) -> int:
    return max_body_bytes(request.method or "", request.path_info, request.headers.get("Authorization", ""))


class RunList(PrivateView):
    """Sending a run."""

    forms: ClassVar[Mapping[str, type[QueryForm]]] = {"POST": RunForm}
    http_method_names = ["post"]

    def require_size(self, request: Request) -> None:
        require_size(request, _most(request))

    @takes_run("create_run", query=RunForm)
    def post(self, request: Request) -> HttpResponse:
        """Have a run scored for your own eyes under every measure of its collection, or a table of topic scores read.
        The file is the body: plain, gzip or zstd. `Location` has the address to ask for what is found."""
        if (request._request.content_type or "").startswith("multipart/"):
            message = "Send the file itself as the body: curl --data-binary @run.gz"
            raise Refusal(415, message, [{"field": "Content-Type", "code": "unsupported", "message": message}])
        wishes = self.asked(RunForm).wishes()
        length = int(request.META.get("CONTENT_LENGTH") or 0)
        charge(owner=self.person, collection=wishes["collection"], measure=wishes["measure"], n_bytes=length)
        content = read_bytes(request, _most(request))
        if not content:
            message = "The body is empty; send a run in it."
            raise Refusal(400, message, [{"field": "", "code": "empty", "message": message}])
        try:
            upload = hand_in(owner=self.person, content=content, **wishes)
        except Refused as refused:
            raise Refusal(400, refused.message, [refused.at(None, "collection").as_document()]) from refused
        response = _describe(upload, 201)
        response["Location"], response["Retry-After"] = reverse("api:run-detail", args=[upload.pk]), "2"
        return response


class RunDetail(PlainView):
    """What was found of a run."""

    @reads_own("get_run", serializers.Run, is_open=True)
    def get(self, request: Request, key: str) -> HttpResponse:
        """What was found of what somebody sent, for whoever has the address: means, counts of what to know about the
        run, the printed score that it is said to be behind. Until `state` is no longer `waiting`, how far it is."""
        return _describe(get_upload(key))
