"""Prints how often the intervals of AP hold what they should: simulated collections, then the halves of real ones.

Run from the repository: python -m tests.analysis.reference.precision_coverage [FOLDER], with a folder of real runs
(those of rank_llm) for the halves of real collections. About three minutes; the method pages quote what it prints.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.special import expit

from analysis.documents import (
    DEFAULT_EPSILON,
    Agreement,
    average_precision,
    average_precision_intervals,
    list_agreement,
    mean_agreement,
    split_run,
)
from analysis.documents._precision_of_ap import clipped_logit
from analysis.scores import parse_judgements, parse_run
from tests.analysis.ranked_lists import simulated_list

SOURCES = [(3, 3.0), (8, 2.5), (20, 2.0), (20, 4.0), (100, 1.5), (100, 3.0)]
METHODS = ("linear", "logit", "bca")
N_LISTS = 2000
REAL = [("trec-dl-2019-passage", 2), ("beir-trec-covid", 1)]


def simulated() -> None:
    """Print coverage of expected AP and of expected logit AP, width, and agreement with a second collection."""
    print("R, separation: mean AP | method: holds E(AP), E(logit AP); median width; holds AP of a second collection")
    for n_relevant, separation in SOURCES:
        rng = np.random.default_rng(2006)
        population = [average_precision(simulated_list(rng, n_relevant, separation)) for _ in range(20_000)]
        expected, odds = np.mean(population), expit(np.mean(clipped_logit(population, DEFAULT_EPSILON)))
        lists, others = ([simulated_list(rng, n_relevant, separation) for _ in range(N_LISTS)] for _ in range(2))
        second = [average_precision(other) for other in others]
        for method in METHODS:
            answers = average_precision_intervals(lists, rng, method=method, n_resamples=1000)
            known = [(ap.interval, value) for ap, value in zip(answers, second, strict=True) if ap.interval]
            shares = [
                np.mean([interval.low <= target <= interval.high for interval, _ in known])
                for target in (expected, odds)
            ]
            width = np.median([interval.high - interval.low for interval, _ in known])
            held = np.mean([interval.low - 1e-12 <= value <= interval.high + 1e-12 for interval, value in known])
            print(
                f"{n_relevant:4} {separation}: {expected:.3f} | {method:6}: {shares[0]:.3f} {shares[1]:.3f};"
                f" {width:.3f}; {held:.3f}  ({len(answers) - len(known)} without interval)"
            )


def epsilons() -> None:
    """Print what the distance that AP is kept from 0 and 1 does to logit intervals, on lists of low AP."""
    print("epsilon: logit interval holds E(logit AP); AP of a second collection (about 20 relevant documents)")
    for epsilon in (1e-6, 1e-5, 1e-4, 1e-3, 1e-2):
        rng = np.random.default_rng(2006)
        population = [average_precision(simulated_list(rng, 20, 2.0)) for _ in range(20_000)]
        expected = expit(np.mean(clipped_logit(population, epsilon)))
        lists, others = ([simulated_list(rng, 20, 2.0) for _ in range(N_LISTS)] for _ in range(2))
        answers = average_precision_intervals(lists, rng, epsilon=epsilon, n_resamples=1000)
        values = [average_precision(other) for other in others]
        held = np.mean([ap.interval.low <= expected <= ap.interval.high for ap in answers])
        second = np.mean(
            [ap.interval.low <= value <= ap.interval.high for ap, value in zip(answers, values, strict=True)]
        )
        print(f"{epsilon:g}: {held:.3f} {second:.3f}")


def shown(agreement: Agreement) -> str:
    """Return percentages below, within and above, from each half."""
    return "   ".join(
        f"{100 * half.below:.1f} / {100 * half.within:.1f} / {100 * half.above:.1f}"
        for half in (agreement.first, agreement.second)
    )


def real(folder_of_runs: Path) -> None:
    """Print agreement of the halves of real collections: ``qrels.txt`` and ``*.run`` in a folder each."""
    for collection, grade in REAL:
        folder = folder_of_runs / collection
        if not folder.is_dir():
            sys.exit(f"{folder} is no folder of runs")
        qrels = parse_judgements((folder / "qrels.txt").read_bytes())
        runs = [parse_run(path.read_bytes()) for path in sorted(folder.glob("*.run"))]
        split = [split_run(run, qrels, minimum_grade=grade) for run in runs]
        pairs = [pair for run in split for pair in zip(run.first, run.second, strict=True)]
        large = [pair for pair in pairs if min(ranked.n_relevant for ranked in pair) > 20]
        for name, lists in (("all lists", pairs), ("R > 20 in both halves", large)):
            for method in METHODS:
                print(
                    collection,
                    name,
                    len(lists),
                    method,
                    shown(list_agreement(*zip(*lists, strict=True), 1, method=method)),
                )
        for measure in ("MAP", "L-MAP"):
            for way in ("bootstrap", "parametric"):
                print(collection, measure, way, shown(mean_agreement(split, 1, measure=measure, method=way)))


if __name__ == "__main__":
    simulated()
    epsilons()
    for name in sys.argv[1:2]:
        real(Path(name))
