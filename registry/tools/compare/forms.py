"""Systems and models to compare, as addresses name them."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
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
        names = list(dict.fromkeys(filter(None, texts)))
        _refuse_many(names)
        return list(dict.fromkeys(map(self._find, names)))


def _refuse_many(names: Sequence[object]) -> None:
    if len(names) > MAX_SYSTEMS:
        raise ValidationError(say("compare-too-many", n=MAX_SYSTEMS), code="too_many")


def _model(text: str) -> Model | None:
    """Return the model at this address, or of this name, that has systems."""
    named = Q(slug=text.casefold()) | Q(name_key=comparison_key(text))
    return Model.objects.filter(named, systems__merged_into=None, systems__isnull=False).order_by("pk").first()


def _known_model(text: str) -> Comparable:
    return _model(text) or _searched(text, "unknown_model")


def _searched(text: str, code: str) -> Comparable:
    """Return the only model or system that search finds by part of a name; else refuse it with the nearest."""
    search = read_search(text)
    things = [thing for kind in (Thing.Kind.MODEL, Thing.Kind.SYSTEM) for thing in page_of(search, kind, 0, _MAX_NAMED)]
    models = Model.objects.filter(systems__merged_into=None, systems__isnull=False).in_bulk(_ids(things, "model"))
    systems = System.objects.filter(merged_into=None).in_bulk(_ids(things, "system"))
    entrants: list[Comparable] = [
        *models.values(),
        *(system for system in systems.values() if system.model_id not in models),
    ]
    if len(entrants) == 1:
        return entrants[0]
    nearest = [_candidate(entrant) for entrant in entrants[:_MAX_NAMED]]
    names = ", ".join(candidate.label for candidate in nearest)
    message = say("compare-unknown", text=shorten(text), names=names or "none").replace("%", "%%")
    raise ValidationError(message, code=code, params={"candidates": nearest, "text": text})


def _ids(things: Iterable[Thing], kind: str) -> list[int]:
    return [thing.object_id for thing in things if thing.kind == kind]


def _candidate(entrant: Comparable) -> Candidate:
    if isinstance(entrant, Model):
        return Candidate(entrant.slug, entrant.name, entrant.maker)
    return Candidate(str(entrant.pk), entrant.name, entrant.team)


def _system(text: str) -> Comparable:
    """Return the system of this number or name, or the one that it was merged into; else the model of that name."""
    systems = System.objects.select_related("merged_into").order_by("pk")
    if text.isascii() and text.isdigit() and len(text) < 18:
        matches = list(systems.filter(pk=int(text)))
    else:
        matches = list(systems.filter(name_key=comparison_key(text)))
    if len(matches) != 1 and (model := _model(text)):
        return model
    named = {(system.merged_into or system).pk: system.merged_into or system for system in matches}
    if not named:
        return _searched(text, "unknown_system")
    if len(named) > 1:
        candidates = [_candidate(system) for system in named.values()]
        numbers = [
            f"{candidate.value} ({candidate.detail or say('compare-no-team')})" for candidate in candidates[:_MAX_NAMED]
        ]
        values = {"text": shorten(text), "numbers": ", ".join(numbers), "more": max(0, len(candidates) - _MAX_NAMED)}
        message = say("compare-ambiguous", **values).replace("%", "%%")
        raise ValidationError(message, code="ambiguous", params={"candidates": candidates, "text": text})
    return next(iter(named.values()))


class CompareForm(QueryForm):
    """The systems and models that are compared."""

    repeatable = frozenset({"system", "model"})

    model = NamedField(_known_model, help_text=say("hint-compare-model"))
    system = NamedField(_system, help_text=say("hint-compare-system"))

    def clean_system(self) -> list[Comparable]:
        entrants = list(dict.fromkeys([*self.cleaned_data.get("model", ()), *self.cleaned_data["system"]]))
        _refuse_many(entrants)
        if len(entrants) < 2 and "model" not in self.errors:
            raise ValidationError(say("compare-too-few"), code="too_few")
        _refuse_own(entrants)
        return entrants

    @property
    def choices(self) -> list[tuple[str, Candidate]]:
        """The candidates of unclear names, each with the text that it would replace."""
        errors = chain.from_iterable(self.errors.as_data().values())
        params = [error.params for error in errors if error.params]
        return [(named["text"], candidate) for named in params for candidate in named.get("candidates", ())]

    @property
    def compared(self) -> list[Comparable]:
        """The models, then the systems, in the order of the address."""
        entrants: list[Comparable] = self.cleaned_data["system"]
        return entrants


def _refuse_own(entrants: Iterable[Comparable]) -> None:
    models = {entrant.pk: entrant for entrant in entrants if isinstance(entrant, Model)}
    for entrant in entrants:
        if isinstance(entrant, System) and entrant.model_id in models:
            message = say("compare-repeated", system=shorten(entrant.name), model=models[entrant.model_id].name)
            raise ValidationError(message, code="repeated")


class BesideForm(QueryForm):
    """A model, or the leaderboard whose best is meant, to set a small open model beside."""

    model = forms.SlugField(max_length=200, help_text=say("hint-compare-beside-model"))
    collection = forms.CharField(max_length=200, help_text=say("hint-compare-collection"))
    measure = forms.CharField(max_length=100, help_text=say("hint-compare-measure"))
