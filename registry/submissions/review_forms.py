"""What reviewers ask for and decide, and what is said about submissions."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from analysis.readers.rejections import Refused
from registry.catalog.models import Collection
from registry.catalog.queries import CatalogNames
from registry.core.forms import CleanTextField, PageForm
from registry.results.forms import WithConfirmation
from registry.submissions.forms import VersionForm, as_sentence
from registry.submissions.models import Submission
from registry.submissions.querysets import SubmissionQuerySet

State = Submission.State


class QueueForm(PageForm):
    """Which submissions; those that wait for a decision, unless another state is asked for."""

    state = forms.ChoiceField(
        choices=[("", "waiting"), *((state.value, state.label) for state in State if state != State.DRAFT)]
    )
    way = forms.ChoiceField(choices=[("", "any"), *Submission.Way.choices], label="Came by")
    warnings = forms.ChoiceField(
        choices=[("", "with or without"), ("yes", "with warnings"), ("no", "without warnings")]
    )
    collection = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"type": "search"}))

    def clean_collection(self) -> Collection | None:
        name = self.cleaned_data["collection"]
        try:
            return CatalogNames().collection(name) if name else None
        except Refused as refused:
            raise ValidationError(as_sentence(refused.message), code=refused.code) from refused

    def narrow(self, submissions: SubmissionQuerySet) -> SubmissionQuerySet:
        """Those that a valid form asks for: what waits the oldest first, what is decided the newest first."""
        given: dict[str, Any] = self.cleaned_data
        if given["state"]:
            submissions = submissions.filter(state=given["state"]).order_by("-decided_at", "submitted_at", "pk")
        else:
            submissions = submissions.pending()
        if given["way"]:
            submissions = submissions.filter(way=given["way"])
        if given["collection"]:
            submissions = submissions.on(given["collection"])
        warned = submissions.with_warnings()
        if given["warnings"] == "no":
            return submissions.exclude(pk__in=warned.order_by().values("pk"))
        return warned if given["warnings"] else submissions


class DecisionForm(WithConfirmation, VersionForm):
    """What becomes of a submission."""

    PUBLISH, RETURN, REFUSE = "publish", "return", "refuse"

    decision = forms.ChoiceField(widget=forms.RadioSelect)
    reason = CleanTextField(
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Needed to return or refuse it: its contributor reads it. With what is published, everybody can.",
    )
    count_same = forms.BooleanField(
        required=False, help_text="Only if the contributor read the source: provenance rises to double-checked."
    )
    field_order = ["decision", "count_same", "reason", "confirmed_rows"]

    def __init__(self, *args: Any, submission: Submission, **options: Any) -> None:
        super().__init__(*args, **options)
        decision = self.fields["decision"]
        assert isinstance(decision, forms.ChoiceField)
        decision.choices = [
            *([] if submission.state == State.ACCEPTED else [(self.PUBLISH, _publishing(submission))]),
            (self.RETURN, "Return it to its contributor, to be changed"),
            (self.REFUSE, "Refuse it for good"),
        ]
        n_same = 0 if submission.is_embargoed else submission.rows.second_readings(submission.contributor).count()
        if n_same:
            stand = "row that stands already" if n_same == 1 else f"{n_same:,} rows that stand already"
            self.fields["count_same"].label = f"When published, count the {stand} as read a second time"
        else:
            del self.fields["count_same"]

    def clean(self) -> dict[str, Any]:
        super().clean()
        given = self.cleaned_data
        if given.get("decision") in (self.RETURN, self.REFUSE) and not given.get("reason"):
            self.add_error("reason", ValidationError("Say why: its contributor reads it.", code="required"))
        return given


def _publishing(submission: Submission) -> str:
    n_rows = submission.rows.count()
    until = f", when the embargo is over on {submission.embargo_until:%-d %B %Y}" if submission.is_embargoed else ""
    return ("Publish the row" if n_rows == 1 else f"Publish all {n_rows:,} rows") + until


class UnmaskingForm(forms.Form):
    """Why an administrator must know who handed something in."""

    reason = CleanTextField(
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Stands in the public log under your name, with the contributor's names left out, and the "
        "contributor is told. Say nothing in it of what was handed in.",
    )


class CommentForm(forms.Form):
    """Something to say about a submission."""

    text = CleanTextField(
        label="Comment",
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Read by the contributor and the reviewers, and by nobody else.",
    )


class UpdateForm(WithConfirmation):
    """Whether what a source prints anew is taken over."""

    APPLY, DROP = "apply", "drop"

    decision = forms.ChoiceField(choices=[(APPLY, "Take it over"), (DROP, "Leave it")])
