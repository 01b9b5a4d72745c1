"""What upstream repositories print otherwise than the record: for everybody to read, for editors to decide on."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from registry.accounts.access import is_editor, require_editor
from registry.accounts.errands.services import is_left
from registry.accounts.errands.views import leave
from registry.core.feeds import FeedEntry, atom_response
from registry.core.forms import PageForm, asked
from registry.core.templatetags.formatting import plural
from registry.core.views import may_post
from registry.results.models import Result
from registry.results.services.mass_changes import MassChange
from registry.submissions.models import UpstreamUpdate
from registry.submissions.review_forms import UpdateForm
from registry.submissions.services.upstream import apply_update, drop_update, read_content

UPDATES_PER_PAGE = 50
UPDATES_PER_FEED = 20
#: So many rows of each kind stand on the page; their number is always said.
ROWS_SHOWN = 200


@require_safe
def update_list(request: HttpRequest) -> HttpResponse:
    """Every reading of an upstream repository that found something, the newest first."""
    form = asked(PageForm(request.GET))
    updates = UpstreamUpdate.objects.defer("content").select_related("decided_by")
    page = form.cut(updates, UPDATES_PER_PAGE)
    return render(request, "submissions/update_list.html", {"page": page})


@conditional_page
@require_safe
def update_feed(request: HttpRequest) -> HttpResponse:
    """The same, as Atom."""
    updates = UpstreamUpdate.objects.defer("content")[:UPDATES_PER_FEED]
    entries = [
        FeedEntry(
            title=f"{update}: {_counts(update)}",
            path=update.get_absolute_url(),
            at=update.created_at,
            author="registry",
            text=f"Another result would lead {plural(update.n_leaders, 'leaderboard,leaderboards')}.",
        )
        for update in updates
    ]
    page = reverse("submissions:update-list")
    return atom_response(request, title="Plumbline: what its sources print anew", page=page, entries=entries)


@may_post
def update_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """What one reading found; an editor takes it over or leaves it."""
    update = get_object_or_404(UpstreamUpdate.objects.select_related("decided_by"), pk=pk)
    form = UpdateForm(request.POST or None)
    if request.method == "POST":
        editor = require_editor(request.user)
        if is_left(request, update.n_new + update.n_changed + update.n_gone):
            return leave(request)
        if form.is_valid():
            try:
                if form.cleaned_data["decision"] == UpdateForm.APPLY:
                    apply_update(update=update, actor=editor, confirmed_rows=form.cleaned_data["confirmed_rows"])
                else:
                    drop_update(update=update, actor=editor)
            except (ValidationError, MassChange) as error:
                form.add_refusal(error)
            else:
                messages.success(request, "It is decided.")
                return redirect(update)
    return render(request, "submissions/update_detail.html", _context(update) | {
        "form": form, "may_decide": update.state == UpstreamUpdate.State.OPEN and is_editor(request.user),
    })  # fmt: skip


def _context(update: UpstreamUpdate) -> dict[str, object]:
    found, verdicts = read_content(update)
    shown = [*(one.pk for one in found.changed[:ROWS_SHOWN]), *found.gone[:ROWS_SHOWN]]
    results = Result.objects.select_related("system", "leaderboard__collection", "leaderboard__measure").in_bulk(shown)
    return {
        "update": update,
        "found": found,
        "verdicts": sorted(verdicts, key=lambda change: not change.has_new_leader),
        "changed": [(results[one.pk], one) for one in found.changed[:ROWS_SHOWN]],
        "gone": [results[pk] for pk in found.gone[:ROWS_SHOWN]],
        "new": found.new[:ROWS_SHOWN],
        "rows_shown": ROWS_SHOWN,
    }


def _counts(update: UpstreamUpdate) -> str:
    return f"{update.n_new:,} new, {update.n_changed:,} changed, {update.n_gone:,} gone"
