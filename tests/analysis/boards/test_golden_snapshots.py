"""Six boards of shipped data: where a number of them changes, the version of the methods goes up.

``python -m tests.analysis.boards.test_golden_snapshots`` writes them anew, after that.
"""

import json
from pathlib import Path

import pytest

from analysis.boards import METHODS, headline, make_snapshot, read_snapshot, verify_snapshot
from analysis.boards._plain import plain
from analysis.boards._snapshots import differences
from tests.analysis.boards.boards_that_ship import BOARDS

GOLDEN = Path(__file__).with_name("golden")


def findings_of(name: str) -> dict:
    inputs, matrix = BOARDS[name]()
    found = plain(make_snapshot(inputs, matrix).findings)
    # What each row says by itself follows from the rest, and is long.
    del found["standing"], found["verdict"]["set"]["distances"]
    return {"methods": METHODS.version, "findings": found}


@pytest.mark.parametrize("name", BOARDS)
def test_a_change_of_a_number_comes_with_another_version_of_the_methods(name):
    stored = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    made = findings_of(name)
    assert stored["methods"] == made["methods"], "write the golden snapshots anew: see the docstring"
    assert differences(stored["findings"], made["findings"]) == [], "METHODS.version must go up"


@pytest.mark.parametrize("name", BOARDS)
def test_a_snapshot_comes_out_again_from_its_own_text(name):
    inputs, matrix = BOARDS[name]()
    made = make_snapshot(inputs, matrix)
    assert read_snapshot(made.text) == made
    assert verify_snapshot(made.text, matrix) == []


@pytest.mark.parametrize("name", BOARDS)
def test_no_board_contradicts_itself(name):
    inputs, matrix = BOARDS[name]()
    found = make_snapshot(inputs, matrix).findings
    verdict = found.verdict
    assert verdict.best.value == pytest.approx(max(row.value for row in inputs.rows if row.is_comparable), rel=1e-9)
    assert verdict.best.result in verdict.set.members
    assert found.tiers[0] == verdict.set.members
    if verdict.set.margin is not None:
        assert verdict.best.value - verdict.corrected.value <= verdict.set.margin
        assert len(found.tiers) == 1
    assert len(headline(inputs, found).split()) <= 40
    assert sum(len(family.results) for family in found.families) == verdict.tries.n_results


@pytest.mark.parametrize(
    ("name", "value", "n_members", "margin"),
    [("arguana", 0.8969, 4, 0.0471), ("msmarco", 0.4626, 14, 0.0208)],
)
def test_the_values_of_a_separate_computation_come_out(name, value, n_members, margin):
    """Computed with the 22 toolkit rows that another file holds, and other families for unnamed teams."""
    verdict = make_snapshot(BOARDS[name]()[0]).findings.verdict
    assert verdict.corrected.value == pytest.approx(value, abs=0.0003)
    assert verdict.set.n_members == n_members
    assert verdict.set.margin == pytest.approx(margin, abs=0.001)


def test_what_a_leader_is_that_its_topics_verify():
    inputs, matrix = BOARDS["tar-2019"]()
    verdict = make_snapshot(inputs, matrix).findings.verdict
    assert (verdict.leader_verified, verdict.set.n_members, verdict.tries.n_families) == (True, 1, 7)
    assert verdict.evidence.residual_variance == pytest.approx(0.013105, abs=5e-7)
    corrected = verdict.corrected
    assert (round(corrected.value, 4), round(corrected.low, 4), round(corrected.high, 4)) == (0.5261, 0.4222, 0.6301)


def test_a_score_that_stands_apart_is_flagged_twice_and_left_out_of_the_second_answer():
    verdict = make_snapshot(BOARDS["scidocs"]()[0]).findings.verdict
    assert {one.code for one in verdict.cautions if one.is_flag} == {"stands-apart", "outlier-elsewhere"}
    assert (verdict.best.value, verdict.best_unflagged.value) == (0.59857, 0.34529)
    assert not verdict.leader_verified


if __name__ == "__main__":
    for one in BOARDS:
        text = json.dumps(findings_of(one), sort_keys=True, indent=1, ensure_ascii=False)
        (GOLDEN / f"{one}.json").write_text(text + "\n", encoding="utf-8")
