"""What a reader may ask of comparisons by their address."""

from django import forms

from registry.core.forms import NumberField, QueryForm
from registry.tools.pairs.pipeline import CORRECTIONS, JOINT, TESTS


class FamilyForm(QueryForm):
    """By which test, and how the number of pairs is allowed for."""

    test = forms.ChoiceField(
        choices=[(name, name) for name in (*TESTS, *JOINT)],
        help_text="The test of each pair, or the procedure that judges all of them at once; randomization by default.",
    )
    correction = forms.ChoiceField(
        choices=[(name, name) for name in CORRECTIONS],
        help_text="How p-values allow for the number of pairs; holm by default. Not with procedures of all pairs.",
    )

    def clean(self) -> None:
        super().clean()
        if self.chosen_test in JOINT and self.cleaned_data.get("correction"):
            message = f"{self.chosen_test} allows for the number of pairs itself: leave the correction out."
            self.add_error("correction", forms.ValidationError(message, code="not_with_test"))

    @property
    def chosen_test(self) -> str:
        return self.cleaned_data.get("test") or TESTS[0]

    @property
    def chosen_correction(self) -> str:
        """Blank with a procedure that needs none."""
        return "" if self.chosen_test in JOINT else self.cleaned_data.get("correction") or CORRECTIONS[0]


class PairForm(QueryForm):
    """The smallest difference that matters."""

    margin = NumberField(
        min_value=1e-6,
        max_value=1e6,
        help_text="The smallest difference that matters, on the scale of the measure: are they as good as each other?",
    )
