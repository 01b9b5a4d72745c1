"""The page of one form about one thing, as a correction is asked for, a decision made or a name changed on one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from registry.accounts.access import sign_in_first
from registry.core.views import may_post
from registry.results.forms import WithRefusals
from registry.results.services.mass_changes import MassChange


@dataclass(frozen=True, slots=True)
class Action:
    """A form about ``subject``, and what is done with what was filled in; ``act`` gets that by the names of the fields.

    Once it is done readers are led ``then``, or to the page of what it led to. ``context`` is what the page needs
    besides, which may call it by another ``title``.
    """

    form: WithRefusals
    act: Callable[..., Any]
    subject: Any
    then: Any = None
    context: Mapping[str, Any] = field(default_factory=dict)


def action(title: str, done: str) -> Callable[[Callable[..., Action]], Callable[..., HttpResponse]]:
    """Make the page of an action, for people who are signed in, of what prepares it for a request.

    ``done`` is what they read then, which may name the ``{subject}``.
    """

    def decorate(prepare: Callable[..., Action]) -> Callable[..., HttpResponse]:
        @sign_in_first
        @may_post
        @wraps(prepare)
        def view(request: HttpRequest, **names: Any) -> HttpResponse:
            one = prepare(request, **names)
            if request.method == "POST" and one.form.is_valid():
                try:
                    led_to = one.act(**one.form.cleaned_data)
                except (ValidationError, MassChange) as error:
                    one.form.add_refusal(error)
                else:
                    messages.success(request, done.format(subject=one.subject))
                    return redirect(one.then or led_to)
            context = {"has_form": True, "form": one.form, "title": title, "subject": one.subject, **one.context}
            return render(request, "results/action.html", context)

        return view

    return decorate
