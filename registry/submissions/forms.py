"""What people fill in to hand results in."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from registry.catalog.queries import CatalogNames
from registry.core.forms import PageForm
from registry.core.rejections import Rejection
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow
from registry.submissions.models import SubmittedRow
from registry.submissions.pipeline.checking import GivenRow, parse_rows

_WITHOUT_SUBJECT = ("is ", "has ", "contains ", "says ", "names ", "stacks ", "carries ")


def as_sentence(message: str) -> str:
    """A rejection's message as it stands below a field."""
    text = f"this {message}" if message.startswith(_WITHOUT_SUBJECT) else message
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(("?", ".")) else ".")


class RowForm(forms.Form):
    """The cells of one result."""

    collection = forms.CharField(required=False, help_text="For example trec-2004-robust or Robust04.")
    measure = forms.CharField(required=False, help_text="For example AP or nDCG@10.")
    system = forms.CharField(required=False, help_text="As the paper calls it.")
    value = forms.CharField(required=False, label="Score", help_text="Exactly as printed, all digits.")
    role = forms.ChoiceField(choices=Result.Role, initial=Result.Role.PROPOSED, label="In the paper it is")
    paper = forms.CharField(required=False)
    source = forms.CharField(required=False)

    def cells(self) -> dict[str, str]:
        """The cells of the row."""
        return {name: text for name, text in self.cleaned_data.items() if text}

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean()
        if not self.errors:
            (parsed,) = parse_rows([GivenRow(1, self.cells())], CatalogNames(), today=date.today())
            self.row = parsed if isinstance(parsed, ResultRow) else None
            for rejection in parsed if isinstance(parsed, list) else []:
                self.refuse(rejection)
        return given

    def refuse(self, rejection: Rejection) -> None:
        """Say beside its field why a cell cannot be taken."""
        field = rejection.column if rejection.column in self.fields else None
        self.add_error(field, ValidationError(as_sentence(rejection.message), code=rejection.code))


class RowListForm(PageForm):
    """Which rows of a submission."""

    outcome = forms.ChoiceField(
        choices=[(value, label) for value, label in SubmittedRow.Outcome.choices if value], required=False
    )
