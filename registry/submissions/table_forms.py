"""What people fill in to hand results in: one that is typed, or a table and what holds for all of its rows."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import QueryDict

from analysis.readers.bibliography.papers import PaperDraft
from analysis.readers.exchange.formats import MAX_CSV_BYTES
from analysis.readers.numbers import is_number
from analysis.readers.pasted.tool_output import FORM as TOOL_OUTPUT
from analysis.readers.questions import Question, ask_about_commas, without_commas
from analysis.readers.recognizing import CHOICES, Reading, read_paper, read_score, read_text
from analysis.readers.rejections import Candidate, Refused, Rejection
from analysis.readers.scores import FRACTION, PERCENT
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
from registry.submissions.result_forms import CellsForm, choice_field, suggested, text_field
from registry.submissions.services.drafting import MAX_ROWS, Given

_MOST = in_megabytes(MAX_CHARACTERS)
IN_PARTS = f"Send it in parts; the API takes {in_megabytes(MAX_CSV_BYTES)} at once."
_TOO_LONG = f"This is larger than {_MOST}. {IN_PARTS}"
#: Kinds of identifiers that name a paper whatever else is said of it.
_BY_ID = ("doi:", "arxiv:", "acl:", "dblp:")
#: What a field for the answer to a question of the table is called, before the key of the question.
ANSWER = "answer:"

#: What each row must say in one of these columns, in words.
_NEEDED_OF_SCORES: dict[tuple[str, ...], str] = {
    ("collection",): "the collection",
    ("measure",): "the measure",
    ("system",): "the system",
}
_NEEDED_OF_RESULTS = _NEEDED_OF_SCORES | {("paper", "paper_url", "source"): "the source"}


class PastedForm(forms.Form):
    """A table, and what has to be known of its scores."""

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
    #: What holds for all rows.
    FOR_ALL: tuple[str, ...] = ("collection", "measure", "system", "unit")
    #: What each row must say in one of these columns, in words.
    NEEDED_OF_ROWS: dict[tuple[str, ...], str] = _NEEDED_OF_SCORES
    #: Results in one table.
    MOST_ROWS = 500

    reading: Reading | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["file"].help_text = f"UTF-8; at most {_MOST} and {self.MOST_ROWS:,} results."
        name_choices(self)
        suggested(self, [name for name in ("collection", "measure", "paper") if name in self.fields])

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
        """The fields that few need, shown when they are asked for."""
        return [field for field in self if field.name not in self.NEEDED]

    @property
    def is_unfolded(self) -> bool:
        """Return whether something stands in a field that few need, or is wrong with it."""
        return self.is_bound and any(field.errors or field.name in self.changed_data for field in self.folded())

    def _check_names(self) -> None:
        """Refuse a name for all rows that nothing has; which of several things it means is asked with those below."""
        for kind in ("collection", "measure"):
            text = self.cleaned_data.get(kind)
            try:
                if text:
                    getattr(self.names, kind)(text)
            except Refused as refused:
                if refused.code != AMBIGUOUS:
                    self.add_error(kind, ValidationError(as_sentence(refused.message), code=refused.code))

    @property
    def names(self) -> CatalogNames:
        """The names of collections and measures, read once."""
        if not hasattr(self, "_names"):
            self._names = names_of_scores()
        return self._names

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.read_table()
        return self.cleaned_data

    def read_table(self) -> None:
        """Read the table; what is wrong with it as a whole stands beside its field."""
        self._check_names()
        given = self.cleaned_data
        text = given.get("file") or given.get("text") or ""
        if self.errors:
            return
        if not text.strip():
            raise ValidationError(say("submit-nothing"), code="required")
        found = read_text(text, self.names, form=given["form"], answers=self._answers())
        if isinstance(found, Reading):
            # Files of other forms are called after the collection.
            is_output = found.form == TOOL_OUTPUT
            self.reading = found.suggesting("system", self._name_of_file()) if is_output else found
            if "system" in self.asked():
                self.NEEDED = (*self.NEEDED, "system")
        else:
            self.add_error("text", lines_of([_placed(one) for one in found]))
        # From here on a file is as good as pasted, so that nobody has to choose it a second time.
        self.data = self.data.copy()
        self.data["text"] = text

    def _name_of_file(self) -> str:
        """Return what a file without the name of a system may be called after; blank where a number would be left."""
        file = self.files.get("file")
        name = (file.name or "").partition(".")[0].strip() if file else ""
        return "" if is_number(name) else name[:MAX_NAME_LENGTH]

    def _answers(self) -> dict[str, str]:
        """Return what was said to the questions of the table, by their keys."""
        return {
            name.removeprefix(ANSWER): str(text) for name, text in self.data.items() if name.startswith(ANSWER) and text
        }

    def asked(self) -> dict[str, Question]:
        """Return what the table leaves open, by what it is about."""
        return {question.about: question for question in self.reading.questions} if self.reading else {}

    @cached_property
    def _settled(self) -> tuple[list[Record | Rejection], list[Question]]:
        """The rows with what holds for all of them and what was answered; what is asked about names and units."""
        assert self.reading is not None
        table = NamesOfTable(self.names, self._answers())
        records = fill_blanks(self.reading.records, self.defaults())
        commas = ask_about_commas(records, self._answers())
        records = without_commas(records, commas)
        # Under the names as they are written: what they mean changes nothing about percentages.
        units = ask_units(records, self.names, self._answers())
        return with_units(table.settle(records), units), [*table.questions, *commas, *(unit.question for unit in units)]

    def records(self) -> list[Record | Rejection]:
        """The rows of a valid form, with what holds for all of them where they are blank."""
        return self._settled[0] if self.reading else []

    def questions(self) -> list[Question]:
        """Return what has to be chosen before the table can be checked, and what was chosen."""
        if self.reading is None:
            return []
        return [*(question for question in self.reading.questions if question.choices), *self._settled[1]]

    @property
    def is_open(self) -> bool:
        """Return whether one of its questions has no answer yet."""
        return any(question.is_open for question in self.questions())

    @property
    def n_rows(self) -> int:
        """Return how many rows a valid form has."""
        return len(self.reading.records) if self.reading else 1

    def defaults(self) -> dict[str, str]:
        """Return what holds for all rows."""
        return {name: self.cleaned_data[name] for name in self.FOR_ALL if self.cleaned_data[name]}

    def missing(self) -> list[str]:
        """Return what no row says, not even with what holds for all, and every row must: each in a few words."""
        cells = [record.cells for record in self.records() if isinstance(record, Record)]
        said = {name for row in cells for name, text in row.items() if text}
        return [words for names, words in self.NEEDED_OF_ROWS.items() if cells and not said.intersection(names)]

    def missing_here_and_there(self) -> list[str]:
        """Return what some rows of a table leave out, and others say: they are refused without it."""
        cells = [record.cells for record in self.records() if isinstance(record, Record)]
        asked = set(self.asked())
        return [
            words
            for (name, *_), words in self.NEEDED_OF_ROWS.items()
            if name in asked and 0 < sum(not row.get(name) for row in cells) < len(cells)
        ]

    def choices_for(self) -> dict[str, Sequence[Candidate]]:
        """For each name that is not known, what it may stand for."""
        return {
            kind: suggest(kind, self.data.get(kind, ""))
            for kind in KINDS
            if kind in self.fields and self.has_error(kind, f"unknown_{kind}")
        }

    def mentioned(self) -> dict[str, tuple[str, ...]]:
        """The names that stand beside the table, where it leaves collection or measure open."""
        given = self.cleaned_data
        return {kind: one.suggestions for kind, one in self.asked().items() if one.suggestions and not given.get(kind)}


class ResultsForm(CellsForm, PastedForm):
    """A result, cell by cell; or a table, whose rows say what is typed here where they leave it out."""

    unit = choice_field(
        "The score is",
        [("", "as reported"), (PERCENT, "in percent, as 75.59"), (FRACTION, "on the scale of its measure, as 0.7559")],
    )
    role = choice_field(
        "In the source it is",
        [("", "choose"), *Result.Role.choices],
        help_text="Of a table: leave it, you are asked row by row.",
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
    MOST_ROWS = MAX_ROWS
    field_order = NEEDED

    _printed = ""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        suggested(self, KINDS)

    @property
    def is_table(self) -> bool:
        """Return whether a table was sent, and not one result."""
        given = self.cleaned_data
        is_wrong = any(self.has_error(name) for name in self.OF_TABLE)
        return is_wrong or bool(given.get("file") or given.get("text", "").strip())

    def clean_paper(self) -> PaperDraft | None:
        text = self.cleaned_data["paper"]
        if not text:
            return None
        found = read_paper(text)
        if isinstance(found, PaperDraft):
            return found
        lines = [f"line {one.line}: {one.message}" if (one.line or 1) > 1 else one.message for one in found]
        raise ValidationError(lines_of([as_sentence(line) for line in lines]))

    def paper_cells(self) -> dict[str, str]:
        """Return what a row says of the paper, with the citation that is recorded for it already."""
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
        given = self.cleaned_data
        if self.is_table:
            if given.get("value") or self.has_error("value"):
                self.add_error("value", say("submit-one-or-table"))
            self.read_table()
            return given
        for name in ("collection", "measure", "system", "value", "role"):
            if not given.get(name) and not self.has_error(name):
                self.add_error(name, ValidationError(say("submit-needed"), code="required"))
        if given.get("paper") is None and not given.get("source") and not self.has_error("paper"):
            self.add_error("paper", say("submit-source"))
        self.read_row()
        return given

    def cells(self) -> dict[str, str]:
        """Return what is typed, as cells of a row; the paper is one field here, whatever it is known by."""
        apart = {"note", "paper", *self.OF_TABLE}
        typed = {name: text for name, text in super().cells().items() if name not in apart}
        printed = f'printed as "{self._printed}"' if self._printed else ""
        typed["notes"] = "; ".join(filter(None, [typed.get("notes", ""), printed]))
        # What is not said and what is usual are the same.
        cells = self.paper_cells() | typed
        return {name: text for name, text in cells.items() if text and text != Result.Comparability.STANDARD}

    def defaults(self) -> dict[str, str]:
        """Return what holds for all rows."""
        return self.cells()

    def rows(self) -> Sequence[Given]:
        """Return the rows of a valid form."""
        return self.records() if self.reading else [self.given]

    def choices_for(self) -> dict[str, Sequence[Candidate]]:
        """For each name that is not known, or not clear, what it may mean."""
        return PastedForm.choices_for(self) if self.is_table else CellsForm.choices_for(self)


def _placed(rejection: Rejection) -> str:
    place = f"line {rejection.line}: " if rejection.line else ""
    column = f"{rejection.column}: " if rejection.column and not rejection.column.startswith("column ") else ""
    return as_sentence(f"{place}{column}{rejection.message}")
