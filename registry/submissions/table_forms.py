"""What people fill in to hand a table in: the text or a file, and what holds for all of its rows."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from registry.catalog.queries import CatalogNames
from registry.core.rejections import Refused, Rejection
from registry.core.tables import Record, decode
from registry.results.models import Result
from registry.submissions.forms import (
    Folding,
    WithPaper,
    anonymity_field,
    as_sentence,
    choice_field,
    embargo_field,
    note_field,
    suggested,
    text_field,
)
from registry.submissions.pipeline.recognizing import CHOICES, Reading, read_text
from registry.submissions.pipeline.rows import fill_blanks
from registry.submissions.queries.suggestions import KINDS, Suggestion, suggest

#: Of a text; a file that is larger than a form may be is refused before it is read.
MAX_CHARACTERS = 2_000_000
_MAX_FAULTS = 20

#: What each row must say in one of these columns, in words.
_NEEDED_OF_ROWS = {
    ("collection",): "the collection",
    ("measure",): "the measure",
    ("role",): "what the results are in the paper, proposed or baseline",
    ("paper", "paper_url", "source"): "the paper",
}


class TableForm(Folding, WithPaper):
    """A table, and what its rows leave out."""

    text = forms.CharField(
        label="Table",
        required=False,
        strip=False,
        max_length=MAX_CHARACTERS,
        help_text="CSV, TSV, Markdown, LaTeX or aligned text; columns in any order, by their usual names.",
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off", "wrap": "off"}),
        error_messages={"max_length": "This is more than 2,000,000 characters; hand it in in parts, or by the API."},
    )
    file = forms.FileField(label="Or a file", required=False, help_text="The same, in UTF-8; 2 MB at most.")
    form = choice_field("It is", [("", "told by its looks"), *CHOICES])
    collection = text_field("Collection", "Of the rows that name none.", spellcheck="false")
    measure = text_field("Measure", "Of the rows that name none.", spellcheck="false")
    role = choice_field("In the paper they are", [("", "as the table says"), *Result.Role.choices])
    year = text_field("Year", "When it was published, where that is not the paper's.", inputmode="numeric")
    source = text_field("Taken from", "Where you read the scores, where that is not the paper.")
    locator = text_field("Where in it", "Table 2, say.")
    note = note_field()
    embargo_until = embargo_field()
    is_anonymous = anonymity_field()

    NEEDED = ("text", "file", "collection", "measure", "paper", "role")
    FOR_ALL = ("collection", "measure", "role", "paper", "year", "source", "locator")
    TERMS = ("note", "embargo_until", "is_anonymous")

    reading: Reading | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        suggested(self, ("collection", "measure", "paper"))

    def clean_file(self) -> str:
        file = self.cleaned_data["file"]
        if not file:
            return ""
        if file.size > MAX_CHARACTERS:
            raise ValidationError("This is more than 2 MB; hand it in in parts, or by the API.", code="too_long")
        try:
            return decode(file.read())
        except Refused as refused:
            raise ValidationError(as_sentence(refused.message), code=refused.code) from refused

    def clean_collection(self) -> str:
        return self._named("collection")

    def clean_measure(self) -> str:
        return self._named("measure")

    def _named(self, kind: str) -> str:
        text = self.cleaned_data[kind].strip()
        try:
            if text:
                getattr(self.names, kind)(text)
        except Refused as refused:
            raise ValidationError(as_sentence(refused.message), code=refused.code) from refused
        return text

    @property
    def names(self) -> CatalogNames:
        """The names of collections and measures, read once."""
        if not hasattr(self, "_names"):
            self._names = CatalogNames()
        return self._names

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean()
        text = given.get("file") or given.get("text") or ""
        if self.errors:
            return given
        if not text.strip():
            raise ValidationError("Paste a table, or choose a file.", code="required")
        found = read_text(text, self.names, form=given["form"])
        if isinstance(found, Reading):
            self.reading = found
        else:
            self.add_error("text", [_placed(one) for one in found[:_MAX_FAULTS]])
        # From here on a file is as good as pasted, so that nobody has to choose it a second time.
        self.data = self.data.copy()
        self.data["text"] = text
        return given

    def records(self) -> list[Any]:
        """The rows of a valid form, with what holds for all of them where they are blank."""
        assert self.reading is not None
        return fill_blanks(self.reading.records, self.defaults())

    def defaults(self) -> dict[str, str]:
        """What holds for all rows."""
        given = {name: self.cleaned_data[name] for name in self.FOR_ALL if name != "paper"}
        return {
            name: text for name, text in (self.paper_cells() | {k: v for k, v in given.items() if v}).items() if text
        }

    def missing(self) -> list[str]:
        """What no row says, not even with what holds for all, and every row must: each in a few words."""
        cells = [record.cells for record in self.records() if isinstance(record, Record)]
        said = {name for row in cells for name, text in row.items() if text}
        return [words for names, words in _NEEDED_OF_ROWS.items() if cells and not said.intersection(names)]

    @property
    def terms(self) -> dict[str, Any]:
        """What holds for the submission as a whole."""
        return {name: self.cleaned_data[name] for name in self.TERMS}

    def choices_for(self) -> dict[str, list[Suggestion]]:
        """For each name that is not known, what it may stand for."""
        return {
            kind: suggest(kind, self.data.get(kind, ""))
            for kind in KINDS
            if kind in self.fields and self.has_error(kind, f"unknown_{kind}")
        }


def _placed(rejection: Rejection) -> str:
    place = f"line {rejection.line}: " if rejection.line else ""
    column = f"{rejection.column}: " if rejection.column and not rejection.column.startswith("column ") else ""
    return as_sentence(f"{place}{column}{rejection.message}")
