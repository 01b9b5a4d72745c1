"""Scores by topic as a table of topics x systems, as spreadsheets and R write them."""

from collections.abc import Collection

import numpy as np

from analysis._validation import check_choice
from analysis.errors import FormatError
from analysis.scores._matrix import MissingTopics, ScoreMatrix
from analysis.scores._text import (
    SUMMARY,
    TOKEN,
    Faults,
    Source,
    as_number,
    check_field,
    check_topic,
    known_topics,
    number_of,
    shown,
    table_rows,
)

#: What stands in a table where there is no score: nothing, or what R writes. A NaN is no blank: something failed.
_NO_SCORE = {"", "NA"}


def parse_score_table(
    source: Source, *, topics: Collection[str] | None = None, missing: MissingTopics = "refuse"
) -> ScoreMatrix:
    """Return the scores in a table of topics x systems: a header row of systems, then a row for every topic.

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
    """
    check_choice(missing, "missing", ("refuse", "intersect", "zero"))
    systems, rows = _read_rows(source, topics, missing)
    scores = {topic: row for topic, row in rows.items() if None not in row}
    if len(scores) < 2:
        seen = "one topic" if scores else "no topic"
        raise FormatError(f"has {seen} with a score of every system; a table has at least two")
    dropped = [topic for topic in rows if topic not in scores]
    table = np.array(list(scores.values()), dtype=np.float64).T
    return ScoreMatrix(systems, list(scores), table, missing=missing, dropped_topics=dropped)


def parse_score_cells(source: Source) -> dict[str, dict[str, float]]:
    """Return the scores in such a table; a cell without one is absent, and its topic stays.

    Parameters
    ----------
    source : str, bytes or iterable of lines
        As :func:`parse_score_table` takes it.

    Returns
    -------
    dict of str to dict of str to float
        By system and topic, in the unit of the measure.

    Raises
    ------
    FormatError
        As :func:`parse_score_table`, but for blank cells.
    """
    systems, rows = _read_rows(source, None, "intersect")
    columns = zip(*rows.values(), strict=True)
    cells = [
        {topic: score for topic, score in zip(rows, column, strict=True) if score is not None} for column in columns
    ]
    return dict(zip(systems, cells, strict=True)) if rows else {name: {} for name in systems}


def _read_rows(
    source: Source, topics: Collection[str] | None, missing: MissingTopics
) -> tuple[list[str], dict[str, list[float | None]]]:
    """Return the systems, and by topic a score of each; None where it is blank, unless that is refused or 0."""
    known = known_topics(topics)
    faults = Faults()
    rows = table_rows(source, faults)
    line, header = next(rows, (1, []))
    faults.refuse_any()  # Without a header nothing can be said about the rows.
    systems = _table_systems(header, line, faults)
    scores: dict[str, list[float | None]] = {}
    for line, (topic, *cells) in rows:
        faults.attempt(_check_new_topic, topic, known, scores, line)
        scores[topic] = _row_scores(cells, systems, line, missing, faults)
    faults.refuse_any()
    return systems, scores


def _check_new_topic(topic: str, known: frozenset[str] | None, seen: Collection[str], line: int) -> None:
    check_field(topic, TOKEN, line, "topic")
    if topic == SUMMARY:
        raise FormatError("'all' is a summary, not a topic; leave this row out", line=line)
    if topic in seen:
        raise FormatError(f"topic {topic!r} occurs twice", line=line)
    check_topic(topic, known, line)


def _row_scores(
    cells: list[str], systems: list[str], line: int, missing: MissingTopics, faults: Faults
) -> list[float | None]:
    """Return the scores of a row; None where one is missing. Every bad cell is a fault."""
    if len(cells) != len(systems):
        n_scores, n_systems = number_of(len(cells), "score", "scores"), number_of(len(systems), "system", "systems")
        faults.add(FormatError(f"has {n_scores} where the header has {n_systems}", line=line))
        return []
    row: list[float | None] = []
    for system, text in zip(systems, cells, strict=True):
        if text in _NO_SCORE and missing == "refuse":
            message = f"is {text or 'empty'}; choose what a missing score means"
            faults.add(FormatError(message, line=line, column=system))
        blank = 0.0 if missing == "zero" else None
        row.append(blank if text in _NO_SCORE else faults.attempt(as_number, text, line, system) or 0.0)
    return row


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
