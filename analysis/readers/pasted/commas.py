"""Whether the commas in the scores of a table are decimal points: asked once, for all of it."""

import re
from collections.abc import Iterable, Mapping, Sequence

from analysis.readers.questions import Question
from analysis.readers.rejections import Rejection
from analysis.readers.tables import Record

POINT, REFUSED = "point", "refused"
_WITH_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+%?")


def ask_about_commas(records: Iterable[Record | Rejection], answers: Mapping[str, str]) -> list[Question]:
    """Return the question about commas in scores, if any score has a comma."""
    scores = [record.cells["value"].strip() for record in records if isinstance(record, Record)]
    printed = [score for score in scores if _WITH_COMMA.fullmatch(score)]
    if not printed:
        return []
    n_all, n_printed = len(scores), len(printed)
    how_many = f"All {n_all:,} scores" if n_all == n_printed > 1 else f"{n_printed:,} of {n_all:,} scores"
    verb = "has a comma" if n_printed == 1 else "have a comma"
    choices = (
        (POINT, f"yes: {printed[0]} stands for {printed[0].replace(',', '.')}"),
        (REFUSED, "no; scores with a comma will be refused"),
    )
    text = f"{how_many} {verb}, as {printed[0]}. Are the commas decimal points?"
    return [Question("commas", text, choices=choices).answered(answers)]


def without_commas(records: Sequence[Record | Rejection], questions: Sequence[Question]) -> list[Record | Rejection]:
    """Return the records with points for the commas, and in the notes what was printed, if that was answered."""
    if not any(question.answer == POINT for question in questions):
        return list(records)
    return [_with_point(record) if isinstance(record, Record) else record for record in records]


def _with_point(record: Record) -> Record:
    value = record.cells["value"].strip()
    if not _WITH_COMMA.fullmatch(value):
        return record
    noted = "" if "printed as " in record.cells["notes"] else f'printed as "{value}"'
    notes = "; ".join(filter(None, [record.cells["notes"], noted]))
    return record.having({"value": value.replace(",", "."), "notes": notes})
