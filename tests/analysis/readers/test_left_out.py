"""What stands among scores and is none: known by the words that papers use for it, and nothing else is."""

import pytest

from analysis.readers.pasted.left_out import is_spread, why_left_out
from tests.analysis.readers.examples import CatalogFiles, read, scores

NAMES = CatalogFiles()


@pytest.mark.parametrize(
    "head",
    [
        "Avg", "Avg.", "AVG", "Average", "Mean", "Macro avg", "Macro-average", "Avg. (13)", "Avg ↑", "Avg. w/o CQA",
        "Average over 18", "Avg. nDCG@10", "Mean nDCG@10", "nDCG@10 avg.", "BEIR Avg.", "BEIR avg (14)", "BEIR",
        "BEIR-13", "BEIR (avg.)", "MTEB", "MIRACL", "Mr. TyDi", "All avg.", "Avg. rank", "Average performance",
    ],
)  # fmt: skip
def test_averages(head):
    assert why_left_out(head, NAMES) == "an average"


@pytest.mark.parametrize(
    "head",
    [
        "Δ", "Δ%", "Δ MAP", "% Δ", "Diff.", "Difference", "% change", "Rel. impr.", "Improvement", "Gain", "Impr. (%)",
        "Improvement over BM25", "vs. BM25", "p-value", "p value", "Sig.", "Significance", "Wins/Losses", "#Wins",
    ],
)  # fmt: skip
def test_comparisons(head):
    assert why_left_out(head, NAMES) == "a comparison, no score"


@pytest.mark.parametrize(
    "head",
    [
        "Latency", "Latency (ms)", "Avg. latency (ms)", "Query latency", "Time (s)", "QPS", "FLOPs", "GFLOPs ↓",
        "Memory", "Index size", "Index (GB)", "Disk", "Speed-up", "Throughput", "Training time", "Cost ($)", "ms/query",
    ],
)  # fmt: skip
def test_costs(head):
    assert why_left_out(head, NAMES) == "a cost, no score"


@pytest.mark.parametrize(
    "head",
    [
        "MAP", "Mean average precision", "Average precision", "Mean reciprocal rank", "AP@1000", "nDCG@10", "SciFact",
        "TREC-COVID", "Touché-2020", "BM25", "Average pooling", "Mean-pooled BERT", "SPLADE", "Speedy", "DL19",
        "Gain-BERT", "Memory networks", "Delta-rank v2", "BEIR SciFact", "Costs", "Overall", "Total", "",
    ],
)  # fmt: skip
def test_what_is_none_of_them(head):
    assert why_left_out(head, NAMES) == ""


def test_names_of_systems_are_freer_than_heads():
    lines = "Δ-ranker\t0.1\nGain\t0.2\nSpeed\t0.3\nAverage\t0.4\n#Queries\t50\n"
    assert [one[0] for one in scores(read(f"Run\tMAP\n{lines}"))] == ["Δ-ranker", "Gain", "Speed"]


@pytest.mark.parametrize("head", ["Std", "Std.", "SD", "s.d.", "stdev", "σ", "±", "± std", "Std. dev."])
def test_deviations(head):
    assert is_spread(head)
