"""Options of comparisons in their addresses, and two vectors of scores that readers paste."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from django import forms
from django.core.exceptions import ValidationError

from analysis.errors import ArgumentError
from analysis.readers.text import shorten
from analysis.scores import ScoreMatrix
from registry.core.forms import NumberField, QueryForm
from registry.core.messages import say
from registry.tools.pairs.pipeline import CORRECTIONS, JOINT, TESTS

#: Of one vector: the largest collections have 6,980, and resampling them takes about a second.
MAX_TOPICS = 10_000


class FamilyForm(QueryForm):
    """By which test, and how the number of pairs is allowed for."""

    test = forms.ChoiceField(choices=[(name, name) for name in (*TESTS, *JOINT)], help_text=say("hint-pair-test"))
    correction = forms.ChoiceField(
        choices=[(name, name) for name in CORRECTIONS], help_text=say("hint-pair-correction")
    )

    def clean(self) -> None:
        super().clean()
        if self.chosen_test in JOINT and self.cleaned_data.get("correction"):
            message = f"{self.chosen_test} allows for the number of pairs itself: leave the correction out."
            self.add_error("correction", ValidationError(message, code="not_with_test"))

    @property
    def chosen_test(self) -> str:
        return self.cleaned_data.get("test") or TESTS[0]

    @property
    def chosen_correction(self) -> str:
        """Blank with a procedure that needs none."""
        return "" if self.chosen_test in JOINT else self.cleaned_data.get("correction") or CORRECTIONS[0]


class PairForm(QueryForm):
    """The smallest difference that matters."""

    margin = NumberField(min_value=1e-6, max_value=1e6, help_text=say("hint-pair-margin"))


class VectorsForm(forms.Form):
    """Scores of two systems on the same topics."""

    scores = forms.CharField(
        max_length=1_000_000,
        strip=False,
        label="Scores by topic",
        help_text=say("hint-pair-scores"),
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "wrap": "off"}),
    )
    margin = NumberField(required=False, label="Equivalent within", help_text=say("hint-pair-vectors-margin"))

    def clean_margin(self) -> float | None:
        margin: float | None = self.cleaned_data["margin"]
        if margin is not None and margin <= 0:
            raise ValidationError(say("pair-margin-above-0"), code="range")
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
            place = {"number": number, "line": shorten(line.strip(), 40)}
            counts = {"n": len(cells), "most": most, "first": lines[0][0]}
            if len(cells) not in (2, 3) or not all(map(_is_number, cells[-2:])):
                raise ValidationError(say("pair-line", **place, **counts, fault="scores"), code="line")
            if len(cells) != most:
                raise ValidationError(say("pair-line", **place, **counts, fault="cells"), code="line")
            if "." not in text and re.fullmatch(r"[0-9]+,[0-9]+", line.strip()):
                raise ValidationError(say("pair-line", **place, **counts, fault="comma"), code="line")
            topics.append((cells[0] if most == 3 else "") or str(len(topics) + 1))
            for column, cell in zip(columns, cells[-2:], strict=True):
                column.append(float(cell))
        return scores_of_two(topics, *columns)


def _cells(line: str) -> list[str]:
    """Return the cells of a line, split at its tabs, else its semicolons, its commas or its blanks."""
    separator = next((mark for mark in "\t;," if mark in line), None)
    return [cell.strip() for cell in line.split(separator)]


def scores_of_two(topics: Sequence[str], first: Sequence[float], second: Sequence[float]) -> ScoreMatrix:
    """Return the scores of two systems on the same topics; a ValidationError where they can't be compared."""
    if len(topics) < 2:
        raise ValidationError(say("pair-two-topics"), code="required")
    if len(topics) > MAX_TOPICS:
        raise ValidationError(say("pair-too-many", n=len(topics), most=MAX_TOPICS), code="too_many")
    if len(set(topics)) < len(topics):
        twice = next(topic for topic, n in Counter(topics).items() if n > 1)
        raise ValidationError(say("pair-twice", topic=shorten(twice)), code="repeated")
    try:
        return ScoreMatrix(("first", "second"), topics, (first, second))
    except ArgumentError as error:
        raise ValidationError(f"The {error.argument} {error.reason}.", code="range") from error


def _is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False
