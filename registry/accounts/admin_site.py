"""Django's admin, for administrators alone, with the second factor where the site requires one."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from registry.accounts.access import require_administrator


class AdminSite(admin.AdminSite):
    """Our ``django.contrib.admin.site``. It is apart from ``admin``, which is imported to fill it."""

    def has_permission(self, request: HttpRequest) -> bool:
        try:
            require_administrator(request.user)
        except PermissionDenied:
            return False
        return True
