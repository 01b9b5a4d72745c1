"""Forms for results: one that is typed, or a table with defaults for all of its rows."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import QueryDict

from analysis.readers.bibliography.papers import PaperDraft
from analysis.readers.exchange.formats import MAX_CSV_BYTES
from analysis.readers.numbers import FRACTION, PERCENT, is_number
from analysis.readers.pasted.tool_output import FORM as TOOL_OUTPUT
from analysis.readers.questions import Question, ask_about_commas, without_commas
from analysis.readers.recognizing import CHOICES, Reading, read_paper, read_score, read_text
from analysis.readers.rejections import Candidate, Refused, Rejection
from analysis.readers.tables import Record, decode, fill_blanks
from registry.catalog.names import AMBIGUOUS
from registry.catalog.queries import CatalogNames, names_of_scores
from registry.core.forms import CleanTextField, name_choices
from registry.core.http import in_megabytes
from registry.core.listing import lines_of
from registry.core.messages import say
from registry.results.models import Paper, Result
from registry.results.pipeline.rows import MAX_NAME_LENGTH
from registry.submissions.forms import MAX_CHARACTERS, as_sentence
from registry.submissions.pipeline.which import NamesOfTable, ask_units, with_units
from registry.submissions.queries import KINDS, suggest
from registry.submissions.result_forms import CellsForm, choice_field, text_field
from registry.submissions.services.drafting import MAX_ROWS, Given

_MOST = in_megabytes(MAX_CHARACTERS)
IN_PARTS = f"Send it in parts; the API takes {in_megabytes(MAX_CSV_BYTES)} at once."
_TOO_LONG = f"This is larger than {_MOST}. {IN_PARTS}"
#: Identifiers that name a paper by themselves.
_BY_ID = ("doi:", "arxiv:", "acl:", "dblp:")
#: The beginning of the name of a field that answers a question about the table; the key of the question follows.
ANSWER = "answer:"

#: What each row needs in one of these columns, in words.
_NEEDED_OF_SCORES: dict[tuple[str, ...], str] = {
    ("collection",): "the collection",
    ("measure",): "the measure",
    ("system",): "the system",
}
_NEEDED_OF_RESULTS = _NEEDED_OF_SCORES | {("paper", "paper_url", "source"): "the source"}


class PastedForm(forms.Form):
    """A table, and what it may leave out about its scores."""

    text = forms.CharField(
        label="Table",
        required=False,
        strip=False,
        # Not max_length, which would have browsers cut a longer table off without a word.
        validators=[MaxLengthValidator(MAX_CHARACTERS, _TOO_LONG)],
        help_text="From a paper, a page or a spreadsheet: text, CSV, LaTeX, HTML, Markdown, or output of tools.",
        widget=forms.Textarea(
            attrs={"rows": 8, "spellcheck": "false", "wrap": "off", "data-most": str(MAX_CHARACTERS)}
        ),
    )
    file = forms.FileField(
        label="Or a file", required=False, widget=forms.ClearableFileInput(attrs={"data-most": str(MAX_CHARACTERS)})
    )
    form = choice_field("Its format", [("", "detected"), *CHOICES])
    collection = text_field("Collection", "If a row names none.", spellcheck="false")
    measure = text_field("Measure", "If a row names none.", spellcheck="false")
    system = text_field("System", "If a row names none.", spellcheck="false")
    unit = choice_field(
        "The scores are",
        [("", "as the table says"), (PERCENT, "in percent, as 75.59"), (FRACTION, "on the scale of their measure")],
    )

    data: QueryDict

    #: The fields that everybody sees.
    NEEDED: tuple[str, ...] = ("text", "file", "collection", "measure", "unit")
    #: The fields that fill in blanks of all rows.
    FOR_ALL: tuple[str, ...] = ("collection", "measure", "system", "unit")
    #: What each row needs in one of these columns, in words.
    NEEDED_OF_ROWS: dict[tuple[str, ...], str] = _NEEDED_OF_SCORES
    #: The fields in which names are suggested.
    SUGGESTED: Sequence[str] = ("collection", "measure")
    #: The most results in one table.
    MOST_ROWS = 500

    reading: Reading | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["file"].help_text = f"UTF-8; at most {_MOST} and {self.MOST_ROWS:,} results."
        name_choices(self)
        for name in self.SUGGESTED:
            self.fields[name].widget.attrs["data-suggest"] = name

    def clean_file(self) -> str:
        file: Any = self.cleaned_data["file"]
        if not file:
            return ""
        if (file.size or 0) > MAX_CHARACTERS:
            raise ValidationError(_TOO_LONG, code="too_long")
        try:
            return decode(file.read())
        except Refused as refused:
            raise ValidationError(as_sentence(refused.message), code=refused.code) from refused

    def folded(self) -> list[forms.BoundField]:
        """Return the fields that few need, which are folded away."""
        return [field for field in self if field.name not in self.NEEDED]

    @property
    def is_unfolded(self) -> bool:
        """Return whether a folded field is filled in or has an error."""
        return self.is_bound and any(field.errors or field.name in self.changed_data for field in self.folded())

    def _check_names(self) -> None:
        """Refuse a default name that nothing has; an ambiguous one is asked about with the questions of the table."""
        for kind in ("collection", "measure"):
            text = self.cleaned_data.get(kind)
            try:
                if text:
                    getattr(self.names, kind)(text)
            except Refused as refused:
                if refused.code != AMBIGUOUS:
                    self.add_error(kind, ValidationError(as_sentence(refused.message), code=refused.code))

    @cached_property
    def names(self) -> CatalogNames:
        """The names of collections and measures."""
        return names_of_scores()

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.read_table()
        return self.cleaned_data

    def read_table(self) -> None:
        """Read the table; errors of the whole table stand beside its field."""
        self._check_names()
        cleaned = self.cleaned_data
        text = cleaned.get("file") or cleaned.get("text") or ""
        if self.errors:
            return
        if not text.strip():
            raise ValidationError(say("submit-nothing"), code="required")
        reading = read_text(text, self.names, form=cleaned["form"], answers=self._answers())
        if isinstance(reading, Reading):
            # Files of other formats are named after the collection.
            is_output = reading.form == TOOL_OUTPUT
            self.reading = reading.suggesting("system", self._name_of_file()) if is_output else reading
            if "system" in self.asked():
                self.NEEDED = (*self.NEEDED, "system")
        else:
            self.add_error("text", lines_of([_placed(rejection) for rejection in reading]))
        # From here on a file counts as pasted, so that nobody has to choose it a second time.
        self.data = self.data.copy()
        self.data["text"] = text

    def _name_of_file(self) -> str:
        """Return the system that the name of the file suggests; blank where that would be a number."""
        file = self.files.get("file")
        name = (file.name or "").partition(".")[0].strip() if file else ""
        return "" if is_number(name) else name[:MAX_NAME_LENGTH]

    def _answers(self) -> dict[str, str]:
        """Return the answers to the questions of the table, by the keys of these."""
        return {
            name.removeprefix(ANSWER): str(text) for name, text in self.data.items() if name.startswith(ANSWER) and text
        }

    def asked(self) -> dict[str, Question]:
        """Return the questions of the table by what they are about."""
        return {question.about: question for question in self.reading.questions} if self.reading else {}

    @cached_property
    def _settled(self) -> tuple[list[Record | Rejection], list[Question]]:
        """The rows with defaults and answers filled in; and the questions about names, commas and units."""
        assert self.reading is not None
        table = NamesOfTable(self.names, self._answers())
        records = fill_blanks(self.reading.records, self.defaults())
        commas = ask_about_commas(records, self._answers())
        records = without_commas(records, commas)
        # With the names as written: their meaning changes nothing about percentages.
        units = ask_units(records, self.names, self._answers())
        return with_units(table.settle(records), units), [*table.questions, *commas, *(unit.question for unit in units)]

    def records(self) -> list[Record | Rejection]:
        """Return the rows of a valid form, with defaults where they are blank."""
        return self._settled[0] if self.reading else []

    def questions(self) -> list[Question]:
        """Return the questions that are answered before the table can be checked, with the answers so far."""
        if self.reading is None:
            return []
        return [*(question for question in self.reading.questions if question.choices), *self._settled[1]]

    @property
    def is_open(self) -> bool:
        """Return whether a question has no answer yet."""
        return any(question.is_open for question in self.questions())

    @property
    def n_rows(self) -> int:
        """The number of rows of a valid form."""
        return len(self.reading.records) if self.reading else 1

    def defaults(self) -> dict[str, str]:
        """Return the cells that fill in blanks of all rows."""
        return {name: self.cleaned_data[name] for name in self.FOR_ALL if self.cleaned_data[name]}

    def missing(self) -> list[str]:
        """Return, in words, what every row needs and none has, even with the defaults."""
        cells = [record.cells for record in self.records() if isinstance(record, Record)]
        present = {name for row in cells for name, text in row.items() if text}
        return [words for names, words in self.NEEDED_OF_ROWS.items() if cells and not present.intersection(names)]

    def missing_here_and_there(self) -> list[str]:
        """Return, in words, what some rows have and others lack; those are refused without it."""
        cells = [record.cells for record in self.records() if isinstance(record, Record)]
        open_columns = set(self.asked())
        return [
            words
            for (name, *_), words in self.NEEDED_OF_ROWS.items()
            if name in open_columns and 0 < sum(not row.get(name) for row in cells) < len(cells)
        ]

    def choices_for(self) -> dict[str, Sequence[Candidate]]:
        """Return the candidates for each unknown name."""
        return {
            kind: suggest(kind, self.data.get(kind, ""))
            for kind in KINDS
            if kind in self.fields and self.has_error(kind, f"unknown_{kind}")
        }

    def mentioned(self) -> dict[str, tuple[str, ...]]:
        """Return the names found beside the table, where it leaves collection or measure open."""
        cleaned = self.cleaned_data
        return {
            kind: question.suggestions
            for kind, question in self.asked().items()
            if question.suggestions and not cleaned.get(kind)
        }


class ResultsForm(CellsForm, PastedForm):
    """A result, cell by cell; or a table, whose rows take what is typed here where they leave it out."""

    unit = choice_field(
        "The score is",
        [("", "as reported"), (PERCENT, "in percent, as 75.59"), (FRACTION, "on the scale of its measure, as 0.7559")],
    )
    role = choice_field(
        "In the source it is",
        [("", "choose"), *Result.Role.choices],
        help_text="For a table, leave this; we ask row by row.",
    )
    paper = forms.CharField(
        label="Source",
        help_text="DOI, arXiv or ACL ID, address, BibTeX or citation.",
        required=False,
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 1, "spellcheck": "false"}),
    )
    note = CleanTextField(
        label="Note to the reviewer",
        help_text="Only curators see this.",
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    #: The fields of a table; all others are of one row.
    OF_TABLE = ("text", "file", "form")
    NEEDED = ("collection", "measure", "system", "value", "unit", "paper", "role", *OF_TABLE)
    NEEDED_OF_ROWS = _NEEDED_OF_RESULTS
    SUGGESTED = KINDS
    MOST_ROWS = MAX_ROWS
    field_order = NEEDED

    _printed = ""

    @property
    def is_table(self) -> bool:
        """Return whether a table was sent, and not one result."""
        cleaned = self.cleaned_data
        is_wrong = any(self.has_error(name) for name in self.OF_TABLE)
        return is_wrong or bool(cleaned.get("file") or cleaned.get("text", "").strip())

    def clean_paper(self) -> PaperDraft | None:
        text = self.cleaned_data["paper"]
        if not text:
            return None
        draft = read_paper(text)
        if isinstance(draft, PaperDraft):
            return draft
        lines = [
            f"line {rejection.line}: {rejection.message}" if (rejection.line or 1) > 1 else rejection.message
            for rejection in draft
        ]
        raise ValidationError(lines_of([as_sentence(line) for line in lines]))

    def paper_cells(self) -> dict[str, str]:
        """Return the cells about the paper, with the citation on record where it has one."""
        paper = self.cleaned_data.get("paper")
        if paper is None:
            return {}
        cells: dict[str, str] = paper.cells()
        known = Paper.objects.filter(identity=paper.identity).first()
        if known and paper.identity.startswith(_BY_ID):
            cells["paper"] = known.cite or cells["paper"]
            cells["year"] = cells["year"] or str(known.year or "")
        return cells

    def clean_value(self) -> str:
        if not self.cleaned_data["value"]:
            return ""
        try:
            score, self._printed = read_score(self.cleaned_data["value"])
        except Refused as refused:
            raise ValidationError(as_sentence(refused.message), code=refused.code) from refused
        return score

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if self.is_table:
            if cleaned.get("value") or self.has_error("value"):
                self.add_error("value", say("submit-one-or-table"))
            self.read_table()
            return cleaned
        for name in ("collection", "measure", "system", "value", "role"):
            if not cleaned.get(name) and not self.has_error(name):
                self.add_error(name, ValidationError(say("submit-needed"), code="required"))
        if cleaned.get("paper") is None and not cleaned.get("source") and not self.has_error("paper"):
            self.add_error("paper", say("submit-source"))
        self.read_row()
        return cleaned

    def cells(self) -> dict[str, str]:
        """Return what was typed, as cells of a row; the paper is one field here."""
        apart = {"note", "paper", *self.OF_TABLE}
        typed = {name: text for name, text in super().cells().items() if name not in apart}
        printed = f'printed as "{self._printed}"' if self._printed else ""
        typed["notes"] = "; ".join(filter(None, [typed.get("notes", ""), printed]))
        # A blank setting is the standard one.
        cells = self.paper_cells() | typed
        return {name: text for name, text in cells.items() if text and text != Result.Comparability.STANDARD}

    def defaults(self) -> dict[str, str]:
        """Return the cells that fill in blanks of all rows."""
        return self.cells()

    def rows(self) -> Sequence[Given]:
        """Return the rows of a valid form."""
        return self.records() if self.reading else [self.given]

    def choices_for(self) -> dict[str, Sequence[Candidate]]:
        """Return the candidates for each unknown or unclear name."""
        return PastedForm.choices_for(self) if self.is_table else CellsForm.choices_for(self)


def _placed(rejection: Rejection) -> str:
    place = f"line {rejection.line}: " if rejection.line else ""
    column = f"{rejection.column}: " if rejection.column and not rejection.column.startswith("column ") else ""
    return as_sentence(f"{place}{column}{rejection.message}")
