"""Topic scores of an upload as a file to take away."""

import csv
import io

from analysis.readers.tables import guard_formula
from registry.runs.pipeline.packing import unpack_scores


def topic_scores_csv(packed: bytes) -> str:
    """A row for each topic, a column for each measure or system."""
    table = unpack_scores(packed)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["topic", *map(guard_formula, table.scores)])
    for topic, *scores in zip(table.topics, *table.scores.values(), strict=True):
        writer.writerow([guard_formula(topic), *scores])
    return text.getvalue()
