"""Pages of collections of one's own: their boards, uploads to them, and who sees them."""

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from analysis.readers.rejections import Refused
from registry.accounts.access import is_editor, require_contributor, require_editor, sign_in_first
from registry.core.forms import PageForm, asked, invalid
from registry.core.http import must_exist, one_of, private, takes_at_most
from registry.core.limits import spend
from registry.core.messages import say
from registry.core.views import may_post
from registry.results.forms import Action, action
from registry.runs import own_forms
from registry.runs.access import get_changeable_collection, get_own_collection, get_own_measure, may_change
from registry.runs.documents import boards_of_own
from registry.runs.executions import names_on
from registry.runs.forms import ExecutionsForm
from registry.runs.models import OwnCollection, Upload
from registry.runs.queries import delisted_collections, own_collections_of, own_judgements, public_own_collections
from registry.runs.services import own_collections
from registry.runs.services.judging import put_own_judgements
from registry.runs.services.studying import declare_executions
from registry.runs.services.uploading import MOST_KEPT, charge, hand_in_own_run, hand_in_table
from registry.runs.study_views import study_page

LISTED_PER_PAGE = 25


@may_post
@sign_in_first
def own_list(request: HttpRequest) -> HttpResponse:
    user = require_contributor(request.user)
    form = own_forms.BeginForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        spend("own collection: account", user.pk)
        return redirect(own_collections.begin(owner=user, **form.wishes()))
    context = {"form": form, "own": own_collections_of(user)}
    return private(render(request, "runs/own_list.html", context, status=400 if form.errors else 200))


@require_safe
def own_public(request: HttpRequest) -> HttpResponse:
    """Show the public collections of people's own; to editors also those that were taken off the list."""
    form = asked(PageForm(request.GET))
    context = {
        "page": form.cut(public_own_collections(), LISTED_PER_PAGE),
        "delisted": delisted_collections() if is_editor(request.user) else [],
    }
    return private(render(request, "runs/own_public.html", context))


@action("", done="It is decided.")
def own_listing(request: HttpRequest, key: str) -> Action:
    """Take a public collection off the list, or let it be on it again."""
    actor, collection = require_editor(request.user), get_own_collection(key, request.user)
    if not (collection.is_public or collection.delisted_for):
        raise Http404("It is on no list, and was not taken off one.")
    form, may_be_listed = own_forms.ListingForm(request.POST or None), not collection.is_public
    act = partial(own_collections.decide_listing, collection=collection, may_be_listed=may_be_listed, actor=actor)
    title = "Let it be listed" if may_be_listed else "Take it off the list"
    return Action(form, act, collection, context={"title": title})


@require_safe
def own_detail(request: HttpRequest, key: str) -> HttpResponse:
    return _page(request, get_own_collection(key, request.user))


def _page(request: HttpRequest, collection: OwnCollection, sent: dict[str, Form] | None = None) -> HttpResponse:
    """Show the collection, and to its owner the forms; in ``sent`` the invalid form, as it came."""
    boards, runs = boards_of_own(collection)
    context: dict[str, Any] = {"collection": collection, "boards": boards, "runs": runs}
    context["judgements"] = own_judgements(collection)
    context["is_editor"] = is_editor(request.user)
    if may_change(request.user, collection):
        forms = {act: form_of(collection, None, None) for act, (form_of, _) in _FORMS.items()}
        context |= {"is_own": True, "forms": forms | (sent or {})}
    return private(render(request, "runs/own_detail.html", context, status=400 if sent else 200))


def _change(collection: OwnCollection, form: own_forms.OwnCollectionForm) -> None:
    own_collections.change(collection=collection, **form.wishes())


def _measure_add(collection: OwnCollection, form: own_forms.OwnMeasureForm) -> None:
    own_collections.add_measure(collection=collection, facts=form.facts)


def _table_add(collection: OwnCollection, form: own_forms.OwnTableForm) -> None:
    fields = form.cleaned_data
    charge(owner=collection.owner, collection=None)
    hand_in_table(name=fields["name"], measure=form.measures[fields["measure"]], content=fields["file"].read())


def _run_add(collection: OwnCollection, form: own_forms.OwnRunForm) -> Upload:
    fields = form.cleaned_data
    charge(owner=collection.owner, collection=None)
    return hand_in_own_run(name=fields["name"], collection=collection, content=fields["file"].read())


def _judgements_put(collection: OwnCollection, form: own_forms.OwnJudgementsForm) -> None:
    put_own_judgements(collection=collection, content=form.cleaned_data["file"].read())


def _executions(collection: OwnCollection, form: ExecutionsForm) -> None:
    declare_executions(kept=collection, **form.cleaned_data)


def _change_form(collection: OwnCollection, data: Any, _: Any) -> own_forms.OwnCollectionForm:
    initial = {"name": collection.name, "seen": collection.visibility, "topics": "\n".join(collection.topics)}
    return own_forms.OwnCollectionForm(data, initial=initial)


#: By the end of the address, what makes a form of the collection and of what was sent, and what does what a valid one
#: says. It leads to the upload that this returns, or back to the collection.
_FORMS: dict[str, tuple[Callable[[OwnCollection, Any, Any], Form], Callable[[OwnCollection, Any], Upload | None]]] = {
    "change": (_change_form, _change),
    "measures": (lambda its, data, _: own_forms.OwnMeasureForm(data, taken=its.measure_names), _measure_add),
    "tables": (lambda its, *sent: own_forms.OwnTableForm(*sent, collection=its), _table_add),
    "runs": (lambda its, *sent: own_forms.OwnRunForm(*sent), _run_add),
    "judgements": (lambda its, *sent: own_forms.OwnJudgementsForm(*sent), _judgements_put),
    "systems": (lambda its, data, _: ExecutionsForm(data, names_on(its), its), _executions),
}


@require_POST
@sign_in_first
def _fill_in(request: HttpRequest, key: str, act: str) -> HttpResponse:
    """Do what a form says; where it is not valid, or refused, show the page with the reason in it."""
    collection = get_changeable_collection(key, request.user)
    form_of, do = _FORMS[act]
    form = form_of(collection, request.POST, request.FILES)
    if form.is_valid():
        try:
            return redirect(do(collection, form) or collection)
        except Refused as refused:
            form.add_error("file" if "file" in form.fields else "seen", invalid(refused))
    return _page(request, collection, {act: form})


@require_POST
@sign_in_first
def own_measure_remove(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    collection = get_changeable_collection(key, request.user)
    own_collections.remove_measure(measure=get_own_measure(key, pk, request.user))
    return redirect(collection)


@require_POST
@sign_in_first
def _keep(request: HttpRequest, key: str) -> HttpResponse:
    """Keep it for a year from now."""
    collection = get_changeable_collection(key, request.user)
    own_collections.keep_collection(collection=collection, until=timezone.now() + MOST_KEPT)
    return redirect(collection)


@require_POST
@sign_in_first
def _delete(request: HttpRequest, key: str) -> HttpResponse:
    """Have it forgotten with its tables and all that was found."""
    own_collections.forget_collection(collection=get_changeable_collection(key, request.user))
    messages.success(request, "It is deleted, with its tables and everything that was found.")
    return redirect("runs:own-list")


_ACTS = {act: partial(_fill_in, act=act) for act in _FORMS} | {"keep": _keep, "delete": _delete}
own_act = takes_at_most(sys.maxsize, say("own-in-parts"))(one_of(_ACTS))


@require_safe
def own_board(request: HttpRequest, key: str, pk: int, suffix: str = "") -> HttpResponse:
    """Show the findings on the tables under one measure as a snapshot does; as JSON, too."""
    measure = get_own_measure(key, pk, request.user)
    return study_page(request, must_exist(measure.board_study, "Nothing that was sent is read yet."), suffix)
