"""Topic scores of an upload as a file to take away."""

from analysis.readers.tables import guard_formula
from registry.core.columns import csv_text
from registry.runs.pipeline.packing import unpack_scores


def topic_scores_csv(packed: bytes) -> str:
    """A row for each topic, a column for each measure or system."""
    table = unpack_scores(packed)
    by_topic = zip(table.topics, *table.scores.values(), strict=True)
    rows = ([guard_formula(topic), *scores] for topic, *scores in by_topic)
    return csv_text([["topic", *map(guard_formula, table.scores)], *rows])
