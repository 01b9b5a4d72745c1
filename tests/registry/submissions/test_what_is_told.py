"""What is said of a submission: ranks of its rows, what was done, by whom, how far a check is; and to whom."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone

from registry.catalog.models import Leaderboard
from registry.catalog.queries import CatalogNames
from registry.core.models import Job
from registry.core.services import record_heartbeat
from registry.journal.models import Entry
from registry.results.models import Result
from registry.results.services.corrections import request_correction
from registry.submissions import access, personal
from registry.submissions.answers import check_document, refused_rows, row_document, submission_document
from registry.submissions.documents import preview_row, read_history, read_related
from registry.submissions.models import Comment, IdempotencyKey, Signal, Submission, SubmittedRow
from registry.submissions.pipeline.checking import check_all, what_they_say
from registry.submissions.pipeline.signals import Surroundings
from registry.submissions.queries.changes import changes_since, details_of, published_entry, what_was_done
from registry.submissions.queries.progress import read_progress
from registry.submissions.queries.prospects import find_ranks
from registry.submissions.services import drafting
from registry.submissions.services.changing import Conflict
from registry.submissions.services.drafting import add_rows, set_terms, update_row
from registry.submissions.services.reviewing import (
    add_comment,
    publish_submission,
    return_submission,
    start_review,
    unmask_contributor,
)
from registry.submissions.templatetags.submissions import handed_in, waiting_for
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_measure,
    make_result,
    make_results,
    make_system,
    make_user,
)
from tests.registry.submissions.world import make_published, make_robust04, make_submission, make_submitted, row

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def board() -> Leaderboard:
    return make_robust04()


def checked(*cells: dict[str, str]) -> list[SubmittedRow]:
    """Rows that are checked and not stored."""
    rows = drafting.read_given(cells)
    check_all(rows)
    return rows


# --- where rows would stand


def test_rows_stand_among_what_counts_as_if_all_of_them_were_published(board):
    standing = make_results(board, [0.5, 0.4, 0.3])
    make_result(board, printed="0.45", role=Result.Role.REFERENCE_IMPLEMENTATION)
    make_result(board, printed="0.46", comparability=Result.Comparability.DOUBTFUL)
    make_result(make_leaderboard(measure=board.measure), printed="0.47")
    make_result(make_leaderboard(board.collection), printed="0.48")
    replaced = make_result(board, make_system("Model X"), "0.2", source="Doe (SIGIR 2021)", role="proposed")
    first = row(system="A", value="0.4", role="baseline")
    rows = checked(
        first,
        row(system="B", value="0.45"),
        row(paper="", source="Doe (SIGIR 2021)", value="0.1"),
        row(system="C", value="0.9", role="reference_implementation"),
        row(system="D", value="0.9", comparability="doubtful"),
        row(system="A, seed 2", value="0.9", role="baseline", replicate_of="A"),
        row(system="E", value="high"),
    )
    assert rows[2].existing_id == replaced.pk
    # 0.5, 0.45, 0.4, 0.4, 0.3, 0.1: the recorded 0.2 is replaced.
    assert find_ranks(rows) == {
        1: {"rank": 3, "n_results": 6},
        2: {"rank": 2, "n_results": 6},
        3: {"rank": 6, "n_results": 6},
    }
    assert find_ranks([]) == {}
    assert len(standing) == 3


def test_where_less_is_better_the_lowest_ranks_first():
    errors = make_leaderboard(make_collection("fruit"), make_measure("Errors", higher_is_better=False))
    make_results(errors, [0.2, 0.3])
    rows = checked(*(row(collection="fruit", measure="Errors", system=f"s{value}", value=value) for value in
                     ("0.1", "0.2", "0.4")))  # fmt: skip
    assert [one["rank"] for one in find_ranks(rows).values()] == [1, 2, 5]


def test_a_check_answers_with_counts_places_and_what_stands_there(board):
    make_published(rows=[row(system="Model A"), row(system="Model B")])
    document = check_document(
        checked(row(), row(system="Model A"), row(system="Model B", value="0.4"), row(system="E", value="high"))
    )
    assert document["dry_run"] is True
    assert document["counts"] == {"rows": 4, "new": 1, "same": 1, "differs": 1, "refused": 1}
    new, same, differs, refused = document["results"]
    assert [one["outcome"] for one in document["results"]] == ["new", "same", "differs", "refused"]
    stands = Result.objects.get(system__name="Model B")
    assert (new["existing"], refused["existing"], refused["place"]) == (None, None, None)
    assert differs["existing"] == {
        "id": stands.pk,
        "url": stands.get_absolute_url(),
        "system": "Model B",
        "printed": "0.3012",
        "unit": "",
        "source": "Doe (SIGIR 2021)",
    }
    assert [one["place"] and one["place"]["rank"] for one in (new, same, differs)] == [2, 2, 1]
    assert (new["signals"], refused["rejections"][0]["field"]) == ([], "value")
    (part,) = refused_rows(checked(row(), row(system="E", value="high")))
    assert (part["field"], part["message"]) == ("value", f"row 2: {refused['rejections'][0]['message']}")


def test_a_stored_row_answers_with_its_signals_and_its_result(board):
    make_result(board, make_system("Model X"), "0.25")
    submission = make_submission(rows=[row(team="–"), row(system="Model Y")])
    first, second = (row_document(one) for one in submission.rows.with_existing().order_by("line"))
    ((code, severity),) = [(one["code"], one["severity"]) for one in first["signals"]]
    assert (code, severity, first["result"], first["line"]) == ("contested", "warning", None, 1)
    assert (second["signals"], second["cells"], second["outcome"]) == ([], row(system="Model Y"), "new")
    published = make_published(make_user(), rows=[row(system="Model Z")]).rows.with_existing().get()
    assert row_document(published)["result"] == published.result_id is not None


def test_a_submission_answers_with_its_dates_counts_and_contributor_unless_that_is_kept_back():
    ada, day = make_user("ada", full_name=""), timezone.now().date() + timedelta(days=9)
    made = make_submission(ada, rows=[row(), row(system="Y", value="9")], embargo_until=day, is_anonymous=True)
    submission = Submission.objects.with_counts().get(pk=made.pk)
    own, others = submission_document(submission, ada), submission_document(submission, make_user())
    assert (own["contributor"], others["contributor"]) == (ada.public_name, None)
    assert (own["id"], own["url"], own["embargo_until"]) == (str(made.pk), made.get_absolute_url(), day.isoformat())
    assert (own["submitted"], own["decided"], own["state"], own["is_anonymous"]) == (None, None, "draft", True)
    assert own["created"] == made.created_at.isoformat(timespec="seconds")
    assert own["counts"] == {"rows": 2, "unchecked": 0, "new": 1, "same": 0, "differs": 0, "refused": 1}
    plain = make_submitted(ada)
    document = submission_document(Submission.objects.with_counts().get(pk=plain.pk), make_user())
    assert (document["contributor"], document["embargo_until"]) == (ada.public_name, None)
    assert document["submitted"] is not None


def test_a_preview_says_what_is_recorded_otherwise(board):
    make_published(rows=[row(system="Model A"), row(system="Model B")])
    make_result(board, make_system("Contested"), "0.25")
    rows = [
        row(),
        row(system="Contested", team="–"),
        row(system="Model A"),
        row(system="Model B", value="0.4"),
        row(value="high"),
    ]
    found = [preview_row(one) for (one,) in (drafting.read_given([cells]) for cells in rows)]
    assert [(one.may_be_submitted, one.is_fine) for one in found] == [
        (True, True), (True, False), (False, False), (True, False), (False, False),
    ]  # fmt: skip
    assert [one.existing and one.existing.system.name for one in found] == [None, None, "Model A", "Model B", None]
    assert [[(part.label, part.old, part.new) for part in one.differences] for one in found] == [
        [], [], [], [("Score", "0.3012", "0.4")], [],
    ]  # fmt: skip


# --- what was done


def test_what_was_done_is_told_since_a_version():
    ada, grace = make_user("ada"), make_user("grace", is_editor=True)
    made = make_submission(ada)
    made = update_row(submission=made, line=1, cells=row(value="0.4"), version=1, actor=ada)
    made = add_rows(submission=made, rows=[row(system="Model Y")], version=2, actor=ada)
    everything = [
        "ada: submission created",
        "ada: row changed 1 (value '0.4' in place of '0.3012')",
        "ada: rows added",
    ]
    assert [changes_since(made, version) for version in (0, 1, 2, 3)] == [
        everything, everything[1:], everything[2:], [],
    ]  # fmt: skip
    with pytest.raises(Conflict, match=r"There is no version 9 of this; the present one is 3\."):
        update_row(submission=made, line=1, cells=row(), version=9, actor=ada)
    with pytest.raises(Conflict, match="ada: rows added") as conflict:
        update_row(submission=made, line=1, cells=row(), version=2, actor=grace)
    assert (conflict.value.submission.version, conflict.value.changes) == (3, ["ada: rows added"])


def test_three_changed_cells_are_told_in_the_order_of_columns():
    before = {"cells": row(notes="a", locator="p. 1")}
    after = {"line": 2, "cells": row(value="0.4", notes="b", locator="p. 2", system="Model Y")}
    entry = make_entry("submissions.row.changed", before=before, after=after)
    changed = (("system", "Model Y", "Model X"), ("value", "0.4", "0.3012"), ("locator", "p. 2", "p. 1"))
    assert details_of(entry) == ", ".join(f"{column} {now!r} in place of {was!r}" for column, now, was in changed)
    assert what_was_done(entry) == "row changed 2"
    fresh = make_entry("submissions.row.changed", before=None, after={"line": 2, "cells": {"team": "Lab"}})
    assert details_of(fresh) == "team 'Lab' in place of ''"
    assert details_of(make_entry("submissions.rows.removed", before=before, after={"rows": 1})) == ""
    taken_back = make_entry("submissions.submission.taken_back")
    assert (what_was_done(taken_back), details_of(taken_back)) == ("submission taken back", "")


def test_the_history_has_what_was_done_and_said_by_time_without_a_name_that_is_kept_back():
    ada, grace = make_user("ada"), make_user("grace", is_editor=True)
    day = timezone.now().date() + timedelta(days=9)
    made = make_submitted(ada, embargo_until=day, is_anonymous=True)
    add_comment(submission=made, author=ada, text=" It is Table 2. ")
    made = start_review(submission=made, version=2, actor=grace)
    add_comment(submission=made, author=grace, text="Row 5?")
    return_submission(submission=made, version=3, actor=grace, reason="which table?")
    for viewer, name in ((grace, "its contributor"), (ada, "ada")):
        assert [(one.who, one.what, one.text, one.is_comment) for one in read_history(made, viewer)] == [
            (name, "created", "", False),
            (name, "submitted", "", False),
            (name, "said", "It is Table 2.", True),
            ("grace", "review started", "", False),
            ("grace", "said", "Row 5?", True),
            ("grace", "returned", "which table?", False),
        ]


def test_looking_a_name_up_is_no_change_and_shows_it_to_nobody_else():
    day = timezone.now().date() + timedelta(days=9)
    made = make_submitted(make_user("ada"), embargo_until=day, is_anonymous=True)
    root, editor = make_user("root", is_superuser=True), make_user(is_editor=True)
    unmask_contributor(submission=made, actor=root, reason="asked by the chairs")
    assert changes_since(made, 2) == []
    assert "its contributor: submission submitted" in changes_since(made, 1)
    assert {one.who for one in read_history(made, root) if one.what == "submitted"} == {"ada"}
    assert {one.who for one in read_history(made, editor) if one.what == "submitted"} == {"its contributor"}
    assert access.may_unmask(made, root) is False
    assert access.may_unmask(made, make_user("other-root", is_superuser=True))
    assert not access.may_unmask(made, editor)
    assert not access.may_unmask(made, AnonymousUser())


def test_the_entry_of_what_was_published_is_its_own():
    first, second = make_published(make_user()), make_submitted(make_user(), rows=[row(system="Model Y")])
    entry = published_entry(first)
    assert entry is not None
    assert (entry.action, entry.subject_id) == ("submissions.submission.published", str(first.pk))
    assert published_entry(second) is None


# --- who may


def test_each_of_a_submissions_readers_may_do_what_is_theirs():
    ada, grace, eve = make_user("ada"), make_user("grace", is_editor=True), make_user("eve")
    root = make_user("root", is_superuser=True)
    draft = make_submission(ada)
    assert [access.may_edit(draft, one) for one in (ada, grace, root)] == [True, False, False]
    assert [access.may_review(draft, one) for one in (ada, grace, root, eve)] == [False, True, True, False]
    own = make_submitted(grace, rows=[row(system="Model Y")])
    assert [access.may_edit(own, one) for one in (grace, make_user(is_editor=True), root)] == [False, True, True]
    published = make_published(ada, rows=[row(system="Model Z")])
    assert not access.may_edit(published, grace)
    assert access.get_own_submission(draft.pk, ada) == draft
    for somebody in (eve, grace, AnonymousUser()):
        with pytest.raises(Http404, match="There is no such submission"):
            access.get_visible_submission(draft.pk, somebody)
    with pytest.raises(PermissionDenied, match="Only its contributor"):
        access.get_own_submission(own.pk, make_user(is_editor=True))
    with pytest.raises(PermissionDenied, match="is published; you cannot change its rows now"):
        access.get_editable_submission(published.pk, ada)
    with pytest.raises(PermissionDenied, match="Somebody else decides"):
        access.get_reviewable_submission(own.pk, grace)
    with pytest.raises(PermissionDenied, match="Only editors and curators"):
        access.require_reviewer(eve)
    with pytest.raises(Http404, match="has no row 9 any more"):
        access.get_row(draft, 9)
    assert access.get_row(draft, 1) == draft.rows.get()
    assert set(access.reviewable_by(grace)) == {own, published}
    assert not access.reviewable_by(eve).exists()


def test_what_waits_is_counted_for_those_who_decide_without_their_own(board):
    curator = make_user("curator")
    board.collection.curators.create(user=curator)
    make_collection("trec-8")
    make_submitted(make_user())
    make_submitted(curator, rows=[row(system="Model Y")])
    make_submitted(make_user(), rows=[row(collection="trec-8")])
    make_submitted(make_user(), rows=[row(collection="trec-8"), row(system="Model V")])
    make_submission(make_user())
    make_published(make_user(), rows=[row(system="Model Z")])
    for collection in (board, make_leaderboard()):
        request_correction(result=make_result(collection), requester=make_user(), kind="dispute", reason="no")
    waiting, for_curator = waiting_for(make_user(is_editor=True)), waiting_for(curator)
    assert waiting is not None
    assert for_curator is not None
    assert (waiting.n_submissions, waiting.n_corrections, waiting.n) == (4, 2, 6)
    assert (for_curator.n_submissions, for_curator.n_corrections, for_curator.n) == (1, 1, 2)
    assert waiting_for(make_user()) is waiting_for(AnonymousUser()) is None


def test_a_result_tells_the_submission_that_it_came_by():
    ada = make_user("ada")
    submission = make_published(ada)
    result = submission.rows.get().result
    viewers = (ada, make_user(is_editor=True), make_user("eve"), AnonymousUser())
    found = [handed_in(result, viewer) for viewer in viewers]
    assert [one and (one.submission, one.is_visible) for one in found] == [
        (submission, True), (submission, True), (submission, False), (submission, False),
    ]  # fmt: skip
    assert handed_in(make_result(), ada) is None
    entry = make_entry(subject_type="submission", subject_id="00000000-0000-4000-8000-000000000000")
    assert handed_in(make_result(recorded_by=entry), ada) is None


# --- how far a check is


def test_a_check_says_how_far_it_is_and_what_holds_it_up(monkeypatch):
    monkeypatch.setattr(drafting, "MAX_ROWS_AT_ONCE", 1)
    other = make_submission(make_user(), rows=[row(system="D"), row(system="E")])
    submission = make_submission(rows=[row(system=name) for name in "ABC"])
    submission.rows.filter(line=2).update(outcome="refused")
    waiting = read_progress(submission)
    assert waiting is not None
    assert (waiting.n_rows, waiting.n_checked, waiting.is_worker_alive, waiting.is_given_up) == (3, 1, False, False)
    assert waiting.message.startswith("Nobody is at work on it just now.")
    record_heartbeat()
    going_on = read_progress(submission)
    assert going_on is not None
    assert (going_on.is_worker_alive, going_on.message) == (True, "")
    jobs = Job.objects.filter(args={"submission_id": str(submission.pk)})
    for state in ("failed", "done"):
        jobs.update(state=state)
        given_up = read_progress(submission)
        assert given_up is not None
        assert given_up.message == "The check failed. Start it again; if it fails again, tell whoever runs this site."
    job = jobs.get()
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(hours=1))
    Job.objects.create(kind=job.kind, key=job.key, args=job.args)
    again = read_progress(submission)
    assert again is not None
    assert not again.is_given_up
    Job.objects.all().delete()
    lost = read_progress(submission)
    assert lost is not None
    assert lost.is_given_up
    submission.rows.update(outcome="new")
    assert read_progress(submission) is None
    assert read_progress(other) is not None


# --- beside a row


def test_beside_a_row_stands_what_its_signals_speak_of(board):
    other = make_result(board, make_system("Model X"), "0.25", source="elsewhere")
    alike = make_result(board, make_system("Model-X"), "0.3012", source="elsewhere")
    make_result(board, make_system("Model Y"), "0.2", source="elsewhere")
    make_result(make_leaderboard(board.collection), make_system("Model X", "Lab"), "0.1")
    submission = make_submission(rows=[row(team="–"), row(system="Model Z")])
    assert {line: set(found) for line, found in read_related(submission.rows.all()).items()} == {1: {other, alike}}
    assert read_related(submission.rows.filter(line=2)) == {}
    Signal.objects.exclude(code="contested").delete()
    assert list(read_related(submission.rows.all())) == [1]
    Signal.objects.update(code="out_of_range")
    assert read_related(submission.rows.all()) == {}


# --- what is kept about a person


def test_everything_that_somebody_handed_in_and_said_is_exported_and_what_waits_for_nobody_erased():
    ada, grace, day = make_user("ada"), make_user("grace", is_editor=True), timezone.now().date() + timedelta(days=9)
    draft = make_submission(ada, note="not yet", embargo_until=day)
    returned = make_submitted(ada, rows=[row(system="Model R")])
    returned = return_submission(submission=returned, version=2, actor=grace, reason="which table?")
    waiting = make_submitted(ada, rows=[row(system="Model W")], note="please hurry")
    published = make_published(ada, rows=[row(system="Model P")])
    others = make_submitted(grace, rows=[row(system="Model O")], note="mine")
    for author in (ada, grace):
        add_comment(submission=others, author=author, text=f"said by {author}")
        for key in ("second", "first"):
            IdempotencyKey.objects.create(user=author, key=key, digest="d")
    exported = personal.export_submissions(ada)
    assert [one["id"] for one in exported] == [str(one.pk) for one in (draft, returned, waiting, published)]
    assert exported[0] == {
        "id": str(draft.pk),
        "way": "form",
        "state": "draft",
        "note": "not yet",
        "is_anonymous": False,
        "embargo_until": day.isoformat(),
        "created": draft.created_at.isoformat(timespec="seconds"),
        "submitted": None,
        "decided": None,
        "decision_reason": "",
        "papers": [],
        "rows": [{"line": 1, "cells": row(), "outcome": "new", "result": None}],
    }
    assert (exported[1]["decision_reason"], exported[1]["embargo_until"]) == ("which table?", None)
    assert exported[3]["rows"][0]["result"] == published.rows.get().result_id
    (comment,) = personal.export_comments(ada)
    assert (comment["submission"], comment["text"]) == (str(others.pk), "said by ada")
    assert [one["key"] for one in personal.export_keys(ada)] == ["second", "first"]
    personal.erase_submissions(ada)
    personal.erase_comments(ada)
    personal.erase_keys(ada)
    assert set(Submission.objects.all()) == {waiting, published, others}
    assert set(Submission.objects.values_list("note", flat=True)) == {"", "mine"}
    assert list(Comment.objects.values_list("text", flat=True)) == ["said by grace"]
    assert set(IdempotencyKey.objects.values_list("user", flat=True)) == {grace.pk}


def test_terms_are_journaled_and_a_reason_stays_with_what_is_published():
    ada, day = make_user("ada"), timezone.now().date() + timedelta(days=9)
    made = set_terms(submission=make_submission(ada), version=1, actor=ada, note=" please hurry ", embargo_until=day)
    assert (made.note, made.embargo_until, made.is_anonymous, made.version) == ("please hurry", day, False, 2)
    entry = Entry.objects.get(action="submissions.submission.terms_changed")
    assert entry.after == {"version": 2, "embargo_until": day.isoformat(), "is_anonymous": False}
    made = set_terms(submission=made, version=2, actor=ada)
    assert (made.note, made.embargo_until) == ("", None)
    handed = make_submitted(ada, rows=[row(system="Model Y")])
    grace = make_user(is_editor=True)
    done = publish_submission(submission=handed, version=2, actor=grace, reason=" as printed ")
    assert (done.decision_reason, done.decided_by, done.state) == ("as printed", grace, "published")
    assert done.decided_at is not None


def test_what_rows_say_is_told_of_those_that_can_be_read():
    good, bad = drafting.read_given([row(), row(value="much")])
    said = what_they_say([good, bad])
    assert list(said) == [good.line]
    assert said[good.line].score.value == 0.3012
    assert what_they_say([]) == {}


def test_what_a_row_would_take_the_place_of_is_not_among_what_it_is_compared_with(board):
    published = make_published(rows=[row()])
    old = published.rows.get().result
    other = make_result(board, make_system("Model X", "Lab"), "0.3333")
    (one,) = checked(row(value="0.3333"))
    assert one.existing_id == old.pk
    said = what_they_say([one])[one.line]
    around = Surroundings(CatalogNames())
    around.read([said])
    assert set(around.related(said, old.pk)) == {other.pk}
    assert set(around.related(said, None)) == {old.pk, other.pk}
