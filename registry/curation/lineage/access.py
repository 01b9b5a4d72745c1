"""Who may see lineages: all of it is public."""

from django.http import Http404

from analysis.readers.rejections import Refused
from analysis.readers.text import shorten
from registry.curation.lineage.models import Lineage
from registry.curation.lineage.pipeline import parse_key
from registry.curation.lineage.queries import systems_of


def get_visible_lineage(text: str) -> tuple[str, set[int]]:
    """The key in its canonical form, and the systems that may be of it; 404 where nothing ever was."""
    try:
        key = parse_key(text)
    except Refused as refused:
        raise Http404(f"This names no lineage: {refused.message}.") from refused
    systems = systems_of([key])
    if not systems and not Lineage.objects.filter(key=key).exists():
        raise Http404(f"No system is of the lineage {shorten(key)}.")
    return key, systems
