"""Rows put aside in a temporary file."""

import sqlite3

import pytest

from registry.core.staging import Outcome, Staging


@pytest.fixture
def staging():
    with Staging(str) as rows:
        yield rows


def add(staging: Staging[str], *names: str, parent: bytes | None = None) -> None:
    for name in names:
        assert staging.add(name, key=name.encode(), group=name.encode(), parent=parent)


def test_a_key_is_taken_once_and_its_holder_known(staging):
    add(staging, "a")
    assert not staging.add("other", key=b"a", group=b"x", parent=None)
    assert staging.holder(b"a") == ("a", False)
    staging.refuse(b"a")
    assert staging.holder(b"a") == ("a", True)


def test_chunks_go_by_number_and_may_be_judged_on_the_way(staging):
    add(staging, "a", "b", "c", "d", "e")
    seen = []
    for chunk in staging.chunks(2, Outcome.WAITING):
        seen.append([one.row for one in chunk])
        staging.judge((Outcome.NEW, None, one.number) for one in chunk)
    assert seen == [["a", "b"], ["c", "d"], ["e"]]
    assert staging.counts() == {Outcome.NEW: 5}


def test_a_row_is_known_by_what_it_was_compared_with(staging):
    add(staging, "a", "b", "c")
    first, second, third = (one.number for chunk in staging.chunks(9, Outcome.WAITING) for one in chunk)
    staging.judge([(Outcome.SUPERSEDES, 17, second), (Outcome.NEW, None, third)])
    (found,) = staging.chunks(9, Outcome.SUPERSEDES, Outcome.NEW)
    assert [tuple(one) for one in found] == [
        (second, "b", 17, Outcome.SUPERSEDES), (third, "c", None, Outcome.NEW)
    ]  # fmt: skip
    assert [one.number for chunk in staging.chunks(9, Outcome.WAITING) for one in chunk] == [first]


def test_parents_come_first(staging):
    add(staging, "child", parent=b"parent")
    add(staging, "parent")
    ordered = [one.row for chunk in staging.chunks(10, Outcome.WAITING, parents_first=True) for one in chunk]
    assert ordered == ["parent", "child"]


def test_orphans_lack_a_good_parent_that_has_none_itself(staging):
    add(staging, "a")
    add(staging, "b", parent=b"a")
    add(staging, "c", parent=b"b")
    add(staging, "d", parent=b"nobody")
    assert sorted(staging.orphans()) == [("c", True), ("d", False)]
    staging.refuse(b"a")
    assert sorted(staging.orphans()) == [("b", False), ("c", True), ("d", False)]


def test_it_is_gone_when_closed():
    with Staging(str) as staging:
        add(staging, "a")
    with pytest.raises(sqlite3.ProgrammingError):
        staging.counts()
