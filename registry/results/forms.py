"""Forms for reading the public log and for correcting the record, and the page of a form about one thing."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from analysis.readers.numbers import parse_date, parse_year
from analysis.readers.rejections import Refused
from registry.accounts.access import sign_in_first
from registry.catalog.pipeline import parse_count
from registry.core.forms import AsOfForm, CleanTextField, DayField, PageForm, invalid
from registry.core.views import may_post
from registry.journal.models import EntryQuerySet
from registry.results.models import CONTENT, CorrectionRequest, Paper, Result, System
from registry.results.services.endings import MassChange

Parsed = TypeVar("Parsed")

#: The last part of an address of a page.
_SLUG, _NUMBER = re.compile(r"[\w.-]{1,120}"), re.compile(r"[0-9]{1,18}")


class AsOfPageForm(PageForm, AsOfForm):
    """The page of a list, today or on an earlier day."""


class LogForm(PageForm):
    """The entries of the log that a reader asks for."""

    action = forms.CharField(max_length=60, help_text="How the action begins: results.result, or one in full.")
    actor = forms.CharField(max_length=150, help_text="A user name, or registry for the site itself.")
    since = DayField(help_text="The first day (UTC).")
    until = DayField(help_text="The last day (UTC).")

    def narrow(self, entries: EntryQuerySet) -> EntryQuerySet:
        """Return those of the entries that a valid form asks for."""
        given: dict[str, Any] = self.cleaned_data
        entries = entries.between(given["since"], given["until"])
        if given["actor"]:
            entries = entries.by(given["actor"])
        return entries.filter(action__startswith=given["action"])


class WithRefusals(forms.Form):
    """Shows why a service did not do it, beside the field that it is about."""

    def add_refusal(self, error: ValidationError | MassChange) -> None:
        if isinstance(error, MassChange):
            self.add_error(None, str(error))
            return
        by_field = error.message_dict if hasattr(error, "error_dict") else {None: error.messages}
        for name, problems in by_field.items():
            for problem in problems:
                self.add_error(name if name in self.fields else None, problem)


class WithConfirmation(WithRefusals):
    """Asks for the number of results, where a change makes too many at once."""

    confirmed_rows = forms.IntegerField(required=False, label="Number of results", widget=forms.HiddenInput)

    def add_refusal(self, error: ValidationError | MassChange) -> None:
        """Show why the service did not do it, beside the field that it is about."""
        if isinstance(error, MassChange):
            self.fields["confirmed_rows"].widget = forms.NumberInput(attrs={"autocomplete": "off"})
            self.add_error("confirmed_rows", ValidationError(str(error), code="mass_change"))
        else:
            super().add_refusal(error)


class ReasonForm(WithRefusals):
    """Why, behind what is done; everybody can read it."""

    reason = CleanTextField(
        max_length=2000, widget=forms.Textarea(attrs={"rows": 3}), help_text="Everybody can read this in the log."
    )

    def order_fields(self, field_order: Iterable[str] | None) -> None:
        last = ("reason", "confirmed_rows")
        super().order_fields(field_order or [*(name for name in self.fields if name not in last), *last])


class ChangeForm(ReasonForm, WithConfirmation):
    """The reason of a change of results, with the confirmation of a large change."""


#: What a reported score may be in, in words.
UNITS = [("", "on the scale of its measure, as 0.7559"), (Result.Unit.PERCENT.value, "in percent, as 75.59")]


def _unit_field() -> forms.ChoiceField:
    return forms.ChoiceField(choices=UNITS, required=False, label="The score is")


class ConfirmForm(WithConfirmation):
    """The score, read again."""

    printed = forms.CharField(
        max_length=40,
        label="Score as the paper reports it",
        help_text="Digits and all, from the paper itself. Your name will stand beside it in the log.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    unit = _unit_field()


class CorrectionForm(ReasonForm):
    """A request to correct a result, or a dispute."""

    kind = forms.ChoiceField(
        choices=[
            (CorrectionRequest.Kind.CORRECT, "The paper reports another score"),
            (CorrectionRequest.Kind.DISPUTE, "I dispute the score"),
        ],
        widget=forms.RadioSelect,
        label="What is wrong",
    )
    proposed_printed = forms.CharField(
        max_length=40, required=False, label="Score as the paper reports it", help_text="May stay blank for a dispute."
    )
    proposed_unit = _unit_field()


class DecisionForm(ChangeForm):
    """The decision on a request."""

    decision = forms.ChoiceField(
        choices=[("correct", "Record another score"), ("withdraw", "Withdraw the result"), ("decline", "Decline")],
        widget=forms.RadioSelect,
    )
    printed = forms.CharField(max_length=40, required=False, label="Score to record")
    unit = _unit_field()

    def clean(self) -> dict[str, Any]:
        super().clean()
        answers = self.cleaned_data
        if answers.get("decision") == "correct" and not answers.get("printed", "").strip():
            self.add_error("printed", ValidationError("Say which score is recorded.", code="required"))
        return answers


if TYPE_CHECKING:
    _ResultForm = forms.ModelForm[Result]
    _PaperForm = forms.ModelForm[Paper]
else:
    _ResultForm = _PaperForm = forms.ModelForm


class SupersedeForm(ChangeForm, _ResultForm):
    """The content of a result, corrected; its provenance is not for editors to change."""

    field_order = ["reason", "confirmed_rows"]

    class Meta:
        model = Result
        fields = tuple(name for name in CONTENT if name != "provenance")
        labels = {
            "printed": "Score as reported",
            "unit": "The score is",
            "n_topics_here": "Number of topics",
            "is_self_reported": "Self-reported",
            "dataset_revision": "Revision of the data set",
            "locator": "Where in the source",
        }
        help_texts = {"printed": "All digits, as the source reports them.", "unit": ""}
        widgets = {"notes": forms.Textarea(attrs={"rows": 3}), "date": forms.DateInput(attrs={"type": "date"})}
        field_classes = {"locator": CleanTextField, "notes": CleanTextField}

    def clean_year(self) -> int | None:
        return self._as_files_have_it("year", partial(parse_year, today=date.today()))

    def clean_date(self) -> date | None:
        return self._as_files_have_it("date", partial(parse_date, today=date.today()))

    def clean_n_topics_here(self) -> int | None:
        return self._as_files_have_it("n_topics_here", parse_count)

    def _as_files_have_it(self, name: str, parse: Callable[[str], Parsed]) -> Parsed:
        value = self.cleaned_data[name]
        try:
            return parse("" if value is None else str(value))
        except Refused as refused:
            raise invalid(refused) from refused

    @property
    def changes(self) -> dict[str, Any]:
        """The fields that a valid form changes."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields if name in self.changed_data}


class PageField(forms.ModelChoiceField):  # type: ignore[type-arg]  # at run time it takes none
    """A system or paper by the address of its page, the last part of that, or the number that stood there once."""

    default_error_messages = {"invalid_choice": "Nothing that it can be merged into has this address: %(value)s"}
    widget = forms.TextInput

    def to_python(self, value: object) -> Any:
        key = str(value or "").strip().rstrip("/").rpartition("/")[2]
        if not key:
            return None
        named = {"pk": int(key)} if _NUMBER.fullmatch(key) else {"slug": key}  # No slug is a number.
        thing = self.queryset.filter(**named).first() if self.queryset is not None and _SLUG.fullmatch(key) else None
        if thing is None:
            raise ValidationError(self.error_messages["invalid_choice"], code="invalid_choice", params={"value": key})
        return thing


class MergeForm(ChangeForm):
    """The other system, or the other paper."""

    target = PageField(System.objects.none(), help_text="The address of its page, or the last part of that.")

    def __init__(self, *args: Any, of: type[System] | type[Paper], **options: Any) -> None:
        super().__init__(*args, **options)
        target: Any = self.fields["target"]
        target.queryset = of._default_manager.filter(merged_into=None)
        target.label = f"The {of._meta.verbose_name} that it is"


class SayModelForm(ReasonForm):
    """The model that a system is a checkpoint, a setting or a run of."""

    model = forms.CharField(
        max_length=300,
        required=False,
        label="Name or address of the model",
        help_text="As BAAI/bge-m3, or bge-m3 from its address; blank where it is of none. A new name makes one.",
    )


class RenameForm(ChangeForm):
    """Another name."""

    name = forms.CharField(max_length=300)
    team = forms.CharField(max_length=300, required=False)


class PaperForm(ReasonForm, _PaperForm):
    """The facts known of a paper, corrected, a retraction included."""

    url = forms.URLField(max_length=500, required=False, assume_scheme="https", label="Address")

    class Meta:
        model = Paper
        fields = (
            "cite", "title", "authors", "venue", "year", "url", "doi", "arxiv_id", "acl_id", "dblp_key", "bibtex",
            "retraction",
        )  # fmt: skip
        labels = {
            "cite": "Short form",
            "doi": "DOI",
            "arxiv_id": "arXiv id",
            "acl_id": "ACL Anthology id",
            "dblp_key": "DBLP key",
            "bibtex": "BibTeX",
            "retraction": "Who took the paper back, when and why",
        }
        help_texts = {
            "cite": "As Diaz (CIKM 2005).",
            "authors": "In their order, divided by semicolons.",
            "retraction": "Withdrawn by its authors on 2 May 2021, say. Leave it blank where the paper stands.",
        }
        widgets = {name: forms.Textarea(attrs={"rows": 3}) for name in ("authors", "bibtex")}

    def clean_retraction(self) -> str:
        return " ".join(self.cleaned_data["retraction"].split()).rstrip(".")


@dataclass(frozen=True, slots=True)
class Action:
    """A form about ``subject``, and ``act``, which gets what was filled in by the names of the fields.

    Afterwards the person is redirected to ``then``, or to the page of what ``act`` returns. ``context`` is what the
    page needs besides; it may hold another ``title``.
    """

    form: WithRefusals
    act: Callable[..., Any]
    subject: Any
    then: Any = None
    context: Mapping[str, Any] = field(default_factory=dict)


def action(title: str, done: str) -> Callable[[Callable[..., Action]], Callable[..., HttpResponse]]:
    """Make a view, for people who are signed in, of a function that prepares an action for a request.

    ``done`` is the message afterwards, which may name the ``{subject}``.
    """

    def decorate(prepare: Callable[..., Action]) -> Callable[..., HttpResponse]:
        @sign_in_first
        @may_post
        @wraps(prepare)
        def view(request: HttpRequest, **names: Any) -> HttpResponse:
            prepared = prepare(request, **names)
            if request.method == "POST" and prepared.form.is_valid():
                try:
                    led_to = prepared.act(**prepared.form.cleaned_data)
                except (ValidationError, MassChange) as error:
                    prepared.form.add_refusal(error)
                else:
                    messages.success(request, done.format(subject=prepared.subject))
                    return redirect(prepared.then or led_to)
            context = {
                "has_form": True,
                "form": prepared.form,
                "title": title,
                "subject": prepared.subject,
                **prepared.context,
            }
            return render(request, "results/action.html", context)

        return view

    return decorate
