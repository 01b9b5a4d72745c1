"""One page of a draft: which systems are its author's own, and which on record each of them is."""

from collections import Counter
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from registry.accounts.models import User
from registry.core.forms import PageForm, asked
from registry.core.messages import say
from registry.core.views import may_post
from registry.submissions import access
from registry.submissions.forms import as_sentence
from registry.submissions.models import Submission
from registry.submissions.pipeline.matching import DraftSystem, find_systems
from registry.submissions.services.changing import Conflict, WrongState
from registry.submissions.services.drafting import settle_rows
from registry.submissions.settling_forms import OUT, SettlingForm
from registry.submissions.views.submissions import about, charge_rows

#: A form has a thousand fields at most.
SYSTEMS_PER_PAGE = 200


@about(access.get_editable_submission, may_post)
def systems_settle(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Show each system with its proposal, and save the choices for all of them."""
    systems = find_systems(submission.rows.order_by("line"))
    page = asked(PageForm(request.GET)).cut(systems, SYSTEMS_PER_PAGE)
    version = {"version": submission.version}
    if request.method != "POST" or request.POST.get("all"):
        form = SettlingForm(list(page), initial=version, role=request.POST.get("all", ""))
        return _shown(request, submission, form, page, systems)
    form = SettlingForm(list(page), request.POST)
    if not form.is_valid():
        return _shown(request, submission, form, page, systems)
    charge_rows(request, submission)
    try:
        settle_rows(submission=submission, changes=form.changes, version=form.cleaned_data["version"], actor=user)
    except (Conflict, WrongState) as error:
        messages.error(request, str(error))
        return redirect("submissions:systems-settle", submission.pk)
    except ValidationError as error:
        form.add_error(None, [as_sentence(message) for message in error.messages])
        return _shown(request, submission, form, page, systems)
    roles = Counter(form.cleaned_data[f"role-{system.number}"] for system in page)
    messages.success(request, say("settle-saved", own=roles["proposed"], baselines=roles["baseline"], out=roles[OUT]))
    address = reverse("submissions:systems-settle", args=[submission.pk])
    return redirect(f"{address}?page={page.next_page_number()}" if page.has_next() else submission)


def _shown(
    request: HttpRequest, submission: Submission, form: SettlingForm, page: Any, systems: list[DraftSystem]
) -> HttpResponse:
    known = sum(system.proposed is not None for system in systems)
    unnamed = [say("settle-name", name=system.name) for system in page if system.needs_name]
    context = {"submission": submission, "form": form, "page": page, "unnamed": unnamed, "new": say("beside-new")}
    context["lead"] = say("settle-lead", known=known, n=len(systems))
    return render(request, "submissions/systems_settle.html", context)
