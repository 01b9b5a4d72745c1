"""The tasks of collections: known items, how many relevant documents a topic has, and how many topics at least."""

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
_AT_LEAST = {"trec-2002-novelty": (49, "49 or 50: one topic of the track was perhaps not used")}

_PRECISION = re.compile(r"P(?:\(rel=\d\))?@(\d+)")
_MOST_TOPICS = 2_000


def add_tasks(
    collections: list[Row], results: Iterable[Row], tasks: list[Row], subsets: list[Row], more: Mapping[str, str]
) -> None:
    """Fill in ``task``, ``relevant_per_topic``, the lower bounds of the numbers of topics, and what MTEB says of them.

    ``more`` has the slugs of collections that the gathered tables call otherwise.
    """
    relevant = _relevant_per_topic(tasks, subsets, more)
    domains = {task["name"]: task["domains"].replace(";", ", ") for task in tasks}
    of_mteb: dict[str, tuple[str, str]] = {}
    for (task, subset, _), slug in places(tasks, subsets, more).items():
        of_mteb.setdefault(slug, (task if subset == "default" else f"{task} ({subset})", domains[task]))
    precisions = _printed_precisions(results)
    for row in collections:
        slug = row["slug"]
        row["relevant_per_topic"] = relevant.get(slug, "")
        row["mteb_task"], row["domain"] = of_mteb.get(slug, ("", ""))
        few = row["relevant_per_topic"] and float(row["relevant_per_topic"]) < KNOWN_ITEM_BELOW
        is_known_item = few or slug in _ONE_ANSWER or row["suite"] in _ONE_ANSWER_SUITES
        row["task"] = "known-item" if is_known_item else ""
        if not row["n_topics"] and not row.get("n_topics_at_least"):
            at_least, source = _AT_LEAST.get(slug) or _fewest_topics(precisions.get(slug, []))
            row["n_topics_at_least"], row["n_topics_at_least_source"] = str(at_least), source


def _relevant_per_topic(tasks: list[Row], subsets: list[Row], more: Mapping[str, str]) -> Mapping[str, str]:
    """Return what the mteb package counts, by collection: of the subset, and of its task where that is one
    collection."""
    relevant: dict[str, str] = {}
    counts = {(row["task"], row["subset"], row["split"]): row["relevant_per_query"] for row in subsets}
    for key, place in places(tasks, subsets, more).items():
        if counts[key]:
            relevant.setdefault(place, f"{float(counts[key]):.4f}".rstrip("0").rstrip("."))
    return relevant


def places(tasks: list[Row], subsets: list[Row], more: Mapping[str, str]) -> dict[tuple[str, str, str], str]:
    """Return the collection that each task, subset and split of the mteb package is here, of those that are here."""
    slugs = {task["name"]: [slug for slug in task["collection"].split(";") if slug] for task in tasks}
    slugs_by_place: dict[tuple[str, str, str], str] = {}
    for row in subsets:
        subset, ours = row["subset"].replace("_", "-"), slugs.get(row["task"], [])
        if row["in_shipped_collections"] == "yes" and row["collection"]:
            here = [row["collection"]]
        elif row["collection"] in more:
            here = [more[row["collection"]]]
        elif subset == "default":
            # Of two splits the first is the one that the package counts.
            here = ours[:1]
        else:
            here = [slug for slug in ours if slug.endswith(f"-{subset}")]
        if here:
            slugs_by_place[row["task"], row["subset"], row["split"]] = here[-1]
    return slugs_by_place


def _printed_precisions(results: Iterable[Row]) -> Mapping[str, list[tuple[int, str]]]:
    """Return cutoffs and printed values of precision, by collection."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in results:
        match = _PRECISION.fullmatch(row["measure"])
        if match and row.get("comparability", "standard") == "standard" and not row.get("n_topics"):
            found[row["collection"]].append((int(match[1]), row["value"]))
    return found


def _fewest_topics(precisions: list[tuple[int, str]]) -> tuple[int | str, str]:
    """Return the smallest number of topics over which all printed mean precisions can be had; blank without any."""
    for n_topics in range(1, _MOST_TOPICS if precisions else 0):
        if all(_is_mean(value, n_topics * cutoff) for cutoff, value in precisions):
            return n_topics, f"fewest topics that give all {len(precisions)} printed precisions"
    return "", ""


def _is_mean(printed: str, n_steps: int) -> bool:
    """Say whether a whole number of steps of 1/n_steps is printed like this."""
    value, half = float(printed), 0.5 * 10.0 ** -len(printed.partition(".")[2])
    return abs(round(value * n_steps) / n_steps - value) <= half * (1 + 1e-9)
