"""The page of one form about one thing, as a correction is asked for, a decision made or a name changed on one."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from registry.results.forms import WithRefusals
from registry.results.services.mass_changes import MassChange


def action_page(
    request: HttpRequest,
    form: WithRefusals,
    act: Callable[..., Any],
    *,
    title: str,
    subject: Any,
    done: str,
    then: Any = None,
    **context: Any,
) -> HttpResponse:
    """The page of a form about ``subject``; once it is filled in well, ``then``, or the page of what it led to.

    ``act`` gets what was filled in, by the names of its fields.
    """
    if request.method == "POST" and form.is_valid():
        try:
            led_to = act(**form.cleaned_data)
        except (ValidationError, MassChange) as error:
            form.add_refusal(error)
        else:
            messages.success(request, done)
            return redirect(then or led_to)
    context = {"has_form": True, "form": form, "title": title, "subject": subject} | context
    return render(request, "results/action.html", context)
