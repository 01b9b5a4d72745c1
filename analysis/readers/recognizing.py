"""Whatever people paste or upload, to rows: told by its looks which of the forms and formats it is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from analysis.readers.columns import COLUMNS, REQUIRED_COLUMNS
from analysis.readers.exchange.formats import FORMATS
from analysis.readers.grids import Aside, numbered_lines
from analysis.readers.names import Names
from analysis.readers.pasted.averages import UnequalMean
from analysis.readers.pasted.heads import Head
from analysis.readers.pasted.tables import FORMS, PastedTable, read_pasted
from analysis.readers.questions import Question
from analysis.readers.rejections import Rejection
from analysis.readers.tables import Record
from analysis.readers.text import comparison_key

#: What can be chosen instead of having it told: the forms of tables, then the formats that programs exchange.
EXCHANGED = {
    "csv": "CSV in the import format",
    "json": "JSON of this registry",
    "ir_metadata": "ir_metadata",
    "run_card": "run card",
    "every_eval_ever": "Every Eval Ever",
}
CHOICES = [*((name, name) for name in FORMS), *EXCHANGED.items()]

_METADATA = re.compile(r"^(?:# ?)?ir_metadata\.start|\A(?:---\s*\n)?(?:schema-version|research goal)\s*:", re.MULTILINE)
_CARD = re.compile(r"^run\s*:\s*(?:#.*)?$", re.MULTILINE)
_RESULTS = re.compile(r'"results"\s*:')
_LOG = re.compile(r'"evaluation_results"\s*:')


@dataclass(frozen=True, slots=True)
class Reading:
    """A text once it is read: the name of its form, its columns if any, its rows, and what was put aside."""

    form: str
    records: list[Record | Rejection]
    heads: tuple[Head, ...] = ()
    asides: tuple[Aside, ...] = ()
    questions: tuple[Question, ...] = ()
    unequal: tuple[UnequalMean, ...] = ()

    @property
    def is_open(self) -> bool:
        """Say whether the table can't be read before a question is answered."""
        return any(question.is_open for question in self.questions)

    def suggesting(self, about: str, name: str) -> "Reading":
        """Return the reading with a name suggested to its question about this column; a blank name suggests nothing."""
        questions = (
            replace(question, suggestions=(name,)) if name and question.about == about else question
            for question in self.questions
        )
        return replace(self, questions=tuple(questions))

    @property
    def rows(self) -> list[Record]:
        return [record for record in self.records if isinstance(record, Record)]

    @property
    def rejections(self) -> list[Rejection]:
        return [record for record in self.records if isinstance(record, Rejection)]


def read_text(
    text: str, names: Names, *, form: str = "", answers: Mapping[str, str] | None = None
) -> Reading | list[Rejection]:
    """Return the results of the text, or why nothing of it can be read.

    ``form`` is one of ``CHOICES``; blank to recognize it. ``answers`` are those to the questions of a table.
    """
    form = form or recognize(text)
    if form not in FORMATS:
        pasted = read_pasted(text, names, form=form, answers=answers)
        return _reading_of(pasted) if isinstance(pasted, PastedTable) else pasted
    records = FORMATS[form].read(text)
    fatal = [record for record in records if isinstance(record, Rejection) and record.fatal]
    return fatal or Reading(EXCHANGED[form], records)


def _reading_of(pasted: PastedTable) -> Reading:
    return Reading(pasted.form, pasted.records(), pasted.heads, pasted.asides, pasted.questions, pasted.unequal)


def recognize(text: str) -> str:
    """Return the format of exchange that the text looks like; blank for a table whose columns are yet to be understood.

    >>> recognize('{"results": []}'), recognize("collection,measure,system,value,role\\n"), recognize("system,AP\\n")
    ('json', 'csv', '')
    """
    start = text.removeprefix("\ufeff").lstrip()[:20_000]
    if start.startswith("{"):
        return "every_eval_ever" if _LOG.search(text) else "json" if _RESULTS.search(text) else ""
    if _METADATA.search(start):
        return "ir_metadata"
    if _CARD.search(start):
        return "run_card"
    return "csv" if _is_import_format(start) else ""


def _is_import_format(start: str) -> bool:
    # No column of the format has a comma or a quote in its name.
    _, header = next(numbered_lines(start))
    names = {comparison_key(name.strip().strip('"')) for name in header.split(",")}
    return names >= set(REQUIRED_COLUMNS) and names <= set(COLUMNS)
