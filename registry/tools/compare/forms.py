"""What is to be compared: systems and models, as addresses say them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q

from analysis.readers.text import comparison_key, shorten
from registry.core.forms import QueryForm
from registry.results.models import Model, System

MAX_SYSTEMS = 4
_MAX_NAMED = 5


Comparable = System | Model


class NamedField(forms.Field):
    """Systems or models, each as ``find`` knows it; the parameter is given once for each."""

    widget = forms.MultipleHiddenInput

    def __init__(self, find: Callable[[str], Comparable], help_text: str) -> None:
        super().__init__(help_text=help_text)
        self._find = find

    def to_python(self, value: Any) -> list[Comparable]:
        texts = [text.replace("\0", "").strip() for text in value or []]
        given = list(dict.fromkeys(filter(None, texts)))
        _refuse_many(given)
        return list(dict.fromkeys(map(self._find, given)))


def _refuse_many(given: Sequence[object]) -> None:
    if len(given) > MAX_SYSTEMS:
        raise ValidationError(f"At most {MAX_SYSTEMS} systems are compared at once.", code="too_many")


def _model(text: str) -> Model | None:
    """The model at this address, or of this name, that has systems."""
    named = Q(slug=text.casefold()) | Q(name_key=comparison_key(text))
    return Model.objects.filter(named, systems__merged_into=None, systems__isnull=False).order_by("pk").first()


def _known_model(text: str) -> Model:
    if (found := _model(text)) is None:
        unknown = f"No model with systems is called “{shorten(text)}”; give the end of its address."
        raise ValidationError(unknown, code="unknown_model")
    return found


def _system(text: str) -> Comparable:
    """The system of this number or name, under what it was merged into; the model where no one system has the name."""
    systems = System.objects.select_related("merged_into").order_by("pk")
    if text.isascii() and text.isdigit() and len(text) < 18:
        found = list(systems.filter(pk=int(text)))
        unknown = f"No system has the number {text}."
    else:
        found = list(systems.filter(name_key=comparison_key(text)))
        unknown = f"No system is called “{shorten(text)}”; search for it, and give its number or its whole name."
    if len(found) != 1 and (model := _model(text)):
        return model
    named = {(system.merged_into or system).pk: system.merged_into or system for system in found}
    if not named:
        raise ValidationError(unknown, code="unknown_system")
    if len(named) > 1:
        each = [f"{one.pk} by {one.team or 'nobody named'}" for one in named.values()]
        told = "; ".join(each[:_MAX_NAMED]) + ("; …" if len(each) > _MAX_NAMED else "")
        raise ValidationError(f"{shorten(text)} may be several systems; give the number: {told}.", code="ambiguous")
    return next(iter(named.values()))


class CompareForm(QueryForm):
    """The systems and models that are compared."""

    repeatable = frozenset({"system", "model"})

    model = NamedField(_known_model, help_text="Slug or whole name of a model; the best result of its systems counts.")
    system = NamedField(
        _system, help_text="Number or whole name of a system, or the name of a model; once for each of the two to four."
    )

    def clean_system(self) -> list[Comparable]:
        found = list(dict.fromkeys([*self.cleaned_data.get("model", ()), *self.cleaned_data["system"]]))
        _refuse_many(found)
        if len(found) < 2 and "model" not in self.errors:
            raise ValidationError("Give two systems or more.", code="too_few")
        _refuse_own(found)
        return found

    @property
    def compared(self) -> list[Comparable]:
        """What a valid form compares: models, then systems, in the order of the address."""
        found: list[Comparable] = self.cleaned_data["system"]
        return found


def _refuse_own(found: Iterable[Comparable]) -> None:
    models = {one.pk: one for one in found if isinstance(one, Model)}
    for one in found:
        if isinstance(one, System) and one.model_id in models:
            whole = f"{shorten(one.name)} is a system of {models[one.model_id]}, whose best result counts already"
            raise ValidationError(f"{whole}; give one of the two.", code="repeated")


class BesideForm(QueryForm):
    """What a small open model is set beside: a model, or the best on a leaderboard."""

    model = forms.SlugField(max_length=200, help_text="Slug of a model.")
    collection = forms.CharField(max_length=200, help_text="Any name of a collection.")
    measure = forms.CharField(max_length=100, help_text="Any name of a measure.")
