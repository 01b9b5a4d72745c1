"""People."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.db.models.signals import post_delete, post_save


class AccountsConfig(AppConfig):
    name = "registry.accounts"

    def ready(self) -> None:
        from registry.accounts import limits, services
        from registry.accounts.models import User
        from registry.core.jobs import Routine, register
        from registry.core.limits import declare
        from registry.journal import sealing

        roles = ("username", "is_editor", "is_staff", "is_superuser")
        sealing.register(sealing.Kind("people", User, roles, User.objects.with_roles))
        declare(limits.LIMITS)
        register(Routine("accounts.prune", services.prune, every=6 * 3600, expires=3600))

        # However an account at a service is connected or disconnected, the ORCID iD follows.
        account = "socialaccount.SocialAccount"
        post_save.connect(services.note_service, sender=account, dispatch_uid="note_service")
        post_delete.connect(services.forget_service, sender=account, dispatch_uid="forget_service")


class AdminConfig(admin_apps.AdminConfig):
    """Django's admin, for administrators alone."""

    default = False
    default_site = "registry.accounts.admin_site.AdminSite"
