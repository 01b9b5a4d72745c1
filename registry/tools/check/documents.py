"""What is said of a score: found by ``analysis``, in words, with the leaderboard drawn around it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from analysis.boards import CheckedBaseline, CheckedScore, PlaceAmong, check_score, find_obstacle
from registry.catalog.documents import LeaderboardBrief, describe_leaderboard
from registry.catalog.models import Leaderboard
from registry.core.charts import Chart
from registry.core.messages import say
from registry.core.templatetags.formatting import plural
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.documents.shapes import BoardDocument
from registry.leaderboards.drawings.plumb_line import Mark, plumb_line
from registry.leaderboards.forms import Selection
from registry.leaderboards.queries.boards import read_board
from registry.leaderboards.stored import read_stored
from registry.results.querysets import year_here

_WIDENED = "; the margin is widened for how far such predictions are off."
_EVIDENCE = {
    "own-variance": "How much scores vary between topics was measured on runs of this collection.",
    "own-and-predicted": "How much scores vary between topics is known from few runs of this collection and a "
    f"prediction{_WIDENED}",
    "predicted": "How much scores vary between topics is predicted from the measure, its mean and what is known of "
    f"relevant documents{_WIDENED}",
    "predicted-from-siblings": "How much scores vary between topics is predicted from the measure, its mean and the "
    f"relevant documents of other years of the track{_WIDENED}",
    "predicted-without-density": "How much scores vary between topics is predicted from the measure and its mean; how "
    f"many documents are relevant is not known{_WIDENED}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckDocument:
    """What a leaderboard says of a score that is not on it."""

    leaderboard: LeaderboardBrief
    headline: Annotated[str, "The answer in a sentence."]
    of_score: Annotated[list[str], "What it rests on, one sentence each; the second empty without a baseline."]
    of_baseline: Annotated[list[str], "What it rests on, one sentence each; the second empty without a baseline."]
    sentence: Annotated[str, "For a paper; blank of a score that is taken for a failed run."]
    checked: Annotated[CheckedScore, "The same as numbers."]


def check_document(
    leaderboard: Leaderboard, score: float, baseline: float | None, n_tried: int
) -> CheckDocument | None:
    """The answer; None where nothing on the leaderboard competes."""
    board, stored = read_board(leaderboard.pk), read_stored([leaderboard.pk]).get(leaderboard.pk)
    if find_obstacle(board.inputs, topic_scores=board.topic_scores):
        return None
    verdict, since = stored.findings.verdict if stored else None, leaderboard.collection.year
    checked = check_score(
        replace(board.inputs, rows=tuple(replace(row, year=year_here(row.year, since)) for row in board.inputs.rows)),
        score,
        board.topic_scores,
        baseline=baseline,
        n_tried=n_tried,
        held_back=verdict.held_back if verdict else (),
        evidence=verdict.evidence if verdict else None,
    )
    is_by_topics = verdict is not None and verdict.evidence.kind == "own-topics"
    words = _Words(leaderboard, checked, {row.id: (row.system, row.value) for row in board.inputs.rows}, is_by_topics)
    is_failed = "failed-runs" in checked.cautions
    return CheckDocument(
        leaderboard=describe_leaderboard(leaderboard),
        headline=words.of_failed_run() if is_failed else words.headline(),
        of_score=[] if is_failed else list(words.of_score()),
        of_baseline=[] if is_failed else list(words.of_baseline()),
        sentence="" if is_failed else f"{leaderboard.collection.judged_by_model} {words.for_a_paper()}".lstrip(),
        checked=checked,
    )


def draw(leaderboard: Leaderboard, checked: CheckedScore) -> Chart | None:
    """Return the leaderboard as its page draws it, with the scores that were asked about."""
    document: BoardDocument = leaderboard_document(leaderboard, Selection())
    decimals = leaderboard.measure.decimals
    marks = [Mark(checked.value, f"your score {checked.value:.{decimals}f}")]
    if checked.baseline:
        marks.append(Mark(checked.baseline.value, f"your baseline {checked.baseline.value:.{decimals}f}"))
    return plumb_line(document, marks)


class _Words:
    """The sentences, each of which is true as it stands."""

    def __init__(
        self, leaderboard: Leaderboard, checked: CheckedScore, rows: dict[int, tuple[str, float]], is_by_topics: bool
    ) -> None:
        self.board, self.checked, self.rows, self.is_by_topics = leaderboard, checked, rows, is_by_topics
        self.sign = 1.0 if leaderboard.measure.higher_is_better else -1.0
        self.best = self.number(checked.best)
        #: Whether it could be the best, as the leaderboard says it: without the results that a caution holds back.
        self.may = checked.may_be_best_unflagged if checked.n_held_back else checked.may_be_best
        self.without = " not held back" if checked.n_held_back else ""
        #: Among which results, where the leaderboard's verdict is on some.
        self.among = f" among those{say('that', view=checked.view)}" if checked.view != "all" else ""

    def number(self, value: float) -> str:
        return f"{value:.{self.board.measure.decimals}f}"

    def apart(self, difference: float) -> str:
        """How far from each other two scores are that are not the same, whatever digits they have."""
        text = self.number(difference)
        return text if float(text) else f"less than {self.number(10.0**-self.board.measure.decimals)}"

    def of_failed_run(self) -> str:
        return (
            f"A score of exactly 0 is taken for a failed run: {self.board.collection} would show it, and leave it out"
            " of every analysis."
        )

    def headline(self) -> str:
        one, value = self.checked, self.number(self.checked.value)
        if self.may is None:
            return f"Whether {value} could be the best on {self.board.collection} can’t be said: {one.why_unknown}."
        if not self.may:
            return f"{value} is ruled out as the best on {self.board.collection}{self.among}{self._weakness()}."
        if one.n_rivals:
            told = f"{value} can’t be told from the best on {self.board.collection}{self.among}"
            if one.behind <= 0:
                best = f"{value} {self._leads()} the best{self.without} on {self.board.collection} so far{self.among}"
                told = f"{best}, and can’t be told from {one.n_rivals:,} of the results on record"
            return f"{told}{self._weakness()}."
        beyond = f"{value} is beyond everything on record{self.without} on {self.board.collection}{self.among}"
        apart = ", and would be held back as an outlier" if self._is_apart else ""
        return f"{beyond}{apart}{self._weakness()}."

    @property
    def _is_apart(self) -> bool:
        return "stands-apart" in self.checked.cautions

    def _leads(self) -> str:
        """What a score that nothing beats is to the best on record."""
        return "equals" if self.checked.behind == 0 else "is"

    def _weakness(self) -> str:
        found = self.checked.baseline
        if found and found.runs and 2 * found.runs.n_better > found.runs.n:
            return "; the baseline is worse than most of the original runs"
        if found and (field := found.reference_implementations) and 2 * field.n_better > field.n:
            return "; most toolkits’ runs are better than the baseline"
        return ""

    def of_score(self) -> Iterator[str]:
        one = self.checked
        if one.n_results == 1:
            yield f"The only result that competes here is {'' if one.n_better else 'not '}better."
        else:
            better = "is better" if one.n_better == 1 else "are better"
            yield f"{one.n_better:,} of the {one.n_results:,} results that compete here {better}."
        if self.among:
            yield (
                f"The verdict here is on the {one.n_of_view:,} of these that declare no training on"
                f" {self.board.collection} or have nothing to train, and the score is taken as one of them."
            )
        if one.n_held_back:
            yield self._held_back(one)
        if self.may is not None and one.margin is not None:
            yield self._distance(one.margin)
        if self._is_apart:
            yield (
                "It would stand apart from all others here and be held back: training on the test topics, another"
                " protocol, an error or a better system would look the same."
            )
        if one.n_tried > 1 and one.luck is not None:
            yield from self._tries(one.luck)
        if self.is_by_topics:
            yield (
                "The verdict of the leaderboard compares its systems topic by topic; of this score only the mean is"
                " known, so that it is compared by means."
            )
        if one.evidence in _EVIDENCE and one.why_unknown == "":
            yield _EVIDENCE[one.evidence]
        if one.smallest_difference is not None:
            yield (
                f"For an average pair of systems that are named beforehand, a true difference of"
                f" {self.number(one.smallest_difference)}{self._range(one)} is found in four of five cases; single"
                " pairs need about half to 1.4 times as much, as topic scores of both would tell."
            )

    def _range(self, one: CheckedScore) -> str:
        if one.smallest_difference_range is None:
            return ""
        low, high = map(self.number, one.smallest_difference_range)
        return f" ({low} to {high}, by how surely the variance is known)"

    def _held_back(self, one: CheckedScore) -> str:
        held = plural(one.n_held_back, "of them is held back,of them are held back")
        if one.may_be_best is None or one.may_be_best == self.may:
            return f"{held}: what is said here is without."
        could = "could be" if one.may_be_best else "could not be"
        return f"{held}: what is said here is without; among all it {could} the best."

    def _distance(self, margin: float) -> str:
        one, width = self.checked, self.number(margin)
        if not one.n_rivals:
            return (
                f"None lies within the margin of {width}: at 95 % confidence, chance alone has not put it before them."
            )
        if one.behind <= 0.0:
            others = plural(one.n_rivals, "other result lies,other results lie")
            ahead = "level with or before them" if one.behind == 0.0 else "before them"
            return f"{others} within the margin of {width}, so that chance may have put it {ahead}."
        side = "below" if self.sign > 0 else "above"
        best = f"the best printed{self.without}{self.among}, {self.best}"
        far = f"It lies {self.apart(one.behind)} {side} {best}, and the margin is {width}"
        if self.may:
            return f"{far}: it can’t be told from it."
        return f"{far}: at 95 % confidence it is not the best."

    def _tries(self, luck: float) -> Iterator[str]:
        one = self.checked
        yield (
            f"Had the {one.n_tried:,} that were tried been equally good, each with luck of its own, the best of them"
            f" would be expected {self.number(luck)} better than it is. Settings of one system share most of their"
            " luck, so that it is less for them."
        )
        if self.may:
            left = self.number(one.value - self.sign * luck)
            could = "could still be" if one.may_be_best_counted else "could no longer be"
            yield f"With all of that taken off, {left} {could} the best."

    def of_baseline(self) -> Iterator[str]:
        found = self.checked.baseline
        if found is None:
            return
        yield self._gain(found)
        if found.runs:
            yield self._among(found.runs, "runs of the original evaluation")
        if found.baselines:
            yield self._among(found.baselines, f"baselines that papers printed since {found.baselines.since}")
        if field := found.reference_implementations:
            yield self._among(field, "runs of toolkits")
            name, value = self.rows[field.best]
            if self.sign * value > self.sign * found.value:
                rest = self.sign * (self.checked.value - value)
                is_seen = self.number(abs(rest)) != self.number(0.0)
                how = f"{self.number(abs(rest))} {'better' if rest > 0 else 'worse'}" if is_seen else "level"
                yield (
                    f"The best of these, {name}, prints {self.number(value)}; compared with it, the score is {how}"
                    + ("." if is_seen or rest == 0 else " in the digits printed here.")
                )
        yield self._years(found.last_year_best, found.first_year_better)

    def _gain(self, found: CheckedBaseline) -> str:
        if found.gain <= 0:
            return "The score is not better than the baseline."
        said = f"The score is {self.apart(found.gain)} better than the baseline"
        if found.margin is None:
            return f"{said}; whether chance explains that can’t be said here."
        n_tried = self.checked.n_tried
        among = f", the score being the best of {n_tried:,}" if n_tried > 1 else ""
        told = "told apart by means" if found.gain_is_resolved else "not told apart by means"
        return f"{said}: {told}, which takes {self.number(found.margin)} for an average pair of systems{among}."

    def _among(self, field: PlaceAmong, what: str) -> str:
        are = "is" if field.n_better == 1 else "are"
        level = f" and {field.n_level:,} level" if field.n_level else ""
        return f"Of {field.n:,} {what}, {field.n_better:,} {are} better{level}."

    def _years(self, last: int | None, first_better: int | None) -> str:
        better = "better than the baseline"
        if first_better is None:
            return f"Nothing on record with a year is {better}."
        if last is None:
            first = f"The first year on record with a result {better} is {first_better}"
            return f"{first}, and no earlier year is on record."
        return f"The last year at whose end nothing on record with a year was {better} is {first_better - 1}."

    def for_a_paper(self) -> str:
        one = self.checked
        n_of = one.n_of_view - one.n_held_back
        best_of = "the only published result" if n_of == 1 else f"the best of {n_of:,} published results"
        best_of += f"{say('that', view=one.view)}{' and are' if self.among and self.without else ''}{self.without}"
        what = f"Our {self.board.measure} of {self.number(one.value)} on {self.board.collection}"
        if self.may is None or one.margin is None:
            better = f"{one.n_better:,} {'is' if one.n_better == 1 else 'are'} better"
            beside = f"{one.n_results:,} published results, of which {better}"
            if one.n_results == 1:
                beside = f"the only published result, which is {'' if one.n_better else 'not '}better"
            why = f": {one.why_unknown}" if one.why_unknown else ""
            return f"{what} compares with {beside}; no margin can be given{why}."
        if one.behind <= 0.0:
            lie = plural(one.n_rivals, "lies,lie") if one.n_rivals else "none lies"
            best = f"equals {best_of}" if one.behind == 0.0 else f"is better than {best_of} ({self.best})"
            told = f"{what} {best}; {lie} within the margin of {self.number(one.margin)}"
        else:
            within = "within" if self.may else "beyond"
            told = (
                f"{what} is {self.apart(one.behind)} from {best_of} ({self.best}), {within} the margin of"
                f" {self.number(one.margin)}"
            )
            if n_of > 1:
                told += f" in which {one.n_rivals:,} of them can’t be told from the best"
        return f"{told}{self._weak_baseline()}."

    def _weak_baseline(self) -> str:
        """What is weak about the baseline, with its score and how many are better; blank where nothing is."""
        found = self.checked.baseline
        if found is None:
            return ""
        for place, of in ((found.runs, "original runs"), (found.reference_implementations, "toolkits’ runs")):
            if place and 2 * place.n_better > place.n:
                return (
                    f"; the baseline, {self.number(found.value)}, is worse than {place.n_better:,} of {place.n:,} {of}"
                )
        return ""
