"""What a reader asks about a lineage."""

from registry.core.forms import CleanTextField, PageForm
from registry.curation.lineage.models import KEY_LENGTH
from registry.curation.lineage.pipeline import KINDS


class LineageForm(PageForm):
    """Which lineage."""

    needs = frozenset({"key"})
    key = CleanTextField(
        max_length=KEY_LENGTH, help_text=f"A kind and a name, as team:baidu nlp. Kinds: {', '.join(KINDS)}."
    )
