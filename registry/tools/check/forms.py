"""What is to be checked, as addresses say it."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from analysis.boards import MAX_TRIED
from analysis.readers.numbers import in_digits
from analysis.readers.rejections import Candidate, Refused
from analysis.readers.text import shorten
from registry.catalog.models import Leaderboard, Measure
from registry.catalog.queries import CatalogNames
from registry.core.forms import NumberField, QueryForm, invalid


class CheckForm(QueryForm):
    """A score on a leaderboard, perhaps with what it is compared with and how many were tried."""

    needs = frozenset({"collection", "measure", "score"})

    collection = forms.CharField(max_length=200, label="Collection", help_text="Any name of a collection.")
    measure = forms.CharField(max_length=100, label="Measure", help_text="Any name of a measure.")
    score = NumberField(
        label="Your score", min_value=-1e12, max_value=1e12, help_text="On the scale of the measure: 0.305, not 30.5."
    )
    baseline = NumberField(
        label="Your baseline",
        min_value=-1e12,
        max_value=1e12,
        help_text="What the score is compared with, on the same topics.",
    )
    tried = forms.IntegerField(
        label="How many you tried",
        min_value=1,
        max_value=MAX_TRIED,
        help_text="Systems and settings tried on these topics, of which this is the best; 1 by default.",
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if "collection" in given and "measure" in given:
            self._find_board(given)
        return given

    def _find_board(self, given: dict[str, Any]) -> None:
        names = CatalogNames(of_scores=True)
        try:
            collection = names.collection(given["collection"], under=given["measure"])
        except Refused as refused:
            return self.add_error("collection", invalid(refused))
        try:
            measure = names.measure(given["measure"], on=collection)
        except Refused as refused:
            return self.add_error("measure", invalid(refused))
        board = Leaderboard.objects.with_names().filter(collection=collection, measure=measure).first()
        if board is None or not board.results.standing().exists():
            said = f"No results are recorded for {collection} under {measure}, so there is nothing to compare with."
            return self.add_error("measure", ValidationError(said, code="no_results"))
        given["board"] = board
        for name in ("score", "baseline"):
            if given.get(name) is not None and not _can_be(given[name], measure):
                ends = (("from", measure.low), ("to", measure.high))
                span = " ".join(f"{word} {in_digits(end)}" for word, end in ends if end is not None)
                said = f"{shorten(str(self.data[name]).strip())} is no score of {measure}, which goes {span}."
                if measure.high == 1.0 and 1.0 < given[name] <= 100.0:
                    said += f" In percent? Then give {in_digits(given[name] / 100)}."
                self.add_error(name, ValidationError(said, code="out_of_range"))

    @property
    def choices(self) -> list[tuple[str, Candidate]]:
        """What an ambiguous collection or measure may be, each with the field that it would be the value of."""
        errors = self.errors.as_data()
        return [
            (field, one)
            for field in ("collection", "measure")
            for error in errors.get(field, ())
            for one in (error.params or {}).get("candidates", ())
        ]

    @property
    def board(self) -> Leaderboard:
        """The leaderboard that is asked, of a valid form."""
        found: Leaderboard = self.cleaned_data["board"]
        return found


class BestOfForm(QueryForm):
    """A summary of many results, and the best of them; higher is better."""

    needs = frozenset({"n", "topics", "mean", "best"})

    n = forms.IntegerField(
        label="Results", min_value=2, max_value=1_000_000, help_text="How many were made, published or not."
    )
    topics = forms.IntegerField(label="Topics", min_value=2, max_value=1_000_000, help_text="Behind each of them.")
    mean = NumberField(
        label="Their mean", min_value=-1e6, max_value=1e6, help_text="On a scale where higher is better."
    )
    best = NumberField(label="The best", min_value=-1e6, max_value=1e6, help_text="No less than their mean.")
    sd = NumberField(
        label="Their standard deviation",
        min_value=1e-6,
        max_value=1e6,
        help_text="Needed where the variance is not given.",
    )
    variance = NumberField(
        label="Residual variance",
        min_value=1e-9,
        max_value=1e9,
        help_text="Of a score, beyond system and topic; in place of the spread of the results.",
    )
    correlation = NumberField(
        label="Correlation", min_value=0, max_value=0.99, help_text="Of the errors of every two; 0 by default."
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("sd") is None and given.get("variance") is None and not {"sd", "variance"} & self.errors.keys():
            said = "Give the standard deviation of the results, or the variance."
            self.add_error("sd", ValidationError(said, code="required"))
        if given.get("sd") is not None and given.get("variance") is not None:
            said = "Give the standard deviation of the results or the variance, not both."
            self.add_error("variance", ValidationError(said, code="repeated"))
        if {"mean", "best"} <= given.keys() and given["best"] < given["mean"]:
            best, mean = (shorten(str(self.data[name]).strip()) for name in ("best", "mean"))
            said = f"The best, {best}, can’t be below the mean, {mean}."
            self.add_error("best", ValidationError(said, code="below_mean"))
        return given


def _can_be(value: float, measure: Measure) -> bool:
    return (measure.low is None or value >= measure.low) and (measure.high is None or value <= measure.high)
