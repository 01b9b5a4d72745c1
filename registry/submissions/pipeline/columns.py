"""What the columns of a table hold, told from what stands above them."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol

from registry.core.text import comparison_key
from registry.results.pipeline.rows import OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from registry.submissions.pipeline.measure_names import measure_name

COLUMNS = (*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS)

#: What tables call the columns of the import format.
_ALIASES = {
    "system": """system name|method|methods|model|models|model name|run|runs|run id|runid|run name|run tag|runtag|tag
        |name|approach|retriever|ranker|reranker|algorithm|configuration|technique|system/run""",
    "value": "score|scores|mean score|result|values",
    "collection": "dataset|data set|datasets|test collection|corpus|benchmark|test set|track|ir datasets id",
    "measure": "metric|metrics|evaluation measure|evaluation metric|measures",
    "team": "group|participant|participants|organization|organisation|institution|affiliation|submitter|pid",
    "date": "publication date|submission date",
    "paper": "reference|references|publication|citation|cite|ref",
    "paper_url": "url|link|paper link|doi",
    "run_type": "automatic/manual",
    "n_topics": "topics|queries|number of topics|number of queries|# topics|# queries|#topics|#queries|n queries",
    "locator": "table|page",
    "notes": "note|comment|comments|remark|remarks|description",
}
#: Places in the order of the table: nothing that a result keeps, and nothing to warn of.
_RANKS = frozenset({"#", "rank", "no", "no.", "nr", "pos", "position", "place"})
_UNIT = re.compile(r"\s*+(?:\([^()]*\)|\[[^\[\]]*\]|in %|%|[↑↓⇑⇓])\s*$")
_RAISED = re.compile(r"\^\{[^{}]*\}")
_BETWEEN = re.compile(r"\s*[\s/,:|–—-]\s*")


def _head_key(text: str) -> str:
    """A head as it is compared: without marks, invisible characters, and what tells one kind of blank from another."""
    visible = "".join(c for c in _RAISED.sub("", text) if unicodedata.category(c) not in {"Cf", "Cc"} or c.isspace())
    return comparison_key(visible.replace("_", " ").strip(" :."))


_BY_KEY = {_head_key(alias): column for column, aliases in _ALIASES.items() for alias in aliases.split("|")}
_BY_KEY |= {_head_key(column): column for column in COLUMNS}


class Names(Protocol):
    """Whoever knows what collections and measures there are."""

    def has_collection(self, text: str) -> bool: ...

    def has_measure(self, text: str) -> bool: ...


class NoNames:
    """Knows no collections and no measures; what looks like a measure is taken for one all the same."""

    def has_collection(self, text: str) -> bool:
        return False

    def has_measure(self, text: str) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Head:
    """What a column holds.

    ``field`` is a column of the import format; ``value`` for scores, then with the collection, measure or system that
    the head names for all of them. Blank where the head means nothing here.
    """

    position: int
    text: str
    field: str = ""
    collection: str = ""
    measure: str = ""
    system: str = ""

    @property
    def is_wide(self) -> bool:
        """Whether each of its cells is a result of its own."""
        return bool(self.collection or self.measure or self.system)

    @property
    def is_rank(self) -> bool:
        return _head_key(self.text) in _RANKS


def read_head(position: int, levels: Sequence[str], names: Names) -> Head:
    """What the column holds over which these texts stand, from the top down; a text that spans columns is in each."""
    texts = list(dict.fromkeys(text for text in levels if text.strip()))
    joined = " / ".join(" ".join(text.split()) for text in texts)
    for text in reversed(texts):
        if field := field_of(text):
            return Head(position, joined, field)
    collection, measure, rest = _wide_parts(texts, names)
    # Over a measure stands its collection, below a collection its measure, even if nobody knows the name.
    if measure and not collection and rest:
        collection = rest[-1]
    elif collection and not measure and rest:
        measure = rest[-1]
    field = "value" if collection or measure else ""
    return Head(position, joined, field, collection, measure)


def field_of(text: str) -> str:
    """The column of the import format that goes by this name; blank where there is none."""
    return _BY_KEY.get(_head_key(text), "")


def _wide_parts(texts: Sequence[str], names: Names) -> tuple[str, str, list[str]]:
    """The collection and the measure that the texts name, and the texts that name neither."""
    collection = measure = ""
    rest = []
    for text in texts:
        found = find_names(text, names)
        collection, measure = collection or found[0], measure or found[1]
        if not any(found):
            rest.append(" ".join(_RAISED.sub("", text).split()))
    return collection, measure, rest


def find_names(text: str, names: Names) -> tuple[str, str]:
    """The collection and the measure that one text names: either of them, or both one after the other."""
    if len(text) > 200:
        return "", ""
    for candidate in _without_units(" ".join(_RAISED.sub("", text).split())):
        if names.has_collection(candidate):
            return candidate, ""
        if measure := find_measure(candidate, names):
            return "", measure
        for gap in list(_BETWEEN.finditer(candidate))[:8]:
            first, last = candidate[: gap.start()], candidate[gap.end() :]
            for one, other in ((first, last), (last, first)):
                if names.has_collection(one) and (measure := find_measure(other, names)):
                    return one, measure
    return "", ""


def _without_units(text: str) -> list[str]:
    """The text, then without each thing at its end that could be a unit: ``MAP (%) ↑``."""
    candidates = [text]
    while len(candidates) < 4 and (shorter := _UNIT.sub("", candidates[-1])) not in ("", candidates[-1]):
        candidates.append(shorter)
    return candidates


def find_measure(text: str, names: Names) -> str:
    """The name of a measure that the catalog knows, or how ir-measures would write it; blank for neither."""
    standard = measure_name(text)
    if names.has_measure(text) and not (standard and names.has_measure(standard)):
        return text
    return standard


def heads_across(heads: Sequence[Head], columns_of_scores: set[int]) -> list[Head]:
    """The heads of a table whose systems stand side by side, over the scores of one collection or measure a row."""
    fields = {head.field for head in heads}
    if "system" in fields or "value" in fields or not fields & {"measure", "collection"}:
        return list(heads)
    return [
        Head(head.position, head.text, "value", system=head.text)
        if not head.field and head.text and head.position in columns_of_scores
        else head
        for head in heads
    ]


def first_is_system(heads: Sequence[Head]) -> list[Head]:
    """The heads, the column before the scores taken for the systems where a wide table names them nowhere."""
    if any(head.field == "system" or head.system for head in heads) or not any(head.is_wide for head in heads):
        return list(heads)
    before = next(head.position for head in heads if head.is_wide)
    first = next((head for head in heads[: before - 1] if not head.field and not head.is_rank), None)
    return [Head(head.position, head.text, "system") if head is first else head for head in heads]


def conflicts(heads: Sequence[Head]) -> list[tuple[Head, str, str]]:
    """Heads that cannot stand together: the later one, what is wrong as a code, and the message."""
    found = []
    for earlier, later in product(heads, heads):
        if not earlier.field or earlier.position >= later.position or earlier.field != later.field:
            continue
        is_same = (earlier.collection, earlier.measure, earlier.system) == (
            later.collection,
            later.measure,
            later.system,
        )
        if is_same:
            said = earlier.field if not earlier.is_wide else " ".join(filter(None, [later.collection, later.measure]))
            message = f"this column and column {earlier.position} ({earlier.text}) both hold {said}; keep one of them"
            found.append((later, "duplicate_column", message))
    for head in heads:
        for kind in ("collection", "measure", "system"):
            if getattr(head, kind) and any(other.field == kind for other in heads):
                message = f"the head names a {kind}, and so does the column {kind}; a result has one"
                found.append((head, "mixed", message))
    if any(head.is_wide for head in heads):
        found += [
            (head, "mixed", "scores stand in this column and below the names of measures or collections as well")
            for head in heads
            if head.field == "value" and not head.is_wide
        ]
    return found
