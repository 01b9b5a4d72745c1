"""Curators of a collection; redirects from its other names to its own."""

from urllib.parse import quote

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from registry.accounts.access import require_editor, sign_in_first
from registry.catalog.access import get_collection_by_path, get_curator, get_visible_collection
from registry.catalog.forms import CuratorForm, DismissalForm
from registry.catalog.services import appoint_curator, dismiss_curator
from registry.core.http import moved
from registry.core.views import may_post


@require_safe
def name_with_slashes(request: HttpRequest, path: str, suffix: str = "") -> HttpResponse:
    """Lead from an address with an ir_datasets id in it, ``beir/scifact/test``, to that with the collection's slug."""
    collection, rest = get_collection_by_path(path)
    stem = request.path.removesuffix(path + suffix)
    return moved(request, quote(f"{stem}{collection.slug}{rest}{suffix}", safe="/:@!$&'()*+,;=~"))


@sign_in_first
@may_post
def curator_list(request: HttpRequest, name: str) -> HttpResponse:
    """Show the curators of a collection, for editors to appoint and dismiss."""
    actor = require_editor(request.user)
    collection = get_visible_collection(name)
    form = CuratorForm(request.POST or None)
    if form.is_valid():
        person, reason = form.cleaned_data["username"], form.cleaned_data["reason"]
        appoint_curator(collection=collection, user=person, actor=actor, reason=reason)
        messages.success(request, f"{person.public_name} looks after {collection} from now on.")
        return redirect("catalog:curator-list", collection.slug)
    context = {"collection": collection, "curators": collection.curators.select_related("user"), "form": form}
    return render(request, "catalog/curator_list.html", context)


@sign_in_first
@require_POST
def curator_dismiss(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    """Have somebody look after a collection no longer."""
    actor = require_editor(request.user)
    curator = get_curator(get_visible_collection(name), pk)
    form = DismissalForm(request.POST)
    if form.is_valid():
        dismiss_curator(curator=curator, actor=actor, reason=form.cleaned_data["reason"])
        messages.success(request, f"{curator.user.public_name} looks after {curator.collection} no longer.")
    else:
        messages.error(request, "Say why.")
    return redirect("catalog:curator-list", curator.collection.slug)
