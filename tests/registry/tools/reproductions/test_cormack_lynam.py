"""The figures of Cormack & Lynam: their numbers by a second, slow route, document by document."""

import hashlib
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.special import expit, logit

from analysis.documents import RankedList, judge_run, map_interval
from analysis.papers.cormack_lynam import HALVES, list_panels, table_panels
from analysis.papers.halves import (
    Shares,
    SplitPair,
    cases,
    coverage_by_topics,
    list_shares,
    mean_shares,
    measure_half,
    measure_halves,
    predicted_and_measured,
)
from analysis.papers.paper import Given, JudgedRanking
from analysis.papers.shipped import ShippedFolder
from analysis.scores import parse_judgements, parse_run
from registry.core.loading import SHIPPED
from registry.tools.reproductions.documents import reproductions
from tests.registry.tools.reproductions.drawing import draw_by

COLLECTION = "trec-dl-2021-passage"


@cache
def run():
    """Return BM25 on 53 topics, a hundred passages each."""
    (ranking,) = ShippedFolder(SHIPPED).rankings(COLLECTION, "BM25")
    return ranking


@cache
def pairs() -> list[SplitPair]:
    """Return the run in two splits."""
    return measure_halves([run()], n_splits=2)


def in_half(name: str, half: int, salt: str = "") -> bool:
    return hashlib.md5((salt + name).encode()).digest()[0] % 2 == half


def slow_ap(relevant: list[bool], n_relevant: int) -> float:
    """Compute it as it is defined, from the top."""
    n_found, total = 0, 0.0
    for rank, is_relevant in enumerate(relevant, 1):
        if is_relevant:
            n_found += 1
            total += n_found / rank
    return total / n_relevant


def drawn_ap(relevant: list[bool], n_relevant: int, n_draws: int, rng: np.random.Generator) -> np.ndarray:
    """Draw AP where each document is copied a Poisson number of times, copies one after the other.

    Without a relevant one it is drawn again.
    """
    copies = rng.poisson(1, (n_draws, len(relevant)))
    of_relevant = copies * np.array(relevant)
    above, relevant_above = (np.cumsum(counts, axis=1) - counts for counts in (copies, of_relevant))
    total = np.zeros(n_draws)
    for copy in range(1, copies.max() + 1):
        total += np.sum((of_relevant >= copy) * (relevant_above + copy) / (above + copy), axis=1)
    n = of_relevant.sum(axis=1) + rng.poisson(1, (n_draws, n_relevant - sum(relevant))).sum(axis=1)
    drawn = total[n > 0] / n[n > 0]
    missing = n_draws - len(drawn)
    return np.concatenate([drawn, drawn_ap(relevant, n_relevant, missing, rng)]) if missing else drawn


def answers(half: int | None = None, salt: str = "") -> dict[str, tuple[list[bool], int]]:
    """Return by topic which documents are relevant, and how many there are; of all documents or of a half."""
    lists = {}
    for topic, grades in run().grades.items():
        documents = {name for name in grades if half is None or in_half(name, half, salt)}
        relevant = {name for name in documents if grades[name] >= 2}
        ranking = [name for name in run().rankings.get(topic, ()) if half is None or in_half(name, half, salt)]
        if relevant and ranking:
            lists[topic] = [name in relevant for name in ranking], len(relevant)
    return lists


@pytest.mark.slow
def test_the_interval_of_map_is_that_of_a_direct_bootstrap_over_documents():
    """3,000 collections, each drawn document by document."""
    rng = np.random.default_rng(7)
    totals = np.mean([drawn_ap(*answer, 3_000, rng) for answer in answers().values()], axis=0)
    estimate = map_interval(judge_run(run().run, run().judgements, minimum_grade=2).lists, 1)
    mean = np.mean([slow_ap(*answer) for answer in answers().values()])
    assert estimate.estimate == pytest.approx(mean, abs=1e-12)
    reach = 1.959964 * totals.std(ddof=1)
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx((mean - reach, mean + reach), abs=0.003)


@pytest.mark.slow
@pytest.mark.parametrize("split", [0, 1])
def test_halves_have_the_values_and_errors_of_a_slow_route(split):
    """Tables 1 to 4 rest on these: AP in each half, and how far documents move it."""
    salt = str(split) if split else ""
    of_halves = [answers(half, salt) for half in (0, 1)]
    topics = [topic for topic in of_halves[0] if topic in of_halves[1]]
    (pair,) = (pair for pair in pairs() if pair.system == "BM25" and pair.split == split)
    rng = np.random.default_rng(3)
    for half, slow in zip(pair.halves, of_halves, strict=True):
        assert [ranked.n_relevant for ranked in half.lists] == [slow[topic][1] for topic in topics]
        assert [ranked.values["linear"] for ranked in half.lists] == pytest.approx(
            [slow_ap(*slow[topic]) for topic in topics]
        )
        for place in range(0, len(topics), 10):
            drawn = drawn_ap(*slow[topics[place]], 2000, rng)
            chosen = half.lists[place]
            assert chosen.errors["linear"] == pytest.approx(drawn.std(ddof=1), rel=0.12, abs=1e-6)
            if drawn.min() > 0:
                logits = logit(np.clip(drawn, 1e-5, 1 - 1e-5))
                assert chosen.errors["logit"] == pytest.approx(logits.std(ddof=1), rel=0.15)


def counted(triples: list[tuple[float, float, float]]) -> Shares:
    below = sum(value < low - 1e-12 for value, low, _ in triples)
    above = sum(value > high + 1e-12 for value, _, high in triples)
    n = len(triples)
    return Shares(100 * below / n, 100 * (n - below - above) / n, 100 * above / n, n)


def as_tuple(shares: Shares) -> tuple[float, ...]:
    return shares.below, shares.within, shares.above, shares.n


def test_tables_of_lists_are_counts_against_limits_by_the_formulas_of_the_paper():
    linear, logits, above_five = [], [], []
    for pair in pairs():
        for own, other in zip(*(half.lists for half in pair.halves), strict=True):
            value, z = own.values["linear"], 1.959964
            reach = z * own.errors["linear"]
            limits = (max(value - reach, 0.0), min(value + reach, 1.0)) if reach else (value, value)
            linear.append((other.values["linear"], *limits))
            on_logits = logit(np.clip(value, 1e-5, 1 - 1e-5)) + z * own.errors["logit"] * np.array([-1, 1])
            limits = tuple(expit(on_logits)) if reach else (value, value)
            logits.append((other.values["linear"], *limits))
            if own.n_relevant > 5:
                above_five.append(logits[-1])
    of = cases(pairs(), [0])
    assert as_tuple(list_shares(of, "linear")) == pytest.approx(as_tuple(counted(linear)))
    assert as_tuple(list_shares(of, "logit")) == pytest.approx(as_tuple(counted(logits)))
    table = table_panels(pairs(), "here")["table-1"]
    assert table.rows[0][1:4] == pytest.approx(as_tuple(counted(linear))[:3])
    assert table.rows[1][1:] == pytest.approx((*as_tuple(counted(logits))[:3], *as_tuple(counted(above_five))[:3]))
    assert [len(row) for row in table.rows] == [len(table.columns)] * 4


def test_a_list_in_a_half_has_its_values_and_intervals_on_both_scales():
    all_found, none_found, some = (
        measure_half([RankedList(ranks, 2 if len(ranks) < 3 else 40, 100)]).lists[0]
        for ranks in ([1, 2], [], [*range(1, 20), *range(30, 50)])
    )
    ends = logit(1 - 1e-5), logit(1e-5)
    assert (all_found.values, none_found.values) == (
        {"linear": 1.0, "logit": pytest.approx(ends[0])}, {"linear": 0.0, "logit": pytest.approx(ends[1])},
    )  # fmt: skip
    for measured in (all_found, none_found):
        assert [measured.intervals[kind] for kind in ("linear", "logit", "bca")] == [None] * 3
        assert measured.errors == {"linear": 0.0, "logit": 0.0}
        assert measured.intervals["linear, limited"] == measured.intervals["logit, limited"]
    # Of many relevant documents no limit is needed.
    for kind in ("linear", "logit"):
        assert some.intervals[f"{kind}, limited"] == some.intervals[kind]
    assert some.intervals["linear"] != some.intervals["logit"]
    assert some.values["logit"] == pytest.approx(logit(some.values["linear"]))


@pytest.mark.slow
def test_limits_for_few_relevant_documents_hold_more_of_those_that_have_few():
    few = [case for case in cases(pairs()) if case[0].values["linear"] == 0]
    assert few
    for own, _ in few:
        limit = own.intervals["logit, limited"]
        assert limit.low == 0.0
        assert limit.high > 0.0
        assert own.intervals["logit"] is None or own.intervals["logit"].high >= own.values["linear"]


def test_tables_of_means_are_counts_against_standard_errors_that_add_up():
    """The bootstrap of a mean over independent topics has the variance of its lists' means."""
    for measure, scale in (("MAP", "linear"), ("L-MAP", "logit")):
        shares = []
        for pair in pairs():
            own, other = pair.halves
            mean = np.mean([ranked.values[scale] for ranked in own.lists])
            error = np.sqrt(np.sum([ranked.errors[scale] ** 2 for ranked in own.lists])) / len(own.lists)
            interval = own.means[measure, "bootstrap"]
            assert interval.estimate == pytest.approx(mean)
            assert interval.standard_error == pytest.approx(error, rel=0.06)
            of_other = other.means[measure, "bootstrap"].estimate
            shares.append((of_other, interval.interval.low, interval.interval.high))
        assert as_tuple(mean_shares(pairs(), (measure, "bootstrap"), 0)) == pytest.approx(as_tuple(counted(shares)))


def test_parametric_errors_weigh_logit_variances_by_the_derivative():
    own = pairs()[0].halves[0]
    values = np.array([ranked.values["linear"] for ranked in own.lists])
    spread = []
    for ranked in own.lists:
        limits, plain = ranked.intervals["logit, limited"], ranked.intervals["logit"]
        if plain and (limits.low, limits.high) == pytest.approx((plain.low, plain.high)):
            spread.append(ranked.errors["logit"])
        else:
            low, high = logit(np.clip([limits.low, limits.high], 1e-5, 1 - 1e-5))
            spread.append((high - low) / (2 * 1.959964))
    slow = np.sqrt(np.sum(((values - values**2) * np.array(spread)) ** 2)) / len(values)
    assert own.means["MAP", "parametric"].standard_error == pytest.approx(slow, rel=1e-6)


def sparse(n_topics: int, place: int) -> JudgedRanking:
    """Make a run of twenty documents a half on each topic, of which the one at this place is relevant in each half."""
    ranked, judged = [], []
    for topic in range(n_topics):
        halves = [[name for name in (f"d{topic}-{n}" for n in range(200)) if in_half(name, half)] for half in (0, 1)]
        judged += [f"{topic} 0 {names[place]} 1" for names in halves]
        names = [name for two in zip(halves[0][:20], halves[1][:20], strict=True) for name in two]
        ranked += [f"{topic} Q0 {name} {rank} {100 - rank} ours" for rank, name in enumerate(names, 1)]
    lines, judgements = ("\n".join([*each, ""]).encode() for each in (ranked, judged))
    return JudgedRanking("here", "ours", 40, 1, parse_run(lines), parse_judgements(judgements))


@pytest.mark.parametrize(
    ("place", "missing"),
    [
        (2, {"figure-1"}),  # BCa has no interval with one relevant document.
        (0, {"figure-1", "variance"}),  # AP is 1 wherever it is measured, and nothing varies.
    ],
)
def test_what_nothing_can_be_said_of_is_left_out_and_all_else_is_drawn(place, missing):
    panels, _ = draw_by(HALVES, Given(name="ours", measure="AP", matrices={}, runs=[sparse(10, place)]))
    assert HALVES.figures - panels.keys() == missing


def test_lists_that_are_too_few_for_a_class_have_no_coverage_and_those_with_the_same_ap_no_measured_variance():
    panels = list_panels(measure_halves([sparse(4, 2)], n_splits=1), "here")
    assert panels.keys() == {"figure-2", "coverage-by-topics"}
    (pair,) = measure_halves([sparse(12, 2)], n_splits=1)
    of_three, of_five = (measure_half([RankedList(ranks, 3, 40)] * 12) for ranks in ([1, 2, 9], [4, 5, 6]))
    both = replace(pair, halves=(of_three, of_three)), replace(pair, halves=(of_three, of_five))
    linear, logits, _ = list_panels(both, "here")["variance"].series
    assert all(y > 0 for line in (linear, logits) for y in line.y)
    assert 0 < len(linear.y) == len(logits.y) < 10


def test_coverage_by_relevant_documents_is_a_count():
    panel = list_panels(pairs(), "here")["coverage-by-relevant"]
    line = next(series for series in panel.series if series.name == "logit")
    of_class = [case for case in cases(pairs()) if 21 <= case[0].n_relevant < 51]
    held = sum(
        limits.low - 1e-12 <= other.values["linear"] <= limits.high + 1e-12
        for own, other in of_class
        if (limits := own.intervals["logit"])
    )
    place = next(place for place, x in enumerate(line.x) if 21 <= x < 51)
    assert line.y[place] == pytest.approx(100 * held / len(of_class), abs=0.01)


def test_coverage_by_topics_of_all_topics_is_that_of_the_means():
    n_topics = len(pairs()[0].halves[0].lists)
    of_one = pairs()[:1]
    (all_topics,) = coverage_by_topics(of_one, "linear", [n_topics])
    held = []
    for own, other in of_one[0].directions:
        mean, error = np.mean([ranked.values["linear"] for ranked in own.lists]), 0.0
        for ranked in own.lists:
            error += (ranked.errors["linear"] / n_topics) ** 2
        held.append(abs(np.mean([ranked.values["linear"] for ranked in other.lists]) - mean) <= 1.959964 * error**0.5)
    assert all_topics.within == pytest.approx(100 * np.mean(held))
    too_many, some = coverage_by_topics(of_one, "linear", [n_topics + 1, 5])
    assert (too_many, some.n) == (None, 100)


def test_predicted_and_measured_variance_are_root_mean_squares_of_classes():
    panel = list_panels(pairs(), "here")["variance"]
    line = next(series for series in panel.series if series.name == "AP")
    differences = sorted(
        (
            (own.errors["linear"] ** 2 + other.errors["linear"] ** 2) ** 0.5,
            abs(own.values["linear"] - other.values["linear"]),
        )
        for own, other in cases(pairs())
    )
    known = [pair for pair in differences if pair[0] > 0]
    last = known[-(len(known) // 10) :]
    few = cases(pairs(), [0])[:9]
    measured = predicted_and_measured(few, "linear")
    n_known = sum(np.hypot(own.errors["linear"], other.errors["linear"]) > 0 for own, other in few)
    assert 0 < len(measured) == n_known < 10
    assert np.isfinite(measured).all()
    assert line.x[-1] == pytest.approx((sum(x * x for x, _ in last) / len(last)) ** 0.5, rel=1e-4)
    assert line.y[-1] == pytest.approx((sum(y * y for _, y in last) / len(last)) ** 0.5, rel=1e-4)


def test_figures_3_and_4_that_ship_have_the_means_of_a_slow_route():
    figures = {figure.slug: figure for figure in reproductions()["cormack-lynam-2006"].figures}
    name = f"{COLLECTION}, BM25"
    (whole,) = (row for row in figures["figure-4"].panel.rows if row[0] == name)
    values = [slow_ap(*answer) for answer in answers().values()]
    assert whole[1:3] == pytest.approx((len(values), np.mean(values)))
    assert whole[5] == pytest.approx(expit(np.mean(logit(np.clip(values, 1e-5, 1 - 1e-5)))))
    assert whole[3] < whole[2] < whole[4]
    (half,) = (row for row in figures["figure-3"].panel.rows if row[0] == name)
    of_halves = [answers(place) for place in (0, 1)]
    topics = [topic for topic in of_halves[0] if topic in of_halves[1]]
    first, second = ([slow_ap(*of[topic]) for topic in topics] for of in of_halves)
    assert (half[2], half[8]) == pytest.approx((np.mean(first), np.mean(second)))


def test_limits_of_section_5_are_expected_aps_of_simulated_lists():
    """Lead balloons: of R relevant documents on top, a share u is never found."""
    figures = {figure.slug: figure for figure in reproductions()["cormack-lynam-2006"].figures}
    lead = next(series for series in figures["section-5"].panel.series if series.name == "all lead")
    share = 1 - 0.05 ** (1 / 10)
    assert lead.y[lead.x.index(10)] == pytest.approx(1 - share, abs=0.03)
    holds = next(series for series in figures["section-4"].panel.series if series.name == "second")
    rng = np.random.default_rng(1)
    both = rng.normal(size=(2, 200_000))
    assert holds.y[holds.x.index(80.0)] == pytest.approx(100 * np.mean(abs(both[0] - both[1]) < 1.281552), abs=0.4)
