"""What the page of a system says of it across collections."""

import hashlib
from typing import Any

from django import template
from django.core.cache import cache

from registry.results.models import System
from registry.tools.standardization.across import SystemAcross, across_version, system_across
from registry.tools.standardization.drawings import draw_system
from registry.tools.standardization.views import MOST_ROWS

register = template.Library()


@register.inclusion_tag("tools/standardization/_of_system.html")
def across(system: System) -> dict[str, Any]:
    """Its results on the scales of their collections' reference systems; nothing where none has a scale."""
    digest = hashlib.sha256(f"{system.pk} {across_version()}".encode()).hexdigest()
    key = f"across-{digest}"
    document: SystemAcross | None = cache.get(key)
    if document is None:
        document = system_across(system)
        cache.set(key, document)
    groups = [(one, draw_system(one)) for one in document.groups]
    return {"system": system, "document": document, "groups": groups, "most": MOST_ROWS}
