"""What a measure is: what its name says, and that the columns of the data that ships say the same."""

import pytest

from analysis.boards import MeasureFacts
from analysis.scores import MeasureKind, MeasureNature, measure_nature
from tests.data.shipped import table


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("reciprocal-rank", ["RR", "RR@10", "RR(rel=2)@10", "MRR@100", "recip_rank", " RR "]),
        ("success", ["Success@5", "Success(rel=2)@10", "success_1", "HitRate@10", "hit_rate"]),
        ("success", ["top_20_accuracy", "Top-20 accuracy (answers)"]),
        ("first-rank", ["P@1", "P(rel=2)@1", "nDCG@1", "P_1"]),
        ("share", ["P@10", "P@100", "P(rel=2)@10", "Judged@10"]),
        ("not-a-mean", ["GMAP", "gm_map", "risk(alpha=1):ERR@20"]),
        ("many-valued", ["AP", "nDCG@10", "Rprec", "R@1000", "ERR@20", "R@1k", "Recall@1K", "IPrec@1.0"]),
        ("many-valued", ["iprec_at_recall_1.00", "P_IA@10", "R@10%"]),
    ],
)
def test_names_tell_the_values_on_a_topic(kind, names):
    assert {measure_nature(name).kind for name in names} == {MeasureKind(kind)}
    assert MeasureKind(kind).is_coarse == (kind in ("reciprocal-rank", "success", "first-rank"))
    assert MeasureKind.KNOWN_ITEM.is_coarse


@pytest.mark.parametrize(
    ("measure", "family", "cutoff"),
    [
        ("AP", "AP", None),
        ("AP@1000", "AP", 1000),
        ("AP(rel=2)@100", "AP", 100),
        ("infAP", "AP", None),
        ("Rprec", "Rprec", None),
        ("Bpref", "Bpref", None),
        ("nDCG@10", "nDCG", 10),
        ("nDCG(dcg='exp-log2')@20", "nDCG", 20),
        ("RR", "RR", None),
        ("Success@5", "Success", 5),
        ("Top-20 accuracy (answers)", "Success", 20),
        ("top_5_accuracy", "Success", 5),
        ("P@10", "P", 10),
        ("R@1000", "R", 1000),
        ("P", "", None),
        ("R", "", None),
        ("Success", "", None),
        ("GMAP", "", None),
        ("AP@", "", None),
        ("nDCG[binary.useful]", "", None),
        ("ERR_IA@20", "", 20),
        ("WSS@95", "", None),
        ("R@10%", "", None),
    ],
)
def test_names_tell_family_and_cutoff(measure, family, cutoff):
    assert (measure_nature(measure).family, measure_nature(measure).cutoff) == (family, cutoff)


@pytest.mark.parametrize(
    ("measure", "denominator"),
    [
        ("P@10", 10),
        ("P(rel=2)@100", 100),
        ("P@10[binary.useful]", 10),
        ("Judged@5", 5),
        ("Success@10", 1),
        ("top_20_accuracy", 1),
        ("Top-20 accuracy (answers)", 1),
        ("RR@1", 1),
        ("RR(rel=2)@5", 60),
        ("RR@10", 2520),
        *((name, None) for name in ("AP", "nDCG@10", "R@100", "Rprec", "RR", "RR@100", "infP@10", "P_IA@10", "P@0")),
    ],
)
def test_some_have_a_common_denominator(measure, denominator):
    assert measure_nature(measure).denominator == denominator


def test_the_data_that_ships_says_what_names_say():
    """So a name alone, in the library, gives what the site gives."""
    for row in table("measures.csv"):
        recorded = MeasureNature(
            family=row["family"],
            cutoff=int(row["cutoff"]) if row["cutoff"] else None,
            kind=MeasureKind(row["kind"]),
            zero_is_failure=row["zero_is_failure"] == "true",
        )
        facts = MeasureFacts(
            name=row["name"],
            low=float(row["low"]) if row["low"] else None,
            higher_is_better=row["higher_is_better"] == "true",
        )
        assert facts.nature == recorded, row["name"]
