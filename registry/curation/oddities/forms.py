"""Which oddities are listed, and what curators say when they decide."""

from typing import Any

from django import forms

from registry.core.forms import PageForm
from registry.curation.oddities.access import oddities_of
from registry.curation.oddities.models import Oddity, OddityDecision, OddityQuerySet
from registry.results.forms import WithConfirmation


class OddityListForm(PageForm):
    """Which oddities."""

    kind = forms.ChoiceField(choices=[("", "every kind"), *Oddity.Kind.choices], label="What")
    state = forms.ChoiceField(choices=[("", "undecided"), ("decided", "decided")], label="State")

    def narrow(self, person: Any) -> OddityQuerySet:
        """Those that a valid form asks for, of those on which this person decides."""
        found = oddities_of(person).for_listing()
        if kind := self.cleaned_data["kind"]:
            found = found.filter(kind=kind)
        return found.decided() if self.cleaned_data["state"] else found.waiting().order_by("kind", "pk")


class OddityDecisionForm(WithConfirmation):
    """What is decided; the reason may be left out."""

    TAKE_BACK = "take-back"

    decision = forms.ChoiceField(
        choices=[*OddityDecision.Kind.choices, (TAKE_BACK, "take the decision back")], widget=forms.HiddenInput
    )
    reason = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Everybody can read this in the log. Blank: what was found.",
    )
