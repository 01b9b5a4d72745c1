"""The bootstrap over documents: exact cases, the direct way, a whole collection in R, pairs, counts from tables."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from analysis.documents import RankedList, _bootstrap, average_precision, bootstrap_average_precision, pair_rankings
from analysis.documents._bootstrap import bootstrap_pair
from tests.analysis.ranked_lists import direct_bootstrap

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "precision.json").read_text(encoding="utf-8"))
LISTS = [
    RankedList([1, 2, 5, 9, 17, 30, 38], 12, 40),
    RankedList([3], 2, 1000),
    RankedList([1, 2, 3, 4, 50, 51, 400, 990], 9, 1000),
    RankedList(np.arange(2, 400, 2), 260, 1000),
]


def exact_moments(ranked: RankedList, largest: int = 14) -> tuple[float, float]:
    """Return mean and standard deviation of the resampled AP, by summing over the counts of every document."""
    counts = range(largest + 1)
    pmf = stats.poisson.pmf(counts, 1)
    relevant = np.isin(np.arange(1, ranked.relevant_ranks[-1] + 1), ranked.relevant_ranks)
    hidden = ranked.n_relevant - ranked.relevant_ranks.size
    total = np.zeros(3)
    for copies in product(counts, repeat=relevant.size):
        flags = np.repeat(relevant, copies)
        precisions = np.sum((flags.cumsum() / np.arange(1, flags.size + 1))[flags])
        for unseen in counts if hidden else [0]:
            n_relevant = flags.sum() + unseen
            if n_relevant:
                weight = pmf[list(copies)].prod() * (stats.poisson.pmf(unseen, hidden) if hidden else 1.0)
                total += weight * np.array([1.0, precisions / n_relevant, (precisions / n_relevant) ** 2])
    mean = total[1] / total[0]
    return mean, np.sqrt(total[2] / total[0] - mean**2)


class TestOneList:
    @pytest.mark.parametrize("ranked", [RankedList([1, 3], 2, 3), RankedList([2], 2, 2), RankedList([2, 3], 2, 3)])
    def test_moments_are_exact_in_small_cases(self, ranked):
        mean, deviation = exact_moments(ranked)
        samples = bootstrap_average_precision(ranked, 1, n_resamples=200_000)
        assert samples.mean() == pytest.approx(mean, abs=5 * deviation / np.sqrt(200_000))
        assert samples.std() == pytest.approx(deviation, rel=0.01)

    @pytest.mark.parametrize("ranked", LISTS, ids=lambda ranked: f"R={ranked.n_relevant}")
    def test_it_agrees_with_one_count_for_every_document(self, ranked):
        direct = direct_bootstrap(ranked, 4000, np.random.default_rng(2))
        direct = direct[~np.isnan(direct)]
        ours = bootstrap_average_precision(ranked, 3, n_resamples=20_000)
        assert stats.ks_2samp(ours.round(9), direct.round(9)).pvalue > 1e-3
        assert ours.std() == pytest.approx(direct.std(), rel=0.05)

    def test_it_agrees_with_a_whole_collection_resampled_in_r(self):
        ranked = RankedList(REFERENCE["ranks"], REFERENCE["n_relevant"], REFERENCE["depth"])
        samples = bootstrap_average_precision(ranked, 4, n_resamples=100_000)
        assert average_precision(ranked) == pytest.approx(REFERENCE["average_precision"], abs=1e-14)
        assert samples.mean() == pytest.approx(REFERENCE["mean"], abs=0.004)
        assert samples.std() == pytest.approx(REFERENCE["standard_error"], rel=0.015)
        assert np.quantile(samples, [0.025, 0.5, 0.975]) == pytest.approx(REFERENCE["quantiles"], abs=0.008)

    def test_a_resample_without_relevant_documents_is_drawn_again(self):
        samples = bootstrap_average_precision(RankedList([1], 1, 10), 1, n_resamples=5000)
        assert samples.shape == (5000,)
        assert (samples == 1.0).all()

    def test_nothing_found_and_all_found_never_change(self):
        assert not bootstrap_average_precision(RankedList([], 7, 100), 1).any()
        assert (bootstrap_average_precision(RankedList([1, 2, 3], 3, 100), 1) == 1.0).all()


class TestCountsFromTables:
    @pytest.mark.parametrize("rate", [1, 2, 7, 40, 100])
    def test_probabilities_are_exact(self, rate):
        table, remainder = _bootstrap._poisson_table(rate)
        decided = np.bincount(table, minlength=256) / table.size
        left = np.diff(remainder, prepend=0.0)
        probability = decided[:255] + decided[255] * left
        assert decided[255] < 255 / table.size
        assert table.nbytes == 1 << 16
        assert probability == pytest.approx(stats.poisson.pmf(np.arange(255), rate), abs=1e-14)

    @pytest.mark.parametrize("rate", [0, 1, 30, 101, 700])
    def test_draws_have_the_moments_of_poisson(self, rate):
        draws = _bootstrap._poisson(rate, 100_000, np.random.default_rng(3))
        assert draws.mean() == pytest.approx(rate, abs=5 * np.sqrt(rate / 100_000))
        assert draws.var() == pytest.approx(rate, rel=0.03)

    def test_the_rare_counts_of_a_small_rate_occur(self):
        draws = _bootstrap._poisson(1, 4_000_000, np.random.default_rng(4))
        observed = np.bincount(draws, minlength=12)[:10]
        expected = stats.poisson.pmf(np.arange(10), 1) * draws.size
        assert np.sum((observed - expected) ** 2 / expected) < stats.chi2.isf(1e-4, 9)
        assert draws.max() >= 9


class TestPairs:
    documents = [f"d{number}" for number in range(60)]
    relevant = frozenset({"d1", "d4", "d5", "d20", "d41", "unseen"})

    def reranked(self):
        return self.documents[10:30] + self.documents[:10] + self.documents[45:]

    def test_a_system_differs_from_itself_in_no_resample(self):
        first, second = bootstrap_pair(pair_rankings(self.documents, self.documents, self.relevant), 1)
        assert (first == second).all()

    def test_each_side_has_the_distribution_that_it_has_alone(self):
        pair = pair_rankings(self.documents, self.reranked(), self.relevant)
        together = bootstrap_pair(pair, 1, n_resamples=20_000)
        for side, ranked in enumerate((pair.first, pair.second)):
            alone = bootstrap_average_precision(ranked, 2, n_resamples=20_000)
            assert stats.ks_2samp(together[side].round(9), alone.round(9)).pvalue > 1e-3

    def test_the_difference_has_the_deviation_of_the_direct_way(self):
        pair = pair_rankings(self.documents, self.reranked(), self.relevant)
        first, second = bootstrap_pair(pair, 1, n_resamples=40_000)
        direct = self.direct_differences(4000)
        assert np.std(first - second) == pytest.approx(np.std(direct), rel=0.06)
        assert np.mean(first - second) == pytest.approx(np.mean(direct), abs=5 * np.std(direct) / np.sqrt(4000))

    def direct_differences(self, n_resamples):
        rng, names = np.random.default_rng(5), [*self.documents, "unseen"]
        differences = []
        while len(differences) < n_resamples:
            copies = dict(zip(names, rng.poisson(1, len(names)), strict=True))
            total = sum(copies[document] for document in self.relevant)
            if total:
                values = []
                for ranking in (self.documents, self.reranked()):
                    flags = np.repeat([d in self.relevant for d in ranking], [copies[d] for d in ranking])
                    values.append(np.sum((flags.cumsum() / np.arange(1, flags.size + 1))[flags]) / total)
                differences.append(values[0] - values[1])
        return np.array(differences)

    def test_memory_is_bounded_by_drawing_in_parts(self, monkeypatch):
        monkeypatch.setattr("analysis._resampling.MAX_CELLS", 1000)
        pair = pair_rankings(self.documents, self.reranked(), self.relevant)
        values = bootstrap_pair(pair, 1, n_resamples=777)
        rng = np.random.default_rng(1)
        # Nine relevant documents were retrieved, for each of which two numbers are drawn: 55 resamples are 990 cells.
        parts = [bootstrap_pair(pair, rng, n_resamples=55) for _ in range(14)] + [
            bootstrap_pair(pair, rng, n_resamples=7)
        ]
        assert (values == np.concatenate(parts, axis=1)).all()
