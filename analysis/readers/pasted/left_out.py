"""Columns and rows among scores that are none: averages, comparisons, costs; what systems are, and how large."""

import re
from collections.abc import Sequence

from analysis.readers.columns import find_measure
from analysis.readers.names import Names
from analysis.readers.text import comparison_key

AVERAGE = "an average"
COMPARISON = "a comparison, no score"
COST = "a cost, no score"
ABOUT_COLLECTIONS = "about the collections"
CUT = "columns that the frame leaves out"

_UNIT = r"(?:\s*(?:\([^()]*\)|\[[^\[\]]*\]|in %|%|[↑↓⇑⇓]))*"
#: The word for an average, and what may follow: how many, over what, of what.
_AVERAGED = (
    r"(?:avg|ave|average|averaged)\.?"
    r"(?:\s*[(\[↑↓%0-9/:].*|\s+(?:over|of|across|on|vs|perf\w*|scores?|rank\w*|all|w/?o|excl|incl|without)\b.*)?"
)
_MEAN = r"(?:(?:macro|micro|overall|total|grand|arithmetic)[ -])?(?:mean|avg\.?|ave\.?|average)" + _UNIT
_COMPARED = (
    r"[δ∆△].*|.*[\s(](?:δ|∆)%?\)?|delta(?:\s*%|\s+\S+)?|(?:%\s*)?(?:abs\.?|rel\.?|absolute|relative)?\s*"
    r"(?:diff|difference|change|chg|improv|improvement|impr|imp|gain|lift)s?\.?"
    r"(?:\s+(?:over|vs|to|w\.?r\.?t)\b.*)?|%\s*(?:diff|change|chg|improv|improvement|impr|imp|gain)\.?|vs\.? .*"
    r"|p[ -]?val(?:ue)?s?\.?|(?:stat\.? )?sig(?:\.|nificance|nificant)?|#?\s*(?:wins?|losses|ties)(?:\s*/.*)?|t-test"
    r"|(?:mean )?win[ -]?rate"
)
#: What PyTerrier puts behind the name of a measure: topics that got better and worse, and whether that is chance.
_BESIDE = re.compile(r"(?P<measure>.+?)\s+(?:[+-]|p-value(?: corrected)?|reject)")
_COSTLY = (
    r"(?:(?:avg|average|mean|median|query|index|indexing|search|retrieval|encoding|inference|training|train|rerank"
    r"|reranking|total|gpu|cpu|p\d\d|wall[ -]clock)\.?[ -])*"
    r"(?:latency|lat\.?|mrt|time|qps|throughput|flops|gflops|tflops|macs|memory|mem\.?|ram|index size|storage"
    r"|disk(?: space)?|footprint|index|speed|speed-?up|cost|hours|energy|co2e?|emissions|tokens)"
    r"(?:\s+(?:per|/)\s+\w+)?"
)
#: Suites of collections: over scores, their names stand for a mean over all of them.
_SUITE = re.compile(
    r"(?:nano|c|m)?(?:beir|mteb)(?:[ -]?[0-9]{1,2})?|bright|miracl|mr\.? ?tydi|mkqa|lotte|bird?co|longembed|air-?bench"
)
_AVERAGE_HEAD = re.compile(rf"(?:\S+\s+){{0,4}}?{_AVERAGED}")
_MEAN_HEAD = re.compile(_MEAN)
_COMPARISON = re.compile(rf"(?:{_COMPARED}){_UNIT}")
_COST = re.compile(rf"(?:{_COSTLY}){_UNIT}|(?:[0-9]-)?[gc]pu ms|.+ \((?:ms|gi?b|qps)\)|(?:ms|gb|mb|qps)(?:/\w+)?")
#: Rows that compare others, whatever they are called: p-values, and numbers with a sign before them.
_P_VALUE, _SIGNED = re.compile(r"p[ -]?val(?:ue)?s?\b"), re.compile(r"[+±−–-]\s*[0-9.]")
_COUNTS = re.compile(
    r"\|q\||(?:(?:#|no\.?|number|n)\s*(?:of\s+)?)?(?:test\s+)?(?:queries|topics|docs|documents|passages|corpus size)"
)
#: What tells one system from another beside its name. Before the scores, any other head may as well.
_FACT = re.compile(
    r"#?\s*(?:params?|parameters|parameter count|size|model size|backbone|base model|encoder|plm|lm|llm|dims?"
    r"|dimensions?|embedding (?:dim|size)|emb\.? ?(?:dim|size)|depth|top-?k|k|first[ -]stage|prev|training(?: data)?"
    r"|train|supervision|pre-?training|distill?(?:ed|ation)?|loss|negatives|vocab(?:ulary)?|seeds?|version|filter"
    r"|n-?shots?|few-?shot|open(?: source)?)\.?" + _UNIT
)
_SPREAD = re.compile(
    r"(?:±|\+/-)?\s*(?:std|sd|s\.d|stdev|std\.? ?dev|standard deviation|σ|s\.?e\.?m?|stderr|std\.? ?err(?:or)?"
    r"|standard error|(?:95 ?% ?)?(?:ci|conf(?:idence|\.)? int(?:erval|\.)?))?\.?"
)


def why_left_out(text: str, names: Names) -> str:
    """Return why a column, or a row, of this name holds no scores of a system on a collection; blank where it may.

    >>> from analysis.readers.columns import NoNames
    >>> [why_left_out(text, NoNames()) for text in ("Avg.", "BEIR Avg. (13)", "Mean average precision", "MAP")]
    ['an average', 'an average', '', '']
    >>> [why_left_out(text, NoNames()) for text in ("Δ%", "p-value", "Latency (ms)", "# queries")]
    ['a comparison, no score', 'a comparison, no score', 'a cost, no score', 'about the collections']
    """
    key = comparison_key(text)
    if key == "...":
        return CUT
    if (beside := _BESIDE.fullmatch(text.strip())) and find_measure(beside["measure"], names):
        return COMPARISON
    if not key or len(key) > 100 or names.has_collection(text) or find_measure(text, names):
        return ""
    is_average = _MEAN_HEAD.fullmatch(key) or _is_average_of_measure(text, names) or _AVERAGE_HEAD.fullmatch(key)
    if is_average or is_suite(text):
        return AVERAGE
    if _COMPARISON.fullmatch(key):
        return COMPARISON
    if _COUNTS.fullmatch(key):
        return ABOUT_COLLECTIONS
    return COST if _COST.fullmatch(key) else ""


def is_suite(text: str) -> bool:
    """Say whether the name is that of many collections together: BEIR, BEIR-13, BEIR (avg.)."""
    key = re.sub(r"\s*[(\[][^()\[\]]*[)\]]$", "", comparison_key(text))
    return bool(_SUITE.fullmatch(key))


def _is_average_of_measure(text: str, names: Names) -> bool:
    """Say whether the text is a measure and the word for an average, as Avg. nDCG@10 or nDCG@10 mean."""
    match = re.fullmatch(r"(?i)(?:avg|ave|average|mean)\.?\s+(.+)|(.+)\s+(?:avg|ave|average|mean)\.?", text.strip())
    return bool(match and find_measure(match[1] or match[2], names))


def is_row_without_scores(text: str, names: Names, numbers: Sequence[str] = ()) -> str:
    """Return why a row of systems that begins so is none, by its numbers too; names of systems are freer than heads."""
    key = comparison_key(text)
    if _MEAN_HEAD.fullmatch(key):
        return AVERAGE
    if _P_VALUE.match(key) or (_COMPARISON.fullmatch(key) and numbers and all(map(_SIGNED.match, numbers))):
        return COMPARISON
    return ABOUT_COLLECTIONS if key and _COUNTS.fullmatch(key) else ""


def is_mean(text: str) -> bool:
    """Say whether a head says that the scores below it are means, as beside their deviations."""
    return bool(_MEAN_HEAD.fullmatch(comparison_key(text)))


def is_spread(text: str) -> bool:
    """Say whether a head says that the numbers below it are the deviations of the scores before them."""
    key = comparison_key(text)
    return bool(key.strip(".") and _SPREAD.fullmatch(key))


def is_fact(text: str) -> bool:
    """Say whether a head says how large a system is, or what it is made of."""
    return bool(_FACT.fullmatch(comparison_key(text)))
