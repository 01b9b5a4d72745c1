"""What is to be compared: systems and models, as addresses say them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q

from analysis.readers.rejections import Candidate
from analysis.readers.text import comparison_key, shorten
from registry.core.forms import QueryForm
from registry.core.messages import say
from registry.results.models import Model, System
from registry.search.models import Thing
from registry.search.queries import page_of, read_search

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
        raise ValidationError(say("compare-too-many", n=MAX_SYSTEMS), code="too_many")


def _model(text: str) -> Model | None:
    """The model at this address, or of this name, that has systems."""
    named = Q(slug=text.casefold()) | Q(name_key=comparison_key(text))
    return Model.objects.filter(named, systems__merged_into=None, systems__isnull=False).order_by("pk").first()


def _known_model(text: str) -> Comparable:
    return _model(text) or _searched(text, "unknown_model")


def _searched(text: str, code: str) -> Comparable:
    """Return the model or system that search finds under part of a name; refused with the nearest where several are."""
    search = read_search(text)
    things = [thing for kind in (Thing.Kind.MODEL, Thing.Kind.SYSTEM) for thing in page_of(search, kind, 0, _MAX_NAMED)]
    models = Model.objects.filter(systems__merged_into=None, systems__isnull=False).in_bulk(_ids(things, "model"))
    systems = System.objects.filter(merged_into=None).in_bulk(_ids(things, "system"))
    found: list[Comparable] = [
        *models.values(),
        *(system for system in systems.values() if system.model_id not in models),
    ]
    if len(found) == 1:
        return found[0]
    nearest = [_candidate(one) for one in found[:_MAX_NAMED]]
    names = ", ".join(one.label for one in nearest)
    said = say("compare-unknown", text=shorten(text), names=names or "none").replace("%", "%%")
    raise ValidationError(said, code=code, params={"candidates": nearest, "text": text})


def _ids(things: Iterable[Thing], kind: str) -> list[int]:
    return [thing.object_id for thing in things if thing.kind == kind]


def _candidate(one: Comparable) -> Candidate:
    if isinstance(one, Model):
        return Candidate(one.slug, one.name, one.maker)
    return Candidate(str(one.pk), one.name, one.team)


def _system(text: str) -> Comparable:
    """The system of this number or name, under what it was merged into; the model where no one system has the name."""
    systems = System.objects.select_related("merged_into").order_by("pk")
    if text.isascii() and text.isdigit() and len(text) < 18:
        found = list(systems.filter(pk=int(text)))
    else:
        found = list(systems.filter(name_key=comparison_key(text)))
    if len(found) != 1 and (model := _model(text)):
        return model
    named = {(system.merged_into or system).pk: system.merged_into or system for system in found}
    if not named:
        return _searched(text, "unknown_system")
    if len(named) > 1:
        candidates = [_candidate(one) for one in named.values()]
        each = [f"{one.value} ({one.detail or say('compare-no-team')})" for one in candidates[:_MAX_NAMED]]
        values = {"text": shorten(text), "numbers": ", ".join(each), "more": max(0, len(candidates) - _MAX_NAMED)}
        said = say("compare-ambiguous", **values).replace("%", "%%")
        raise ValidationError(said, code="ambiguous", params={"candidates": candidates, "text": text})
    return next(iter(named.values()))


class CompareForm(QueryForm):
    """The systems and models that are compared."""

    repeatable = frozenset({"system", "model"})

    model = NamedField(_known_model, help_text=say("hint-compare-model"))
    system = NamedField(_system, help_text=say("hint-compare-system"))

    def clean_system(self) -> list[Comparable]:
        found = list(dict.fromkeys([*self.cleaned_data.get("model", ()), *self.cleaned_data["system"]]))
        _refuse_many(found)
        if len(found) < 2 and "model" not in self.errors:
            raise ValidationError(say("compare-too-few"), code="too_few")
        _refuse_own(found)
        return found

    @property
    def choices(self) -> list[tuple[str, Candidate]]:
        """Return what a name may stand for, each with the text that it would take the place of."""
        errors = [error for some in self.errors.as_data().values() for error in some]
        params = [error.params or {} for error in errors]
        return [(one["text"], candidate) for one in params for candidate in one.get("candidates", ())]

    @property
    def compared(self) -> list[Comparable]:
        """Return what a valid form compares: models, then systems, in the order of the address."""
        found: list[Comparable] = self.cleaned_data["system"]
        return found


def _refuse_own(found: Iterable[Comparable]) -> None:
    models = {one.pk: one for one in found if isinstance(one, Model)}
    for one in found:
        if isinstance(one, System) and one.model_id in models:
            said = say("compare-repeated", system=shorten(one.name), model=models[one.model_id].name)
            raise ValidationError(said, code="repeated")


class BesideForm(QueryForm):
    """What a small open model is set beside: a model, or the best on a leaderboard."""

    model = forms.SlugField(max_length=200, help_text=say("hint-compare-beside-model"))
    collection = forms.CharField(max_length=200, help_text=say("hint-compare-collection"))
    measure = forms.CharField(max_length=100, help_text=say("hint-compare-measure"))
