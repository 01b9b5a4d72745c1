"""Whole names of systems: without citations and medals, with what was added to the row above and tells rows apart."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from analysis.readers.columns import find_measure
from analysis.readers.names import Names, is_addition, with_addition
from analysis.readers.numbers import stands_for_nothing
from analysis.readers.questions import Question
from analysis.readers.tables import BLANKS
from analysis.readers.text import comparison_key

_YEAR = r"(?:19|20)[0-9]{2}[a-z]?"
_CITED = rf"[^\W\d_][\w'’.\- ]*?(?:(?: et al\.?| (?:and|&) [^\W\d_][\w'’.\- ]*?),? |, ){_YEAR}"
#: (Xiong et al., 2021; Dai and Callan, 2019b), [12, 7], [^1]
_CITATION = re.compile(
    rf"\s*\({_CITED}(?:; ?{_CITED})*\)|\s*\[(?:\^[^\[\]\s]{{1,20}}|[0-9]{{1,3}}(?:\s?[,;–-]\s?[0-9]{{1,3}})*)\]"
)
_MEDAL = re.compile("\\s*[\U0001f300-\U0001faff⭐\ufe0f]+")


def name_of_system(text: str) -> str:
    """Return the name without what is printed around it; as it is where nothing else would be left.

    >>> name_of_system("ANCE (Xiong et al., 2021)"), name_of_system("BM25 [12, 7]"), name_of_system("BM25 (k1=0.9)")
    ('ANCE', 'BM25', 'BM25 (k1=0.9)')
    """
    if text.isalnum() or len(text) > 1000:
        return text
    bare = _MEDAL.sub("", _CITATION.sub("", text)).strip()
    return bare or text


#: Columns that tell results of one system apart.
_IDENTITY = ("collection", "measure", "team", "paper", "paper_url", "source", "replicate_of")
Fact = tuple[str, str]
#: The head of what a score is the best of: it is said beside the row, and is never part of a name.
TRIES = "tries"
#: Marks of notes and of significance around a name: BM25¹, BM25 ‡, (a) BM25, BM25^b.
_MARKS = re.compile(
    r"^(?:\([a-z]\)|\[[a-z]\]|[†‡§¶])\s*"
    r"|(?:\s*(?:[\u00b9\u00b2\u00b3\u2070-\u2079†‡§¶∗*♠♣♡♢]+|\^\{?[a-z,*†‡]{1,5}\}?|\([a-z]\)))+$"
)
#: Before a first row these stand for an entry of a list, and not for what was left out.
_BULLETS = "-–−—"
_BRACKETS = re.compile(r"(?P<name>.+?)\s*[(\[](?P<inner>[^()\[\]]+)[)\]]")
#: To what each of several rows adds that begin with +: to the row above it, or to the system that they stand below.
_ABOVE, _FIRST = "above", "first"


@dataclass
class TableResult:
    """A result on its way out of a table: its place, its cells, and what the table says beside them.

    ``facts`` are what its system is or has, by head; a fact without a head is the group that it stands in. ``topics``
    are the scores by topic that it is the mean of. ``part`` counts the group of rows that it stands in.
    """

    line: int
    column: int
    cells: dict[str, str]
    facts: tuple[Fact, ...] = ()
    notes: list[str] = field(default_factory=list)
    topics: Mapping[str, float] = field(default_factory=dict)
    is_bold: bool = False
    part: int = 0
    whose: str = ""

    def row(self) -> dict[str, str]:
        """Return the cells of the result, with notes of what is not in its name."""
        facts = (f"{head}: {text}" if head else f'under "{text}"' for head, text in self.facts)
        notes = [self.cells.get("notes", ""), *facts, *self.notes]
        return BLANKS | self.cells | {"notes": "; ".join(filter(None, notes))}


def read_brackets(results: Iterable[TableResult], names: Names) -> None:
    """Take a measure in brackets behind a system's name as that of its scores, where nothing else says theirs."""
    for result in results:
        match = _BRACKETS.fullmatch(result.cells.get("system", ""))
        if match and not result.cells.get("measure") and (measure := find_measure(match["inner"].strip(), names)):
            result.cells |= {"system": match["name"], "measure": measure}


def take_off_marks(results: Sequence[TableResult]) -> None:
    """Take marks off the names of systems, but where they tell two systems apart."""
    names = dict.fromkeys(result.cells.get("system", "") for result in results)
    # Between stars stands what is bold elsewhere.
    bare = {name: (name[:1] != "*" and _MARKS.sub("", _MARKS.sub("", name)).strip()) or name for name in names}
    alike = Counter(map(comparison_key, bare.values()))
    for result in results:
        name = result.cells.get("system", "")
        if bare[name] != name and alike[comparison_key(bare[name])] == 1:
            result.cells["system"] = bare[name]
            result.notes.insert(0, f'system printed as "{name}"')


def join_additions(results: Sequence[TableResult], answers: Mapping[str, str]) -> list[Question]:
    """Put the name of the system before what was added to it; return the question where there are two ways to do so.

    The system stands in a row above, or gives its name to the group that the row stands in.
    """
    below: dict[str, list[str]] = {}
    for result, base in _additions(results):
        names = below.setdefault(base, [])
        if result.cells["system"] not in names:
            names.append(result.cells["system"])
    questions = []
    base, names = max(below.items(), key=lambda item: len(_added(item[1])), default=("", []))
    if len(_added(names)) > 1:
        first, second = _added(names)[:2]
        one_way, other_way = with_addition(with_addition(base, first), second), with_addition(base, second)
        text = f"{second} stands below {first}, and that below {base}. What is it?"
        choices = ((_ABOVE, one_way), (_FIRST, other_way))
        questions.append(Question("additions", text, choices=choices).answered(answers))
    is_above = bool(questions) and questions[0].answer == _ABOVE
    for result, base in list(_additions(results)):
        addition = result.cells["system"]
        result.notes.insert(0, f'system printed as "{addition}"')
        earlier = _added(below[base])
        steps = earlier[: earlier.index(addition)] if is_above and addition in earlier else []
        for step in (*steps, addition):
            base = with_addition(base, step)
        result.cells["system"] = base
    return questions


def _additions(results: Iterable[TableResult]) -> Iterator[tuple[TableResult, str]]:
    """Yield the rows that name only what was added, each with the system that it was added to."""
    last: TableResult | None = None
    for result in results:
        if not is_addition(result.cells.get("system", "")):
            last = result
            continue
        group = dict(result.facts).get("", "")
        if last and last.cells.get("system") and dict(last.facts).get("", "") == group:
            yield result, last.cells["system"]
        elif group and result.cells["system"][0] not in _BULLETS:
            yield result, group


def _added(names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith("+")]


def tell_apart(results: Iterable[TableResult]) -> None:
    """Put into the names of systems what tells those apart that share one and would be the same result."""
    alike: dict[str, list[TableResult]] = defaultdict(list)
    for result in results:
        if result.cells.get("system"):
            alike[comparison_key(result.cells["system"])].append(result)
    for rows in alike.values():
        if len(rows) > 1 and _clash(rows, ()):
            heads = _heads_that_tell(rows)
            for row in rows:
                _qualify(row, heads)


def _clash(rows: Sequence[TableResult], heads: Sequence[str]) -> bool:
    """Say whether two of the rows would be the same result, once what stands under these heads is in their names."""
    seen = {
        (*(comparison_key(row.cells.get(name, "")) for name in _IDENTITY), *(dict(row.facts).get(h, "") for h in heads))
        for row in rows
    }
    return len(seen) < len(rows)


def _heads_that_tell(rows: Sequence[TableResult]) -> list[str]:
    """Return the first head that tells all rows apart, or all under which they differ; none where those don't."""
    heads = list(dict.fromkeys(head for row in rows for head, _ in row.facts if head != TRIES))
    # What a row says of itself comes before the group that it stands in.
    heads = [*filter(None, heads), *(head for head in heads if not head)]
    differing = [head for head in heads if len({dict(row.facts).get(head, "") for row in rows}) > 1]
    for head in differing:
        if not _clash(rows, [head]):
            return [head]
    return differing if not _clash(rows, differing) else []


def _qualify(result: TableResult, heads: Sequence[str]) -> None:
    """Move the facts under these heads from beside the name into it."""
    facts = dict(result.facts)
    texts = [_in_name(head, facts[head]) for head in heads if facts.get(head)]
    if texts:
        result.cells["system"] = f"{result.cells['system']} ({', '.join(texts)})"
        result.facts = tuple(fact for fact in result.facts if fact[0] not in heads)


def _in_name(head: str, text: str) -> str:
    """Return the fact as it stands in a name: 3B and BERT-base speak for themselves, 20 and ✓ do not."""
    speaks = sum(character.isalpha() for character in text) > 0
    return text if speaks or not head else f"{head.rstrip(':')} {text}"


def facts_of(pairs: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts that say something, each head once."""
    return tuple({head: (head, text) for head, text in pairs if not stands_for_nothing(text)}.values())
