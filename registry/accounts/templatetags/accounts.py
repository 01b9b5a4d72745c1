"""What pages of accounts ask for."""

from dataclasses import dataclass

from django import template
from django.conf import settings
from django.urls import reverse

register = template.Library()

_LABELS = {"orcid": "ORCID", "github": "GitHub"}


@dataclass(frozen=True, slots=True)
class Service:
    """Somewhere else to sign in through."""

    name: str
    label: str
    url: str


@register.simple_tag
def login_services() -> list[Service]:
    """The services that are switched on."""
    return [Service(name, _LABELS[name], reverse(f"{name}_login")) for name in settings.LOGIN_SERVICES]


@register.filter
def service_label(name: str) -> str:
    """Return how a service calls itself."""
    return _LABELS.get(name, name)


@register.simple_tag
def is_mail_kept() -> bool:
    """Return whether this site keeps mail in files instead of sending it."""
    return settings.EMAIL_BACKEND == "registry.core.mail.KeptMail"
