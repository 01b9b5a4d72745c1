"""The judges of collections and the holders of private ones, as far as a page, a file or the mteb package says."""

import re
from collections.abc import Iterable

from builder.tables import Row

#: What is said from general knowledge of a paper stands nowhere until somebody reads it.
_UNREAD = "not read again"
#: Who holds a test -> the team of its systems. illuin-tech/colpali (README.md at 5fd47579a8) trains those of vidore.
_TEAMS = {"Voyage AI": "voyageai", "Jina by Elastic": "jinaai", "Illuin Technology": "vidore"}


def add_judges(collections: Iterable[Row], gathered: Iterable[Row]) -> None:
    """Say of each collection who judged it, by which model, prompt and version, and who holds a private test.

    Blank where nothing was read.
    """
    known = {row["collection"]: row for row in gathered if row["confidence"] and _UNREAD not in row["confidence"]}
    for row in collections:
        fact = known.get(row["slug"], {})
        is_known = fact.get("judge", "unknown") != "unknown"
        details = [fact.get(name, "") for name in ("model", "tool_or_prompt", "version")]
        stated = [text for text in details if text and not text.startswith("not stated")]
        row["judge"] = fact["judge"] if is_known else ""
        row["judged_by"] = "; ".join(stated or [fact.get("judge_detail", "")] if is_known else [])[:300]
        row["holder"], row["held_by"] = "", ""
        if fact.get("private") == "yes":
            holder, _, others = fact["held_by"].partition("; ")
            holder = holder.replace(" contributed it and has access", ", its contributor")
            thread = re.search(r"(?<=embeddings-benchmark/)mteb#\d+", fact["note"])
            row["holder"] = _TEAMS.get(holder.partition(",")[0], "")
            row["held_by"] = f"{holder} ({thread[0]})" if thread else holder
            row["notes"] = "; ".join(filter(None, [others, row["notes"]]))
