"""Tables of what systems score on the members of a suite: what is flagged in them, what moved, how they are kept."""

import zlib

import pytest

from registry.core.models import Job
from registry.curation.suites.models import Suite
from registry.curation.suites.queries import Dataset, Flagged, SystemScores, find_flags, pack, read_scores
from registry.curation.suites.services import REFRESH, _moved_systems, refresh_after_load, refresh_elsewhere
from registry.journal.models import Entry
from registry.results.models import Result
from tests.registry.curation.suites.world import add_member, make_boards, make_scores, make_suite
from tests.registry.results.people import editor

DATASETS = tuple(Dataset(name, "nDCG@10") for name in ("arguana", "fiqa", "nq", "scidocs"))


def usual(*steps: int) -> dict[int, list[float | None]]:
    """Scores of a hundred systems whose ability shows on as many data sets, from 0.05 to 0.95."""
    return {
        number: [round(0.08 + 0.0084 * number + 0.01 * ((number * step) % 7 - 3), 3) for step in steps or (2, 3, 5, 4)]
        for number in range(100)
    }


def table(scores, datasets=DATASETS, **flags) -> SystemScores:
    return SystemScores(datasets, {system: tuple(row) for system, row in scores.items()}, **flags)


def test_what_lies_far_above_the_others_is_flagged_the_farthest_first():
    scores, datasets = usual(2, 3, 5, 4, 6, 1, 8), (*DATASETS, *(Dataset(name, "nDCG@10") for name in "xyz"))
    assert find_flags(table(scores, datasets)) == {}
    scores[20][0], scores[20][3] = 0.6, 0.99
    scores[30][1] = 0.0
    known = {20: (Flagged(DATASETS[1], 0.2, "stands-apart"),), 5: (Flagged(DATASETS[2], 0.1, "stands-apart"),)}
    flags = find_flags(table(scores, datasets, flags=known))
    assert set(flags) == {5, 20}
    assert [(flag.dataset.collection, flag.score, flag.code) for flag in flags[20]] == [
        ("scidocs", 0.99, "outlier-elsewhere"), ("arguana", 0.6, "outlier-elsewhere"), ("fiqa", 0.2, "stands-apart"),
    ]  # fmt: skip
    first, second, third = flags[20]
    assert first.z > second.z > 5
    assert first.predicted == pytest.approx(0.3, abs=0.15)
    assert (third.z, third.predicted) == (None, None)
    assert flags[5] == known[5]


def test_only_shares_are_held_against_shares():
    scores = usual()
    scores[20][3] = 0.99
    minutes = (*DATASETS, Dataset("arguana", "Minutes"), Dataset("nobody", "nDCG@10"))
    wide = {system: [*row, 60.0 - system / 2, None] for system, row in scores.items()}
    flags = find_flags(table(wide, minutes))
    assert {system: [flag.dataset.collection for flag in some] for system, some in flags.items()} == {20: ["scidocs"]}
    first = {system: [None, 60.0, *row] for system, row in scores.items()}
    flags = find_flags(table(first, (minutes[5], minutes[4], *DATASETS)))
    assert {system: [flag.dataset.collection for flag in some] for system, some in flags.items()} == {20: ["scidocs"]}
    negative = {system: [*row, -0.5 if system == 3 else 0.5] for system, row in scores.items()}
    assert set(find_flags(table(negative, minutes[:5]))) == {20}
    assert find_flags(table({})) == find_flags(SystemScores((), {})) == {}


def test_systems_move_where_scores_change_come_and_go_or_are_flagged():
    flag = (Flagged(DATASETS[1], 0.4, "stands-apart"),)
    before = SystemScores(DATASETS[:2], {1: (0.5, 0.4), 2: (0.5, 0.4), 3: (0.5, 0.4), 4: (0.5, None)}, {3: flag})
    after = SystemScores(DATASETS[:2], {1: (0.5, 0.4), 2: (0.5, 0.3), 3: (0.5, 0.4), 5: (None, 0.1)})
    arguana, fiqa = (("arguana", "nDCG@10"), ("fiqa", "nDCG@10"))
    assert _moved_systems(before, after) == {2: {fiqa}, 3: {fiqa}, 4: {arguana}, 5: {fiqa}}
    assert _moved_systems(after, before) == {2: {fiqa}, 3: {fiqa}, 4: {arguana}, 5: {fiqa}}
    assert _moved_systems(after, after) == {}
    wider = SystemScores(DATASETS[1:3], {1: (0.4, 0.9)})
    assert _moved_systems(SystemScores(DATASETS[:2], {1: (0.5, 0.4)}), wider) == {1: {arguana, ("nq", "nDCG@10")}}


def test_a_new_table_is_recorded_with_its_digest_and_marks_parts_as_well():
    boards = make_boards("one", "two", "part")
    suite = make_suite("beir", boards[:2])
    add_member(suite, boards[2], 5, part_of=suite.members.get(position=0))
    make_suite("silent", boards[:2], position=1, is_screen=False)
    make_scores(boards, "0.5", "0.4", "0.3")
    assert refresh_elsewhere(reason="a look") == 1
    (frozen,) = suite.tables.all()
    entry = Entry.objects.get(action="results.suite.frozen")
    assert (entry.subject_type, entry.subject_id, entry.reason) == ("suite", "beir", "a look")
    assert entry.after == {"sha256": frozen.sha256, "as_of": frozen.as_of.isoformat(), "systems": 1}
    assert zlib.decompress(bytes(frozen.content)) == pack(read_scores(suite))
    before = [type(board).objects.get(pk=board.pk).results_version for board in boards]
    assert before == [2, 2, 2]
    make_scores(boards[:1], "0.6", system=None)
    refresh_elsewhere()
    assert [type(board).objects.get(pk=board.pk).results_version for board in boards] == before
    Result.objects.filter(printed="0.4").update(value=0.45)
    refresh_elsewhere()
    after = [type(board).objects.get(pk=board.pk).results_version for board in boards]
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 0, 1], "the part goes with its whole"
    assert Suite.objects.count() == 2


def test_after_a_load_tables_are_frozen_by_who_loaded_and_once_more_later():
    boards = make_boards("one", "two")
    make_suite("beir", boards)
    make_scores(boards, "0.5", "0.4")
    person = editor()
    refresh_after_load(actor=person, reason="loaded")
    entry = Entry.objects.get(action="results.suite.frozen")
    assert (entry.actor, entry.reason) == (person, "loaded")
    (job,) = Job.objects.filter(kind=REFRESH)
    assert job.args == {"reason": "verdicts on what was loaded"}
