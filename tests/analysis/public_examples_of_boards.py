"""Valid arguments for everything public in ``analysis.boards``."""

import numpy as np

from analysis.boards import (
    BoardInputs,
    BoardRow,
    Evidence,
    KnownVariance,
    MeasureFacts,
    PairError,
    SuiteInputs,
    SuiteMember,
    SuiteRow,
    check_linked,
    make_snapshot,
    study,
)
from analysis.scores import ScoreMatrix
from tests.analysis.example_data import MEANS, example, method
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
    variances=(KnownVariance(kind="own-variance", value=0.0128, degrees_of_freedom=10.0, sources=("its runs",)),),
)
FINDINGS = study(INPUTS)
TEXT = make_snapshot(INPUTS).text
_EVIDENCE = Evidence(kind="predicted", residual_variance=0.02, degrees_of_freedom=10.0)
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
SUITE_TEXT = make_snapshot(SUITE).text
_ABILITY = np.linspace(0.3, 0.6, 100)
_ELSEWHERE = np.column_stack([_ABILITY, _ABILITY + 0.02, _ABILITY - 0.02])
_SCORES = _ABILITY + 0.01 * np.cos(np.arange(100))
_MAKERS = [f"maker {number % 12}" for number in range(100)]

EXAMPLES_OF_BOARDS: dict[str, Example] = {
    "calibration": example(),
    "study": example(inputs=INPUTS),
    "find_obstacle": example(inputs=INPUTS),
    "describe_evidence": example(inputs=INPUTS, findings=FINDINGS),
    "check_score": example(inputs=INPUTS, score=0.3, accepts={"baseline": ("None",), "held_back": ("nothing",)}),
    "error_of_pair": example(inputs=INPUTS, findings=FINDINGS),
    "margin_of_means": example(inputs=INPUTS, findings=FINDINGS),
    "PairError.margin": method(lambda: PairError(0.024, 18.0), level=0.05),
    "planned_pairs": example(
        differences=[0.02, 0.09],
        errors=[PairError(0.024, 18.0)] * 2,
        refuses={"errors": ([PairError(0.024, 18.0)],), "n_comparisons": (1,)},
    ),
    "rank_ranges": example(inputs=INPUTS, findings=FINDINGS),
    "TopicScoresInput.of": example(
        matrix=ScoreMatrix(["7", "9"], ["301", "302"], [[0.1, 0.5], [0.2, 0.4]]), noise=None
    ),
    "make_snapshot": example(inputs=INPUTS),
    "read_snapshot": example(text=TEXT, refuses={"text": ("", "{}", '{"format":"plumbline-snapshot/1"}', SUITE_TEXT)}),
    "snapshot_id": example(text=TEXT),
    "verify_snapshot": example(text=TEXT),
    "study_suite": example(inputs=SUITE),
    "suite_places": example(inputs=SUITE),
    "screen_gap": example(
        family_bests=[0.6 - 0.01 * number for number in range(20)],
        n_topics=50,
        residual_variance=0.01,
        accepts={"n_topics": ("None",), "residual_variance": ("None",)},
    ),
    "screen_elsewhere": example(
        scores=_SCORES, elsewhere=_ELSEWHERE.tolist(), accepts={"elsewhere": ("not a number",)}, aligned=("",)
    ),
    "check_linked": example(
        first=_ABILITY, second=_SCORES, families=_MAKERS, aligned=("contradictions",), refuses={"families": (["x"],)}
    ),
    "LinkedLine.expected": method(lambda: check_linked(_ABILITY, _SCORES, _MAKERS).line, first=0.4),
}
