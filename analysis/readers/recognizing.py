"""Texts that people paste, upload or type, recognized by their looks: as tables, as files of results, as a field."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from analysis.readers.bibliography.bibtex import read_bibtex
from analysis.readers.bibliography.papers import PaperDraft, draft_of_addresses, read_identifier
from analysis.readers.columns import COLUMNS, REQUIRED_COLUMNS
from analysis.readers.exchange.formats import FORMATS
from analysis.readers.grids import Aside, numbered_lines, show_raised, split_score
from analysis.readers.latex import text as latex_text
from analysis.readers.names import Names
from analysis.readers.pasted.averages import UnequalMean
from analysis.readers.pasted.delimited import printed_markdown
from analysis.readers.pasted.heads import Head
from analysis.readers.pasted.tables import FORMS, PastedTable, read_pasted
from analysis.readers.questions import Question
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record
from analysis.readers.text import clean_name, clean_url, comparison_key

#: What can be chosen instead of having it recognized: the forms of tables, then the formats that programs exchange.
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
        if not isinstance(pasted, PastedTable):
            return pasted
        return Reading(pasted.form, pasted.records(), pasted.heads, pasted.asides, pasted.questions, pasted.unequal)
    records = FORMATS[form].read(text)
    fatal = [record for record in records if isinstance(record, Rejection) and record.fatal]
    return fatal or Reading(EXCHANGED[form], records)


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


_ENTRY = re.compile(r"\s*@[a-zA-Z]+\s*[{(]")
#: "Diaz (CIKM 2005)": when it was published, at the end of a citation.
_YEAR = re.compile(r"\([^()]*\b((?:19|20)\d\d)\)$")
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
#: Longer than any score, with all that can stand around it.
_MAX_SCORE_LENGTH = 200


def read_score(text: str) -> tuple[str, str]:
    r"""Return the score without the marks around it, and how it was printed where there were any.

    >>> read_score("0.312*"), read_score(r"\textbf{.312}"), read_score("**0.30**")
    (('0.312', '0.312*'), ('.312', ''), ('0.30', ''))
    """
    text = text.strip()
    if len(text) > _MAX_SCORE_LENGTH:
        return text, ""
    is_latex = any(sign in text for sign in "\\{$")
    plain = latex_text.printed(text).text if is_latex else printed_markdown(text)
    score, printed = split_score(plain)
    return score, show_raised(printed)


def read_paper(text: str) -> PaperDraft | list[Rejection]:
    """Return the paper of a BibTeX entry, an identifier, an address, or a citation that an address may follow.

    >>> read_paper("1904.09171").identity, read_paper("Diaz (CIKM 2005)").cite
    ('arxiv:1904.09171', 'Diaz (CIKM 2005)')
    """
    if _ENTRY.match(text):
        return read_bibtex(text)
    identified = read_identifier(text)
    if isinstance(identified, PaperDraft):
        return identified
    *words, last = text.split() or [""]
    try:
        if _ADDRESS.fullmatch(last):
            cite, address = clean_name(" ".join(words)), clean_url(last)
        elif words:
            cite, address = clean_name(text), ""
        else:
            return identified
    except Refused as refused:
        return [refused.at(1, "paper")]
    draft = draft_of_addresses([address] if address else [], cite)
    if draft is None:
        return identified
    year = _YEAR.search(cite)
    return replace(draft, cite=cite, year=int(year[1]) if year else None)
