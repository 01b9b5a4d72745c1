"""Pages of reviewers: the queue, and one submission to review and decide on."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from registry.accounts.access import is_editor, require_contributor, sign_in_first
from registry.accounts.models import User
from registry.core.forms import asked
from registry.core.messages import say
from registry.core.views import may_post
from registry.results.services.endings import MassChange
from registry.submissions import access, forms
from registry.submissions.access import charge
from registry.submissions.documents import group_by_source, read_related
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.queries import published_entry
from registry.submissions.services import reviewing
from registry.submissions.services.changing import Conflict, RowsRefused, WrongState
from registry.submissions.views.submissions import about, rows_shown

SUBMISSIONS_PER_PAGE = 50
ROWS_PER_PAGE = 50
#: Rows of each submission in the list of what waits.
ROWS_SHOWN = 4
_FIRST_ROWS: str = "first_rows"


@sign_in_first
@may_post
def submission_queue(request: HttpRequest) -> HttpResponse:
    """Show waiting or decided submissions, by source; decide on several at once, or undo that."""
    reviewer = access.require_reviewer(request.user)
    if request.method == "POST":
        return _decide_all(request, reviewer)
    return _queue_page(request, reviewer, forms.ManyForm())


def _queue_page(request: HttpRequest, reviewer: User, many: forms.ManyForm) -> HttpResponse:
    form = asked(forms.QueueForm(request.GET))
    rules = form.by_rule(form.narrow(access.reviewable_by(reviewer)))
    counts = {rule: proposed.count() for rule, proposed in rules.items()}
    rows = SubmittedRow.objects.order_by("line").prefetch_related("signals")[:ROWS_SHOWN]
    first_rows = Prefetch("rows", rows, to_attr=_FIRST_ROWS)
    submissions = rules[form.cleaned_data["rule"]].select_related("contributor", "decided_by").with_counts()
    page = form.cut(submissions.prefetch_related(first_rows), SUBMISSIONS_PER_PAGE)
    shown = [submission.pk for submission in page]
    own = {submission.pk for submission in page if not access.may_review(submission, reviewer)}
    proposed = [rules[rule].filter(pk__in=shown).values_list("pk", flat=True) for rule in forms.PROPOSING]
    context = {
        "form": form,
        "many": many,
        "page": page,
        "groups": group_by_source(page),
        "chips": [(rule, label, counts[rule]) for rule, label in forms.RULES],
        "lead": say("queue-lead", n=counts[""], clear=counts[forms.CLEAR]),
        "safe": {pk for pks in proposed for pk in pks} - own,
        "own": own,
        "last": reviewing.last_decided(reviewer),
        "query": form.query,
    }
    return render(request, "submissions/submission_queue.html", context)


def _decide_all(request: HttpRequest, reviewer: User) -> HttpResponse:
    many = forms.ManyForm(request.POST)
    if not many.is_valid():
        return _queue_page(request, reviewer, many)
    cleaned = many.cleaned_data
    try:
        if cleaned["undo"]:
            last = reviewing.last_decided(reviewer)
            if last is None or last.pk != cleaned["undo"]:
                raise ValidationError(say("settle-nothing"), code="nothing")
            changed = reviewing.undo_decided(
                entry=last, actor=reviewer, reason=cleaned["reason"], confirmed_rows=cleaned["confirmed_rows"]
            )
            messages.success(request, say("queue-undone", n=len(changed)))
        else:
            versions = many.versions
            waiting = access.reviewable_by(reviewer).pending().filter(pk__in=versions)
            waiting = waiting.select_related("contributor").with_counts()
            theirs = [submission for submission in waiting if access.may_review(submission, reviewer)]
            charge(request, sum(submission.n_rows for submission in theirs))
            chosen = [(submission, versions[submission.pk]) for submission in theirs]
            decided = reviewing.decide_all(
                chosen=chosen,
                decision=cleaned["decision"],
                actor=reviewer,
                reason=cleaned["reason"],
                rule=request.GET.get("rule", "")[:20],
            )
            messages.success(request, say("queue-done", n=len(decided.done), decision=cleaned["decision"]))
            for submission, why in decided.left:
                messages.error(request, say("queue-left", name=str(submission), why=why))
    except (ValidationError, MassChange) as error:
        many.add_refusal(error)
        return _queue_page(request, reviewer, many)
    return redirect(request.get_full_path())


@about(access.get_reviewable_submission, may_post)
def submission_review(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Show a submission to its reviewers, with its rows beside the record and their signals, and decide on it."""
    data = request.POST if request.method == "POST" else None
    form = forms.DecisionForm(data, submission=submission, initial={"version": submission.version})
    if not form.is_valid():
        return _review_page(request, submission, form)
    try:
        decided = reviewing.decide(submission=submission, actor=user, **form.cleaned_data)
    except (Conflict, WrongState) as error:
        return _refused(request, error.submission, error)
    except RowsRefused as error:
        reviewing.check_again(submission=submission, version=form.cleaned_data["version"])
        return _refused(request, submission, error)
    except (ValidationError, MassChange) as error:
        form.add_refusal(error)
        return _review_page(request, submission, form)
    messages.success(request, _DONE[Submission.State(decided.state)])
    if decided.is_pending:
        return redirect("submissions:submission-review", decided.pk)
    return redirect("submissions:submission-queue")


_DONE = {
    Submission.State.IN_REVIEW: say("part-done"),
    Submission.State.PUBLISHED: "It is published.",
    Submission.State.RETURNED: say("is-back"),
    Submission.State.REFUSED: "It is refused.",
}


def _refused(request: HttpRequest, submission: Submission, why: Exception) -> HttpResponse:
    """Show the page as it is now, with why nothing was done; what was typed stays."""
    typed = {"version": submission.version, "reason": request.POST.get("reason", "")}
    typed |= {"lines": request.POST.getlist("lines")}
    form = forms.DecisionForm(submission=submission, initial=typed)
    return _review_page(request, submission, form, why=why, status=409)


def _review_page(
    request: HttpRequest,
    submission: Submission,
    form: forms.DecisionForm,
    *,
    why: Exception | None = None,
    status: int = 200,
) -> HttpResponse:
    reviewer = require_contributor(request.user)
    context = rows_shown(request, submission, ROWS_PER_PAGE)
    related = read_related(context["page"])
    context |= {
        "rows": [(shown, related.get(shown.row.line, ())) for shown in context["rows"]],
        "form": form,
        "chosen": form["lines"].value() or (),
        "why": why,
        "may_edit": access.may_edit(submission, reviewer),
        "entry": published_entry(submission),
        "may_undo": is_editor(reviewer),
    }
    return render(request, "submissions/submission_review.html", context, status=status)


@about(access.get_reviewable_submission, require_POST)
def review_start(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Begin to review a submission: its contributor cannot take it back any more, and its rows are checked again."""
    form = forms.VersionForm(request.POST)
    if form.is_valid():
        try:
            reviewing.start_review(submission=submission, version=form.cleaned_data["version"], actor=user)
        except (Conflict, WrongState) as error:
            messages.error(request, str(error))
    return redirect("submissions:submission-review", submission.pk)
