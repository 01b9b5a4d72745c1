"""Submissions by programs, and changes of them: each change names the version that it is made on."""

import re
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request

from analysis.readers.text import weigh
from registry.accounts.authentication import require_scope
from registry.accounts.models import ApiToken
from registry.api.bodies import ReadBody, SentDecision, read_bytes, read_cells, read_rows, require_no_body, sent_as
from registry.api.errors import Refusal, refusal
from registry.api.forms import BodyForm, CreationForm, SubmissionForm, SubmissionListForm, SubmitForm, Window
from registry.api.schema import SUBMISSION, reads_own, writes
from registry.api.shapes import describe as shape
from registry.api.shapes import paged
from registry.api.views.private import PrivateView, respond
from registry.core.http import json_response
from registry.core.limits import spend
from registry.submissions import access, documents
from registry.submissions.access import charge, require_place
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.pipeline.checking import check_rows
from registry.submissions.pipeline.matching import take_proposed
from registry.submissions.services import drafting
from registry.submissions.services.changing import Answer
from registry.submissions.services.drafting import delete_draft, submit, take_back
from registry.submissions.services.reviewing import PART, PUBLISH, decide

_VERSION = re.compile(r'"([0-9]{1,9})"|([0-9]{1,9})')
_FIRST_ROWS = Window(start=0, size=SubmissionForm.default_page_size)

_SUBMISSIONS = paged(
    "SubmissionList", shape("Submission", documents.SubmissionAnswer), meaning="One's submissions, in pages."
)


def describe(
    submission: Submission, request: Request, window: Window = _FIRST_ROWS, **choices: Any
) -> documents.SubmissionWithRows:
    """Describe the submission as it stands now, with a page of its rows."""
    current = Submission.objects.with_counts().select_related("contributor").get(pk=submission.pk)
    rows = current.rows.filter(**choices).with_existing()
    n_rows = rows.count() if choices else current.n_rows
    return {
        **documents.submission_document(current),
        "count": n_rows,
        "next_page": window.next_token(n_rows),
        "results": [documents.row_document(row) for row in window.cut(rows)],
    }


def version_of(request: Request, submission: Submission) -> int:
    """Return the version of the submission that a change is made on, from If-Match."""
    header = request.headers.get("If-Match", "").strip()
    match = _VERSION.fullmatch(header)
    if match:
        return int(match[1] or match[2])
    message = f'Say which version you change, as its ETag has it; the present one is If-Match: "{submission.version}".'
    status = 400 if header and header != "*" else 428
    raise refusal(status, "If-Match", "malformed" if header else "required", message)


class SubmissionList(PrivateView):
    """One's submissions, and submitting more."""

    @reads_own("list_submissions", _SUBMISSIONS, query=SubmissionListForm)
    def get(self, request: Request) -> HttpResponse:
        """Your own submissions, the latest first; or what waits for you, with a token of the scope `review`."""
        query = self.asked(SubmissionListForm)
        if query.cleaned_data["waiting"] == "true":
            require_scope(request, ApiToken.Scope.REVIEW)
            chosen = access.reviewable_by(access.require_reviewer(self.person)).pending()
        else:
            chosen = Submission.objects.filter(contributor=self.person).order_by("-created_at")
        chosen = chosen.with_counts().select_related("contributor")
        if state := query.cleaned_data["state"]:
            chosen = chosen.filter(state=state)
        return json_response(self.page_of(query, chosen, documents.submission_document))

    @writes("create_submission", query=CreationForm, body="results", creates=True)
    def post(self, request: Request) -> HttpResponse:
        """Submit results, one or many: as a draft, or for review with `submit`. Every row is checked; with `dry_run`
        nothing is stored. The same rows sent twice within ten minutes are one submission. At most 2,000
        rows are taken at once."""
        content = read_bytes(request)
        if self.asked(CreationForm).wants("dry_run"):
            charge(request._request, weigh(content))
            return self.dry_run(content)
        return self.answered(content, partial(self.prepare, content), n_rows=weigh(content))

    def read(self, content: bytes) -> tuple[list[SubmittedRow], ReadBody[CreationForm]]:
        body = read_rows(self.request, content, self.asked(CreationForm))
        return drafting.read_given(body.rows), body

    def dry_run(self, content: bytes) -> HttpResponse:
        rows, body = self.read(content)
        if body.is_table:
            take_proposed(rows)
        check_rows(rows)
        return json_response(documents.check_document(rows))

    def prepare(self, content: bytes) -> Callable[[], Answer]:
        rows, (_, wishes, _) = self.read(content)
        check_rows(rows)
        spend("draft rows: account", self.person.pk, len(rows))
        if wishes.wants("submit"):
            require_good_rows(rows)
        store = drafting.prepare_submission(
            contributor=self.person, way=Submission.Way.API, rows=rows, note=wishes.cleaned_data["note"]
        )
        return partial(self.create, store, wishes)

    @transaction.atomic
    def create(self, store: Callable[[], Submission], wishes: CreationForm) -> Answer:
        began = timezone.now()
        submission = store()
        is_new = submission.created_at >= began
        if wishes.wants("submit") and submission.is_open:
            require_place(self.person, self.token)
            submission = submit(submission=submission, version=submission.version, actor=self.person)
        body = describe(submission, self.request)
        return Answer(201 if is_new else 200, body)


def require_good_rows(rows: Sequence[SubmittedRow]) -> None:
    """Refuse with 422 where rows to be submitted at once are refused."""
    refused = documents.refused_rows(rows)
    if refused:
        message = "Rows are refused, and nothing was stored. Without submit the good ones would be kept as a draft."
        raise Refusal(422, message, refused)


class ChangingView(PrivateView):
    """A view that changes a submission."""

    def step(self, submission: Submission) -> dict[str, Any]:
        """Return the arguments of every change: the submission, the version that it is made on, and who makes it."""
        return {"submission": submission, "version": version_of(self.request, submission), "actor": self.person}


class SubmissionDetail(ChangingView):
    """One submission with its rows."""

    @reads_own("get_submission", SUBMISSION, query=SubmissionForm)
    def get(self, request: Request, id: uuid.UUID) -> HttpResponse:
        """A submission of yours, or with the scope `review` one you may check: its state, and what each row became."""
        submission = self.with_scope(access.get_visible_submission(id, self.person))
        query = self.asked(SubmissionForm)
        chosen = query.cleaned_data["outcome"]
        choices = {"outcome": SubmittedRow.Outcome[chosen.upper()]} if chosen else {}
        return respond(Answer(200, describe(submission, request, query.window, **choices)))

    @writes("delete_submission", deletes=True)
    def delete(self, request: Request, id: uuid.UUID) -> HttpResponse:
        """Delete a draft, or what was returned to you, with all its rows."""
        step = self.step(access.get_own_submission(id, self.person))

        def act() -> Answer:
            delete_draft(**step)
            return Answer(204, None)

        return self.answered(b"", lambda: act)


class Rows(ChangingView):
    """Rows of a submission, to be changed by its contributor while it is open, by reviewers while it waits."""

    def editable(self, request: Request, id: uuid.UUID) -> tuple[Submission, dict[str, Any]]:
        """Return the submission, and the arguments of every change of it."""
        submission = self.with_scope(access.get_editable_submission(id, self.person))
        return submission, self.step(submission)

    def changed(
        self, content: bytes, submission: Submission, change: Callable[[], Submission], **choices: Any
    ) -> HttpResponse:
        """Answer with the submission after a change and a check of all its rows, with the rows of this choice."""

        def prepare() -> Callable[[], Answer]:
            return lambda: Answer(200, describe(change(), self.request, **choices))

        return self.answered(content, prepare, n_rows=submission.rows.count())


class SubmissionRows(Rows):
    @writes("add_rows", query=BodyForm, body="rows")
    def post(self, request: Request, id: uuid.UUID) -> HttpResponse:
        """Add rows behind the others."""
        submission, step = self.editable(request, id)
        content = read_bytes(request)

        def prepare() -> Callable[[], Answer]:
            rows = read_rows(request, content, self.asked(BodyForm)).rows
            spend("draft rows: account", self.person.pk, len(rows))
            return lambda: Answer(200, describe(drafting.add_rows(rows=rows, **step), request))

        return self.answered(content, prepare, n_rows=submission.rows.count() + weigh(content))


class SubmissionRow(Rows):
    """One row of a submission, by its line."""

    @writes("update_row", body="cells")
    def patch(self, request: Request, id: uuid.UUID, line: int) -> HttpResponse:
        """Change the cells that are named, and leave the others; null empties a cell. Answers the row alone."""
        submission, step = self.editable(request, id)
        row = access.get_row(submission, line)
        content = read_bytes(request)
        cells = row.cells | read_cells(request, content, line)
        return self.changed(
            content, submission, partial(drafting.update_row, line=line, cells=cells, **step), line=line
        )

    @writes("remove_row")
    def delete(self, request: Request, id: uuid.UUID, line: int) -> HttpResponse:
        """Remove a row; one at least stays."""
        submission, step = self.editable(request, id)
        access.get_row(submission, line)
        return self.changed(b"", submission, partial(drafting.remove_rows, lines=[line], **step))


class SubmissionSubmit(ChangingView):
    @writes("submit_submission", query=SubmitForm)
    def post(self, request: Request, id: uuid.UUID) -> HttpResponse:
        """Hand a draft in for review. Refused rows keep it back, unless `drop_refused` in the address leaves them out;
        there is no body."""
        submission = access.get_own_submission(id, self.person)
        step = self.step(submission)
        require_no_body(request)
        drop_refused = self.query.cleaned_data["drop_refused"] == "true"

        @transaction.atomic
        def act() -> Answer:
            # What a reviewer asked for takes no place from others.
            if submission.state != Submission.State.RETURNED:
                require_place(self.person, self.token)
            return Answer(200, describe(submit(drop_refused=drop_refused, **step), request))

        return self.answered(b"", lambda: act)


class SubmissionDecision(ChangingView):
    @writes("decide_submission", body="decision")
    def post(self, request: Request, id: uuid.UUID) -> HttpResponse:
        """Publish, return or refuse what somebody else submitted, with a token of the scope `review`. To return or
        refuse takes a reason, which the contributor reads; with what is published it is public. `part` publishes the
        rows of these lines alone; the rest stays in review, with the reason as a comment."""
        require_scope(request, ApiToken.Scope.REVIEW)
        submission = access.get_reviewable_submission(id, self.person)
        step = self.step(submission)
        content = read_bytes(request)
        sent = sent_as(content, request, SentDecision)

        def act() -> Answer:
            more: dict[str, Any] = {"confirmed_rows": sent.confirmed_rows} if sent.decision in (PUBLISH, PART) else {}
            done = decide(decision=sent.decision, reason=sent.reason, lines=sent.lines, **step, **more)
            return Answer(200, describe(done, request))

        return self.answered(content, lambda: act, n_rows=submission.rows.count())


class SubmissionTakeBack(ChangingView):
    @writes("take_back_submission")
    def post(self, request: Request, id: uuid.UUID) -> HttpResponse:
        """Take back what nobody has begun to review; it is a draft again."""
        step = self.step(access.get_own_submission(id, self.person))
        require_no_body(request)
        return self.answered(b"", lambda: lambda: Answer(200, describe(take_back(**step), request)))
