"""The part of ``public_examples.py`` that is about ranked lists of documents, and about reading files."""

import pandas

from analysis.documents import split_run
from analysis.scores import parse_judgements, parse_run
from tests.analysis.example_data import OTHER_RUN, QRELS, RUN, TABLE, example, lists, matrix, method, pairs
from tests.analysis.public_surface import Example

_JUDGED = {"minimum_grade": (0,), "depth": (0,)}

EXAMPLES_OF_FILES: dict[str, Example] = {
    # documents
    "RankedList": example(
        relevant_ranks=[1, 3],
        n_relevant=3,
        depth=1000,
        accepts={"relevant_ranks": ("nothing",)},
        refuses={"relevant_ranks": ([0], [3, 1], [1.5], [1, 2, 3, 4]), "n_relevant": (0,), "depth": (0,)},
    ),
    "average_precision": example(ranked=lists()[0]),
    "judge_run": example(run=parse_run(RUN), judgements=parse_judgements(QRELS), refuses=_JUDGED),
    "unseen_proportion": example(n_relevant=4, refuses={"n_relevant": (0,)}),
    "silver_bullet_limit": example(n_relevant=4, depth=1000, refuses={"n_relevant": (0,), "depth": (0,)}),
    "lead_balloon_limit": example(n_relevant=4, refuses={"n_relevant": (0,)}),
    "bootstrap_average_precision": example(ranked=lists()[0], rng=1, n_resamples=100),
    "average_precision_interval": example(ranked=lists()[0], rng=1, method="bca", n_resamples=100),
    "average_precision_intervals": example(lists=lists(), rng=1, n_resamples=100),
    "map_interval": example(lists=lists(), rng=1, method="parametric", n_resamples=100),
    "logit_map_interval": example(lists=lists(), rng=1, n_resamples=100),
    "judge_pair": example(
        first=parse_run(RUN), second=parse_run(OTHER_RUN), judgements=parse_judgements(QRELS), refuses=_JUDGED
    ),
    "pair_rankings": example(
        first=["a", "x", "b"],
        second=["x", "b"],
        relevant={"a", "b"},
        refuses={"first": (["a", "a"],), "second": (["x", "x"],), "relevant": (set(),), "depth": (0,)},
    ),
    "paired_difference": example(pairs=pairs(), rng=1, n_resamples=100),
    "agreement_probability": example(),
    "split_run": example(run=parse_run(RUN), judgements=parse_judgements(QRELS), refuses=_JUDGED),
    "list_agreement": example(
        first=lists(), second=lists(), rng=1, n_resamples=100, refuses={"second": (lists()[:2],)}
    ),
    "mean_agreement": example(runs=[split_run(parse_run(RUN), parse_judgements(QRELS))], rng=1, n_resamples=100),
    # formats, scores, granularity
    "parse_run": example(source=RUN, refuses={"topics": (["9"],)}),
    "parse_judgements": example(source=QRELS),
    "parse_score_cells": example(source=TABLE),
    "parse_score_table": example(source=TABLE, refuses={"topics": (["9"],)}),
    "Judgements.relevant": method(lambda: parse_judgements(QRELS), topic="1"),
    "ScoreMatrix": example(
        systems=["a", "b"],
        topics=["1", "2"],
        scores=[[0.1, 0.2], [0.3, 0.4]],
        refuses={"systems": (["a"], ["a", "a"]), "topics": (["1"], ["1", "1"])},
    ),
    "ScoreMatrix.from_topic_scores": example(
        topic_scores={"a": {"1": 0.1, "2": 0.2}, "b": {"1": 0.3, "2": 0.1}},
        refuses={
            "topic_scores": ({}, {"a": 3}, {"a": {"1": 0.1, "2": 0.2}, "b": {"1": 0.3}}, {"a": {"1": "x", "2": 0.1}})
        },
    ),
    "ScoreMatrix.from_frame": example(
        frame=pandas.DataFrame({"a": [0.1, 0.2], "b": [0.3, 0.1]}, index=["1", "2"]),
        refuses={"frame": ([[0.1]], pandas.DataFrame({"a": [0.1, 0.2]}, index=["1", "1"]))},
    ),
    "ScoreMatrix.select": method(matrix, systems=["s1"], refuses={"systems": (["nobody"], [], ["s1", "s1"])}),
    "check_reachable": example(printed="0.4520", denominator=10, n_topics=50, refuses={"printed": ("1e400", "x")}),
    "real_digits": example(printed="0.4520", refuses={"printed": ("1e400", "x")}),
}
