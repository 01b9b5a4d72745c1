"""The text formats of the field as frozen objects: TREC runs, judgements (qrels), scores by topic.

Nothing here opens a file: the source is text, bytes or lines. A file is taken whole or refused whole, with every line
that is to blame (a hundred are named, the rest counted), because the programs that would read it next are less careful:
``float`` accepts ``nan``, ``1_000`` and Arabic digits, trec_eval stops at the first NUL of an identifier, and its
Python binding crashes on others.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from analysis._validation import check_count
from analysis.errors import ArgumentError, FormatError
from analysis.scores._text import GRADE, NUMBER, TOKEN, Source, as_number, check_topic, known_topics, read_records

_RUN_FIELDS = {"topic": TOKEN, "Q0": TOKEN, "document": TOKEN, "rank": TOKEN, "score": NUMBER, "tag": TOKEN}
_QRELS_FIELDS = {"topic": TOKEN, "iteration": TOKEN, "document": TOKEN, "grade": GRADE}
#: Two lines of judgements are shorter.
_START = 2000
#: The judgements of BEIR have no iterations, and a line that names the columns.
_BEIR_FIELDS = {"topic": TOKEN, "document": TOKEN, "grade": GRADE}


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The documents that one system returned for every topic, best first.

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
        """Return topics with at least one document, in order of first appearance."""
        return tuple(self.rankings)


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """The grades of documents by topic: which are relevant, and how much.

    Parameters
    ----------
    grades : mapping of str to mapping of str to int
        Topic to document to grade; topics in order of first appearance.
    """

    grades: Mapping[str, Mapping[str, int]]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return topics with at least one judged document, in order of first appearance."""
        return tuple(self.grades)

    def relevant(self, topic: str, minimum_grade: int = 1) -> frozenset[str]:
        """Return documents judged ``minimum_grade`` or higher; none for a topic that was not judged.

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


def parse_run(source: Source, *, topics: Collection[str] | None = None) -> Run:
    """Return the run in a TREC run file: lines of ``topic Q0 document rank score tag``.

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
    """
    tags: dict[str, None] = {}
    known = known_topics(topics)
    by_topic: dict[str, dict[str, float]] = {}

    def take(line: int, topic: str, _: str, document: str, __: str, text: str, tag: str) -> None:
        if topic not in by_topic:
            by_topic[topic] = {}
            check_topic(topic, known, line)
        of_topic = by_topic[topic]
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
    ordered = {topic: _as_trec_eval_ranks(of_topic) for topic, of_topic in by_topic.items()}
    return Run(
        next(iter(tags)),
        MappingProxyType(ordered),
        MappingProxyType(
            {topic: tuple(by_topic[topic][document] for document in ordered[topic]) for topic in by_topic}
        ),
    )


def parse_judgements(source: Source) -> Judgements:
    """Return the judgements in a qrels file: lines of ``topic iteration document grade``, or BEIR's without iteration.

    Parameters
    ----------
    source : str, bytes or iterable of lines
        The text, as for :func:`parse_run`. A first line that names the columns is passed over.

    Returns
    -------
    Judgements
        Grades may be negative (junk, or "not judged" in some collections): such documents are not relevant. A grade
        such as ``1.0`` is 1. A line that says the same as one before it counts once.

    Raises
    ------
    FormatError
        With the lines, as for :func:`parse_run`; a grade that is not a whole number; a document judged twice for a
        topic with other grades or iterations, which also refuses judgements by subtopic.

    References
    ----------
    Buckley, trec_eval, github.com/usnistgov/trec_eval: the programs of TREC read and print these lines.
    """
    by_topic: dict[str, dict[str, int]] = {}
    iterations: dict[tuple[str, str], str] = {}

    def take(line: int, topic: str, iteration: str, document: str, grade: str) -> None:
        of_topic, known = by_topic.setdefault(topic, {}), int(grade.partition(".")[0])
        if document in of_topic and (of_topic[document], iterations.get((topic, document), "0")) != (known, iteration):
            raise FormatError(f"{document!r} is judged twice for topic {topic!r}", line=line, column="document")
        of_topic[document] = known
        if iteration != "0":
            iterations[topic, document] = iteration

    source, n_fields = _without_header(_from_json(source))
    if n_fields == len(_BEIR_FIELDS):
        read_records(
            source, _BEIR_FIELDS, "a judgement of BEIR", lambda line, topic, *rest: take(line, topic, "0", *rest)
        )
    else:
        read_records(source, _QRELS_FIELDS, "a judgement", take)
    if not by_topic:
        raise FormatError("is empty; judgements have at least one line")
    return Judgements(MappingProxyType({topic: MappingProxyType(grades) for topic, grades in by_topic.items()}))


def _from_json(source: Source) -> Source:
    """Return judgements in JSON, as ranx and BEIR hold them, as lines; others as they are."""
    if not isinstance(source, str | bytes) or source.lstrip()[:1] not in ("{", b"{"):
        return source
    try:
        # As pairs, so that a name that comes twice is seen.
        topics = json.loads(source, object_pairs_hook=list)
        return "\n".join(f"{topic} 0 {document} {grade}" for topic, grades in topics for document, grade in grades)
    except (ValueError, TypeError, RecursionError) as error:
        raise FormatError('is no JSON of judgements, as {"7": {"d1": 1}}: by topic, documents with grades') from error


def _without_header(source: Source) -> tuple[Source, int]:
    """Return judgements with a blank line in place of one that names columns, and how many fields the first line has.

    A first line names columns if its last field is no number and that of the second one is.
    """
    if not isinstance(source, str | bytes):
        return source, len(_QRELS_FIELDS)
    start = source[:_START] if isinstance(source, str) else source[:_START].decode("utf-8", "replace")
    first, _, rest = start.partition("\n")
    fields, following = first.removeprefix("\ufeff").split(), rest.partition("\n")[0].split()
    is_header = len(fields) == len(following) and _ends_with_grade(following) and not _ends_with_grade(fields)
    if is_header:
        source = source[source.index("\n") :] if isinstance(source, str) else source[source.index(b"\n") :]
    return source, len(fields)


def _ends_with_grade(fields: list[str]) -> bool:
    return bool(fields) and re.fullmatch(NUMBER, fields[-1]) is not None


def _as_trec_eval_ranks(scores: Mapping[str, float]) -> tuple[str, ...]:
    """Return documents by score in single precision, descending, then by id, descending (form_res_rels.c, trec_eval
    9)."""
    single = np.array(list(scores.values()), dtype=np.float32).tolist()
    return tuple(document for _, document in sorted(zip(single, scores, strict=True), reverse=True))
