"""What may be asked of a figure."""

from typing import Any

from django import forms

from analysis.papers.paper import Figure
from registry.core.forms import NumberField, QueryForm


class FigureForm(QueryForm):
    """Of which collection it is drawn beside the paper's, and under which measure."""

    collection = forms.CharField(max_length=200, help_text="Slug of a collection that can be chosen.")
    measure = forms.CharField(max_length=100, help_text="Name of a measure of that collection.")

    def __init__(self, *args: Any, figure: Figure, **options: Any) -> None:
        super().__init__(*args, **options)
        if one := figure.factor:
            self.fields["factor"] = NumberField(
                required=False, min_value=one.low, max_value=one.high, help_text=one.label
            )

    @property
    def wanted(self) -> dict[str, Any]:
        """What a valid form asks for."""
        return {"factor": None, **self.cleaned_data}
