"""Freeze what the values of some boards that ship rest on: ``python -m tests.analysis.best.freezing > FILE``.

Takes a site below ``PLUMBLINE_HOME`` that is loaded and analysed. One line a board: what
:func:`analysis.best.corrected_best_from_means` takes.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import django

from analysis.best import LEAST_WIDENING
from analysis.boards import BoardInputs, Family, Question, Verdict, study, study_suite
from analysis.boards._evidence import cap_of_variance, n_averaged, value_range
from analysis.boards._families import family_of
from analysis.boards._suite_inputs import board_of

BOARDS = (
    ("trec-7-adhoc", "AP", "all"),
    ("trec-8-adhoc", "AP", "all"),
    ("trec-2004-robust", "AP", "all"),
    ("beir-scifact", "nDCG@10", "declared-none"),
    ("beir-scifact", "nDCG@10", "all"),
    ("beir-nq", "nDCG@10", "declared-none"),
    ("beir-nq", "nDCG@10", "all"),
    ("msmarco-passage-dev", "RR@10", "all"),
    ("trec-dl-2019-passage", "nDCG@10", "all"),
    ("trec-2018-pm-abstracts", "P@10", "all"),
    ("mteb-multilingual-nano-climate-fever-en", "nDCG@10", "all"),
    ("trec-dl-2021-doc", "R@10", "all"),
    ("mteb-lemb-needle-test-256", "nDCG@10", "all"),
    ("beir-cqadupstack-android", "nDCG@10", "declared-none"),
)
SUITE = ("beir-13", "nDCG@10")


def frozen_boards() -> Iterator[dict[str, Any]]:
    """Yield what the value of each board rests on."""
    from registry.catalog.models import Leaderboard
    from registry.leaderboards.queries.boards import read_board

    for collection, measure, view in BOARDS:
        board = read_board(Leaderboard.objects.get(collection__slug=collection, measure__name=measure).pk)
        found = study(board.inputs, Question(training=view), board.topic_scores)  # type: ignore[arg-type]  # mypy: text
        name = {"board": collection, "measure": measure, "view": view}
        yield name | what_it_rests_on(board.inputs, found.verdict, found.families)


def frozen_suites() -> Iterator[dict[str, Any]]:
    """Yield the same of both questions about a suite."""
    from registry.leaderboards.queries.suites import find_suite_board, members_state, read_suite

    suite = find_suite_board(*SUITE)
    assert suite is not None
    inputs = read_suite(suite, members_state(suite))
    assert inputs is not None
    found = study_suite(inputs)
    for view, verdict in (("same-collections", found.same_collections), ("other-collections", found.other_collections)):
        name = {"board": SUITE[0], "measure": SUITE[1], "view": view}
        yield name | what_it_rests_on(board_of(inputs), verdict, found.families)


def what_it_rests_on(inputs: BoardInputs, verdict: Verdict, families: Iterable[Family]) -> dict[str, Any]:
    """Return what the value takes, of the rows that no caution holds back."""
    found, evidence, n = verdict.shown.set, verdict.evidence, n_averaged(inputs)
    assert found is not None
    assert evidence.residual_variance
    assert n
    means, numbers = inputs.means, family_of(families)
    rows = [row for row in inputs.rows if row.id in numbers and row.id not in verdict.held_back]
    seen = [row.id for row in rows if verdict.view in ("all", row.view)]
    widened = max(evidence.widening, LEAST_WIDENING) * evidence.residual_variance
    cap = cap_of_variance(inputs, [means[row.id] for row in rows], value_range(inputs))
    return {
        "error_variance": evidence.residual_variance / n,
        "interval_variance": (widened if cap is None else min(widened, cap)) / n,
        "degrees_of_freedom": evidence.degrees_of_freedom,
        "n_in_set": found.n_members,
        "margin": found.margin,
        "means": [float(f"{means[row]:.8g}") for row in seen],
        "families": [str(numbers[row]) for row in seen],
    }


if __name__ == "__main__":
    django.setup()
    for line in (*frozen_boards(), *frozen_suites()):
        print(json.dumps(line, separators=(",", ":")))
