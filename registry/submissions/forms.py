"""Forms about submissions: choosing and changing their rows, the queue, decisions and comments."""

import re
import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.safestring import SafeString

from analysis.readers.rejections import Refused
from registry.catalog.models import Collection
from registry.catalog.queries import find_collection
from registry.core.forms import CleanTextField, PageForm, QueryForm
from registry.core.messages import say
from registry.results.forms import WithConfirmation
from registry.results.models import Result
from registry.results.pipeline.rows import MAX_NAME_LENGTH
from registry.submissions.models import Submission, SubmissionQuerySet, SubmittedRow, SubmittedRowQuerySet
from registry.submissions.pipeline.matching import DraftSystem, settle
from registry.submissions.pipeline.systems import KnownSystems
from registry.submissions.queries import KINDS, find_agreeing, find_cited
from registry.submissions.services.reviewing import PART, PUBLISH, REFUSE, RETURN

#: The most of a text; a larger file is refused before it is read.
MAX_CHARACTERS = 2_000_000
_WITHOUT_SUBJECT = ("is ", "has ", "contains ", "says ", "names ", "stacks ", "carries ")


def as_sentence(message: str) -> str:
    """Return the message of a rejection as a sentence below a field."""
    text = f"this {message}" if message.startswith(_WITHOUT_SUBJECT) else message
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(("?", ".")) else ".")


class RowListForm(PageForm):
    """Narrows down the rows of a submission."""

    outcome = forms.ChoiceField(choices=[(value, label) for value, label in SubmittedRow.Outcome.choices if value])
    warnings = forms.ChoiceField(choices=[("yes", "those to look at")])

    def narrow(self, rows: SubmittedRowQuerySet) -> SubmittedRowQuerySet:
        """Return the rows that a valid form asks for."""
        if self.cleaned_data["outcome"]:
            rows = rows.filter(outcome=self.cleaned_data["outcome"])
        return rows.warned() if self.cleaned_data["warnings"] else rows


class VersionForm(forms.Form):
    """The version of the submission that somebody acts on."""

    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class SubmitForm(VersionForm):
    """Hands a submission in, perhaps without its refused rows."""

    drop_refused = forms.BooleanField(required=False)


class _Ticked(forms.MultipleHiddenInput):
    """Reads boxes that stand elsewhere on the page, beside the rows."""

    def render(self, *_: Any, **__: Any) -> SafeString:
        return SafeString()


class _TextsField(forms.TypedMultipleChoiceField):
    """Ticked boxes whose texts match a pattern; the view decides which of the things that they name are there."""

    def __init__(self, pattern: str, **options: Any) -> None:
        self.pattern = re.compile(pattern)
        super().__init__(required=False, **options)

    def valid_value(self, value: str) -> bool:
        return bool(self.pattern.fullmatch(value))


class RemovalForm(VersionForm):
    """The rows to remove: chosen ones, or all that are refused."""

    lines = _TextsField("[0-9]{1,8}", coerce=int)
    all_refused = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        if not cleaned.get("lines") and not cleaned.get("all_refused"):
            raise ValidationError(say("submit-choose-rows"), code="required")
        return cleaned


class PresetForm(QueryForm):
    """The fields that a link to the form may fill in."""

    collection = forms.CharField(max_length=200)
    measure = forms.CharField(max_length=100)
    system = forms.CharField(max_length=300)
    team = forms.CharField(max_length=200)
    role = forms.ChoiceField(choices=Result.Role.choices)


class SuggestionForm(QueryForm):
    """The text that is being typed, and what kind of name it is."""

    needs = frozenset({"kind"})
    kind = forms.ChoiceField(choices=[(kind, kind) for kind in KINDS])
    q = forms.CharField(max_length=300)
    collection = forms.CharField(max_length=200)


State = Submission.State
#: Rules that propose submissions to accept together: nothing is odd; a second reader agrees; the cited line has it.
CLEAR, AGREED, CITED = "clear", "agreed", "cited"
PROPOSING = (CLEAR, AGREED, CITED)
RULES = [
    ("", "All"),
    (CLEAR, "No question"),
    (AGREED, "Second reader agrees"),
    (CITED, "Same line on record"),
    ("differs", "Differs"),
    ("warned", "To look at"),
]


class QueueForm(PageForm):
    """Narrows down the queue: to what waits for a decision, unless another state is asked for."""

    state = forms.ChoiceField(
        choices=[("", "waiting"), *((state.value, state.label) for state in State if state != State.DRAFT)]
    )
    way = forms.ChoiceField(choices=[("", "any"), *Submission.Way.choices], label="Came by")
    rule = forms.ChoiceField(choices=RULES)
    collection = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"type": "search"}))

    def clean_collection(self) -> Collection | None:
        name = self.cleaned_data["collection"]
        try:
            return find_collection(name) if name else None
        except Refused as refused:
            raise ValidationError(as_sentence(refused.message), code=refused.code) from refused

    def narrow(self, submissions: SubmissionQuerySet) -> SubmissionQuerySet:
        """Return the submissions that a valid form asks for: waiting ones oldest first, decided ones newest first."""
        cleaned: dict[str, Any] = self.cleaned_data
        if cleaned["state"]:
            submissions = submissions.filter(state=cleaned["state"]).order_by("-decided_at", "submitted_at", "pk")
        else:
            submissions = submissions.pending()
        if cleaned["way"]:
            submissions = submissions.filter(way=cleaned["way"])
        if cleaned["collection"]:
            submissions = submissions.on(cleaned["collection"])
        return submissions

    def by_rule(self, submissions: SubmissionQuerySet) -> dict[str, SubmissionQuerySet]:
        """Return the submissions that each rule proposes, by its name; under the blank name all."""
        pending = submissions.filter(state__in=Submission.PENDING)
        return {
            "": submissions,
            CLEAR: submissions.without_question(),
            AGREED: submissions.filter(pk__in=find_agreeing(pending)),
            CITED: submissions.filter(pk__in=find_cited(pending)),
            "differs": submissions.differing(),
            "warned": submissions.with_warnings(),
        }


class DecisionForm(WithConfirmation, VersionForm):
    """The decision on a submission."""

    decision = forms.ChoiceField(widget=forms.RadioSelect)
    reason = CleanTextField(
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Needed to return or reject it. Public once published.",
    )
    lines = forms.TypedMultipleChoiceField(coerce=int, required=False, widget=_Ticked)
    count_same = forms.BooleanField(
        required=False, help_text="Only if the contributor read the source: it becomes double-checked."
    )
    field_order = ["decision", "count_same", "reason", "confirmed_rows"]

    def __init__(self, *args: Any, submission: Submission, **options: Any) -> None:
        super().__init__(*args, **options)
        decision, lines = self.fields["decision"], self.fields["lines"]
        assert isinstance(decision, forms.ChoiceField)
        assert isinstance(lines, forms.ChoiceField)
        lines.choices = [(line, line) for line in submission.rows.values_list("line", flat=True)]
        decision.choices = [
            (PUBLISH, say("decide-publish", n=len(lines.choices))),
            *([(PART, say("decide-part"))] if len(lines.choices) > 1 else []),
            (RETURN, say("decide-return")),
            (REFUSE, say("decide-reject")),
        ]
        n_same = submission.rows.second_readings(submission.contributor).count()
        if n_same:
            self.fields["count_same"].label = say("decide-count-same", n=n_same)
        else:
            del self.fields["count_same"]

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        if cleaned.get("decision") in (RETURN, REFUSE) and not cleaned.get("reason"):
            self.add_error("reason", ValidationError(say("decide-reason"), code="required"))
        return cleaned


class ManyForm(WithConfirmation):
    """A decision on several submissions, each in the version that was seen; or its undoing."""

    decision = forms.ChoiceField(choices=[(name, name) for name in (PUBLISH, RETURN, REFUSE)], required=False)
    #: Submissions, each with the version that was seen.
    chosen = _TextsField("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9]{1,9}")
    undo = forms.IntegerField(required=False)
    reason = CleanTextField(max_length=5000, required=False)

    @property
    def versions(self) -> dict[uuid.UUID, int]:
        """The versions of a valid form, by submission."""
        pairs = (text.split(":") for text in self.cleaned_data["chosen"])
        return {uuid.UUID(pk): int(version) for pk, version in pairs}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("undo") and not (cleaned.get("decision") and cleaned.get("chosen")):
            raise ValidationError(say("queue-choose"), code="required")
        return cleaned


class CommentForm(forms.Form):
    """A comment on a submission."""

    text = CleanTextField(
        label="Comment",
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Only the contributor and curators see this.",
    )


#: Of a system that is left out.
OUT = "out"
_ROLES = [(str(Result.Role.PROPOSED), "Mine"), (str(Result.Role.BASELINE), "A baseline"), (OUT, "Leave out")]


class SettlingForm(VersionForm):
    """A role and a name for each system of a page, with those that names and scores propose filled in."""

    def __init__(self, systems: Sequence[DraftSystem], data: Any = None, *, role: str = "", **options: Any) -> None:
        super().__init__(data, **options)
        self._systems = systems
        for system in systems:
            roles = _ROLES if system.role in dict(_ROLES) else [(system.role, Result.Role(system.role).label), *_ROLES]
            self.fields[f"role-{system.number}"] = forms.ChoiceField(
                choices=roles, initial=role or system.role, widget=forms.RadioSelect, label=f"{system.name} is"
            )
            name = system.proposed.label if system.proposed else "" if system.needs_name else system.name
            self.fields[f"known-{system.number}"] = forms.CharField(
                initial=name, required=False, max_length=MAX_NAME_LENGTH, label=f"Known system for {system.name}"
            )

    @property
    def systems(self) -> list[tuple[DraftSystem, forms.BoundField, forms.BoundField]]:
        """Return each system with its fields."""
        return [(system, self[f"role-{system.number}"], self[f"known-{system.number}"]) for system in self._systems]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        known = KnownSystems()
        self.changes: dict[int, dict[str, str] | None] = {}
        for system in self._systems:
            role, name = cleaned.get(f"role-{system.number}"), cleaned.get(f"known-{system.number}", "").strip()
            field = f"known-{system.number}"
            if role is None or self.has_error(field):
                continue
            try:
                if role != OUT and not name:
                    raise Refused("required", say("settle-needed"))
                cells = None if role == OUT else settle(system, name, known) | {"role": role}
            except Refused as refused:
                self.add_error(field, ValidationError(as_sentence(refused.message), code=refused.code))
            else:
                self.changes |= {row.line: cells for row in system.rows}
        return cleaned
