"""One's own account, the public page of a person, and the administration of roles. Signing in and up is allauth's."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.core.paginator import Paginator
from django.db.models import Q
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST, require_safe

from analysis.readers.rejections import Refused
from registry.accounts import access, services
from registry.accounts.access import sign_in_first
from registry.accounts.forms import DeletionForm, ProfileForm, RoleForm, TokenForm
from registry.accounts.models import User
from registry.accounts.personal import account_document
from registry.core.http import json_response
from registry.core.limits import spend
from registry.core.mail import NotSent
from registry.core.views import may_post

logger = logging.getLogger(__name__)

PEOPLE_PER_PAGE = 50


@sign_in_first
@may_post
def account_detail(request: HttpRequest) -> HttpResponse:
    """Show one’s own account: what others see, how one signs in, what one can take along or delete."""
    user = access.require_contributor(request.user)
    form = ProfileForm(request.POST or None, initial={"full_name": user.full_name})
    if form.is_valid():
        services.update_profile(user=user, full_name=form.cleaned_data["full_name"])
        messages.success(request, "Your profile is saved.")
        return redirect("accounts:account-detail")
    context = {
        "form": form,
        "has_second_factor": access.has_second_factor(user),
        "needs_second_factor": settings.PLUMBLINE_REQUIRE_SECOND_FACTOR and user.role != User.Role.CONTRIBUTOR,
        "services": SocialAccount.objects.filter(user=user) if settings.LOGIN_SERVICES else [],
        "has_services": bool(settings.LOGIN_SERVICES),
        "n_tokens": user.api_tokens.live().count(),
    }
    return render(request, "accounts/account_detail.html", context)


@require_safe
def person_detail(request: HttpRequest, username: str) -> HttpResponse:
    """Return what is public about somebody."""
    person = access.get_public_person(username)
    if person.username != username:
        return redirect(person, permanent=True)
    return render(request, "accounts/person_detail.html", {"person": person})


@sign_in_first
@may_post
@reauthentication_required(allow_get=True)
def token_list(request: HttpRequest) -> HttpResponse:
    """Show one’s tokens; a new one is shown here, and only once."""
    user = access.require_contributor(request.user)
    form = TokenForm(request.POST or None)
    new = None
    if form.is_valid():
        spend("token", user.pk)
        try:
            new = services.create_token(user=user, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            form = TokenForm()
            _notify(request, "account/email/token_created", {"token": new.token})
    context = {"form": form, "new": new, "tokens": user.api_tokens.all(), "now": timezone.now()}
    return render(request, "accounts/token_list.html", context)


@sign_in_first
@require_POST
def token_revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Have a token open nothing any more."""
    token = services.revoke_token(token=access.get_own_token(access.require_contributor(request.user), pk))
    messages.success(request, f"The token {token} is revoked.")
    return redirect("accounts:token-list")


@sign_in_first
@require_POST
def sessions_end(request: HttpRequest) -> HttpResponse:
    """Sign out here and everywhere else."""
    services.end_sessions(user=access.require_contributor(request.user))
    logout(request)
    return redirect("account_login")


@sign_in_first
@require_GET
@reauthentication_required
def account_export(request: HttpRequest) -> HttpResponse:
    """Return everything the registry keeps about oneself, as JSON."""
    user = access.require_contributor(request.user)
    response = json_response(account_document(user))
    response["Content-Disposition"] = f'attachment; filename="plumbline-{user.username}.json"'
    return response


@sign_in_first
@may_post
@reauthentication_required
def account_delete(request: HttpRequest) -> HttpResponse:
    """Delete one's account; what one contributed stays, under nobody's name."""
    user = access.require_contributor(request.user)
    form = DeletionForm(request.POST or None, user=user)
    if form.is_valid():
        email = user.email
        try:
            services.delete_account(user=user)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            logout(request)
            if email:
                with _as_far_as_possible():
                    get_adapter(request).send_mail("account/email/account_deleted", email, {})
            return render(request, "accounts/account_deleted.html")
    return render(request, "accounts/account_delete.html", {"form": form})


@sign_in_first
@require_safe
def user_list(request: HttpRequest) -> HttpResponse:
    """List everybody with an account, for administrators."""
    access.require_administrator(request.user)
    words = request.GET.get("q", "").replace("\0", "").strip()[:200]
    people = User.objects.existing().order_by("-is_superuser", "-is_editor", "username")
    if words:
        people = people.filter(
            Q(username__icontains=words) | Q(full_name__icontains=words) | Q(email__icontains=words) | Q(orcid=words)
        )
    page = Paginator(people, PEOPLE_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "accounts/user_list.html", {"page": page, "query": {"q": words} if words else {}})


@sign_in_first
@may_post
def user_edit(request: HttpRequest, username: str) -> HttpResponse:
    """Give somebody a role, suspend or reinstate them: with a reason, for administrators."""
    actor = access.require_administrator(request.user)
    person = access.get_existing_person(username)
    form = RoleForm(request.POST or None, initial={"role": person.role, "is_active": person.is_active})
    if form.is_valid() and _change(form, person, actor):
        messages.success(request, f"The account of {person.username} is changed.")
        return redirect("accounts:user-list")
    return render(request, "accounts/user_edit.html", {"form": form, "person": person})


def _change(form: Form, person: User, actor: User) -> bool:
    common: dict[str, Any] = {"user": person, "actor": actor, "reason": form.cleaned_data["reason"]}
    try:
        services.set_role(role=User.Role(form.cleaned_data["role"]), **common)
        services.set_active(is_active=form.cleaned_data["is_active"], **common)
        if form.cleaned_data["has_lost_factor"]:
            services.remove_second_factor(**common)
    except Refused as refused:
        form.add_error(None, refused.message)
        return False
    return True


def _notify(request: HttpRequest, template: str, context: dict[str, Any]) -> None:
    """Tell somebody by mail what happened to the account, so that a stranger's doing is noticed."""
    with _as_far_as_possible():
        get_adapter(request).send_notification_mail(template, request.user, context)


@contextmanager
def _as_far_as_possible() -> Iterator[None]:
    """Go on where a mail cannot be sent about what is done already: the page tells of it."""
    try:
        yield
    except NotSent:
        logger.warning("a mail that tells somebody of a change of their account could not be sent")
