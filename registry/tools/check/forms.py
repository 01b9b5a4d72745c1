"""Forms of the addresses that check a score, or the best of many."""

from math import inf
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from analysis.boards import MAX_TRIED
from analysis.readers.numbers import in_digits
from analysis.readers.rejections import Candidate, Refused
from analysis.readers.text import shorten
from registry.catalog.models import Leaderboard, Measure
from registry.catalog.queries import names_of_scores
from registry.core.forms import NumberField, QueryForm, invalid
from registry.core.messages import say


class CheckForm(QueryForm):
    """A score on a leaderboard, the baseline that it is compared with, or either alone; how many runs were tried."""

    needs = frozenset({"collection", "measure"})

    collection = forms.CharField(max_length=200, label="Collection", help_text=say("hint-collection"))
    measure = forms.CharField(max_length=100, label="Measure", help_text=say("hint-measure"))
    score = NumberField(label="Score", min_value=-1e12, max_value=1e12, help_text=say("hint-score"))
    baseline = NumberField(label="Baseline", min_value=-1e12, max_value=1e12, help_text=say("hint-baseline"))
    tried = forms.IntegerField(label="Runs tried", min_value=1, max_value=MAX_TRIED, help_text=say("hint-tried"))

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if "collection" in values and "measure" in values:
            self._find_board(values)
        if not {"score", "baseline"} & self.errors.keys() and values.get("score") is values.get("baseline") is None:
            self.add_error("score", ValidationError(say("check-needs"), code="required"))
        return values

    def _find_board(self, values: dict[str, Any]) -> None:
        names = names_of_scores()
        try:
            collection = names.collection(values["collection"], under=values["measure"])
        except Refused as refused:
            return self.add_error("collection", invalid(refused))
        try:
            measure = names.measure(values["measure"], on=collection)
        except Refused as refused:
            return self.add_error("measure", invalid(refused))
        board = Leaderboard.objects.with_names().filter(collection=collection, measure=measure).first()
        if board is None or not board.results.standing().exists():
            message = say("check-no-results", collection=collection.name, measure=measure.name)
            return self.add_error("measure", ValidationError(message, code="no_results"))
        values["board"] = board
        for name in ("score", "baseline"):
            refuse_beyond(self, name, measure)

    @property
    def choices(self) -> list[tuple[str, Candidate]]:
        """Return what an ambiguous collection or measure may mean, each with the field that it belongs in."""
        errors = self.errors.as_data()
        return [
            (field, candidate)
            for field in ("collection", "measure")
            for error in errors.get(field, ())
            for candidate in (error.params or {}).get("candidates", ())
        ]

    @property
    def board(self) -> Leaderboard:
        board: Leaderboard = self.cleaned_data["board"]
        return board


class BestOfForm(QueryForm):
    """A summary of many results, and the best of them; higher is better."""

    needs = frozenset({"n", "topics", "mean", "best"})

    n = forms.IntegerField(label="Results", min_value=2, max_value=1_000_000, help_text=say("hint-n"))
    topics = forms.IntegerField(label="Topics", min_value=2, max_value=1_000_000, help_text=say("hint-topics"))
    mean = NumberField(label="Their mean", min_value=-1e6, max_value=1e6, help_text=say("hint-mean"))
    best = NumberField(label="The best", min_value=-1e6, max_value=1e6, help_text=say("hint-best"))
    sd = NumberField(label="Their standard deviation", min_value=1e-6, max_value=1e6, help_text=say("hint-sd"))
    variance = NumberField(label="Residual variance", min_value=1e-9, max_value=1e9, help_text=say("hint-variance"))
    correlation = NumberField(label="Correlation", min_value=0, max_value=0.99, help_text=say("hint-correlation"))

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if values.get("sd") is None and values.get("variance") is None and not {"sd", "variance"} & self.errors.keys():
            self.add_error("sd", ValidationError(say("best-of-sd-or-variance"), code="required"))
        if values.get("sd") is not None and values.get("variance") is not None:
            self.add_error("variance", ValidationError(say("best-of-not-both"), code="repeated"))
        if {"mean", "best"} <= values.keys() and values["best"] < values["mean"]:
            best, mean = (shorten(str(self.data[name]).strip()) for name in ("best", "mean"))
            message = say("best-of-below-mean", best=best, mean=mean)
            self.add_error("best", ValidationError(message, code="below_mean"))
        return values


def refuse_beyond(form: QueryForm, name: str, measure: Measure) -> None:
    """Refuse a score beyond the range of the measure: say that, and what a percentage is as a fraction."""
    low, high = (-inf if measure.low is None else measure.low, inf if measure.high is None else measure.high)
    if form.cleaned_data.get(name) is None or low <= form.cleaned_data[name] <= high:
        return
    ends, score = (("from", measure.low), ("to", measure.high)), str(form.data[name]).strip()
    span, fraction = " ".join(f"{word} {in_digits(end)}" for word, end in ends if end is not None), "none"
    if measure.high == 1.0 and 1.0 < float(score) <= 100.0:
        fraction = f"{float(score) / 100:.{len(score.partition('.')[2]) + 2}f}"
    message = say("check-range", measure=measure.name, span=span, given=shorten(score), fraction=fraction)
    form.add_error(name, ValidationError(message, "out_of_range"))
