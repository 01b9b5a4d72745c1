"""A score checked against a leaderboard, with its drawing; and the best that many equal systems reach by chance."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

from analysis.best import (
    EffectiveN,
    ExtremeValueAnalysis,
    GumbelApproximation,
    analyse_summary,
    effective_n,
    gumbel_approximation,
    maximum_distribution,
    minimum_distribution,
    range_probability,
)
from analysis.boards import BoardRow, CheckedBaseline, CheckedScore, PlaceAmong, check_score, find_obstacle
from analysis.readers.recipes import model_of
from registry.catalog.documents import LeaderboardBrief, describe_leaderboard
from registry.catalog.models import Leaderboard
from registry.core.charts import Chart
from registry.core.messages import say
from registry.core.templatetags.formatting import score, telling_decimals
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.documents.shapes import BoardDocument
from registry.leaderboards.drawings.plumb_line import Mark, plumb_line
from registry.leaderboards.forms import Selection
from registry.leaderboards.queries.boards import read_board
from registry.leaderboards.stored import read_stored
from registry.results.querysets import year_here


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckDocument:
    """What a leaderboard says of a score that is not on it, of a baseline, or of both."""

    leaderboard: LeaderboardBrief
    headline: Annotated[str, "The answer in a sentence."]
    of_score: Annotated[list[str], "What is said of the score, a sentence each; empty for a baseline alone."]
    of_baseline: Annotated[list[str], "What is said of the baseline; empty without one."]
    of_gain: Annotated[list[str], "What is said of the gain over the baseline; empty where one of the two is missing."]
    sentence: Annotated[str, "For a paper or a review; blank of a score that counts as a failed run."]
    checked: Annotated[CheckedScore, "The same as numbers; of a baseline alone, it is the score."]


def check_document(
    leaderboard: Leaderboard, score: float | None, baseline: float | None, n_tried: int
) -> CheckDocument | None:
    """Return the answer for a score, a baseline or both; None where nothing on the leaderboard competes."""
    stored = read_stored([leaderboard.pk]).get(leaderboard.pk)
    # An analysis keeps its inputs, except for scores by topic.
    if stored and not stored.is_stale and not stored.inputs.topic_scores:
        inputs, topic_scores = stored.inputs, None
    else:
        board = read_board(leaderboard.pk)
        inputs, topic_scores = board.inputs, board.topic_scores
    value = baseline if score is None else score
    if value is None or find_obstacle(inputs, topic_scores=topic_scores):
        return None
    verdict, since = stored.findings.verdict if stored else None, leaderboard.collection.year
    checked = check_score(
        replace(inputs, rows=tuple(replace(row, year=year_here(row.year, since)) for row in inputs.rows)),
        value,
        topic_scores,
        baseline=baseline,
        n_tried=n_tried,
        held_back=verdict.held_back if verdict else (),
        evidence=verdict.evidence if verdict else None,
    )
    is_by_topics = verdict is not None and verdict.evidence.kind == "own-topics"
    words = _Words(leaderboard, checked, inputs.rows, is_by_topics)
    is_failed, is_alone = "failed-runs" in checked.cautions, score is None
    return CheckDocument(
        leaderboard=describe_leaderboard(leaderboard),
        headline=words.say("check-failed") if is_failed else words.of_weakness() if is_alone else words.headline(),
        of_score=[] if is_failed or is_alone else list(words.of_score()),
        of_baseline=[] if is_failed else list(words.of_baseline(is_alone=is_alone)),
        of_gain=[] if is_failed or is_alone else list(words.of_gain()),
        sentence="" if is_failed else " ".join(filter(None, words.for_a_paper(is_alone=is_alone))),
        checked=checked,
    )


def draw(leaderboard: Leaderboard, checked: CheckedScore, *, is_alone: bool = False) -> Chart | None:
    document: BoardDocument = leaderboard_document(leaderboard, Selection())
    scores = [] if is_alone else [("your-score", checked.value)]
    scores += [("your-baseline", checked.baseline.value)] if checked.baseline else []
    return plumb_line(document, [Mark(value, say(key, score=_as_asked(leaderboard, value))) for key, value in scores])


def _as_asked(leaderboard: Leaderboard, value: float) -> str:
    """Return the score with no more digits than the reader gave."""
    return score(value, min(leaderboard.measure.decimals, len(repr(value).partition(".")[2])))


#: Toolkits whose runs go by toolkit and model: Anserini's BM25.
_TOOLKITS = frozenset({"Anserini", "Pyserini"})


class _Words:
    """Words one answer; its methods return or yield sentences."""

    def __init__(
        self, leaderboard: Leaderboard, checked: CheckedScore, rows: tuple[BoardRow, ...], is_by_topics: bool
    ) -> None:
        self.board, self.checked, self.rows, self.is_by_topics = leaderboard, checked, rows, is_by_topics
        self.sign = 1.0 if leaderboard.measure.higher_is_better else -1.0
        #: Whether it is tied for first, as the leaderboard says it: without results that are excluded.
        self.is_tied = checked.may_be_best_unflagged if checked.n_held_back else checked.may_be_best
        self.place = "behind" if checked.behind > 0 else "equal" if checked.behind == 0 else "ahead"
        self.weak = self._find_weakness()

    def say(self, key: str, **values: Any) -> str:
        checked = self.checked
        known = {
            "board": self.board.collection.name,
            "measure": self.board.measure.name,
            "side": "higher" if self.sign > 0 else "lower",
            "score": _as_asked(self.board, checked.value),
            "best": self.number(checked.best),
            "view": checked.view,
            "excluded": checked.n_held_back,
            "odd": _yes("stands-apart" in checked.cautions),
        }
        return say(key, **known | values)

    def number(self, value: float) -> str:
        return score(value, self.board.measure.decimals)

    def _find_weakness(self) -> tuple[str, PlaceAmong] | None:
        """Return the original runs, else the reference runs, where most of them beat the baseline."""
        baseline = self.checked.baseline
        fields = (("runs", baseline.runs), ("reference", baseline.reference_implementations)) if baseline else ()
        return next(((name, field) for name, field in fields if field and 2 * field.n_better > field.n), None)

    def headline(self) -> str:
        checked = self.checked
        place = "unknown" if self.is_tied is None else "tied" if self.is_tied else "below"
        if self.is_tied and not checked.n_rivals:
            place = "alone"
        elif self.is_tied and checked.behind <= 0:
            place = "ahead" if checked.behind < 0 else "equals"
        values = {"place": place, "why": checked.why_unknown, "n": checked.n_rivals or 0}
        return self.say("check-headline", **values, weak=_yes(self.weak is not None))

    def of_weakness(self) -> str:
        baseline = self.checked.baseline
        assert baseline is not None
        name, field = self.weak or ("reference", baseline.reference_implementations or baseline.runs)
        if field is None:
            return self.say("check-baseline-unknown")
        name = name if self.weak or baseline.reference_implementations else "runs"
        counts = {"n": field.n, "n_better": field.n_better, "field": name, "since": ""}
        return self.say("check-baseline-headline", **counts, weak=_yes(self.weak is not None), same=self._same())

    def _same(self) -> str:
        """Return the reference run that has the score of the baseline, by toolkit and model where both are known."""
        shown = self.number(self.checked.baseline.value) if self.checked.baseline else None
        runs = [row for row in self.rows if row.role == "reference_implementation"]
        same = [row.system for row in runs if self.number(row.value) == shown]
        for system in same:
            toolkit, recipe = system.split(" ")[0], model_of(system)
            if toolkit in _TOOLKITS and recipe:
                return say("of-toolkit", toolkit=toolkit, model=recipe.model)
        return same[0] if same else "none"

    def of_score(self) -> Iterator[str]:
        checked = self.checked
        yield self.say("check-better", n_better=checked.n_better, n=checked.n_results)
        if checked.view != "all":
            yield self.say("check-view", n=checked.n_of_view - checked.n_held_back)
        if checked.n_held_back:
            matters = checked.may_be_best is not None and checked.may_be_best != self.is_tied
            key = "check-excluded-matters" if matters else "check-excluded"
            yield self.say(key, n=checked.n_held_back, tied=_yes(bool(checked.may_be_best)))
        if self.is_tied is not None and checked.margin is not None:
            yield self._distance(checked.margin)
        if checked.needed is not None:
            yield self.say("check-pair", **self._pair(checked.needed))
        if checked.ranks:
            yield self.say("check-ranks", low=checked.ranks.low, high=checked.ranks.high)
        if "stands-apart" in checked.cautions or self._is_above_all():
            yield self.say("check-odd")
        if checked.n_tried > 1 and checked.luck is not None:
            yield self.say("check-tries", n=checked.n_tried, luck=self.number(checked.luck))
            if self.is_tied:
                left = self.number(checked.value - self.sign * checked.luck)
                yield self.say("check-tries-left", left=left, tied=_yes(bool(checked.may_be_best_counted)))
        if self.is_by_topics:
            yield self.say("check-by-topics")
        if checked.evidence not in ("none", "own-topics", "transferred") and not checked.why_unknown:
            yield self.say("check-evidence", kind=checked.evidence)
        if checked.smallest_difference is not None and checked.smallest_difference_range is not None:
            low, high = checked.smallest_difference_range
            ends = [score(difference, telling_decimals(low)) for difference in (checked.smallest_difference, low, high)]
            yield self.say("check-detectable", **dict(zip(("difference", "low", "high"), ends, strict=True)))

    def _is_above_all(self) -> bool:
        """Return whether the score beats everything on record by more than the margin."""
        highest = max((self.sign * row.value for row in self.rows), default=None)
        margin = self.checked.margin
        return highest is not None and margin is not None and self.sign * self.checked.value - highest > margin

    def _distance(self, margin: float) -> str:
        behind = self.checked.behind
        decimals = telling_decimals(margin, behind)
        if behind <= 0 or not self.checked.n_rivals:
            return self.say("check-tied", n=self.checked.n_rivals or 0, margin=score(margin, decimals))
        return self.say("check-distance", behind=score(behind, decimals), margin=score(margin, decimals))

    def _pair(self, needed: float) -> dict[str, str]:
        """Return how the score and the best differ where too few compete for a verdict, as messages take it."""
        behind = self.checked.behind
        decimals = telling_decimals(needed, behind)
        values = {"difference": score(abs(behind), decimals), "needed": score(needed, decimals)}
        return {"place": self.place, "significant": _yes(abs(behind) > needed)} | values

    def of_baseline(self, *, is_alone: bool) -> Iterator[str]:
        baseline = self.checked.baseline
        if baseline is None:
            return
        yield from self._field("runs", baseline.runs)
        yield from self._field("reference", baseline.reference_implementations)
        if field := baseline.reference_implementations:
            best = next(row for row in self.rows if row.id == field.best)
            if self.sign * best.value > self.sign * baseline.value:
                beats = not is_alone and self.sign * best.value > self.sign * self.checked.value
                values = {"name": best.system, "best": self.number(best.value)}
                yield self.say("check-best-reference", **values, beats=_yes(beats))
        yield from self._field("baselines", baseline.baselines)
        year = baseline.first_year_better
        yield self.say("check-year", year="none" if year is None else str(year))

    def _field(self, name: str, field: PlaceAmong | None) -> Iterator[str]:
        if field is not None and self.checked.baseline is not None:
            counts = {"n": field.n, "n_better": field.n_better, "n_level": field.n_level, "since": str(field.since)}
            values = {"field": name, "weak": _yes(self.weak == (name, field))}
            yield self.say("check-field", **counts, **values, score=_as_asked(self.board, self.checked.baseline.value))

    def of_gain(self) -> Iterator[str]:
        baseline = self.checked.baseline
        if baseline is None:
            return
        if baseline.gain <= 0:
            yield self.say("check-no-gain")
        elif baseline.margin is None:
            yield self.say("check-gain-unknown", difference=self.number(baseline.gain))
        else:
            yield self._gain(baseline, baseline.margin)
            yield self.say("check-gain-by-topics")

    def _gain(self, baseline: CheckedBaseline, needed: float) -> str:
        decimals = telling_decimals(needed, baseline.gain)
        values = {"difference": score(baseline.gain, decimals), "needed": score(needed, decimals)}
        significant = _yes(bool(baseline.gain_is_resolved))
        return self.say("check-gain", **values, significant=significant, n=self.checked.n_tried)

    def for_a_paper(self, *, is_alone: bool) -> Iterator[str]:
        """Yield who judged, how the score stands, and how the baseline does where it is weak."""
        baseline = self.checked.baseline
        yield self.board.collection.judged_by_model
        if not is_alone:
            yield self._cited()
        field = self.weak
        if is_alone and baseline and not field and baseline.reference_implementations:
            field = "reference", baseline.reference_implementations
        if field and baseline:
            key = "check-cite-baseline-alone" if is_alone else "check-cite-baseline"
            counts = {"n": field[1].n, "n_better": field[1].n_better}
            yield self.say(key, score=_as_asked(self.board, baseline.value), field=field[0], since="", **counts)

    def _cited(self) -> str:
        checked = self.checked
        if checked.needed is not None:
            return self.say("check-cite-pair", **self._pair(checked.needed))
        if self.is_tied is None or checked.margin is None:
            return self.say("check-cite-unknown", n_better=checked.n_better, n=checked.n_results)
        decimals = telling_decimals(checked.margin, checked.behind)
        distances = {"behind": score(abs(checked.behind), decimals), "margin": score(checked.margin, decimals)}
        counts = {"n": checked.n_of_view - checked.n_held_back, "rivals": checked.n_rivals or 0}
        return self.say("check-cite", place=self.place, tied=_yes(self.is_tied), **counts, **distances)


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


@dataclass(frozen=True, slots=True)
class BestOfDocument:
    """What the best of many equally good systems shows by chance."""

    headline: Annotated[str, "The answer in a sentence."]
    sentences: Annotated[list[str], "What else can be said, one sentence each."]
    analysis: Annotated[ExtremeValueAnalysis, "As published in 2015, of independent errors."]
    expected_best: Annotated[float, "Mean of the largest of as many equal systems around ``analysis.mean``."]
    expected_worst: Annotated[float, "Likewise of the smallest."]
    held: Annotated[float, "Probability that all around ``adjusted_mean`` lie between ``lower`` and the best."]
    effective: Annotated[EffectiveN, "How many independent results are worth as much, where errors are correlated."]
    adjusted_mean_correlated: Annotated[float, "``analysis.adjusted_mean`` for correlated errors."]
    gumbel: Annotated[GumbelApproximation, "What textbooks take for the distribution of the best, and how far off."]


def best_of_document(summary: dict[str, Any]) -> BestOfDocument:
    n, variance, correlation = summary["n"], summary["variance"], summary["correlation"] or 0.0
    analysis = analyse_summary(
        mean=summary["mean"],
        sd=summary["sd"],
        best=summary["best"],
        n_results=n,
        n_topics=summary["topics"],
        scale="published" if variance is None else "residual",
        residual_variance=variance,
    )
    around: dict[str, float] = {"n": n, "mean": analysis.mean, "sd": analysis.standard_error}
    largest, smallest = maximum_distribution(**around), minimum_distribution(**around)
    correlated = maximum_distribution(n, sd=analysis.standard_error, correlation=correlation)
    document = BestOfDocument(
        headline=say("best-of-headline", n=n, mean=score(analysis.adjusted_mean), best=score(analysis.best)),
        sentences=[], analysis=analysis, expected_best=largest.mean(), expected_worst=smallest.mean(),
        held=range_probability(
            analysis.lower, analysis.best, n, mean=analysis.adjusted_mean, sd=analysis.standard_error
        ),
        effective=effective_n(n, correlation, probability=analysis.tail),
        adjusted_mean_correlated=analysis.best - float(correlated.ppf(analysis.tail)),
        gumbel=gumbel_approximation(n, mean=analysis.mean, sd=analysis.standard_error),
    )  # fmt: skip
    reached = 100 * float(largest.sf(analysis.best))
    return replace(document, sentences=list(_sentences(document, reached, correlation)))


def _sentences(document: BestOfDocument, reached: float, correlation: float) -> Iterator[str]:
    analysis = document.analysis
    level, upper = f"{100 * analysis.chance_level:.0f}%", score(analysis.chance_upper)
    best, mean = score(analysis.best), score(analysis.mean)
    known = {"n": analysis.n_results, "mean": mean, "best": best, "lower": score(analysis.lower)}
    ends = {"expected_best": score(document.expected_best), "expected_worst": score(document.expected_worst)}
    yield say("best-of-chance", **known, **ends)
    yield say("best-of-ends", level=level, upper=upper, lower=score(analysis.chance_lower))
    share = "less than 0.1%" if reached < 0.1 else "more than 99.9%" if reached >= 99.95 else f"{reached:.1f}%"
    yield say("best-of-reached", **known, share=share)
    yield say("best-of-held", **known | {"mean": score(analysis.adjusted_mean)}, held=f"{100 * document.held:.0f}%")
    if correlation:
        point = f"{100 * analysis.tail:.0f}%"
        estimate = f"{document.effective.estimate:.1f}"
        yield say("best-of-correlation", correlation=f"{correlation:g}", level=point, effective=estimate)
        yield say("best-of-correlated-mean", mean=score(document.adjusted_mean_correlated), best=best)
    rough = score(analysis.chance_upper + dict(document.gumbel.quantile_errors)[analysis.chance_level])
    if rough != upper:
        yield say("best-of-gumbel", level=level, mean=mean, rough=rough, exact=upper)
    key = "best-of-published" if analysis.scale == "published" else "best-of-given"
    yield say(key, error=score(analysis.standard_error))
