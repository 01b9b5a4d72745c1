"""The heads of a table's columns: what they say of them at first sight, before any cell is looked at."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from analysis.readers.columns import field_of, find_measure, find_names, is_percent, is_rank, without_raised
from analysis.readers.names import Names, split_head
from analysis.readers.numbers import PERCENT
from analysis.readers.pasted.left_out import AVERAGE, is_fact, is_mean, is_spread, is_suite, why_left_out

#: The column whose cells name collections, measures, or both: DL19 nDCG@10.
COLLECTION_AND_MEASURE = "collection and measure"
#: Words over measures that are the name of nothing.
_NO_NAMES = frozenset(
    ["effectiveness", "efficiency", "performance", "results", "metrics", "evaluation", "quality", "ranking", "scores"]
)
_BRACKETS = re.compile(r"(?P<text>[^()\[\]]+)[(\[](?P<inner>[^()\[\]]+)[)\]]")
#: What stands in brackets and tells nothing apart: units, directions, numbers of topics.
_UNIT = re.compile(
    r"(?:in )?(?:%|percent)|[×x*] ?100|[0-9.,]+[km]?|(?:n|#|\|q\|) ?=? ?[0-9,]+"
    r"|[0-9,]+ (?:queries|topics|questions)|m?s|sec|gb|mb|[↑↓⇑⇓]|(?:higher|lower)(?: is)? better"
    r"|(?:mean|avg\.?|average)?\s*(?:(?:±|\+/-).*)?|std\.?|micro|macro",
    re.IGNORECASE,
)
_RETRIEVER = frozenset({"retriever", "first stage", "first-stage", "first-stage retriever", "retrieval", "candidates"})
_RERANKER = frozenset({"reranker", "re-ranker", "ranker", "reranking", "re-ranking", "second stage"})


@dataclass(frozen=True, slots=True)
class Head:
    """The meaning of a column.

    ``field`` is a column of the import format; ``value`` for scores, then with the collection, measure or system that
    the head names for all of them. Blank where the head means nothing here. ``group`` is what else stands over it,
    ``over`` a name over its measure that nobody knows, ``left_out`` why its cells are no scores, and ``spread_of`` the
    column whose deviations it holds.
    """

    position: int
    text: str
    field: str = ""
    collection: str = ""
    measure: str = ""
    system: str = ""
    group: str = ""
    over: str = ""
    left_out: str = ""
    is_fact: bool = False
    is_group: bool = False
    spread_of: int = 0

    @property
    def is_wide(self) -> bool:
        """Say whether each of its cells is a result of its own."""
        return bool(self.collection or self.measure or self.system)

    @property
    def unit(self) -> str:
        """Return the unit that the head says its scores are in; blank for none."""
        return PERCENT if any(is_percent(text) for text in self.text.split(" / ")) else ""

    @property
    def is_rank(self) -> bool:
        return is_rank(self.text)

    @property
    def is_unknown(self) -> bool:
        """Say whether nothing is understood of the column."""
        is_understood = self.field or self.left_out or self.is_fact or self.is_group or self.spread_of
        return not is_understood and not self.is_rank

    @property
    def part_of_system(self) -> str:
        """Return which part of a system its cells name, where retriever and reranker have columns of their own."""
        text = without_raised(self.text).casefold()
        return "retriever" if text in _RETRIEVER else "reranker" if text in _RERANKER else ""


@dataclass(frozen=True, slots=True)
class _Named:
    """The collection and measure that the texts over a column name, and what else stands above."""

    collection: str = ""
    measure: str = ""
    group: str = ""
    over: str = ""

    def __bool__(self) -> bool:
        return bool(self.collection or self.measure)


def read_heads(levels: Sequence[Sequence[str]], names: Names, context: Sequence[str] = ()) -> list[Head]:
    """Return what each column holds over which these texts stand, from the top down; a text that spans columns is in
    each.

    ``context`` is what stands above the whole table: MIRACL over a column ``ar`` makes it a collection.
    """
    columns = [list(dict.fromkeys(text for text in column if text.strip())) for column in zip(*levels, strict=True)]
    spread_of = _spreads(columns)
    heads = []
    for place, texts in enumerate(columns):
        joined = " / ".join(" ".join(text.split()) for text in texts)
        if place in spread_of:
            heads.append(Head(place + 1, joined, spread_of=spread_of[place]))
        else:
            beside = [{*level[max(place - 1, 0) : place], *level[place + 1 : place + 2]} for level in levels]
            spanned = [level[place] for level, near in zip(levels, beside, strict=True) if level[place] in near - {""}]
            heads.append(_read_head(Head(place + 1, joined), texts, spanned, names, context))
    return heads


def _spreads(columns: list[list[str]]) -> dict[int, int]:
    """Return the columns of deviations, each with the position of the column before it; takes ``Mean`` away there."""
    spreads = {}
    for place in range(1, len(columns)):
        # A column without a head between them holds signs.
        last = next((left for left in range(place - 1, 0, -1) if columns[left]), place - 1)
        before, texts = columns[last], columns[place]
        if not texts or not before or before[:-1] != texts[:-1] or field_of(before[-1]) not in {"", "value"}:
            continue
        # Std, or nDCG@10 std behind nDCG@10.
        if is_spread(texts[-1].removeprefix(before[-1])):
            spreads[place] = last + 1
            if len(before) > 1 and is_mean(before[-1]):
                before.pop()
    return spreads


def _read_head(head: Head, texts: Sequence[str], spanned: Sequence[str], names: Names, context: Sequence[str]) -> Head:
    """Return the head, once its texts are understood; ``spanned`` are those that stand over other columns as well."""
    if not texts:
        return head
    if is_mean(texts[-1]) and len(texts) > 1 and (above := _find(texts[:-1], names, context)).collection:
        # Below one collection and measure it is a mean over executions.
        texts = texts[:-1] if above.measure else texts
    if why := _why_left_out(texts, names):
        return replace(head, left_out=why)
    named = _find(texts, names, context)
    field = field_of(texts[-1])
    if named and field in {"", "value"}:
        return replace(
            head, field="value", collection=named.collection, measure=named.measure, group=named.group, over=named.over
        )
    if field:
        return replace(head, field=field)
    for text in reversed(texts[:-1]):
        kind = field_of(text)
        if kind and text not in spanned:
            return replace(head, field=kind)
        if kind in {"collection", "measure", "system"}:
            group = " / ".join(other for other in texts[:-1] if other != text)
            return holding(replace(head, group=group), kind, texts[-1])
    return replace(head, is_fact=is_fact(texts[-1]))


def holding(head: Head, kind: str, name: str) -> Head:
    """Return the head over scores of one collection, measure or system."""
    if kind == "collection":
        return replace(head, field="value", collection=name)
    return (
        replace(head, field="value", measure=name) if kind == "measure" else replace(head, field="value", system=name)
    )


def _why_left_out(texts: Sequence[str], names: Names) -> str:
    """Return why there are no scores below: an average is one whatever stands above or below the word.

    A suite of collections is one over a measure alone; over one of its collections it is part of that one's name.
    """
    if why := why_left_out(texts[-1], names):
        return why
    is_over_measure = bool(find_measure(without_raised(texts[-1]), names))
    over = [text for text in texts[:-1] if is_over_measure or not is_suite(text)]
    is_named = any(names.has_collection(f"{text} {lower}") for text, lower in pairwise(texts))
    return AVERAGE if not is_named and any(why_left_out(text, names) == AVERAGE for text in over) else ""


def _find(texts: Sequence[str], names: Names, context: Sequence[str]) -> _Named:
    """Return what the texts name together: a suite over its part is one name, and so is a track over its year."""
    texts = [part for text in texts for part in _apart(without_raised(text), names)]
    collection = measure = over = ""
    above: list[str] = []
    below: list[str] = []
    place = 0
    while place < len(texts):
        text, lower = texts[place], texts[place + 1] if place + 1 < len(texts) else ""
        place += 1
        if lower and names.has_collection(f"{text} {lower}") and not find_measure(lower, names):
            pair, place = (f"{text} {lower}", ""), place + 1
        elif lower and find_measure(_with_cutoff(text, lower), names):
            pair, place = ("", _with_cutoff(text, lower)), place + 1
        else:
            pair = find_names(text, names)
        if not any(pair):
            pair = (next((f"{title} {text}" for title in context if names.has_collection(f"{title} {text}")), ""), "")
        collection, measure = collection or pair[0], measure or pair[1]
        if not any(pair):
            (below if collection else above).append(text)
    above = [text for text in above if text.casefold() not in _NO_NAMES and not field_of(text)]
    if measure and not collection and above:
        over = above.pop()
    elif collection and not measure and below:
        # Below a collection stands its measure, even if nobody knows the name.
        measure = below.pop()
    return _Named(collection, measure, " / ".join([*above, *below]), over)


def _with_cutoff(text: str, lower: str) -> str:
    """Return the measure of a head without a cut-off over one: P@k over 5; blank for none."""
    match = re.fullmatch(r"(.+@)[kKnN]?", text)
    return match[1] + lower if match and lower.isdigit() else ""


def _apart(text: str, names: Names) -> list[str]:
    """Return the text, or what stands beside its measure: MRR@10 (Dev), and Dev MRR@10, is MRR@10 below Dev."""
    match = _BRACKETS.fullmatch(text)
    if match is None and not any(find_names(text, names)):
        measure, _, rest = text.partition(", ")
        if rest and find_measure(measure, names):
            return [rest, measure]
        rest, _, measure = text.rpartition(" ")
        rest = rest.rstrip(" -–:|/")
        if rest and rest[-1] not in ")]" and "@" in measure and find_measure(measure, names):
            return [text] if why_left_out(rest, names) else [rest, measure]
    named = split_head(text, names) if match else None
    if match is None or named is None or named.collection or named.measure or _UNIT.fullmatch(match["inner"].strip()):
        return [text]
    return [match["inner"].strip(), match["text"].strip()] if any(find_names(match["text"], names)) else [text]


def names_of_heading(text: str, names: Names) -> tuple[str, str, str]:
    """Return the collection and the measure that a heading between rows names, and what else it says beside a measure.

    >>> from analysis.readers.columns import NoNames
    >>> names_of_heading("Search tasks (nDCG@10)", NoNames()), names_of_heading("nDCG@10 of all", NoNames())
    (('', 'nDCG@10', 'Search tasks'), ('', '', ''))
    """
    collection, measure = find_names(text, names)
    match = _BRACKETS.fullmatch(without_raised(text))
    if not collection and not measure and match and (measure := find_measure(match["inner"].strip(), names)):
        return "", measure, match["text"].strip()
    return collection, measure, ""


def conflicts(heads: Sequence[Head]) -> list[tuple[Head, str, str]]:
    """Return heads that cannot stand together: the later head, a code for what is wrong, and the message."""
    clashes = []
    for earlier, later in product(heads, heads):
        if not earlier.field or earlier.position >= later.position or earlier.field != later.field:
            continue
        parts = {earlier.part_of_system, later.part_of_system} - {""}
        if _meaning(earlier) == _meaning(later) and len(parts) < 2:
            held = earlier.field if not earlier.is_wide else " ".join(filter(None, [later.collection, later.measure]))
            message = f"this column and column {earlier.position} ({earlier.text}) both hold {held}; keep one of them"
            clashes.append((later, "duplicate_column", message))
    for head in heads:
        for kind in ("collection", "measure", "system"):
            others = {kind, COLLECTION_AND_MEASURE} if kind != "system" else {kind}
            if getattr(head, kind) and any(other.field in others for other in heads):
                message = f"the head names a {kind}, and so does the column {kind}; a result has one"
                clashes.append((head, "mixed", message))
    if any(head.is_wide for head in heads):
        clashes += [
            (head, "mixed", "scores stand in this column and below the names of measures or collections as well")
            for head in heads
            if head.field == "value" and not head.is_wide
        ]
    return clashes


def _meaning(head: Head) -> tuple[str, ...]:
    return head.collection, head.measure, head.system, head.group, head.over
