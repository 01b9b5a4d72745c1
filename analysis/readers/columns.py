"""The columns of the import format as tables call them, and names of collections and measures in their heads."""

import re
import unicodedata

from analysis.readers.names import Names, measure_name, split_head
from analysis.readers.text import comparison_key

REQUIRED_COLUMNS = ("collection", "measure", "system", "value", "role")
OPTIONAL_COLUMNS = (
    "unit", "source", "year", "date", "run_type", "team", "paper", "paper_url", "provenance", "comparability",
    "replicate_of", "n_topics", "self_reported", "locator", "evaluator", "dataset_revision", "notes",
)  # fmt: skip
#: What columns were called once: files that say so are read as ever.
FORMER_COLUMNS = {"evidence": "provenance"}
COLUMNS = (*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS)

#: What tables call the columns of the import format.
_ALIASES = {
    "system": """system name|method|methods|model|models|model name|run|runs|run id|runid|run name|run tag|runtag|tag
        |name|approach|retriever|ranker|reranker|algorithm|configuration|technique|system/run""",
    "value": "score|scores|mean score|main score|result|values",
    "collection": """dataset|data set|datasets|test collection|corpus|benchmark|test set|track|ir datasets id|task|tasks
        |task name""",
    "measure": "metric|metrics|evaluation measure|evaluation metric|measures",
    "team": "group|participant|participants|organization|organisation|institution|affiliation|submitter|pid",
    "date": "publication date|submission date",
    "paper": "reference|references|publication|citation|cite|ref",
    "paper_url": "url|link|paper link|doi|arxiv|arxiv id|acl id|dblp key",
    "run_type": "automatic/manual",
    "n_topics": """topics|queries|number of topics|number of queries|# topics|# queries|#topics|#queries|n queries
        |n|scored|n scored|answered|n answered|evaluated|queriesranked|queries ranked""",
    "locator": "table|page",
    "notes": "note|comment|comments|remark|remarks|description",
}
#: The topic that a score is of.
TOPIC = "topic"
_TOPICS = frozenset(
    {"qid", "query", "topic", "query id", "topic id", "queryid", "topicid", "qry", "query no", "topic no"}
)
#: Places in the order of the table: nothing that a result keeps, and nothing to warn of.
_RANKS = frozenset({"#", "rank", "no", "no.", "nr", "pos", "position", "place"})
_UNIT = re.compile(r"\s*+(?:\([^()]*\)|\[[^\[\]]*\]|in %|%|[↑↓⇑⇓])\s*$")
#: At the end of a head; behind a digit it is part of a cut-off: R@10%.
_PERCENT = re.compile(
    r"(?:\([^()]*%\s*\)|\[[^\[\]]*%\s*\]|\bin (?:%|percent)|(?<![0-9])%)\s*[)\]]?\s*[↑↓⇑⇓]?\s*$", re.IGNORECASE
)
_RAISED = re.compile(r"\^\{[^{}]*\}")
#: Which way a head reads: Model (→), Dataset ↓.
_WAY = re.compile(r"\s*\(?[→←↑↓⇒⇐⇑⇓▶▼►]\)?\s*")


def _head_key(text: str) -> str:
    """Return a head as it is compared: without marks and invisible characters, with blanks of one kind."""
    text = _WAY.sub(" ", _RAISED.sub("", text))
    visible = "".join(c for c in text if unicodedata.category(c) not in {"Cf", "Cc"} or c.isspace())
    return comparison_key(visible.replace("_", " ").strip(" :."))


_BY_KEY = {_head_key(alias): column for column, aliases in _ALIASES.items() for alias in aliases.split("|")}
_BY_KEY |= {_head_key(former): column for former, column in FORMER_COLUMNS.items()}
_BY_KEY |= {_head_key(column): column for column in COLUMNS}


class NoNames:
    """Knows no collections and no measures; what looks like a measure is taken for one all the same."""

    def has_collection(self, text: str) -> bool:
        return False

    def has_measure(self, text: str) -> bool:
        return False

    def asks_about_measure(self, text: str) -> bool:
        return False


def field_of(text: str) -> str:
    """Return the column of the import format that goes by this name; blank where there is none."""
    keys = (_head_key(unit) for unit in _without_units(without_raised(text)))
    return next((_BY_KEY[key] for key in keys if key in _BY_KEY), "")


def is_topic(text: str) -> bool:
    """Say whether the column of this name may hold the topics that scores are of."""
    return _head_key(text) in _TOPICS


def is_rank(text: str) -> bool:
    """Say whether the column of this name holds places in the order of the table."""
    return _head_key(text) in _RANKS


def is_percent(text: str) -> bool:
    """Say whether a head says that the numbers below it are in percent.

    >>> [is_percent(text) for text in ("MAP (%)", "nDCG@10 [in %] ↑", "Recall, %", "R@10%", "R@10% (%)", "MAP")]
    [True, True, True, False, True, False]
    """
    return bool(_PERCENT.search(without_raised(text)))


def without_raised(text: str) -> str:
    """Return a head without marks, on one line."""
    return " ".join(_RAISED.sub("", text).split())


def find_names(text: str, names: Names) -> tuple[str, str]:
    """Return the collection and the measure that one text names: either of them, or both one after the other."""
    for candidate in _without_units(without_raised(text)):
        head = split_head(candidate, names)
        if head.collection or head.measure:
            return head.collection, find_measure(head.measure, names)
    return "", ""


def _without_units(text: str) -> list[str]:
    """Return the text, then without each thing at its end that could be a unit: ``MAP (%) ↑``."""
    candidates = [text]
    while len(candidates) < 4 and (shorter := _UNIT.sub("", candidates[-1])) not in ("", candidates[-1]):
        candidates.append(shorter)
    return candidates


def find_measure(text: str, names: Names) -> str:
    """Return how ir-measures would write the name of a measure; blank where it names none.

    As it is written where ir-measures has no name for it, or where it has to be asked which measure is meant.
    """
    standard = measure_name(text)
    if names.asks_about_measure(text) or (names.has_measure(text) and not (standard and names.has_measure(standard))):
        return text
    return standard
