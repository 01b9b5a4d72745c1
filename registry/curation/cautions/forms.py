"""What people fill in to answer a caution, and curators to decide on it."""

from django import forms

from registry.core.forms import CleanTextField
from registry.curation.cautions.models import CautionDecision
from registry.results.forms import ReasonForm, WithRefusals


class AnswerForm(WithRefusals):
    """What somebody says to a caution."""

    text = CleanTextField(
        max_length=2000,
        label="Answer",
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="What would settle it: what the system was trained on, which protocol, who ran it. Everybody can read"
        " this beside it, under your name.",
    )
    url = forms.URLField(
        max_length=500,
        required=False,
        assume_scheme="https",
        label="Link",
        help_text="Where it can be checked: a paper, a model card, a log.",
    )


class CautionDecisionForm(ReasonForm):
    """Whether a caution is given any longer."""

    decision = forms.ChoiceField(
        choices=[
            (CautionDecision.Kind.CLEARED, "Clear it: it is settled, and is not said of this score any more"),
            (CautionDecision.Kind.KEPT, "Keep it: it stays, with your reason beside it"),
        ],
        widget=forms.RadioSelect,
        label="Decision",
    )
