"""Forms: those that read an address's query silently ignore nothing; fields for text take none that cannot be seen."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, TypeVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.text import capfirst

from analysis.readers.numbers import in_digits
from analysis.readers.rejections import Refused
from analysis.readers.text import clean_name, clean_text, did_you_mean, shorten
from registry.core.querysets import end_of

AnyForm = TypeVar("AnyForm", bound=forms.Form)

#: Other sites and mail programs add these to the links they show.
_ADDED_BY_OTHERS = ("utm_", "fbclid", "gclid")


def choices_of(field: forms.ChoiceField) -> list[tuple[Any, Any]]:
    """Return what a field without groups of choices offers: values with their labels."""
    return list(cast("Iterable[tuple[Any, Any]]", field.choices))


def require_known(text: str, known: Iterable[str | None], of: str, column: str) -> str:
    """Return the text if it is blank or known, in any case of letters; else refuse it, with the nearest."""
    names = {name.casefold(): name for name in known if name} if text else {}
    if text and text.casefold() not in names:
        hint = did_you_mean(text, names.values()) or "."
        raise ValidationError(f"No {of} has “{shorten(text)}” as its {column}{hint}", code="unknown")
    return text


def name_choices(form: forms.Form) -> None:
    """Have the errors of the form name the known values."""
    for field in form.fields.values():
        if isinstance(field, forms.ChoiceField):
            known = ", ".join(str(value) for value, _ in choices_of(field) if value != "")
            field.error_messages["invalid_choice"] = f"“%(value)s” is not known here; choose from {known}."


class QueryForm(forms.Form):
    """A query whose parameters may be left out, but for those it ``needs``; an unknown or repeated one is an error that
    names it."""

    data: MultiValueDict[str, str]
    needs: frozenset[str] = frozenset()
    #: Parameters that may be given several times.
    repeatable: frozenset[str] = frozenset()
    #: Advice on parameters that only other addresses take.
    hints: Mapping[str, str] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, field in cls.declared_fields.items():
            field.required = field.widget.is_required = name in cls.needs

    def __init__(self, data: MultiValueDict[str, str] | None = None, **options: Any) -> None:
        super().__init__(MultiValueDict() if data is None else data, **options)
        name_choices(self)

    def full_clean(self) -> None:
        super().full_clean()
        for name, values in self.data.lists():
            if name not in self.fields and not name.startswith(_ADDED_BY_OTHERS):
                hint = did_you_mean(name, self.fields).lstrip("; ").capitalize()
                known = f"Known here: {', '.join(self.fields)}." if self.fields else "This address takes none."
                message = f"There is no parameter “{shorten(name)}”. {self.hints.get(name) or hint or known}"
                self._refuse(name, ValidationError(message, code="unknown"))
            elif name in self.fields and len(values) > 1 and name not in self.repeatable:
                self._refuse(name, ValidationError("This parameter is given more than once.", code="repeated"))

    @property
    def asked(self) -> object:
        """Return what a valid form asks for, the same text in whatever order it is written."""
        return sorted((name, str(value)) for name, value in self.cleaned_data.items())

    @property
    def query(self) -> dict[str, str]:
        """The choices of a valid form, the page of a list aside, as the address writes them."""
        return {name: str(self.data[name]) for name in self.cleaned_data if self.data.get(name) and name != "page"}

    def _refuse(self, name: str, error: ValidationError) -> None:
        # Not add_error: it takes names of fields only.
        self.errors[name] = self.error_class([error], renderer=self.renderer)
        self.cleaned_data.pop(name, None)


class DayField(forms.DateField):
    """A day: 2026-01-31; may be left out."""

    default_error_messages = {"invalid": "Write a day as 2026-01-31."}

    def __init__(self, **options: Any) -> None:
        super().__init__(input_formats=["%Y-%m-%d"], required=False, **options)


class PastDayField(DayField):
    """A day that has come."""

    default_error_messages = {"future": "%(day)s has not come yet."}

    def clean(self, value: Any) -> date | None:
        day: date | None = super().clean(value)
        if day and day > timezone.now().date():
            raise ValidationError(self.error_messages["future"], code="future", params={"day": day})
        return day


class NumberField(forms.FloatField):
    """A number whose errors name its bounds in plain digits: 0.000001, not 1e-06."""

    def __init__(self, *, min_value: float | None = None, max_value: float | None = None, **options: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **options)
        for code, end, side in (("min_value", min_value, "greater"), ("max_value", max_value, "less")):
            if end is not None:
                self.error_messages[code] = f"Ensure this value is {side} than or equal to {in_digits(end)}."


class PageForm(QueryForm):
    """The page of a list."""

    page = forms.IntegerField(min_value=1, max_value=10_000, help_text="The page of the list.")

    @property
    def number(self) -> int:
        """The page asked for, of a valid form."""
        page: int | None = self.cleaned_data["page"]
        return page or 1

    def cut(self, rows: Any, size: int) -> "Page[Any]":
        """Return the page asked for, of these rows; beyond the end, the last."""
        return Paginator(rows, size).get_page(self.number)


class AsOfForm(QueryForm):
    """An earlier day, to see something as it was known then."""

    as_of = PastDayField(help_text="As the registry knew it at the end of this day.")

    @property
    def day(self) -> date | None:
        """The day asked for, of a valid form."""
        day: date | None = self.cleaned_data["as_of"]
        return day

    @property
    def moment(self) -> datetime | None:
        """The end of that day; None for now."""
        return end_of(self.day) if self.day else None


class WrongQuery(Exception):
    """An address asks for something unknown; the answer is the errors of the form, with status 400."""

    def __init__(self, form: forms.Form) -> None:
        super().__init__()
        self.form = form


def asked(form: AnyForm) -> AnyForm:
    """Return the form of an address’s query if it is valid; else have the answer say what is wrong."""
    if not form.is_valid():
        raise WrongQuery(form)
    return form


def invalid(refused: Refused) -> ValidationError:
    """Return the refusal of a field, with what an ambiguous value may stand for."""
    message = capfirst(refused.message)
    if not refused.candidates:
        return ValidationError(message, code=refused.code)
    # With parameters, Django reads a percent sign as a placeholder.
    return ValidationError(message.replace("%", "%%"), code=refused.code, params={"candidates": refused.candidates})


def field_errors(form: forms.Form) -> list[dict[str, Any]]:
    """Return what is wrong with a form, as answers for programs list it."""
    return [
        {"field": name, "code": error.code or "invalid", "message": message} | _candidates(error)
        for name, errors in form.errors.as_data().items()
        for error in errors
        for message in error.messages
    ]


def _candidates(error: ValidationError) -> dict[str, Any]:
    candidates = (error.params or {}).get("candidates")
    return {"candidates": [candidate.as_document() for candidate in candidates]} if candidates else {}


class CleanTextField(forms.CharField):
    """Text without invisible characters (``analysis.readers.text``); on one line, unless the widget has several."""

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        # With a maxlength, browsers silently cut what is pasted; we refuse it with a message.
        return {name: value for name, value in super().widget_attrs(widget).items() if name != "maxlength"}

    def to_python(self, value: Any) -> str:
        clean = clean_text if isinstance(self.widget, forms.Textarea) else clean_name
        try:
            return clean(str(value or ""), max_length=self.max_length or 10_000)
        except Refused as refused:
            raise ValidationError(f"This {refused.message}.", code=refused.code) from refused
