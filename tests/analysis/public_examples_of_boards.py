"""Valid arguments for everything public in ``analysis.boards``."""

import numpy as np

from analysis.boards import BoardInputs, BoardRow, KnownVariance, MeasureFacts, make_snapshot, study
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
_ABILITY = np.linspace(0.3, 0.6, 100)
_ELSEWHERE = np.column_stack([_ABILITY, _ABILITY + 0.02, _ABILITY - 0.02])
_SCORES = _ABILITY + 0.01 * np.cos(np.arange(100))

EXAMPLES_OF_BOARDS: dict[str, Example] = {
    "study": example(inputs=INPUTS),
    "find_obstacle": example(inputs=INPUTS),
    "headline": example(inputs=INPUTS, findings=FINDINGS),
    "describe_evidence": example(inputs=INPUTS, findings=FINDINGS),
    "describe_topic_scores": example(
        matrix=ScoreMatrix(["7", "9"], ["301", "302"], [[0.1, 0.5], [0.2, 0.4]]), noise=None
    ),
    "group_families": example(rows=ROWS, accepts={"rows": ("nothing",), "near_copies": ("nothing",)}),
    "make_snapshot": example(inputs=INPUTS),
    "read_snapshot": example(text=TEXT, refuses={"text": ("", "{}", '{"format":"plumbline-snapshot/1"}')}),
    "snapshot_id": example(text=TEXT),
    "verify_snapshot": example(text=TEXT),
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
