"""Forms for one row: its cells and its paper."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from analysis.readers.numbers import PERCENT, parse_unit
from analysis.readers.rejections import Candidate, Refused, Rejection
from registry.catalog.names import AMBIGUOUS
from registry.catalog.queries import names_of_scores
from registry.core.forms import choices_of
from registry.core.messages import say
from registry.results.forms import UNITS
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow
from registry.submissions.forms import as_sentence
from registry.submissions.models import SubmittedRow
from registry.submissions.pipeline.checking import read_rows
from registry.submissions.pipeline.systems import KnownSystems
from registry.submissions.queries import KINDS, suggest
from registry.submissions.services.drafting import read_given

#: The fields that a click may fill.
_CHOSEN = frozenset({*KINDS, "unit", "team"})
_IN_PERCENT = Candidate(Result.Unit.PERCENT.value, "in percent")
#: More than any cell may hold, so that the refusal comes from where all cells are read.
_LONG = 50_000


def error_text(rejection: Rejection) -> str:
    """Return the error of a field: the question, where its candidates follow, else the message."""
    if not rejection.question:
        return as_sentence(rejection.message)
    is_of_catalog = rejection.code == AMBIGUOUS and rejection.column != "system"
    several = say("submit-several") if is_of_catalog and len(rejection.candidates) > 1 else ""
    return f"{several}{rejection.question}"


def text_field(label: str, help_text: str = "", **attrs: Any) -> forms.CharField:
    # Not autocomplete="off": with that, browsers forget what was typed when somebody goes back.
    widget = forms.TextInput(attrs=attrs)
    return forms.CharField(label=label, help_text=help_text, required=False, max_length=_LONG, widget=widget)


def choice_field(label: str, choices: Any, **options: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, required=False, **options)


class CellsForm(forms.Form):
    """The cells of one result, read as all results are; each refusal stands beside its field."""

    collection = text_field("Collection", "Any name of it, e.g. Robust04.", spellcheck="false")
    measure = text_field("Measure", "E.g. AP, nDCG@10, MRR@10.", spellcheck="false")
    system = text_field("System", "As the source calls it.", spellcheck="false")
    value = text_field("Score", "All digits as reported: 0.30, not 0.3.", inputmode="decimal")
    unit = choice_field("The score is", UNITS)
    role = choice_field("In the source it is", Result.Role, initial=Result.Role.PROPOSED)
    team = text_field("Team", "Who made the system, if its name doesn’t say.")
    year = text_field("Year", "When it was published.", inputmode="numeric")
    date = text_field("Day", "E.g. 2004-11-19, if known.")
    locator = text_field("Where in it", "E.g. Table 2, row 5.")
    run_type = choice_field("Run", Result.RunType)
    comparability = choice_field("Setting", Result.Comparability, initial=Result.Comparability.STANDARD)
    n_topics = text_field("Topics", "How many, if not all of the collection.", inputmode="numeric")
    replicate_of = text_field("Repeats", "The system on record that this ran again.")
    source = text_field("Taken from", "Where you read the score, if not in the paper.")
    notes = forms.CharField(
        label="Notes",
        help_text="What readers should know. Public.",
        required=False,
        max_length=_LONG,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    #: Why cells are refused.
    rejections: Sequence[Rejection] = ()
    #: The row of these cells, with what they were read as.
    given: SubmittedRow

    def cells(self) -> dict[str, str]:
        """Return the cells that are filled in."""
        return {name: text for name, text in self.cleaned_data.items() if text}

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.read_row()
        return self.cleaned_data

    def read_row(self) -> None:
        """Read the cells as a row; each error stands beside its field."""
        (self.given,) = read_given([self.cells()])
        (parsed,) = read_rows([self.given], names_of_scores(), systems=KnownSystems())
        if isinstance(parsed, ResultRow):
            return
        self.rejections = parsed
        for rejection in parsed:
            field = rejection.column if rejection.column in self.fields else None
            if field not in self.errors:
                self.add_error(field, ValidationError(error_text(rejection), code=rejection.code))

    def choices_for(self) -> dict[str, Sequence[Candidate]]:
        """Return the candidates for each unknown or unclear name, and the unit for a score out of range."""
        candidates: dict[str, Sequence[Candidate]] = {
            rejection.column: rejection.candidates for rejection in self.rejections if rejection.candidates
        }
        for name in ("collection", "measure"):
            if self.has_error(name, f"unknown_{name}"):
                candidates[name] = suggest(name, self.data.get(name, ""), collection=self.data.get("collection", ""))
        return candidates | ({"unit": [_IN_PERCENT]} if candidates.pop("value", ()) else {})

    def fields_with_choices(self) -> Iterator[tuple[forms.BoundField, Sequence[Candidate]]]:
        """Yield each visible field with its candidates."""
        choices = self.choices_for() if self.is_bound else {}
        for field in self.visible_fields():
            yield field, choices.get(field.name, ())


class RowForm(CellsForm):
    """The cells of a row that was submitted, one field for each column."""

    paper = text_field("Paper", "Short citation, e.g. Diaz (CIKM 2005).")
    paper_url = text_field("Address of the paper", "E.g. https://doi.org/…", inputmode="url")
    field_order = ["collection", "measure", "system", "value", "unit", "role", "paper", "paper_url"]

    version = forms.IntegerField(widget=forms.HiddenInput)
    data: QueryDict

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # A value that is no choice is shown as it was sent, so that it can be corrected.
        for name, field in self.fields.items():
            if isinstance(field, forms.ChoiceField):
                given = _in_one_spelling(name, str(self.initial.get(name) or ""))
                self.initial[name] = given
                choices = choices_of(field)
                known = [value for value, _ in choices]
                blank = [] if "" in known else [("", "–")]
                unknown = [] if given in ("", *known) else [(given, f"“{given[:60]}” (not known)")]
                field.choices = [*blank, *unknown, *choices]

    def cells(self) -> dict[str, str]:
        return {name: text for name, text in super().cells().items() if name != "version"}


def _in_one_spelling(name: str, text: str) -> str:
    """Return the cell as the choices spell it: a unit may be written in several ways."""
    if name != "unit":
        return text
    with suppress(Refused):
        unit = parse_unit(text)
        return unit if unit == PERCENT else ""
    return text


def with_choice(data: QueryDict) -> QueryDict:
    """Return what was sent, with the fields that the clicked suggestion fills."""
    clicked = [line.partition(":")[::2] for line in data.get("use", "").splitlines()]
    chosen = {kind: value for kind, value in clicked if kind in _CHOSEN}
    if not chosen:
        return data
    changed = data.copy()
    for kind, value in chosen.items():
        changed[kind] = value
    return changed
