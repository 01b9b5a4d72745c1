"""What a reader asks about a lineage, and what editors fill in to decide on it."""

from typing import Any

from django import forms

from registry.core.forms import CleanTextField, PageForm
from registry.curation.lineage.models import KEY_LENGTH
from registry.curation.lineage.pipeline.keys import KINDS
from registry.results.forms import ReasonForm

_HELP = f"A kind and a name, as team:baidu nlp. Kinds: {', '.join(KINDS)}."


class LineageForm(PageForm):
    """Which lineage."""

    key = CleanTextField(max_length=KEY_LENGTH, help_text=_HELP)


class SystemLineageForm(ReasonForm):
    """Whether a system is of a lineage."""

    decision = forms.ChoiceField(
        choices=[("join", "The system is of this lineage"), ("leave", "The system is not of this lineage")],
        widget=forms.RadioSelect,
        label="Decision",
    )
    key = CleanTextField(max_length=KEY_LENGTH, label="Lineage", help_text=_HELP)
    field_order = ["decision", "key", "reason"]


class LineageDecisionForm(ReasonForm):
    """What becomes of a lineage as a whole."""

    decision = forms.ChoiceField(
        choices=[("merge", "It is the same as another, or has another name"), ("dissolve", "It makes no family")],
        widget=forms.RadioSelect,
        label="Decision",
    )
    into = CleanTextField(
        max_length=KEY_LENGTH, required=False, label="The other lineage", help_text=f"For the same as another. {_HELP}"
    )
    field_order = ["decision", "into", "reason"]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("decision") == "merge" and not given.get("into"):
            self.add_error("into", forms.ValidationError("Say which lineage it is.", code="required"))
        return given
