"""What other parts of the registry keep about a person: all of it is exported, what was never public is erased."""

import pytest

from registry.accounts.personal import account_document
from registry.accounts.services import delete_account
from registry.results.models import Confirmation, CorrectionRequest, Result
from registry.results.services.corrections import confirm_result, request_correction
from registry.submissions.models import Comment, IdempotencyKey, Submission
from registry.submissions.services.reviewing import add_comment, refuse_submission, return_submission
from tests.registry.factory import make_result, make_user
from tests.registry.submissions.world import make_published, make_robust04, make_submission, make_submitted, row


@pytest.fixture(autouse=True)
def board():
    return make_robust04()


def decided(decide, contributor, **cells):
    """A submission that an editor returned or refused."""
    submission = make_submitted(contributor, rows=[row(**cells)])
    return decide(submission=submission, version=submission.version, actor=make_user(is_editor=True), reason="no")


def test_submissions_are_exported_with_rows_and_comments():
    ada = make_user("ada")
    submission = make_submission(ada, note="from the preprint")
    add_comment(submission=submission, author=ada, text="Table 2 has a footnote")
    IdempotencyKey.objects.create(user=ada, key="nightly-7", digest="x", status=201, body={})
    make_submission(make_user("grace"), rows=[row(system="of others")])
    found = account_document(ada)
    (one,) = found["submissions"]
    assert (one["id"], one["state"], one["note"]) == (str(submission.pk), "draft", "from the preprint")
    assert one["rows"] == [{"line": 1, "cells": submission.rows.get().cells, "outcome": "new", "result": None}]
    assert [comment["text"] for comment in found["submission_comments"]] == ["Table 2 has a footnote"]
    assert [key["key"] for key in found["idempotency_keys"]] == ["nightly-7"]


def test_corrections_and_confirmations_are_exported():
    ada, result = make_user("ada"), make_result(printed="0.25")
    request_correction(result=result, requester=ada, kind="correct", reason="Table 2", proposed_printed="0.26")
    confirm_result(result=make_result(printed="0.31"), user=ada, kind="second_transcription", printed="0.31")
    found = account_document(ada)
    (asked,), (confirmed,) = found["correction_requests"], found["confirmations"]
    assert (asked["result"], asked["kind"], asked["proposed"], asked["state"]) == (result.pk, "correct", "0.26", "open")
    assert (confirmed["kind"], confirmed["printed"]) == ("second_transcription", "0.31")
    assert account_document(make_user("grace"))["confirmations"] == []


def test_deletion_erases_what_was_never_public():
    ada = make_user("ada")
    published = make_published(ada, note="private words")
    make_submission(ada, rows=[row(system="draft")])
    decided(return_submission, ada, system="returned")
    decided(refuse_submission, ada, system="refused")
    waiting = make_submitted(ada, rows=[row(system="waiting")])
    add_comment(submission=published, author=ada, text="mine")
    add_comment(submission=published, author=make_user("grace"), text="hers")
    delete_account(user=ada)
    assert set(Submission.objects.all()) == {published, waiting}
    assert [comment.text for comment in Comment.objects.all()] == ["hers"]
    published.refresh_from_db()
    assert published.note == ""
    assert Result.objects.standing().get().submitted_rows.get().submission == published


def test_deletion_keeps_what_is_public():
    ada, result = make_user("ada"), make_result(printed="0.25")
    request_correction(result=result, requester=ada, kind="dispute", reason="not what Table 2 says")
    confirm_result(result=result, user=ada, kind="second_transcription", printed="0.25")
    delete_account(user=ada)
    assert CorrectionRequest.objects.get().requester.public_name == "former contributor"
    assert Confirmation.objects.get().user.public_name == "former contributor"
    assert Result.objects.standing().get().provenance == "double_checked"
