"""Judgements and runs that may be passed on, each with its terms: what runs are scored against out of the box.

A file of judgements has a line for every grade of a topic, ``topic grade document document …``; of a run a line for
every topic, its documents and then its scores, which tabs divide, in the order of its ranks. Both are packed with xz.
The judges of collections, and the holders of private ones, are named as far as a page, a file or the mteb package does.
"""

import gzip
import hashlib
import lzma
import re
from collections.abc import Iterable
from pathlib import Path

from builder.tables import Row, read_table

_OF_FILES = ["sha256", "source", "licence", "terms", "note"]
COLUMNS = ["file", "collection", "n_topics", "n_judged", *_OF_FILES]
RUN_COLUMNS = ["file", "collection", "system", "kind", "cut_at", "n_lines", *_OF_FILES]

#: Said otherwise here, since scores are those of trec_eval.
_NOTES = {
    "many equal scores of three decimals: order by the rank column matters": "many equal scores of three decimals: "
    "trec_eval orders these by document, not by rank"
}

#: How a licence is called, by words of the terms that name it.
_LICENCES = {
    "cc-by-sa-4.0": "CC-BY-SA-4.0",
    "MIT License": "MIT",
    "BSD 3-Clause": "BSD-3-Clause",
    "Apache License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
}


def build_judgements(gathered: Path, output: Path) -> list[Row]:
    """Write the judgements whose terms let them be passed on, and return the rows of their manifest."""
    listed = [row for row in read_table(gathered / "manifest.csv") if row["ship"] == "yes" and row["file"]]
    return [_judgements(gathered, output / "judgements", row) for row in listed]


def build_runs(gathered: Path, output: Path) -> list[Row]:
    """Write the runs, and return the rows of their manifest."""
    return [_run(gathered, output / "runs", row) for row in read_table(gathered / "runs.csv") if row["ship"] == "yes"]


def _judgements(gathered: Path, folder: Path, row: Row) -> Row:
    of_topics: dict[str, dict[str, list[str]]] = {}
    for topic, _, document, grade in _fields(gathered / row["file"]):
        of_topics.setdefault(topic, {}).setdefault(grade, []).append(document)
    # As the site gives them out, which unpacks them in the same order.
    graded = [
        (topic, grade, sorted(of_grades[grade]))
        for topic, of_grades in of_topics.items()
        for grade in sorted(of_grades, key=int, reverse=True)
    ]
    lines = "".join(f"{topic} 0 {document} {grade}\n" for topic, grade, documents in graded for document in documents)
    packed = "".join(f"{topic} {grade} {' '.join(documents)}\n" for topic, grade, documents in graded)
    return {
        "file": _write(folder, row["slug"], packed),
        "collection": row["slug"],
        "n_topics": str(len(of_topics)),
        "n_judged": str(lines.count("\n")),
        "sha256": hashlib.sha256(lines.encode()).hexdigest(),
        "source": row["source"],
        "licence": _licence(row["terms"]),
        "terms": _terms(row["terms"]),
        "note": row["notes"],
    }


def _run(gathered: Path, folder: Path, row: Row) -> Row:
    of_topics: dict[str, list[tuple[str, str]]] = {}
    n_lines = 0
    for topic, _, document, rank, score, _ in _fields(gathered / row["file"]):
        of_topic = of_topics.setdefault(topic, [])
        of_topic.append((document, score))
        n_lines += 1
        if int(rank) != len(of_topic):
            raise ValueError(f"{row['file']}, topic {topic}: rank {rank} is the {len(of_topic)}th of its lines")
    # Blanks are none of a tag, nor of the file's name.
    tag = row["system"].replace(" ", "_")
    lines, packed = [], []
    for topic, ranked in of_topics.items():
        lines += [f"{topic} Q0 {document} {rank} {score} {tag}\n" for rank, (document, score) in enumerate(ranked, 1)]
        documents, scores = zip(*ranked, strict=True)
        packed.append(f"{topic}\t{' '.join(documents)}\t{' '.join(scores)}\n")
    return {
        "file": _write(folder, f"{row['slug']}__{_file_name(tag)}", "".join(packed)),
        "collection": row["slug"],
        "system": row["system"],
        "kind": row["kind"],
        "cut_at": row["cut_at"],
        "n_lines": str(n_lines),
        "sha256": hashlib.sha256("".join(lines).encode()).hexdigest(),
        "source": row["source"],
        "licence": _licence(row["licence"]),
        "terms": _terms(row["licence"]),
        "note": _NOTES.get(row["notes"], row["notes"]),
    }


def _fields(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.split() for line in file]


def _write(folder: Path, name: str, text: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
    (folder / f"{name}.xz").write_bytes(packed)
    return f"{name}.xz"


def _file_name(tag: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in tag).strip("-")


def _licence(terms: str) -> str:
    """Return the licence that terms name; blank where they name none."""
    return next((name for words, name in _LICENCES.items() if words in terms), "")


def _terms(terms: str) -> str:
    return terms.replace(", stored page)", ")")


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
