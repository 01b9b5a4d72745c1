"""What stands among scores and is none: known by the words that papers use for it, and nothing else is."""

import pytest

from analysis.readers.pasted.left_out import is_spread, why_left_out
from tests.analysis.readers.examples import CatalogFiles, read, scores

NAMES = CatalogFiles()


#: Heads by why they are left out; under a blank, those that are not.
HEADS = {
    "an average": [
        "Avg", "Avg.", "AVG", "Average", "Mean", "Macro avg", "Macro-average", "Avg. (13)", "Avg ↑", "Avg. w/o CQA",
        "Average over 18", "Avg. nDCG@10", "Mean nDCG@10", "nDCG@10 avg.", "BEIR Avg.", "BEIR avg (14)", "BEIR",
        "BEIR-13", "BEIR (avg.)", "MTEB", "MIRACL", "Mr. TyDi", "All avg.", "Avg. rank", "Average performance",
    ],
    "a comparison, no score": [
        "Δ", "Δ%", "Δ MAP", "% Δ", "Diff.", "Difference", "% change", "Rel. impr.", "Improvement", "Gain", "Impr. (%)",
        "Improvement over BM25", "vs. BM25", "p-value", "p value", "Sig.", "Significance", "Wins/Losses", "#Wins",
    ],
    "a cost, no score": [
        "Latency", "Latency (ms)", "Avg. latency (ms)", "Query latency", "Time (s)", "QPS", "FLOPs", "GFLOPs ↓",
        "Memory", "Index size", "Index (GB)", "Disk", "Speed-up", "Throughput", "Training time", "Cost ($)", "ms/query",
    ],
    "": [
        "MAP", "Mean average precision", "Average precision", "Mean reciprocal rank", "AP@1000", "nDCG@10", "SciFact",
        "TREC-COVID", "Touché-2020", "BM25", "Average pooling", "Mean-pooled BERT", "SPLADE", "Speedy", "DL19",
        "Gain-BERT", "Memory networks", "Delta-rank v2", "BEIR SciFact", "Costs", "Overall", "Total", "",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("why", "head"), [(why, head) for why, heads in HEADS.items() for head in heads])
def test_what_is_no_score_is_left_out_for_what_it_is(why, head):
    assert why_left_out(head, NAMES) == why


def test_names_of_systems_are_freer_than_heads():
    lines = "Δ-ranker\t0.1\nGain\t0.2\nSpeed\t0.3\nAverage\t0.4\n#Queries\t50\n"
    assert [values[0] for values in scores(read(f"Run\tMAP\n{lines}"))] == ["Δ-ranker", "Gain", "Speed"]


@pytest.mark.parametrize("head", ["Std", "Std.", "SD", "s.d.", "stdev", "σ", "±", "± std", "Std. dev."])
def test_deviations(head):
    assert is_spread(head)
