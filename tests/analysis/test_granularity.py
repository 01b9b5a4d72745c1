"""Which printed scores can be means at all."""

import csv
import random
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from analysis.errors import ArgumentError
from analysis.granularity import check_reachable, topic_denominator

DATA = Path(__file__).parents[2] / "data"


def read(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize(
    ("measure", "denominator"),
    [
        ("P@10", 10),
        ("P(rel=2)@100", 100),
        ("P@10[binary.useful]", 10),
        ("Judged@5", 5),
        ("Success@10", 1),
        ("top_20_accuracy", 1),
        ("RR@1", 1),
        ("RR(rel=2)@5", 60),
        ("RR@10", 2520),
    ],
)
def test_measures_whose_topic_scores_have_a_common_denominator(measure, denominator):
    assert topic_denominator(measure) == denominator


@pytest.mark.parametrize(
    "measure", ["AP", "nDCG@10", "R@100", "Rprec", "RR", "RR@100", "infP@10", "P_IA@10", "P@0", ""]
)
def test_measures_without_one(measure):
    assert topic_denominator(measure) is None


@pytest.mark.parametrize(
    ("printed", "denominator", "n_topics", "is_reachable"),
    [
        ("0.452", 10, 50, True),  # 226/500
        ("0.4520", 10, 50, True),
        ("0.4531", 10, 50, False),
        ("0.453", 10, 50, False),  # halfway between 0.452 and 0.454, a whole unit from both
        ("0.45", 10, 50, True),  # two decimals tell nothing about five hundredths
        ("0.3333", 1, 3, True),
        ("0.3334", 1, 3, False),
        ("0.6666", 1, 3, True),  # cut off
        ("0.6667", 1, 3, True),  # rounded
        ("0.30000000000000004", 10, 1, True),  # noise of a double
        ("0", 10, 50, True),
        ("1.0000", 10, 50, True),
    ],
)
def test_scores_by_hand(printed, denominator, n_topics, is_reachable):
    assert check_reachable(printed, denominator=denominator, n_topics=n_topics).is_reachable is is_reachable


def test_the_neighbours_are_named():
    found = check_reachable("0.4531", denominator=10, n_topics=50)
    assert (found.step, found.below, found.above) == (0.002, 0.452, 0.454)
    exact = check_reachable("0.454", denominator=10, n_topics=50)
    assert (exact.below, exact.above) == (0.454, 0.454)


@pytest.mark.parametrize("decimals", [2, 3, 4])
def test_every_mean_there_is_can_be_reached_however_it_is_rounded(decimals):
    for denominator, n_topics in product((1, 5, 10), (3, 7, 43)):
        steps = denominator * n_topics
        for m in range(steps + 1):
            scaled = Fraction(m, steps) * 10**decimals
            for printed in {round(scaled), int(scaled), int(scaled + Fraction(1, 2))}:
                text = f"{printed // 10**decimals}.{printed % 10**decimals:0{decimals}d}"
                assert check_reachable(text, denominator=denominator, n_topics=n_topics).is_reachable, text


def test_a_slow_search_finds_the_same():
    rng = random.Random(4)
    for _ in range(300):
        denominator, n_topics = rng.choice([1, 5, 10]), rng.randint(1, 60)
        text = f"{rng.random():.4f}"
        scaled = Fraction(text) * 10**4
        means = [Fraction(m, denominator * n_topics) * 10**4 for m in range(denominator * n_topics + 1)]
        slow = any(abs(mean - scaled) <= Fraction(1, 2) or 0 <= mean - scaled < 1 for mean in means)
        assert check_reachable(text, denominator=denominator, n_topics=n_topics).is_reachable is slow, text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("4e-1", 10, 50), "printed must be a plain decimal"),
        (("nan", 10, 50), "printed must be a plain decimal"),
        ((0.4, 10, 50), "printed must be a plain decimal"),
        (("0.4", 0, 50), "denominator must be a whole number, 1 or more"),
        (("0.4", 10, 2.5), "n_topics must be a whole number, 1 or more"),
    ],
)
def test_what_cannot_be_treated_is_refused(arguments, message):
    printed, denominator, n_topics = arguments
    with pytest.raises(ArgumentError, match=message):
        check_reachable(printed, denominator=denominator, n_topics=n_topics)


def test_the_shipped_results_are_reachable_but_for_one_in_a_thousand():
    topics = {row["slug"]: row["n_topics"] for row in read("collections.csv")}
    own_topics = {(row["collection"], row["measure"]): row["n_topics"] for row in read("leaderboards.csv")}
    counts: Counter[bool] = Counter()
    for path in sorted((DATA / "results").glob("*.csv")):
        for row in read(f"results/{path.name}"):
            denominator = topic_denominator(row["measure"])
            here = (row["collection"], row["measure"])
            n_topics = row.get("n_topics") or own_topics.get(here) or topics[row["collection"]]
            if not denominator or not n_topics:
                continue
            found = check_reachable(row["value"], denominator=denominator, n_topics=int(n_topics))
            if found.step > 10.0 ** -len(row["value"].partition(".")[2]):
                counts[found.is_reachable] += 1
    assert counts[True] > 12_000
    assert counts[False] < 0.002 * counts[True]
