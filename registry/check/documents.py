"""What is said of a score: found by ``analysis``, in words, with the leaderboard drawn around it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypedDict

import msgspec

from analysis.boards import CheckedScore, StandingIn, check_score, find_obstacle
from registry.catalog.documents import LeaderboardBrief
from registry.catalog.models import Leaderboard
from registry.core.templatetags.formatting import plural
from registry.leaderboards.documents import BoardDocument, leaderboard_document
from registry.leaderboards.forms import Selection
from registry.leaderboards.plumb_line import Mark, PlumbLine, describe, plumb_lines
from registry.leaderboards.queries import read_board

_EVIDENCE = {
    "own-variance": "How much scores vary between topics was measured on runs of this collection.",
    "transferred": "How much scores vary between topics was not measured here; what is typical of this measure on "
    "other collections stands in for it.",
    "predicted": "How much scores vary between topics is predicted from other measures and collections; such "
    "predictions are off by up to a factor of 2 in nine of ten cases, and the margin is widened for that.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckDocument:
    """What a leaderboard says of a score that is not on it.

    Attributes
    ----------
    headline : str
        The answer in a sentence.
    of_score, of_baseline : list of str
        What it rests on, one sentence each; the second empty without a baseline.
    sentence : str
        For a paper.
    checked : CheckedScore
        The same as numbers.
    """

    headline: str
    of_score: list[str]
    of_baseline: list[str]
    sentence: str
    checked: CheckedScore


@dataclass(frozen=True, slots=True)
class Drawn:
    """The leaderboard's plumb line with the score and the baseline on it, and the same in words."""

    lines: tuple[PlumbLine, ...]
    text: str


def check_document(
    leaderboard: Leaderboard, score: float, baseline: float | None, n_tried: int
) -> CheckDocument | None:
    """The answer; None where nothing on the leaderboard competes."""
    board = read_board(leaderboard.pk)
    if find_obstacle(board.inputs):
        return None
    checked = check_score(board.inputs, score, baseline=baseline, n_tried=n_tried)
    words = _Words(leaderboard, checked, {row.id: (row.system, row.value) for row in board.inputs.rows})
    return CheckDocument(
        headline=words.headline(),
        of_score=list(words.of_score()),
        of_baseline=list(words.of_baseline()),
        sentence=words.for_a_paper(),
        checked=checked,
    )


def draw(leaderboard: Leaderboard, checked: CheckedScore) -> Drawn:
    """The leaderboard as its page draws it, with the scores that were asked about."""
    document: BoardDocument = leaderboard_document(leaderboard, Selection())
    decimals = leaderboard.measure.decimals
    marks = [Mark(checked.value, f"your score {checked.value:.{decimals}f}")]
    if checked.baseline:
        marks.append(Mark(checked.baseline.value, f"your baseline {checked.baseline.value:.{decimals}f}"))
    lines = plumb_lines(document, marks)
    text = f"{describe(document)} Marked: {' and '.join(mark.text for mark in marks)}." if lines else ""
    return Drawn(lines, text)


class _Words:
    """The sentences, each of which is true as it stands."""

    def __init__(self, leaderboard: Leaderboard, checked: CheckedScore, rows: dict[int, tuple[str, float]]) -> None:
        self.board, self.checked, self.rows = leaderboard, checked, rows
        self.sign = 1.0 if leaderboard.measure.higher_is_better else -1.0
        self.best = self.number(checked.value + self.sign * checked.behind)

    def number(self, value: float) -> str:
        return f"{value:.{self.board.measure.decimals}f}"

    def headline(self) -> str:
        one, value = self.checked, self.number(self.checked.value)
        if one.may_be_best is None:
            return f"Whether {value} could be the best on {self.board.collection} can’t be said: {one.why_unknown}."
        if not one.may_be_best:
            return f"{value} is ruled out as the best on {self.board.collection}{self._weakness()}."
        if one.n_better or one.n_rivals:
            told = f"{value} can’t be told from the best on {self.board.collection}"
            if not one.n_better:
                n = plural(one.n_rivals or 0, "of the results on record,of the results on record")
                told = f"{value} is the best on {self.board.collection} so far, and can’t be told from {n}"
            return f"{told}{self._weakness()}."
        return f"{value} is beyond everything on record on {self.board.collection}{self._weakness()}."

    def _weakness(self) -> str:
        found = self.checked.baseline
        if found and found.runs and 2 * found.runs.n_better > found.runs.n:
            return "; the baseline is worse than most of the original runs"
        if found and (field := found.reference_implementations) and 2 * field.n_better > field.n:
            return "; most toolkits’ runs are better than the baseline"
        return ""

    def of_score(self) -> Iterator[str]:
        one = self.checked
        better = "is better" if one.n_better == 1 else "are better"
        yield f"{one.n_better:,} of the {plural(one.n_results, 'result,results')} that compete here {better}."
        if one.may_be_best is not None and one.margin is not None:
            yield self._distance(one.margin)
        if one.may_be_best_unflagged is not None and one.may_be_best_unflagged != one.may_be_best:
            could = "could be" if one.may_be_best_unflagged else "could not be"
            yield f"Without the results that a caution of the leaderboard holds back, it {could} the best."
        if one.n_tried > 1 and one.luck is not None:
            yield from self._tries(one.luck)
        if one.evidence in _EVIDENCE and one.why_unknown == "":
            yield _EVIDENCE[one.evidence]
        if one.smallest_difference is not None:
            yield (
                f"On average over pairs, a true difference of {self.number(one.smallest_difference)} between two"
                " systems that are named beforehand is found in four of five cases; smaller ones more seldom. Topic"
                " scores of both systems would say it of these two."
            )

    def _distance(self, margin: float) -> str:
        one, width = self.checked, self.number(margin)
        if one.behind <= 0.0:
            others = plural(one.n_rivals or 0, "other result,other results")
            return f"{others} lie within the margin of {width}, so that chance may have put it before them."
        side = "below" if self.sign > 0 else "above"
        far = f"It lies {self.number(one.behind)} {side} the best printed, {self.best}, and the margin is {width}"
        if one.may_be_best:
            return f"{far}: it can’t be told from it."
        return f"{far}: at 95 % confidence it is not the best."

    def _tries(self, luck: float) -> Iterator[str]:
        one = self.checked
        yield (
            f"Had the {one.n_tried:,} that were tried been equally good and their luck independent, the best of them"
            f" would be expected {self.number(luck)} better than it is. Settings of one system share most of their"
            " luck, so that it is less for them."
        )
        if one.may_be_best:
            left = self.number(one.value - self.sign * luck)
            could = "could still be" if one.may_be_best_counted else "could no longer be"
            yield f"With all of that taken off, {left} {could} the best."

    def of_baseline(self) -> Iterator[str]:
        found = self.checked.baseline
        if found is None:
            return
        yield self._gain(found.gain, found.gain_is_resolved)
        if found.runs:
            yield self._among(found.runs, "runs of the original evaluation")
        if found.baselines:
            yield self._among(found.baselines, f"baselines that papers printed since {found.baselines.since}")
        if field := found.reference_implementations:
            yield self._among(field, "runs of toolkits")
            name, value = self.rows[field.best]
            if self.sign * value > self.sign * found.value:
                rest = self.sign * (self.checked.value - value)
                yield (
                    f"The best of these, {name}, prints {self.number(value)}; compared with it, the score is"
                    f" {self.number(abs(rest))} {'better' if rest > 0 else 'worse'}."
                )
        yield self._years(found.last_year_best, found.first_year_better)

    def _gain(self, gain: float, is_resolved: bool | None) -> str:
        if gain <= 0:
            return "The score is not better than the baseline."
        said = f"The score is {self.number(gain)} better than the baseline"
        if is_resolved is None:
            return f"{said}; whether chance explains that can’t be said here."
        if is_resolved:
            return f"{said}, at least the difference that so many topics can be expected to find."
        return f"{said}, less than the difference that so many topics can be expected to find."

    def _among(self, field: StandingIn, what: str) -> str:
        are = "is" if field.n_better == 1 else "are"
        return f"Of {field.n:,} {what}, {field.n_better:,} {are} better (percentile {field.percentile:.0f})."

    def _years(self, last: int | None, first_better: int | None) -> str:
        if first_better is None:
            return "Nothing on record with a year is better."
        if last is None:
            return f"The first year on record with a better result is {first_better}, and no earlier year is on record."
        return f"The last year at whose end nothing on record with a year was better is {first_better - 1}."

    def for_a_paper(self) -> str:
        one = self.checked
        n = plural(one.n_results, "published result,published results")
        what = f"Our {self.board.measure} of {self.number(one.value)} on {self.board.collection}"
        if one.may_be_best is None or one.margin is None:
            return f"{what} compares with {n}, of which {one.n_better:,} are better; no margin can be given" + (
                f": {one.why_unknown}." if one.why_unknown else "."
            )
        if one.behind <= 0.0:
            return f"{what} is the best of {n}; {one.n_rivals:,} lie within the margin of {self.number(one.margin)}."
        within = "within" if one.may_be_best else "beyond"
        return (
            f"{what} is {self.number(one.behind)} from the best of {n} ({self.best}), {within} the margin of"
            f" {self.number(one.margin)} in which results can’t be told from the best."
        )


class OfLeaderboard(TypedDict):
    """What is said of a leaderboard."""

    leaderboard: LeaderboardBrief


def describe_check(leaderboard: LeaderboardBrief, document: CheckDocument) -> dict[str, object]:
    """The answer for programs."""
    return {"leaderboard": leaderboard, **msgspec.to_builtins(document)}
