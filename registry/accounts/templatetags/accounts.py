"""Tags and filters of the pages of accounts."""

from django import template
from django.conf import settings
from django.urls import reverse

register = template.Library()

_LABELS = {"orcid": "ORCID", "github": "GitHub"}


@register.simple_tag
def login_services() -> list[dict[str, str]]:
    """Return the services that are switched on, through which people may sign in, too."""
    return [{"label": _LABELS[name], "url": reverse(f"{name}_login")} for name in settings.LOGIN_SERVICES]


@register.filter
def service_label(name: str) -> str:
    """Return how a service calls itself."""
    return _LABELS.get(name, name)


@register.simple_tag
def is_mail_kept() -> bool:
    """Return whether this site keeps mail in files instead of sending it."""
    return settings.EMAIL_BACKEND == "registry.core.mail.KeptMail"
