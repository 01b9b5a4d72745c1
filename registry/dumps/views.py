"""The page that offers the registry to take home, and the files."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from registry.core.forms import QueryForm, asked
from registry.core.http import json_response, must_exist, negotiated, site_address
from registry.core.queries import read_routines
from registry.dumps import documents
from registry.dumps.manifest import CHECKSUMS, CROISSANT, DATA_PACKAGE, HEADS, MANIFEST, MEDIA_TYPES, Manifest
from registry.dumps.queries import EXPORT_WHEN_DUE, dump_folders, find_dump, latest_dump, n_to_analyse

#: The files beside the tables.
_ABOUT = (MANIFEST, CROISSANT, DATA_PACKAGE, CHECKSUMS, HEADS)


def get_latest_dump() -> Manifest:
    return must_exist(latest_dump(), "There is no dump yet.")


def get_dump_file(name: str, file: str) -> Path:
    manifest = must_exist(find_dump(name), f"There is no dump {name}, or no longer.")
    if file not in _ABOUT and file not in manifest.by_name:
        raise Http404(f"The dump {name} has no file {file}.")
    path: Path = settings.DUMPS / name / file
    return path


_OF_TEXT = {".json": "application/json", ".txt": "text/plain; charset=utf-8", "": "text/plain; charset=utf-8"}


@require_safe
@negotiated("json")
def dump_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    asked(QueryForm(request.GET))
    if suffix:
        return json_response(documents.dump_document(get_latest_dump()))
    dump = latest_dump()
    context: dict[str, Any] = {"dump": dump, "linked_data": documents.catalog_linked_data(dump), "site": site_address()}
    context |= {
        "n_to_analyse": 0 if dump else n_to_analyse(),
        "making": read_routines().get(EXPORT_WHEN_DUE),
        "hours": settings.PLUMBLINE_DUMP_HOURS,
        "submitted_licence": settings.SUBMITTED_LICENCE,
    }
    if dump:
        context |= {
            "tables": documents.table_files(dump),
            "sources": documents.source_terms(dump),
            "size": sum(file.bytes for file in dump.files),
            "n_rows": sum(table.rows for table in dump.tables),
            "earlier": [earlier for folder in dump_folders()[1:] if (earlier := find_dump(folder.name))],
        }
    response = render(request, "dumps/dump_list.html", context)
    return documents.with_links(response, dump) if dump else response


@require_safe
def latest_file(request: HttpRequest, file: str) -> HttpResponse:
    return redirect(documents.file_address(get_latest_dump(), file))


@require_safe
def dump_file(request: HttpRequest, name: str, file: str) -> HttpResponseBase:
    """Send a file of a dump; it never changes."""
    path = get_dump_file(name, file)
    etag = f'"{name}-{file}"'
    response: HttpResponseBase | None = get_conditional_response(request, etag)
    if response is None:
        known = (media_type for suffix, media_type in MEDIA_TYPES.items() if file.endswith(suffix))
        media_type = next(known, None) or _OF_TEXT[path.suffix]
        response = FileResponse(path.open("rb"), as_attachment=True, filename=file, content_type=media_type)
    response["ETag"] = etag
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    # Readers in browsers, and notebooks on other sites, may fetch what anybody may.
    response["Access-Control-Allow-Origin"] = "*"
    return response
