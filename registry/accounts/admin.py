"""Looking at people. Roles are granted on the pages of ``accounts``, where they enter the journal."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpRequest

from registry.accounts.access import require_contributor
from registry.accounts.models import User
from registry.journal.admin import ReadOnlyAdmin
from registry.journal.services import record

# An address or a login added there would open somebody's account, drafts and all, and leave no trace.
for model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken, Group):
    admin.site.unregister(model)


@admin.register(Authenticator)
class AuthenticatorAdmin(ReadOnlyAdmin):
    """Second factors, to be taken away from somebody who lost theirs."""

    list_display = ["user", "type", "created_at"]
    list_filter = ["type"]
    list_select_related = ["user"]
    search_fields = ["user__username", "user__email"]
    exclude = ["data", "last_used_at"]
    actions = None

    def has_delete_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        return True

    @transaction.atomic
    def delete_model(self, request: HttpRequest, obj: Authenticator) -> None:
        person = obj.user
        super().delete_model(request, obj)
        actor = require_contributor(request.user)
        record(action="accounts.user.second_factor_removed", subject=person, actor=actor)


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    list_display = ["username", "full_name", "role", "is_active", "orcid", "date_joined"]
    list_filter = ["is_active", "is_editor", "is_superuser"]
    search_fields = ["username", "full_name", "email", "orcid"]
    date_hierarchy = "date_joined"
    # Not the last login: nobody else needs to know it.
    exclude = ["password", "last_login", "groups", "user_permissions"]
    show_full_result_count = False
