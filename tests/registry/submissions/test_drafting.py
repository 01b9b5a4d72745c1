"""Handing rows in and changing them: each row has its outcome, and only what cannot be stored is refused."""

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from analysis.readers.columns import COLUMNS
from analysis.readers.rejections import Rejection
from analysis.readers.tables import Record
from registry.journal.models import Entry
from registry.submissions.models import Submission
from registry.submissions.services import drafting
from registry.submissions.services.drafting import add_rows, read_given, remove_rows, update_row
from tests.analysis.readers.examples import examples, hostile, outcome
from tests.registry.factory import make_user
from tests.registry.submissions.world import make_submission, outcomes, row

pytestmark = pytest.mark.usefixtures("board")


def test_cells_are_kept_exactly_as_given_and_blank_ones_left_out():
    submission = make_submission(rows=[row(system="  Modèl  X ", value="00.30120", team="")])
    stored = submission.rows.get()
    assert (stored.line, stored.cells) == (1, row(system="  Modèl  X ", value="00.30120"))
    assert (submission.state, submission.version, submission.way) == ("draft", 1, "form")


def test_lines_that_could_not_be_read_are_kept_with_every_reason():
    ragged, quote = Rejection("ragged", "the row has 3 cells", 2), Rejection("quote", "goes on", 2, "column 1")
    submission = make_submission(rows=[Record(1, row()), ragged, quote])
    assert outcomes(submission) == ["new", "refused"]
    assert submission.rows.get(line=2).rejections == [
        {"code": "ragged", "message": "the row has 3 cells", "field": ""},
        {"code": "quote", "message": "goes on", "field": "column 1"},
    ]


@pytest.mark.parametrize(
    ("rows", "code", "message"),
    [
        ([row(measur="AP")], "unknown_column", "row 1: measur: unknown column; did you mean measure?"),
        ([row(), row() | {"value": 0.3}], "not_text", "row 2: value: is not text; write scores as text"),
        ([row(notes="x" * 20_001)], "too_long", "row 1: notes: has 20,001 characters; the most is 20,000"),
        ([row(system="a\0b")], "no_text", "row 1: system: contains U+0000, which is no text; delete it"),
        ([row(team="\ud800")], "no_text", "row 1: team: contains U+D800, which is no text; delete it"),
        ([row()] * 2_001, "too_many_rows", "more than 2,000 rows; split them"),
        ([Rejection("missing_column", "is missing", 1, "value", fatal=True)], "missing_column", "1: value: is missing"),
        ([Record(4, row()), Record(4, row(system="b"))], "line", "two rows say that they stand in line 4"),
        ([Record(4, row()), Rejection("quote", "goes on", 4)], "line", "two rows say that they stand in line 4"),
    ],
)
def test_what_cannot_be_stored_is_refused_as_a_whole(rows, code, message):
    with pytest.raises(ValidationError) as refused:
        make_submission(rows=rows)
    assert (refused.value.code, refused.value.message[: len(message)]) == (code, message)
    assert not Submission.objects.exists()


def test_a_second_click_is_the_same_submission_and_other_rows_another_note_or_another_person_is_another():
    contributor = make_user()
    first = make_submission(contributor)
    assert make_submission(contributor) == first
    assert Entry.objects.filter(action="submissions.submission.created").count() == 1
    others = [
        make_submission(contributor, rows=[row(value="0.3013")]),
        make_submission(contributor, note="please hurry"),
        make_submission(make_user()),
    ]
    assert len({first, *others}) == 4


CLICKS = """
from concurrent.futures import ThreadPoolExecutor
from registry.accounts.models import User
from registry.submissions.services.drafting import create_submission

person = User.objects.get(username="clicker")
cells = {"collection": "c", "measure": "m", "system": "s", "value": "0.1", "role": "baseline"}
with ThreadPoolExecutor(10) as pool:
    made = pool.map(lambda _: create_submission(contributor=person, way="form", rows=[cells]).pk, range(20))
print(*set(made))
"""


PERSON = "from registry.accounts.models import User; User.objects.create_user('clicker')"


def test_simultaneous_clicks_are_one_submission(lab, at_once):
    """Two processes with ten threads each, on the database of an installation of its own."""
    at_once(PERSON)
    first, second = at_once(CLICKS, CLICKS)
    assert first == second
    assert lab.query("SELECT count(*) FROM submissions_submission") == [(1,)]
    assert lab.query("SELECT count(*) FROM submissions_submittedrow") == [(1,)]


def change(submission, line: int = 1, version: int = 0, **cells: str) -> Submission:
    """Put a good row at the line, but for these cells; return the submission."""
    version = version or submission.version
    return update_row(
        submission=submission, line=line, cells=row(**cells), version=version, actor=submission.contributor
    )


def test_a_row_is_changed_and_the_journal_says_from_what_to_what():
    submission = change(make_submission(rows=[row(value="NaN")]), value="0.3")
    assert (outcomes(submission), submission.version) == (["new"], 2)
    entry = Entry.objects.get(action="submissions.row.changed")
    assert (entry.before, entry.after) == (
        {"cells": row(value="NaN")}, {"version": 2, "line": 1, "cells": row(value="0.3")},
    )  # fmt: skip


def test_rows_refuse_each_other_and_a_change_of_one_is_a_check_of_all():
    submission = make_submission(rows=[row(), row(), row(system="b")])
    assert outcomes(submission) == ["new", "refused", "new"]
    assert "same result as line 1" in submission.rows.get(line=2).rejections[0]["message"]
    submission = change(submission, value="0.31")
    rejections = submission.rows.order_by("line").values_list("rejections", flat=True)
    assert [[fault["code"] for fault in of_row] for of_row in rejections] == [["contradiction"], ["contradiction"], []]
    submission = change(submission, system="c")
    assert outcomes(submission) == ["new", "new", "new"]


EDITS = """
from concurrent.futures import ThreadPoolExecutor
from registry.submissions.models import Submission
from registry.submissions.services.changing import Conflict
from registry.submissions.services.drafting import update_row

cells = {"collection": "c", "measure": "m", "system": "s", "role": "baseline"}

def edit(number):
    submission = Submission.objects.get()
    try:
        update_row(
            submission=submission, line=1, cells=cells | {"value": f"0.{number}"}, version=1,
            actor=submission.contributor,
        )
    except Conflict:
        return 0
    return 1

with ThreadPoolExecutor(10) as pool:
    print(sum(pool.map(edit, range(25))))
"""


DRAFT = """
from registry.accounts.models import User
from registry.submissions.services.drafting import create_submission

person = User.objects.create_user("editor")
create_submission(contributor=person, way="form", rows=[{"system": "s"}])
"""


def test_of_fifty_simultaneous_edits_one_is_made(lab, at_once):
    """Two processes with ten threads each, on the database of an installation of its own."""
    at_once(DRAFT)
    assert sum(map(int, at_once(EDITS, EDITS))) == 1
    assert lab.query("SELECT version FROM submissions_submission") == [(2,)]
    assert lab.query("SELECT count(*) FROM journal_entry WHERE action = 'submissions.row.changed'") == [(1,)]


def test_more_than_ten_thousand_rows_are_too_many_in_parts_too(monkeypatch):
    monkeypatch.setattr(drafting, "MAX_ROWS", 3)
    submission = make_submission(rows=[row(system="a"), row(system="b")])
    options = {"submission": submission, "version": 1, "actor": submission.contributor}
    with pytest.raises(ValidationError, match="more than 3 rows"):
        add_rows(rows=[row(system="c"), row(system="d")], **options)
    assert add_rows(rows=[row(system="c")], **options).rows.count() == 3


def test_removed_rows_refuse_the_others_no_more():
    submission = make_submission(rows=[row(), row(), row(value="0.4")])
    assert outcomes(submission) == ["refused", "refused", "refused"]
    submission = remove_rows(submission=submission, lines=[1, 2, 99], version=1, actor=submission.contributor)
    assert outcomes(submission) == ["new"]
    entry = Entry.objects.get(action="submissions.rows.removed")
    assert entry.before == {"cells": {"1": row(), "2": row()}}


CELLS = st.dictionaries(st.sampled_from(COLUMNS) | hostile(2), hostile(4) | st.none() | st.integers(), max_size=4)


@examples
@given(rows=st.lists(CELLS, min_size=1, max_size=3))
def test_any_cells_can_be_stored_or_are_refused(rows):
    reading = outcome(lambda: read_given(rows), ValidationError)
    if isinstance(reading, ValidationError):
        assert reading.code in {"unknown_column", "not_text", "too_long", "no_text"}
        assert reading.message.startswith("row ")
        return
    assert [parsed.line for parsed in reading] == list(range(1, len(rows) + 1))
    for parsed, cells in zip(reading, rows, strict=True):
        assert parsed.cells == {column: text for column, text in cells.items() if text}
        "".join(parsed.cells.values()).encode()
