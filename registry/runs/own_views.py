"""Pages of collections of one's own: their boards, what is sent to them, and who sees them."""

import sys
from collections.abc import Callable
from functools import partial, wraps
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
from registry.core.http import must_exist, private, takes_at_most
from registry.core.limits import spend
from registry.core.messages import say
from registry.core.views import may_post, one_of
from registry.results.form_pages import Action, action
from registry.runs import own_forms
from registry.runs.access import get_changeable_collection, get_own_collection, get_own_measure, may_change
from registry.runs.documents import boards_of_own
from registry.runs.forms import ExecutionsForm
from registry.runs.models import OwnCollection, Upload
from registry.runs.queries import delisted_collections, own_collections_of, own_judgements, public_own_collections
from registry.runs.services import own_collections
from registry.runs.services.judging import put_own_judgements
from registry.runs.services.studying import declare_executions
from registry.runs.services.uploading import MOST_KEPT, charge, hand_in_own_run, hand_in_table
from registry.runs.studies import names_on
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
    """The collections that people show to everybody; for editors with those that were taken off the list."""
    form = asked(PageForm(request.GET))
    context = {
        "page": form.cut(public_own_collections(), LISTED_PER_PAGE),
        "delisted": delisted_collections() if is_editor(request.user) else [],
    }
    return private(render(request, "runs/own_public.html", context))


@action("", done="It is decided.")
def own_listing(request: HttpRequest, key: str) -> Action:
    """Taking a public collection off the list, or letting one that was be on it again."""
    actor, collection = require_editor(request.user), get_own_collection(key, request.user)
    if not (collection.is_public or collection.delisted_for):
        raise Http404("It is on no list, and was not taken off one.")
    act, title = (
        (own_collections.delist, "Take it off the list")
        if collection.is_public
        else (own_collections.let_be_listed, "Let it be listed")
    )
    form, act = own_forms.ListingForm(request.POST or None), partial(act, collection=collection, actor=actor)
    return Action(form, act, collection, context={"title": title})


@require_safe
def own_detail(request: HttpRequest, key: str) -> HttpResponse:
    return _page(request, get_own_collection(key, request.user))


def _page(request: HttpRequest, collection: OwnCollection, **forms: Any) -> HttpResponse:
    """The page, for its owner with forms; those that were sent and are not valid as they were sent."""
    boards, runs = boards_of_own(collection)
    context: dict[str, Any] = {"collection": collection, "boards": boards, "runs": runs}
    context["judgements"] = own_judgements(collection)
    context["is_editor"] = is_editor(request.user)
    if may_change(request.user, collection):
        said = {"name": collection.name, "seen": collection.visibility, "topics": "\n".join(collection.topics)}
        context |= {
            "is_own": True,
            "change_form": own_forms.OwnCollectionForm(initial=said),
            "measure_form": own_forms.OwnMeasureForm(taken=collection.measure_names),
            "table_form": own_forms.OwnTableForm(collection=collection),
            "run_form": own_forms.OwnRunForm(),
            "judgements_form": own_forms.OwnJudgementsForm(),
            "executions_form": ExecutionsForm(None, names_on(collection), collection),
        }
    status = 400 if forms else 200
    return private(render(request, "runs/own_detail.html", context | forms, status=status))


#: What is done with a valid form about a collection, and what that led to: None for the collection itself.
Act = Callable[[OwnCollection, Any], Upload | None]


def _filled_in(
    name: str, form_of: Callable[[HttpRequest, OwnCollection], Form], refused_at: str = "file"
) -> Callable[[Act], Callable[[HttpRequest, str], HttpResponse]]:
    """The view of a form on the page of a collection, for its owner: it does what was filled in, and leads to what that
    led to. Where that is not valid, or refused, the page says why in its form of this name."""

    def decorate(act: Act) -> Callable[[HttpRequest, str], HttpResponse]:
        @require_POST
        @sign_in_first
        @wraps(act)
        def view(request: HttpRequest, key: str) -> HttpResponse:
            collection = get_changeable_collection(key, request.user)
            form = form_of(request, collection)
            if form.is_valid():
                try:
                    return redirect(act(collection, form) or collection)
                except Refused as refused:
                    form.add_error(refused_at, invalid(refused))
            return _page(request, collection, **{name: form})

        return view

    return decorate


@_filled_in("change_form", lambda request, _: own_forms.OwnCollectionForm(request.POST), "seen")
def _change(collection: OwnCollection, form: own_forms.OwnCollectionForm) -> None:
    """Call it otherwise, show it to others or no longer, name its topics."""
    own_collections.change(collection=collection, **form.wishes())


@_filled_in("measure_form", lambda request, its: own_forms.OwnMeasureForm(request.POST, taken=its.measure_names))
def _measure_add(collection: OwnCollection, form: own_forms.OwnMeasureForm) -> None:
    own_collections.add_measure(collection=collection, facts=form.facts)


@require_POST
@sign_in_first
def own_measure_remove(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    collection = get_changeable_collection(key, request.user)
    own_collections.remove_measure(measure=get_own_measure(key, pk, request.user))
    return redirect(collection)


@_filled_in("table_form", lambda request, its: own_forms.OwnTableForm(request.POST, request.FILES, collection=its))
def _table_add(collection: OwnCollection, form: own_forms.OwnTableForm) -> None:
    given = form.cleaned_data
    charge(owner=collection.owner, collection=None)
    hand_in_table(name=given["name"], measure=form.measures[given["measure"]], content=given["file"].read())


@_filled_in("run_form", lambda request, _: own_forms.OwnRunForm(request.POST, request.FILES))
def _run_add(collection: OwnCollection, form: own_forms.OwnRunForm) -> Upload:
    given = form.cleaned_data
    charge(owner=collection.owner, collection=None)
    return hand_in_own_run(name=given["name"], collection=collection, content=given["file"].read())


@_filled_in("judgements_form", lambda request, _: own_forms.OwnJudgementsForm(request.POST, request.FILES))
def _judgements_put(collection: OwnCollection, form: own_forms.OwnJudgementsForm) -> None:
    put_own_judgements(collection=collection, content=form.cleaned_data["file"].read())


@_filled_in("executions_form", lambda request, its: ExecutionsForm(request.POST, names_on(its), its))
def _executions(collection: OwnCollection, form: ExecutionsForm) -> None:
    declare_executions(kept=collection, **form.cleaned_data)


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


#: What is done with a collection by a form on its page, by the end of the address.
_ACTS = {
    "change": _change,
    "measures": _measure_add,
    "tables": _table_add,
    "runs": _run_add,
    "judgements": _judgements_put,
    "systems": _executions,
    "keep": _keep,
    "delete": _delete,
}
own_act = takes_at_most(sys.maxsize, say("own-in-parts"))(one_of(_ACTS))


@require_safe
def own_board(request: HttpRequest, key: str, pk: int, suffix: str = "") -> HttpResponse:
    """Return what the tables under one measure say, as a snapshot shows it; as JSON, too."""
    measure = get_own_measure(key, pk, request.user)
    return study_page(request, must_exist(measure.board_study, "Nothing that was sent is read yet."), suffix)
