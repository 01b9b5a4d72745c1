"""Which printed scores can be means at all."""

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from analysis.errors import ArgumentError
from analysis.scores import check_reachable, measure_nature, real_digits
from tests.data.shipped import results, table


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
        ("0.9068600000000001", 1, 43_333, True),  # 39297/43333 = 0.906861…, printed with five digits, then divided
        ("0.9068700000000001", 1, 43, False),
        ("4.52e-01", 10, 50, True),
        ("4.531e-01", 10, 50, False),
        ("0", 10, 50, True),
        ("1.0000", 10, 50, True),
    ],
)
def test_scores_by_hand(printed, denominator, n_topics, is_reachable):
    assert check_reachable(printed, denominator=denominator, n_topics=n_topics).is_reachable is is_reachable


def test_the_neighbours_are_named():
    check = check_reachable("0.4531", denominator=10, n_topics=50)
    assert (check.step, check.below, check.above) == (0.002, 0.452, 0.454)
    exact = check_reachable("0.454", denominator=10, n_topics=50)
    assert (exact.below, exact.above) == (0.454, 0.454)


@pytest.mark.parametrize(
    ("printed", "digits"),
    [
        ("0.9068600000000001", "0.90686"),  # 90.686 / 100
        ("0.30000000000000004", "0.3"),  # 0.1 + 0.2
        ("0.19999999999999998", "0.2"),
        ("0.9999999999999999", "1"),
        ("0.90686000000000011040", "0.90686"),  # the same double, with more digits
        ("-9.068600000000001e-01", "-0.90686"),
        ("0.36559139784946254", "0.365591397849463"),  # a mean that nobody rounded
        ("0.3333333333333333", "0.333333333333333"),
        # What has fewer digits than a double keeps is as it was printed.
        ("0.33333333333333", "0.33333333333333"),
        ("0.4520", "0.4520"),
        ("0.00000000000000000001", "0.00000000000000000001"),
        ("0.30000000000000000", "0.30000000000000000"),
        (".312", ".312"),
        ("5.", "5."),
        ("6e-05", "0.00006"),
        ("1.20E-3", "0.00120"),
        ("123456789012345678", "123456789012346000"),
    ],
)
def test_the_digits_that_are_real(printed, digits):
    assert real_digits(printed) == digits


def test_what_arithmetic_does_to_a_decimal_is_taken_off_again():
    rng = random.Random(4)
    for _ in range(2000):
        meant = f"{rng.randrange(10**5):05d}"
        value = float(f"{meant[:2]}.{meant[2:]}")
        for noisy in (value / 100, value * 0.01, sum([value] * 3) / 300):
            assert float(real_digits(repr(noisy))) == float(f"0.{meant}"), noisy


def test_a_mean_that_nobody_rounded_keeps_what_a_double_keeps():
    rng = random.Random(5)
    for _ in range(2000):
        mean = sum(rng.random() for _ in range(50)) / 50
        digits = real_digits(repr(mean))
        assert 12 < len(digits.lstrip("0.")) <= 15
        assert float(digits) == pytest.approx(mean, rel=1e-15)


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
    for _ in range(100):
        denominator, n_topics = rng.choice([1, 5, 10]), rng.randint(1, 60)
        text = f"{rng.random():.4f}"
        scaled = Fraction(text) * 10**4
        means = [Fraction(m, denominator * n_topics) * 10**4 for m in range(denominator * n_topics + 1)]
        slow = any(abs(mean - scaled) <= Fraction(1, 2) or 0 <= mean - scaled < 1 for mean in means)
        assert check_reachable(text, denominator=denominator, n_topics=n_topics).is_reachable is slow, text


@pytest.mark.parametrize("printed", ["4e-100", "nan"])
def test_what_cannot_be_treated_is_refused(printed):
    with pytest.raises(ArgumentError, match="printed must be a decimal"):
        check_reachable(printed, denominator=10, n_topics=50)


def shipped_scores() -> Iterator[tuple[str, int, int]]:
    """Yield each shipped score of a measure that has a denominator, with that and the number of topics, as printed."""
    topics = {row["slug"]: row["n_topics"] for row in table("collections.csv")}
    own_topics = {(row["collection"], row["measure"]): row["n_topics"] for row in table("leaderboards.csv")}
    for row in results():
        denominator = measure_nature(row["measure"]).denominator
        here = (row["collection"], row["measure"])
        n_topics = row.get("n_topics") or own_topics.get(here) or topics[row["collection"]]
        if denominator and n_topics:
            yield row["value"], denominator, int(n_topics)


def test_the_shipped_results_are_reachable_but_for_one_in_a_thousand():
    counts: Counter[bool] = Counter()
    for (printed, denominator, n_topics), n_scores in Counter(shipped_scores()).items():
        check = check_reachable(printed, denominator=denominator, n_topics=n_topics)
        if check.step > 10.0 ** -len(printed.partition(".")[2]):
            counts[check.is_reachable] += n_scores
    assert counts == {True: 19_347, False: 16}


@pytest.mark.slow
def test_a_division_by_100_makes_no_shipped_score_look_impossible():
    n_changed = 0
    for printed, denominator, n_topics in shipped_scores():
        noisy = repr(round(float(printed) * 100, 8) / 100)
        if float(noisy) != float(printed):
            n_changed += 1
            is_reachable = check_reachable(printed, denominator=denominator, n_topics=n_topics).is_reachable
            check = check_reachable(noisy, denominator=denominator, n_topics=n_topics)
            assert check.is_reachable or not is_reachable, (printed, noisy)
    assert n_changed > 5_000


@pytest.mark.slow
def test_no_shipped_score_shows_noise_and_none_is_refused_for_it():
    printed = [row["value"] for row in results()]
    by_programs = {text: real_digits(text) for text in printed if len(text.lstrip("-0.")) > 14}
    n_rows = Counter(len(digits) < 13 for text in printed if (digits := by_programs.get(text, text)) != text)
    # Near a decimal of few digits, or a mean that nobody rounded.
    assert n_rows == {True: 1121, False: 3446}
    assert max(len(digits.replace(".", "").lstrip("-0")) for digits in by_programs.values()) == 15
    assert all(float(digits) == pytest.approx(float(text), rel=1e-15) for text, digits in by_programs.items())
