"""The text formats of the field as frozen objects: TREC runs, judgements (qrels), scores by topic.

Nothing here opens a file: the source is text, bytes or lines. A file is taken whole or refused whole, with every line
that is to blame (a hundred are named, the rest counted), because the programs that would read it next are less careful:
``float`` accepts ``nan``, ``1_000`` and Arabic digits, trec_eval stops at the first NUL of an identifier, and its
Python binding crashes on others.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from analysis._validation import check_choice, check_count, check_labels
from analysis.errors import ArgumentError, FormatError
from analysis.scores._matrix import MissingTopics, ScoreMatrix
from analysis.scores._text import (
    GRADE,
    NUMBER,
    TOKEN,
    Faults,
    Source,
    as_number,
    check_field,
    read_records,
    shown,
    table_rows,
)

_RUN_FIELDS = {"topic": TOKEN, "Q0": TOKEN, "document": TOKEN, "rank": TOKEN, "score": NUMBER, "tag": TOKEN}
_QRELS_FIELDS = {"topic": TOKEN, "iteration": TOKEN, "document": TOKEN, "grade": GRADE}
_SCORE_FIELDS = {"measure": TOKEN, "topic": TOKEN, "value": TOKEN}
_SUMMARY = "all"
#: What stands in a table where there is no score: nothing, or what R writes. A NaN is no blank: something failed.
_NO_SCORE = {"", "NA"}


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What one system returned: for every topic its documents, best first.

    Parameters
    ----------
    tag : str
        Name of the run, the sixth column of the file.
    rankings : mapping of str to tuple of str
        Topic to documents in the order in which trec_eval ranks them, topics in order of first appearance.
    scores : mapping of str to tuple of float
        Topic to the scores of these documents, in the same order, as they were written.
    """

    tag: str
    rankings: Mapping[str, tuple[str, ...]]
    scores: Mapping[str, tuple[float, ...]]

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics with at least one document, in order of first appearance."""
        return tuple(self.rankings)


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """Which documents are relevant to which topic, and how much.

    Parameters
    ----------
    grades : mapping of str to mapping of str to int
        Topic to document to grade; topics in order of first appearance.
    """

    grades: Mapping[str, Mapping[str, int]]

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics with at least one judged document, in order of first appearance."""
        return tuple(self.grades)

    def relevant(self, topic: str, minimum_grade: int = 1) -> frozenset[str]:
        """Documents judged ``minimum_grade`` or higher; none for a topic that was not judged.

        Parameters
        ----------
        topic : str
            The topic.
        minimum_grade : int, default 1
            Grade from which on a document is relevant.

        Returns
        -------
        frozenset of str
            Identifiers of the documents.

        Raises
        ------
        ArgumentError
            If the topic is no text or the grade below 1.
        """
        if not isinstance(topic, str):
            raise ArgumentError("topic", topic, "must be text")
        check_count(minimum_grade, "minimum_grade")
        judged = self.grades.get(topic, {})
        return frozenset(document for document, grade in judged.items() if grade >= minimum_grade)


@dataclass(frozen=True, slots=True, eq=False)
class TopicScores:
    """The scores of one run by measure and topic, as ``trec_eval -q`` prints them.

    Parameters
    ----------
    scores : mapping of str to mapping of str to float
        Measure (trec_eval's name) to topic to score, in order of first appearance.
    summary : mapping of str to str
        Measure to the text of its line for topic ``all``: a mean, a total, or the tag of the run. Kept as printed,
        so that it can be compared with what the scores give.
    """

    scores: Mapping[str, Mapping[str, float]]
    summary: Mapping[str, str]


def parse_run(source: Source, *, topics: Collection[str] | None = None) -> Run:
    """The run in a TREC run file: lines of ``topic Q0 document rank score tag``.

    Parameters
    ----------
    source : str, bytes or iterable of lines
        The text. Bytes are UTF-8; a byte order mark, CRLF, tabs and blank lines are accepted.
    topics : collection of str, optional
        Topics that may occur. By default any may.

    Returns
    -------
    Run
        Documents ordered as trec_eval orders them: by score in single precision, descending, then by document id,
        descending. The rank column is not used, as in trec_eval.

    Raises
    ------
    FormatError
        With the lines of all faults: a wrong number of fields, an identifier that is not 1 to 256 printable ASCII
        characters, a score that is not a finite decimal number within single precision, a document that occurs twice
        for a topic, a second tag or a topic that is not among ``topics`` (where it comes first); no line at all;
        compressed or non-UTF-8 bytes.
    ArgumentError
        If the source is not text, bytes or lines; a path is not opened.

    References
    ----------
    The order of ties is that of ``form_res_rels.c`` in trec_eval 9.

    Examples
    --------
    >>> run = parse_run("301 Q0 doc-a 1 2.5 mine\\n301 Q0 doc-b 2 2.5 mine\\n301 Q0 doc-c 3 7 mine\\n")
    >>> run.tag, run.rankings["301"]
    ('mine', ('doc-c', 'doc-b', 'doc-a'))
    >>> parse_run("301 Q0 doc-a 1 2.5 mine\\n301 Q0 doc-b 2 nan mine")
    Traceback (most recent call last):
        ...
    analysis.errors.FormatError: line 2, column score: must be a decimal number such as 12.5 or -1e-3; got 'nan'
    """
    tags: dict[str, None] = {}
    known = _known_topics(topics)
    found: dict[str, dict[str, float]] = {}

    def take(line: int, topic: str, _: str, document: str, __: str, text: str, tag: str) -> None:
        if topic not in found:
            found[topic] = {}
            _check_topic(topic, known, line)
        of_topic = found[topic]
        if document in of_topic:
            raise FormatError(f"{document!r} occurs twice for topic {topic!r}", line=line, column="document")
        of_topic[document] = as_number(text, line, "score", "single")
        if tag not in tags:
            tags[tag] = None
            if len(tags) > 1:
                message = f"has the tag {tag!r} after {next(iter(tags))!r}; give one run per file"
                raise FormatError(message, line=line, column="tag")

    read_records(source, _RUN_FIELDS, "a run", take)
    if not tags:
        raise FormatError("is empty; a run has at least one line")
    ordered = {topic: _as_trec_eval_ranks(of_topic) for topic, of_topic in found.items()}
    return Run(
        next(iter(tags)),
        MappingProxyType(ordered),
        MappingProxyType({topic: tuple(found[topic][document] for document in ordered[topic]) for topic in found}),
    )


def parse_judgements(source: Source) -> Judgements:
    """The judgements in a qrels file: lines of ``topic iteration document grade``.

    Parameters
    ----------
    source : str, bytes or iterable of lines
        The text, as for :func:`parse_run`.

    Returns
    -------
    Judgements
        Grades may be negative (junk, or "not judged" in some collections): such documents are not relevant.

    Raises
    ------
    FormatError
        With the lines, as for :func:`parse_run`; a grade that is not a whole number; a document judged twice for a
        topic, which also refuses judgements by subtopic (the iteration column is not used).

    References
    ----------
    Buckley, trec_eval, github.com/usnistgov/trec_eval: the programs of TREC read and print these lines.

    Examples
    --------
    >>> judgements = parse_judgements(b"301 0 doc-a 0\\r\\n301 0 doc-b 2\\r\\n301 0 doc-c 1\\r\\n")
    >>> sorted(judgements.relevant("301")), sorted(judgements.relevant("301", minimum_grade=2))
    (['doc-b', 'doc-c'], ['doc-b'])
    """
    found: dict[str, dict[str, int]] = {}

    def take(line: int, topic: str, _: str, document: str, grade: str) -> None:
        of_topic = found.setdefault(topic, {})
        if document in of_topic:
            raise FormatError(f"{document!r} is judged twice for topic {topic!r}", line=line, column="document")
        of_topic[document] = int(grade)

    read_records(source, _QRELS_FIELDS, "a judgement", take)
    if not found:
        raise FormatError("is empty; judgements have at least one line")
    return Judgements(MappingProxyType({topic: MappingProxyType(grades) for topic, grades in found.items()}))


def parse_topic_scores(source: Source, *, topics: Collection[str] | None = None) -> TopicScores:
    """The scores in what ``trec_eval -q`` prints: lines of ``measure topic value``.

    Parameters
    ----------
    source : str, bytes or iterable of lines
        The text, as for :func:`parse_run`.
    topics : collection of str, optional
        Topics that may occur. By default any may.

    Returns
    -------
    TopicScores
        The lines of topic ``all`` apart from the others.

    Raises
    ------
    FormatError
        With the lines, as for :func:`parse_run`; a score that is not a finite decimal number; a measure that occurs
        twice for a topic; only lines for ``all`` (the option ``-q`` was forgotten).

    References
    ----------
    Buckley, trec_eval, github.com/usnistgov/trec_eval: the programs of TREC read and print these lines.

    Examples
    --------
    >>> printed = parse_topic_scores("map\\t301\\t0.25\\nmap\\t302\\t0.75\\nrunid\\tall\\tmine\\nmap\\tall\\t0.5000\\n")
    >>> dict(printed.scores["map"]), dict(printed.summary)
    ({'301': 0.25, '302': 0.75}, {'runid': 'mine', 'map': '0.5000'})
    """
    found: dict[str, dict[str, float]] = {}
    summary: dict[str, str] = {}
    known = _known_topics(topics)

    def take(line: int, measure: str, topic: str, text: str) -> None:
        if measure in summary if topic == _SUMMARY else topic in found.get(measure, {}):
            raise FormatError(f"{measure!r} occurs twice for topic {topic!r}", line=line, column="measure")
        if topic == _SUMMARY:
            summary[measure] = text
        else:
            _check_topic(topic, known, line)
            found.setdefault(measure, {})[topic] = as_number(text, line, "value")

    read_records(source, _SCORE_FIELDS, "a score", take)
    if not found:
        raise FormatError("has no score of a single topic; trec_eval prints them with -q")
    frozen = {measure: MappingProxyType(scores) for measure, scores in found.items()}
    return TopicScores(MappingProxyType(frozen), MappingProxyType(summary))


def parse_score_table(
    source: Source, *, topics: Collection[str] | None = None, missing: MissingTopics = "refuse"
) -> ScoreMatrix:
    """The scores in a table of topics x systems: a header row of systems, then a row for every topic.

    Parameters
    ----------
    source : str, bytes or iterable of lines
        CSV with commas, or with tabs as spreadsheets paste it. Bytes are UTF-8.
    topics : collection of str, optional
        Topics that may occur. By default any may.
    missing : {"refuse", "intersect", "zero"}, default "refuse"
        What an empty cell means, and one with ``NA``: an error, that the topic is left out for every system, or a
        score of 0.

    Returns
    -------
    ScoreMatrix
        Systems in the order of the columns, topics in the order of the rows.

    Raises
    ------
    FormatError
        With the lines of all faults: no header, a row of another length, a repeated system or topic, an identifier or
        a number that is refused by :func:`parse_run`, a system name that is not 1 to 256 printable characters, a
        summary row ``all``, an unclosed quote; fewer than two topics.

    Examples
    --------
    >>> matrix = parse_score_table("topic,BM25,BM25+RM3\\n301,0.25,0.5\\n302,0.125,0\\n")
    >>> matrix.systems, matrix.scores.tolist()
    (('BM25', 'BM25+RM3'), [[0.25, 0.125], [0.5, 0.0]])
    """
    check_choice(missing, "missing", ("refuse", "intersect", "zero"))
    known = _known_topics(topics)
    faults = Faults()
    rows = table_rows(source, faults)
    line, header = next(rows, (1, []))
    faults.refuse_any()  # Without a header nothing can be said about the rows.
    systems = _table_systems(header, line, faults)
    scores: dict[str, list[float]] = {}
    dropped: dict[str, None] = {}
    for line, (topic, *cells) in rows:
        faults.attempt(_check_new_topic, topic, known, (scores, dropped), line)
        row = _row_scores(cells, systems, line, missing, faults)
        if row is None:
            dropped[topic] = None
        else:
            scores[topic] = row
    faults.refuse_any()
    if len(scores) < 2:
        found = "one topic" if scores else "no topic"
        raise FormatError(f"has {found} with a score of every system; a table has at least two")
    table = np.array(list(scores.values())).T
    return ScoreMatrix(systems, list(scores), table, missing=missing, dropped_topics=list(dropped))


def _as_trec_eval_ranks(scores: Mapping[str, float]) -> tuple[str, ...]:
    """Documents by score in single precision, descending, then by id, descending (form_res_rels.c, trec_eval 9)."""
    single = np.array(list(scores.values()), dtype=np.float32).tolist()
    return tuple(document for _, document in sorted(zip(single, scores, strict=True), reverse=True))


def _known_topics(topics: Collection[str] | None) -> frozenset[str] | None:
    return None if topics is None else frozenset(check_labels(topics, "topics"))


def _check_topic(topic: str, known: frozenset[str] | None, line: int) -> None:
    if known is not None and topic not in known:
        raise FormatError(f"{topic!r} is not a topic of this collection", line=line, column="topic")


def _check_new_topic(
    topic: str, known: frozenset[str] | None, seen: tuple[Collection[str], Collection[str]], line: int
) -> None:
    check_field(topic, TOKEN, line, "topic")
    if topic == _SUMMARY:
        raise FormatError("'all' is a summary, not a topic; leave this row out", line=line)
    if topic in seen[0] or topic in seen[1]:
        raise FormatError(f"topic {topic!r} occurs twice", line=line)
    _check_topic(topic, known, line)


def _row_scores(
    cells: list[str], systems: list[str], line: int, missing: MissingTopics, faults: Faults
) -> list[float] | None:
    """The scores of a row; None where one is missing and the topic is to be left out. Every bad cell is a fault."""
    if len(cells) != len(systems):
        found, named = _count(len(cells), "score"), _count(len(systems), "system")
        faults.add(FormatError(f"has {found} where the header has {named}", line=line))
        return None
    row: list[float] = []
    for system, text in zip(systems, cells, strict=True):
        if text not in _NO_SCORE:
            row.append(faults.attempt(as_number, text, line, system) or 0.0)
        elif missing == "zero":
            row.append(0.0)
        elif missing == "refuse":
            message = f"is {text or 'empty'}; choose what a missing score means"
            faults.add(FormatError(message, line=line, column=system))
    return row if len(row) == len(systems) else None


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _table_systems(header: list[str], line: int, faults: Faults) -> list[str]:
    systems = header[1:]
    if not systems:
        raise FormatError("has no column of scores", line=line)
    for position, name in enumerate(systems, start=2):
        # isprintable is False for control, format (bidirectional, zero-width), surrogate and private-use characters.
        if not (0 < len(name) <= 256 and name.isprintable()):
            message = f"the name of column {position} must be 1 to 256 printable characters; got {shown(name)}"
            faults.add(FormatError(message, line=line))
        elif systems.index(name) != position - 2:
            faults.add(FormatError(f"has two columns {name!r}", line=line))
    return systems
