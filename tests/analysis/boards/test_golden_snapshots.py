"""Six boards and a suite of shipped data: where a number of them changes, the version of the methods goes up.

``python -m tests.analysis.boards.test_golden_snapshots`` writes them anew, after that.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from analysis.best import gupta_constant
from analysis.boards import METHODS, make_snapshot, read_snapshot, snapshot_id, study, verify_snapshot
from analysis.boards._plain import plain
from analysis.boards._snapshots import differences
from analysis.errors import ArgumentError
from tests.analysis.boards.boards_that_ship import BOARDS, beir_13

GOLDEN = Path(__file__).with_name("golden")
SUITE = "beir-13"
#: Snapshots as earlier releases made them, by id.
KEPT = Path(__file__).with_name("kept")


@cache
def made_of(name: str):
    """Return what is known of a board that ships, its matrix, and its snapshot."""
    inputs, matrix = BOARDS[name]()
    return inputs, matrix, make_snapshot(inputs, matrix)


def findings_of(name: str) -> dict:
    if name == SUITE:
        findings = plain(make_snapshot(beir_13()).findings)
        for question in ("other_collections", "same_collections"):
            del findings[question]["set"]["distances"]
        del findings["rules"]["places"], findings["rules"]["guessed"]
        return {"methods": METHODS.version, "findings": findings}
    findings = plain(made_of(name)[2].findings)
    # What each row says by itself follows from the rest, and is long.
    del findings["standing"], findings["verdict"]["set"]["distances"]
    return {"methods": METHODS.version, "findings": findings}


@pytest.mark.parametrize("name", [*BOARDS, SUITE])
def test_a_change_of_a_number_comes_with_another_version_of_the_methods(name):
    stored = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    findings = findings_of(name)
    assert stored["methods"] == findings["methods"], "write the golden snapshots anew: see the docstring"
    assert differences(stored["findings"], findings["findings"]) == [], "METHODS.version must go up"


@pytest.mark.parametrize("name", BOARDS)
def test_a_snapshot_comes_out_again_from_its_own_text(name):
    _, matrix, snapshot = made_of(name)
    assert read_snapshot(snapshot.text) == snapshot
    assert verify_snapshot(snapshot.text, matrix) == []


def not_read(stored, read, place=""):
    """Return the names of what a text says and a release has no place for; all else is as it was."""
    if isinstance(stored, dict):
        gone = {f"{place}.{key}".removeprefix(".") for key in stored.keys() - read.keys()}
        inside = (not_read(stored[key], read[key], f"{place}.{key}") for key in stored.keys() & read.keys())
        return gone.union(*inside)
    if isinstance(stored, list):
        return set().union(*(not_read(*pair, place) for pair in zip(stored, read, strict=True)))
    assert stored == read, place
    return set()


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.json")), ids=lambda path: path.stem)
def test_a_snapshot_of_an_earlier_release_is_read_and_its_digest_checks(path):
    """Recomputing it takes the release that it names."""
    text = path.read_text(encoding="utf-8").rstrip("\n")
    assert snapshot_id(text) == path.stem
    stored = read_snapshot(text)
    stored_content, read = json.loads(text), json.loads(stored.text)
    left_out = not_read(stored_content, read)
    assert left_out <= {"inputs.relevant_per_topic", "inputs.variances.measure"}
    assert stored.methods.version != METHODS.version
    changed = text.replace('"id":', '"id": ')
    message = f"the content has the id {snapshot_id(changed)}, not {path.stem}"
    assert verify_snapshot(changed, expected_id=path.stem) == [message]
    with pytest.raises(ArgumentError, match=f"made by methods {stored.methods.version}; this release has"):
        verify_snapshot(text, expected_id=path.stem)


@pytest.mark.parametrize("place", [0, 5, 100])
def test_labelled_clones_of_a_row_drop_no_member_and_hardly_move_the_verdict(place):
    """Fifty with the lineage of the best, of one in the set, and of one far below."""
    inputs = BOARDS["robust04"]()[0]
    row = sorted(inputs.rows, key=lambda row: -row.value)[place]
    clones = tuple(replace(row, id=10_000 + number, system=f"{row.system} {number}") for number in range(50))
    plain_one = study(inputs).verdict
    cloned = study(replace(inputs, rows=(*inputs.rows, *clones))).verdict
    ratio = gupta_constant(268, 0.95, 10.0) / gupta_constant(218, 0.95, 10.0)
    # They move the mean of the scores, and with it what is predicted from that.
    moved = cloned.evidence.variance_of_set / plain_one.evidence.variance_of_set
    assert 0.95 < moved < 1.05
    assert cloned.set.margin == pytest.approx(ratio * moved**0.5 * plain_one.set.margin, rel=1e-8)
    assert set(plain_one.set.members) <= set(cloned.set.members)
    assert cloned.corrected.value == pytest.approx(plain_one.corrected.value, abs=2e-4)
    assert cloned.tries.n_families == plain_one.tries.n_families
    assert cloned.tries.n_results == plain_one.tries.n_results + 50


if __name__ == "__main__":
    for board_name in (*BOARDS, SUITE):
        text = json.dumps(findings_of(board_name), sort_keys=True, indent=1, ensure_ascii=False)
        (GOLDEN / f"{board_name}.json").write_text(text + "\n", encoding="utf-8")
