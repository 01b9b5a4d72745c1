"""Records in a history of results: exact small cases, simulation, ties in time, the Robust04 survey."""

from itertools import permutations

import numpy as np
import pytest

from analysis.trends import best_against_luck, records_test
from tests.analysis.published_papers import robust04_papers


@pytest.mark.parametrize("size", [2, 3, 5, 6])
def test_the_distribution_is_that_of_all_orders(size):
    counts = []
    for order in permutations(range(size)):
        best, count = -1, 0
        for value in order:
            if value > best:
                best, count = value, count + 1
        counts.append(count)
    test = records_test(range(size), range(size))
    assert test.n_records == size
    assert test.expected == pytest.approx(np.mean(counts))
    assert test.standard_deviation == pytest.approx(np.std(counts))
    assert test.pvalue_more == pytest.approx(np.mean(np.array(counts) >= size))
    falling = records_test(range(size), range(size, 0, -1))
    assert falling.pvalue_fewer == pytest.approx(np.mean(np.array(counts) <= 1))


def test_109_papers_on_robust04_set_4_records_where_chance_sets_5():
    years, _, improved, _ = robust04_papers()
    test = records_test(years, improved)
    assert (test.n_results, test.n_records) == (109, 4)
    assert test.expected == pytest.approx(5.27, abs=5e-3)
    assert test.standard_deviation == pytest.approx(1.91, abs=5e-3)
    assert (test.fewest, test.most) == (3, 5)
    assert [years[place] for place in test.record_positions] == [2005, 2005, 2007, 2009]


def test_p_values_agree_with_simulation():
    draws = np.random.default_rng(8).random((20_000, 40))
    counts = (draws == np.maximum.accumulate(draws, axis=1)).sum(axis=1)
    assert [records_test(range(40), values).n_records for values in draws[:20]] == list(counts[:20])
    history = np.concatenate([np.arange(7), np.zeros(33)])
    test = records_test(range(40), history)
    assert test.n_records == 7
    assert test.pvalue_more == pytest.approx(np.mean(counts >= 7), abs=0.01)
    assert test.pvalue_fewer == pytest.approx(np.mean(counts <= 7), abs=0.01)


def test_simultaneous_results_bracket_the_number():
    test = records_test([1, 1, 1, 2, 2], [3, 1, 2, 5, 4])
    assert (test.fewest, test.n_records, test.most) == (2, 2, 5)
    assert records_test(np.tile([1, 0], 20), np.arange(40)).record_positions == (*range(1, 40, 2),)
    worst_first = records_test([1, 1, 1, 2, 2], [1, 2, 3, 4, 5])
    assert (worst_first.fewest, worst_first.n_records, worst_first.most) == (2, 5, 5)


def test_equal_scores_make_no_record():
    assert records_test([1, 2, 3], [0.5, 0.5, 0.5]).n_records == 1


def test_the_direction_and_the_scale_of_the_measure():
    values = np.array([0.3, 0.2, 0.25, 0.1])
    low = records_test(range(4), values, higher_is_better=False)
    assert (low.n_records, low.record_positions) == (3, (0, 1, 3))
    assert records_test(range(4), -100 * values + 7).to_dict() == low.to_dict()


def test_the_order_in_which_results_are_given_does_not_matter():
    values = np.random.default_rng(1).random(20)
    order = np.random.default_rng(2).permutation(20)
    before, after = records_test(range(20), values), records_test(np.arange(20)[order], values[order])
    assert after.n_records == before.n_records
    assert [order[place] for place in after.record_positions] == list(before.record_positions)


def test_p_is_never_0():
    assert 0 < records_test(range(1000), range(1000)).pvalue_more < 1e-300
    assert records_test(range(2), range(2)).pvalue_fewer == 1


@pytest.mark.parametrize(
    ("n", "degrees", "constant"), [(1, None, 1.64), (3, None, 2.06), (9, None, 2.42), (3, 20, 2.19)]
)
def test_what_luck_explains_is_as_dunnett_has_it_for_one_sided_comparisons_with_a_control(n, degrees, constant):
    # Dunnett (1955), JASA 50, table 1a.
    luck = best_against_luck([0, *range(1, n + 1)], [0.5, *[0.4] * n], error=0.01, degrees_of_freedom=degrees)
    assert luck.by_luck[-1] == pytest.approx(0.5 + constant * 0.01, abs=5.1e-5)
    assert (luck.best, luck.n_later, luck.is_beyond) == ((0.5,) * (n + 1), n, False)
    turned = best_against_luck(
        [0, *range(1, n + 1)], [0.5, *[0.6] * n], error=0.01, degrees_of_freedom=degrees, higher_is_better=False
    )
    assert 1.0 - turned.by_luck[-1] == pytest.approx(luck.by_luck[-1])


def test_in_five_of_a_hundred_histories_luck_alone_goes_beyond():
    generator = np.random.default_rng(1)
    times = np.repeat(np.arange(5), 4)
    scores = 0.3 + 0.01 * generator.standard_normal((2000, 20))
    n = sum(best_against_luck(times, row, error=0.01 * 2**0.5).is_beyond for row in scores)
    # The first best is that of four, so that fewer than five of a hundred are expected; more where it is one.
    assert n <= 100
    alone = np.array([0, *[1] * 19])
    n = sum(best_against_luck(alone, row, error=0.01 * 2**0.5).is_beyond for row in scores)
    assert n == pytest.approx(100, abs=30)
