"""Questions about what a table leaves open: asked once, for all of it, and never guessed."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from analysis.readers.columns import find_measure
from analysis.readers.names import Names
from analysis.readers.rejections import Rejection
from analysis.readers.tables import Record

_MAX_SUGGESTIONS = 3
_MAX_WORDS = 5


@dataclass(frozen=True, slots=True)
class Question:
    """Something that the table does not say.

    ``about`` is a column of the import format, then the answer holds for all rows that leave it blank and
    ``suggestions`` are names that stand somewhere in the text; else the answer is one of ``choices``, each with what it
    says in words, blank while there is none.
    """

    about: str
    text: str
    suggestions: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    answer: str = ""

    @property
    def key(self) -> str:
        """Return what an answer is given under: an answer to one table's question is none to another's."""
        content = "\x1f".join([self.text, *(part for choice in self.choices for part in choice)])
        return f"{self.about}-{blake2b(content.encode(), digest_size=6).hexdigest()}"

    def answered(self, answers: Mapping[str, str], otherwise: str = "") -> "Question":
        """Return the question with the answer that was given to it, if it is one of its choices."""
        answer = answers.get(self.key, "")
        return replace(self, answer=answer if answer in dict(self.choices) else otherwise)

    @property
    def is_open(self) -> bool:
        """Say whether nothing that depends on it can be read yet."""
        return bool(self.choices) and not self.answer


#: What columns of numbers may be whose names nobody knows: the answers, each in words.
ACROSS = (
    ("collections", "collections"),
    ("measures", "measures"),
    ("systems-by-collection", "systems, and each row is a collection"),
    ("systems-by-measure", "systems, and each row is a measure"),
    ("nothing", "no results; leave them out"),
)

#: What names over measures may be that nobody knows: the answers, each in words.
OVER = (
    ("collections", "collections"),
    ("systems", "systems; what stands before the scores belongs to them"),
    ("settings", "settings of the systems; part of their names where these are alike, else in the notes"),
)


def mentioned(texts: Sequence[str], names: Names, kind: str) -> tuple[str, ...]:
    """Return the names of collections, or of measures, that stand somewhere in the texts, longer names first."""
    mentions: dict[str, str] = {}
    for text in texts:
        words = [word.strip(".,;:()[]“”\"'") for word in text.split()[:200]]
        place = 0
        while place < len(words):
            ends = range(min(len(words), place + _MAX_WORDS), place, -1)
            end = next((end for end in ends if _is_name(" ".join(words[place:end]), names, kind)), None)
            if end is not None:
                name = " ".join(words[place:end])
                mentions.setdefault(find_measure(name, names) if kind == "measure" else name, name)
            place = end or place + 1
    return tuple(mentions.values())[:_MAX_SUGGESTIONS]


def _is_name(text: str, names: Names, kind: str) -> bool:
    if kind == "measure":
        # In a sentence, one word alone may mean anything: a map, the precision.
        return bool(find_measure(text, names)) and (text != text.lower() or "@" in text)
    return bool(text) and names.has_collection(text)


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
