"""Forms: those that read an address's query silently ignore nothing; fields for text take none that cannot be seen."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict

from registry.core.rejections import Refused
from registry.core.text import clean_name, clean_text, did_you_mean, shorten

#: Other sites and mail programs add these to the links they show.
_ADDED_BY_OTHERS = ("utm_", "fbclid", "gclid")


class QueryForm(forms.Form):
    """A query whose parameters may all be left out; an unknown or repeated one is an error that names it."""

    def __init__(self, data: MultiValueDict[str, str] | None = None, **options: Any) -> None:
        super().__init__(MultiValueDict() if data is None else data, **options)
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField):
                known = ", ".join(str(value) for value, _ in field.choices if value != "")
                field.error_messages["invalid_choice"] = f"“%(value)s” is not known here; choose from {known}."

    def full_clean(self) -> None:
        super().full_clean()
        for name, values in self.data.lists():
            if name not in self.fields and not name.startswith(_ADDED_BY_OTHERS):
                hint = did_you_mean(name, self.fields).lstrip("; ").capitalize()
                known = f"Known here: {', '.join(self.fields)}." if self.fields else "This address takes none."
                message = f"There is no parameter “{shorten(name)}”. {hint or known}"
                self._refuse(name, ValidationError(message, code="unknown"))
            elif name in self.fields and len(values) > 1:
                self._refuse(name, ValidationError("This parameter is given more than once.", code="repeated"))

    def _refuse(self, name: str, error: ValidationError) -> None:
        # Not add_error: it takes names of fields only.
        self.errors[name] = self.error_class([error], renderer=self.renderer)
        self.cleaned_data.pop(name, None)


class PageForm(QueryForm):
    """The page of a list."""

    page = forms.IntegerField(min_value=1, max_value=10_000, required=False, help_text="The page of the list.")

    @property
    def number(self) -> int:
        """The page asked for, of a valid form."""
        page: int | None = self.cleaned_data["page"]
        return page or 1


def field_errors(form: forms.Form) -> list[dict[str, str]]:
    """What is wrong with a form, as answers for programs list it."""
    return [
        {"field": name, "code": error.code or "invalid", "message": message}
        for name, errors in form.errors.as_data().items()
        for error in errors
        for message in error.messages
    ]


class CleanTextField(forms.CharField):
    """Text without characters that cannot be seen (``core.text``); on one line, unless the widget has several."""

    def to_python(self, value: Any) -> str:
        clean = clean_text if isinstance(self.widget, forms.Textarea) else clean_name
        try:
            return clean(str(value or ""), max_length=self.max_length or 10_000)
        except Refused as refused:
            raise ValidationError(f"This {refused.message}.", code=refused.code) from refused
