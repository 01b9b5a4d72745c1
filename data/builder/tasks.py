"""What collections ask for: known items, how many relevant documents a topic has, and how many topics at least."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from builder.tables import Row

#: Fewer relevant documents a topic than this on average: next to every topic has one right answer.
KNOWN_ITEM_BELOW = 1.1

_ONE_ANSWER = {
    "trec-2001-web-homepage": "home pages",
    "trec-2002-web-namedpage": "named pages",
    "trec-2003-web-knownitem": "home pages and named pages",
    "trec-2004-web-known-item-block2": "home pages or named pages",
    "trec-2004-web-known-item-block3": "home pages or named pages",
}

#: Suites of question answering, and of queries with one judged passage or document (a few have two).
_ONE_ANSWER_SUITES = ("Open-domain QA", "NanoKnow", "MS MARCO")

#: Collections whose number of topics is not known -> a bound, and how it is known.
_AT_LEAST = {
    "trec-2002-novelty": (49, "49 or 50: one topic of the track was perhaps not used"),
    "mteb-bright-theoremqa-questions": (67, "mteb 2.26.24: 469 relevant documents, no topic has more than 7"),
}

_PRECISION = re.compile(r"P(?:\(rel=\d\))?@(\d+)")
_MOST_TOPICS = 2_000


def add_tasks(collections: list[Row], results: Iterable[Row], tasks: list[Row], subsets: list[Row]) -> None:
    """Fill ``task``, ``relevant_per_topic`` and the lower bounds of the numbers of topics in."""
    relevant = _relevant_per_topic(tasks, subsets)
    precisions = _printed_precisions(results)
    for row in collections:
        slug = row["slug"]
        row["relevant_per_topic"] = relevant.get(slug, "")
        few = row["relevant_per_topic"] and float(row["relevant_per_topic"]) < KNOWN_ITEM_BELOW
        is_known_item = few or slug in _ONE_ANSWER or row["suite"] in _ONE_ANSWER_SUITES
        row["task"] = "known-item" if is_known_item else ""
        at_least, source = ("", "")
        if not row["n_topics"]:
            at_least, source = _AT_LEAST.get(slug) or _fewest_topics(precisions.get(slug, []))
        row["n_topics_at_least"], row["n_topics_at_least_source"] = str(at_least), source


def _relevant_per_topic(tasks: list[Row], subsets: list[Row]) -> Mapping[str, str]:
    """What the mteb package counts, by collection: of the subset, and of its task where that is one collection."""
    found: dict[str, str] = {}
    slugs = {task["name"]: [slug for slug in task["collection"].split(";") if slug] for task in tasks}
    for row in subsets:
        subset = row["subset"].replace("_", "-")
        ours = slugs.get(row["task"], [])
        if row["in_shipped_collections"] == "yes" and row["collection"]:
            places = [row["collection"]]
        elif subset == "default":
            # Of two splits the first is the one that the package counts.
            places = ours[:1]
        else:
            places = [slug for slug in ours if slug.endswith(f"-{subset}")]
        for place in places:
            if row["relevant_per_query"]:
                found.setdefault(place, f"{float(row['relevant_per_query']):.4f}".rstrip("0").rstrip("."))
    return found


def _printed_precisions(results: Iterable[Row]) -> Mapping[str, list[tuple[int, str]]]:
    """Cutoffs and printed values of precision, by collection."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in results:
        match = _PRECISION.fullmatch(row["measure"])
        if match and row.get("comparability", "standard") == "standard" and not row.get("n_topics"):
            found[row["collection"]].append((int(match[1]), row["value"]))
    return found


def _fewest_topics(precisions: list[tuple[int, str]]) -> tuple[int | str, str]:
    """The smallest number of topics over which all printed mean precisions can be had; blank without any."""
    for n_topics in range(1, _MOST_TOPICS if precisions else 0):
        if all(_is_mean(value, n_topics * cutoff) for cutoff, value in precisions):
            return n_topics, f"fewest topics that give all {len(precisions)} printed precisions"
    return "", ""


def _is_mean(printed: str, n_steps: int) -> bool:
    """Whether a whole number of steps of 1/n_steps is printed like this."""
    value, half = float(printed), 0.5 * 10.0 ** -len(printed.partition(".")[2])
    return abs(round(value * n_steps) / n_steps - value) <= half * (1 + 1e-9)
