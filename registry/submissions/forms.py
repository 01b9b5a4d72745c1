"""What people fill in to hand results in, and what reviewers ask for and decide."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from analysis.readers.rejections import Refused
from analysis.readers.tables import decode
from registry.catalog.models import Collection
from registry.catalog.queries import CatalogNames
from registry.core.forms import CleanTextField, PageForm, QueryForm
from registry.results.forms import WithConfirmation
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.queries import KINDS
from registry.submissions.querysets import SubmissionQuerySet, SubmittedRowQuerySet

#: Of a text; a file that is larger than a form may be is refused before it is read.
MAX_CHARACTERS = 2_000_000
_WITHOUT_SUBJECT = ("is ", "has ", "contains ", "says ", "names ", "stacks ", "carries ")


def as_sentence(message: str) -> str:
    """A rejection's message as it stands below a field."""
    text = f"this {message}" if message.startswith(_WITHOUT_SUBJECT) else message
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(("?", ".")) else ".")


class WithFile(forms.Form):
    """Takes a text as a file as well."""

    #: What is said of a file that is larger than a form may be.
    TOO_LONG = ""

    def clean_file(self) -> str:
        file: Any = self.cleaned_data["file"]
        if not file:
            return ""
        if (file.size or 0) > MAX_CHARACTERS:
            raise ValidationError(self.TOO_LONG, code="too_long")
        try:
            return decode(file.read())
        except Refused as refused:
            raise ValidationError(as_sentence(refused.message), code=refused.code) from refused


class WithNote(forms.Form):
    """A note on a submission as a whole, behind what its rows say."""

    note = CleanTextField(
        label="Note to the reviewer",
        help_text="Read by those who check it, and by nobody else.",
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def order_fields(self, field_order: Iterable[str] | None) -> None:
        super().order_fields(field_order or [name for name in self.fields if name != "note"])


class RowListForm(PageForm):
    """Which rows of a submission."""

    outcome = forms.ChoiceField(choices=[(value, label) for value, label in SubmittedRow.Outcome.choices if value])
    warnings = forms.ChoiceField(choices=[("yes", "those to look at")])

    def narrow(self, rows: SubmittedRowQuerySet) -> SubmittedRowQuerySet:
        """Those of the rows that a valid form asks for."""
        if self.cleaned_data["outcome"]:
            rows = rows.filter(outcome=self.cleaned_data["outcome"])
        return rows.warned() if self.cleaned_data["warnings"] else rows

    @property
    def address(self) -> dict[str, str]:
        """The choices with the page, as the address writes them."""
        return {name: str(value) for name, value in self.cleaned_data.items() if value}


class VersionForm(forms.Form):
    """The version of the submission that somebody acts on."""

    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class SubmitForm(VersionForm):
    """Whether what is refused is left out."""

    drop_refused = forms.BooleanField(required=False)


class RemovalForm(VersionForm):
    """Rows that are to go: those that are chosen, or all that are refused."""

    lines = forms.TypedMultipleChoiceField(coerce=int, required=False)
    all_refused = forms.BooleanField(required=False)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        given = [text for text in data.getlist("lines") if text.isascii() and text.isdigit() and len(text) < 9]
        lines = self.fields["lines"]
        assert isinstance(lines, forms.ChoiceField)
        lines.choices = [(text, text) for text in given]

    def clean(self) -> dict[str, Any]:
        super().clean()
        given = self.cleaned_data
        if not given.get("lines") and not given.get("all_refused"):
            raise ValidationError("Choose the rows first.", code="required")
        return given


class PresetForm(QueryForm):
    """What a link to the form may fill in."""

    collection = forms.CharField(max_length=200)
    measure = forms.CharField(max_length=100)
    system = forms.CharField(max_length=300)


class SuggestionForm(QueryForm):
    """What is being typed."""

    needs = frozenset({"kind"})
    kind = forms.ChoiceField(choices=[(kind, kind) for kind in KINDS])
    q = forms.CharField(max_length=300)
    collection = forms.CharField(max_length=200)


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
            (self.PUBLISH, _publishing(submission)),
            (self.RETURN, "Return it to its contributor, to be changed"),
            (self.REFUSE, "Refuse it for good"),
        ]
        n_same = submission.rows.second_readings(submission.contributor).count()
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
    return "Publish the row" if n_rows == 1 else f"Publish all {n_rows:,} rows"


class CommentForm(forms.Form):
    """Something to say about a submission."""

    text = CleanTextField(
        label="Comment",
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Read by the contributor and the reviewers, and by nobody else.",
    )
