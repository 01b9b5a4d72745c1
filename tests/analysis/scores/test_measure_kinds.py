"""Kinds of measures: those that take few values on a topic, and near a ceiling."""

import csv
import re
from pathlib import Path

import pytest

from analysis.errors import ArgumentError
from analysis.scores import MeasureKind, measure_kind

MEASURES = Path(__file__).parents[3] / "data" / "measures.csv"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("RR", MeasureKind.RECIPROCAL_RANK),
        ("RR@10", MeasureKind.RECIPROCAL_RANK),
        ("RR(rel=2)@10", MeasureKind.RECIPROCAL_RANK),
        ("MRR@100", MeasureKind.RECIPROCAL_RANK),
        ("recip_rank", MeasureKind.RECIPROCAL_RANK),
        ("Success@5", MeasureKind.SUCCESS),
        ("Success(rel=2)@10", MeasureKind.SUCCESS),
        ("success_1", MeasureKind.SUCCESS),
        ("HitRate@10", MeasureKind.SUCCESS),
        ("hit_rate", MeasureKind.SUCCESS),
        ("top_20_accuracy", MeasureKind.SUCCESS),
        ("Top-20 accuracy (answers)", MeasureKind.SUCCESS),
        ("P@1", MeasureKind.FIRST_RANK),
        ("P(rel=2)@1", MeasureKind.FIRST_RANK),
        ("nDCG@1", MeasureKind.FIRST_RANK),
        ("P_1", MeasureKind.FIRST_RANK),
        ("AP", MeasureKind.MANY_VALUED),
        ("P@10", MeasureKind.MANY_VALUED),
        ("P@100", MeasureKind.MANY_VALUED),
        ("nDCG@10", MeasureKind.MANY_VALUED),
        ("Rprec", MeasureKind.MANY_VALUED),
        ("R@1000", MeasureKind.MANY_VALUED),
        ("risk(alpha=1):ERR@20", MeasureKind.MANY_VALUED),
        ("ERR@20", MeasureKind.MANY_VALUED),
        ("R@1k", MeasureKind.MANY_VALUED),
        ("Recall@1K", MeasureKind.MANY_VALUED),
        ("IPrec@1.0", MeasureKind.MANY_VALUED),
        ("iprec_at_recall_1.00", MeasureKind.MANY_VALUED),
    ],
)
def test_names_tell(name, kind):
    assert measure_kind(name) is kind
    assert kind.is_coarse == (kind is not MeasureKind.MANY_VALUED)


@pytest.mark.parametrize("name", ["AP", "nDCG@10", "RR", "Success@10"])
def test_where_a_topic_has_one_relevant_document_every_measure_is_coarse(name):
    assert measure_kind(name, task="known-item") is MeasureKind.KNOWN_ITEM
    assert measure_kind(name, task="known-item").is_coarse


def test_the_coarse_ones_among_all_measures_that_ship():
    with MEASURES.open(encoding="utf-8", newline="") as file:
        names = [row["name"] for row in csv.DictReader(file)]
    coarse = {name for name in names if measure_kind(name).is_coarse}
    assert {"RR", "RR(rel=2)@10", "Top-20 accuracy (answers)"} <= coarse
    assert not {"AP", "nDCG@10", "P@10", "R@1000", "Bpref", "Rprec"} & coarse
    stems = {re.match(r"RR|Success|Top-\d+ accuracy|.*@1$", name) is not None for name in coarse}
    assert stems == {True}


@pytest.mark.parametrize("name", ["", "  ", None, 3])
def test_a_name_is_text(name):
    with pytest.raises(ArgumentError, match="measure must be the name of a measure"):
        measure_kind(name)


def test_blanks_around_a_name_do_not_matter():
    assert measure_kind(" RR ") is MeasureKind.RECIPROCAL_RANK


def test_other_tasks_are_unknown():
    with pytest.raises(ArgumentError, match="task must be one of 'known-item'"):
        measure_kind("AP", task="ad-hoc")
