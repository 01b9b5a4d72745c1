"""What is to be compared: systems and models, as addresses say them, or two vectors of topic scores."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q

from analysis.errors import ArgumentError
from analysis.readers.text import comparison_key, shorten
from analysis.scores import ScoreMatrix
from registry.core.forms import NumberField, QueryForm
from registry.results.models import Model, System

MAX_SYSTEMS = 4
#: Of one vector: the largest collections have 6,980, and resampling them takes about a second.
MAX_TOPICS = 10_000
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


class TopicsForm(forms.Form):
    """Scores of two systems on the same topics."""

    scores = forms.CharField(
        max_length=1_000_000,
        strip=False,
        label="Scores by topic",
        help_text="A line for each topic: its name, the first system’s score, the second’s; the name may be left out. "
        "Blanks, tabs, commas or semicolons between them, and a point in a score.",
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "wrap": "off"}),
    )
    margin = NumberField(
        required=False,
        label="Equivalent within",
        help_text="The largest difference of the means that makes no difference to you, chosen before you saw the "
        "scores; in the unit of the measure.",
    )

    def clean_margin(self) -> float | None:
        margin: float | None = self.cleaned_data["margin"]
        if margin is not None and margin <= 0:
            raise ValidationError("Give a number above 0.", code="range")
        return margin

    def clean_scores(self) -> ScoreMatrix:
        text = self.cleaned_data["scores"]
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if lines and not any(_is_number(cell.replace(",", ".")) for cell in _cells(lines[0][1])):
            del lines[0]  # A header.
        topics: list[str] = []
        columns: tuple[list[float], list[float]] = ([], [])
        for number, line in lines:
            cells, most = _cells(line), len(_cells(lines[0][1]))
            said = f"Line {number}: “{shorten(line.strip(), 40)}”"
            if len(cells) not in (2, 3) or not all(map(_is_number, cells[-2:])):
                raise ValidationError(f"{said} is not two scores, with a topic before them or not.", code="line")
            if len(cells) != most:
                first = f"and line {lines[0][0]}, the first, {most}: each has a topic, or none has"
                raise ValidationError(f"{said} has {len(cells)} cells, {first}.", code="line")
            if "." not in text and re.fullmatch(r"[0-9]+,[0-9]+", line.strip()):
                asked = "may be two scores, or one with a decimal comma; put semicolons between scores, points in them"
                raise ValidationError(f"{said} {asked}.", code="line")
            topics.append((cells[0] if most == 3 else "") or str(len(topics) + 1))
            for column, cell in zip(columns, cells[-2:], strict=True):
                column.append(float(cell))
        return scores_of_two(topics, *columns)


def _cells(line: str) -> list[str]:
    """The cells of a line, at its tabs, else at its semicolons, its commas or its blanks."""
    separator = next((one for one in "\t;," if one in line), None)
    return [cell.strip() for cell in line.split(separator)]


def scores_of_two(topics: Sequence[str], first: Sequence[float], second: Sequence[float]) -> ScoreMatrix:
    """The scores of two systems on the same topics, or a ValidationError where they can't be compared."""
    if len(topics) < 2:
        raise ValidationError("Give the scores of two topics or more.", code="required")
    if len(topics) > MAX_TOPICS:
        raise ValidationError(f"These are {len(topics):,} topics; the most is {MAX_TOPICS:,}.", code="too_many")
    if len(set(topics)) < len(topics):
        twice = next(one for one, n in Counter(topics).items() if n > 1)
        raise ValidationError(f"Topic {shorten(twice)} is there twice.", code="repeated")
    try:
        return ScoreMatrix(("first", "second"), topics, (first, second))
    except ArgumentError as error:
        raise ValidationError(f"The {error.argument} {error.reason}.", code="range") from error


def _is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False
