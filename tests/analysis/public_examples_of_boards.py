"""Valid arguments for everything public in ``analysis.boards``."""

import numpy as np

from analysis.boards import (
    BoardInputs,
    BoardRow,
    Evidence,
    KnownVariance,
    MeasureFacts,
    SuiteInputs,
    SuiteMember,
    SuiteRow,
    make_snapshot,
    make_suite_snapshot,
    study,
    study_suite,
)
from analysis.scores import ScoreMatrix
from tests.analysis.example_data import MEANS, example
from tests.analysis.public_surface import Example

ROWS = tuple(
    BoardRow(id=number, system=f"s{number}", printed=str(mean), value=mean, lineage=(f"team:{number}",))
    for number, mean in enumerate(MEANS)
)
INPUTS = BoardInputs(
    collection="c",
    measure=MeasureFacts(name="AP"),
    rows=ROWS,
    n_topics=50,
    variances=(KnownVariance(kind="transferred", value=0.0128, degrees_of_freedom=10.0, sources=("elsewhere",)),),
)
FINDINGS = study(INPUTS)
TEXT = make_snapshot(INPUTS).text
_EVIDENCE = Evidence(kind="transferred", residual_variance=0.02, degrees_of_freedom=10.0)
SUITE = SuiteInputs(
    suite="s",
    name="S",
    measure=MeasureFacts(name="AP"),
    members=tuple(
        SuiteMember(collection=f"c{place}", name=f"C{place}", snapshot="", n_topics=100, evidence=_EVIDENCE)
        for place in range(9)
    ),
    rows=tuple(
        SuiteRow(
            id=number,
            system=f"s{number}",
            scores=tuple(mean + 0.02 * float(np.cos(number * place)) for place in range(9)),
            results=(None,) * 9,
        )
        for number, mean in enumerate(MEANS)
    ),
)
SUITE_FINDINGS = study_suite(SUITE)
SUITE_TEXT = make_suite_snapshot(SUITE).text
_ABILITY = np.linspace(0.3, 0.6, 100)
_ELSEWHERE = np.column_stack([_ABILITY, _ABILITY + 0.02, _ABILITY - 0.02])
_SCORES = _ABILITY + 0.01 * np.cos(np.arange(100))

EXAMPLES_OF_BOARDS: dict[str, Example] = {
    "calibration": example(),
    "study": example(inputs=INPUTS),
    "find_obstacle": example(inputs=INPUTS),
    "headline": example(inputs=INPUTS, findings=FINDINGS),
    "describe_evidence": example(inputs=INPUTS, findings=FINDINGS),
    "check_score": example(inputs=INPUTS, score=0.3, accepts={"baseline": ("None",)}),
    "margin_of_means": example(inputs=INPUTS, findings=FINDINGS),
    "rank_ranges": example(inputs=INPUTS, findings=FINDINGS),
    "describe_topic_scores": example(
        matrix=ScoreMatrix(["7", "9"], ["301", "302"], [[0.1, 0.5], [0.2, 0.4]]), noise=None
    ),
    "group_families": example(rows=ROWS, accepts={"rows": ("nothing",), "near_copies": ("nothing",)}),
    "make_snapshot": example(inputs=INPUTS),
    "read_snapshot": example(text=TEXT, refuses={"text": ("", "{}", '{"format":"plumbline-snapshot/1"}')}),
    "snapshot_id": example(text=TEXT),
    "verify_snapshot": example(text=TEXT),
    "study_suite": example(inputs=SUITE),
    "find_suite_obstacle": example(inputs=SUITE),
    "suite_headline": example(inputs=SUITE, findings=SUITE_FINDINGS),
    "describe_suite_evidence": example(inputs=SUITE, findings=SUITE_FINDINGS),
    "make_suite_snapshot": example(inputs=SUITE),
    "read_suite_snapshot": example(text=SUITE_TEXT, refuses={"text": ("", "{}", TEXT)}),
    "screen_gap": example(
        family_bests=[0.6 - 0.01 * number for number in range(20)],
        n_topics=50,
        residual_variance=0.01,
        accepts={"n_topics": ("None",), "residual_variance": ("None",)},
    ),
    "screen_elsewhere": example(
        scores=_SCORES, elsewhere=_ELSEWHERE.tolist(), accepts={"elsewhere": ("not a number",)}, aligned=("",)
    ),
}
