"""Whether the site looks papers up, and with what: off by default, since its server would ask other sites."""

from django.conf import settings
from django.utils.module_loading import import_string

from analysis.readers.bibliography.lookup import Fetch


def configured_fetch() -> Fetch | None:
    """The function whose dotted path the setting ``PLUMBLINE_LOOKUP_PAPERS`` has; None where looking up is off."""
    path = settings.PLUMBLINE_LOOKUP_PAPERS
    return import_string(path) if path else None
