"""The numbers of relevant documents of topics, and the collections that share topics, documents or judgements.

Gathered by collection from judgements, from the statistics of the mteb package and from the counts of ir_datasets. What
is known of the numbers of topics from there replaces lower bounds, and numbers of queries of which some are not judged.
"""

import re
from collections.abc import Iterable, Mapping

from builder.tables import Row, join_notes

COLUMNS = [
    "collection",
    "unit",
    "basis",
    "n_judged",
    "n_with_relevant",
    "relevant_mean",
    "relevant_median",
    "share_with_one",
    "mean_inverse",
    "shape",
    "copied_from",
    "relevant_at_least",
    "at_least_from",
    "relevant_grade",
    "n_with_grade_2",
    "grade_2_mean",
    "grade_2_median",
    "grade_2_share_with_one",
    "candidates_mean",
    "n_members",
    "query_in_corpus",
    "mteb_removes_query",
    "anserini_removes_query",
    "source",
    "note",
]
LINK_COLUMNS = ["collection", "base", "relation", "topics", "judgements", "is_inferred", "evidence", "source"]

#: Column here -> column of the gathered table, where it holds the same.
_SAME = {
    "collection": "slug",
    "n_judged": "n_qrels_topics",
    "n_with_relevant": "n_judged_topics",
    "relevant_mean": "rel_mean",
    "relevant_median": "rel_median",
    "share_with_one": "share_one",
    "mean_inverse": "mean_inverse_rel",
    "copied_from": "shape_copied_from",
    "relevant_at_least": "rel_mean_at_least",
    "n_with_grade_2": "n_topics_rel2",
    "grade_2_mean": "rel2_mean",
    "grade_2_median": "rel2_median",
    "grade_2_share_with_one": "share_one_rel2",
    "candidates_mean": "candidates_mean",
    "n_members": "n_members",
    "query_in_corpus": "query_in_corpus",
    "mteb_removes_query": "identical_ids_ignored",
    "anserini_removes_query": "anserini_removes_query",
    "source": "source",
}
_BASIS = {
    "qrels": "judgements",
    "mteb_stats": "statistics",
    "ir_datasets_counts": "counts",
    "mteb_pooled": "pooled",
    "aggregate": "members",
    "stand_in": "stand-in",
    "": "",
}
_UNITS = {
    "topic x instruction (two per topic)": "topic and instruction",
    "impression (max over subqueries)": "impression",
}
#: Suites whose topics are questions that people asked.
_QUESTIONS = ("TREC Deep Learning", "DL-HARD", "ANTIQUE", "Open-domain QA")

#: What the notes of the gathered table say of its own columns, or of the numbers here before; and in other words.
_REWORDED = [
    (r"min and max of the package count judged documents.*", ""),
    (r"(.*): take the rel2 columns.*", r"\1"),
    (r"two versions under one slug: Anserini's judgements here, the package's (\w+) has ([\d.]+) relevant per topic",
     r"these are Anserini's judgements; those of MTEB's \1 have \2 relevant documents a topic"),
    (r"(2,362,514 counts sub-queries) \((.*)\)", r"\1, \2"),
    (r"the main score max_over_subqueries_map_at_1000 merges them \(.*\): (.*)", r"the score merges them; \1"),
    (r" \(see versions\.csv\)", ""),
    (r"the judgements hold \d+ topics.*|\d+ topics in the judgements, all with.*|the registry (counts|says) \d+", ""),
    (r"(\d+ of the \d+ members are not) in the registry", r"\1 on record here"),
]  # fmt: skip

#: Evidence that is names and counts alone, so that the link is likely and not proven.
_BY_NAME = re.compile(
    r"(task )?names?( |;|$)|numbers of topics|equal numbers|subsets of one task; equal|registry note|category B"
    r"|.*; names$|$"
)

_MTEB = "mteb 2.26.24"
#: MIRACL's hard negatives came twice.
_SECOND_VERSIONS = [
    {
        "slug": f"mteb-miracl-hard-negatives-v2-{language}",
        "base": f"mteb-miracl-hn-{language}",
        "relation": "version",
        "topics": "same",
        "judgements": "same",
        "evidence": "MIRACLRetrievalHardNegatives.v2 supersedes MIRACLRetrievalHardNegatives",
        "source": f"{_MTEB} mteb/tasks/retrieval/multilingual/miracl_retrieval.py (superseded_by)",
    }
    for language in ("bn", "es", "ru", "th")
]
#: What packages declare as adapted, and its makers say was judged again.
_JUDGED_AGAIN: dict[str, Row] = {
    "mteb-touche2020-v3": {
        "evidence": "short documents left out, missing judgements of what systems return added (Thakur et al. 2024)",
        "source": f"arXiv:2407.07790; {_MTEB} mteb/tasks/retrieval/eng/touche2020_retrieval.py (adapted_from)",
    }
}
_OF_QUERIES = f"{_MTEB}, different queries of this language"

_OF_JUDGED = f"{_MTEB}, topics with judgements"
#: Counts that the package's statistics give of collections that the gathered table does not have.
_COUNTED = {
    "coir-codefeedback-mt": ("13277", f"{_OF_JUDGED} of CodeFeedbackMT"),
    "coir-codefeedback-st": ("31306", f"{_OF_JUDGED} of CodeFeedbackST"),
    "mteb-bright-earth-science": ("116", _OF_JUDGED),
    "mteb-global-news-zh": ("930", _OF_JUDGED),
    "mteb-realtalk-commonsense": ("103", _OF_JUDGED),
    "mteb-tool-bench": ("1100", _OF_JUDGED),
    "mteb-vidore3-financeen-v2-portuguese": ("309", _OF_QUERIES),
    "mteb-vidore3-financefr-v2-english": ("320", _OF_QUERIES),
    "mteb-vidore3-industrial-english": ("283", _OF_QUERIES),
    "mteb-vidore3-nuclear-v2-german": ("332", _OF_QUERIES),
    "mteb-vidore3-pharmaceuticals-german": ("364", _OF_QUERIES),
    "mteb-vidore3-pharmaceuticals-italian": ("364", _OF_QUERIES),
    "mteb-vidore3-telecom-german": ("348", _OF_QUERIES),
}
#: Collections that ask one text again and again: how many queries are judged, over which printed means go.
_ASKED_AGAIN = {
    "mteb-coreb-c2t": "1,010",
    "mteb-coreb-c2t-reranking": "1,010",
    "mteb-coreb-t2c": "1,123",
    "mteb-coreb-t2c-reranking": "1,066",
}

#: Collections under which results of Anserini and of MTEB stand, whose judgements differ.
TWO_JUDGINGS = frozenset(
    f"bright-{part}"
    for part in (
        "biology", "earth-science", "economics", "pony", "psychology", "robotics", "stackoverflow",
        "sustainable-living",
    )
)  # fmt: skip
_COPY = "{} ranks a copy of the documents, which was not compared"
#: Why both of two names of one set stand: by the first.
_APART = {
    "beir-robust04": _COPY.format("BEIR"),
    "beir-trec-news": _COPY.format("BEIR"),
    "fever-dev": _COPY.format("BEIR"),
    "mteb-msmarco-test": _COPY.format("MTEB"),
    "mteb-neuclir2023-fas": "only one of them has results",
}
#: MTEB has BRIGHT's long documents twice, as a task each and as parts of one.
_ONE_SET = {
    "evidence": "equal topics, documents and relevant documents; 5 of 6 systems in both have equal scores to five "
    "digits; no leaderboard is split, as MTEB scores one by R@1, the other by nDCG@10",
    "source": "mteb 2.26.24 descriptive_stats; embeddings-benchmark/results@f4cc6c8b36",
}
_TOLD_APART = (
    "two judgings: results of Anserini and Pyserini are by Anserini's judgements, those of MTEB by its own; under "
    "nDCG@10 the former stand beside"
)


def build_densities(gathered: Iterable[Row], suites: Mapping[str, str]) -> list[Row]:
    """Return the rows of ``densities.csv``; ``suites`` has the suite of each collection."""
    return [_density(row, suites[row["slug"]]) for row in sorted(gathered, key=lambda row: row["slug"])]


def _density(row: Row, suite: str) -> Row:
    if row["n_source"] == "unit":
        row = row | dict.fromkeys(("n_qrels_topics", "rel_mean", "candidates_mean"), "")
    if row["kind"] == "aggregate":
        row = row | {"n_qrels_topics": ""}
    has_shape = row["rel_median"] or row["share_one"] or row["mean_inverse_rel"]
    notes = [row["notes"]]
    for pattern, words in _REWORDED:
        notes = [re.sub(pattern, words, part).strip() for note in notes for part in note.split("; ")]
    return {column: row[gathered] for column, gathered in _SAME.items()} | {
        "unit": "question" if suite in _QUESTIONS else _UNITS.get(row["unit"], row["unit"]),
        "basis": "pooled" if _is_pooled(row) else _BASIS[row["kind"]],
        "shape": row["minmax_status"] if has_shape else "",
        "at_least_from": row["rel_mean_at_least_from"].partition(" ")[0],
        "relevant_grade": "2" if "take the rel2 columns" in row["notes"] else "",
        "note": join_notes(*notes),
    }


def build_links(gathered: Iterable[Row]) -> list[Row]:
    """Return the rows of ``collection_links.csv``."""
    rows = [*map(_with_own_relation, gathered), *_SECOND_VERSIONS]
    rows.sort(key=lambda row: (row["slug"], row["base"]))
    return [
        {column: row.get(column, "") for column in LINK_COLUMNS}
        | {"collection": row["slug"], "is_inferred": "yes" if _is_inferred(row) else ""}
        for row in rows
    ]


def _with_own_relation(row: Row) -> Row:
    """Return the link with its real relation: splits of MTEB's tasks have documents of their own, or longer ones."""
    if row["slug"] in _JUDGED_AGAIN:
        return row | {"relation": "re_judged", "judgements": "other"} | _JUDGED_AGAIN[row["slug"]]
    if row["relation"] == "same_set":
        why = _APART.get(row["slug"])
        return row | ({"evidence": f"{row['evidence']}; {why}"} if why else _ONE_SET)
    is_split = row["relation"] == "other_split" and row["evidence"].endswith("of the same task")
    return row | {"relation": "task_split"} if is_split else row


def _is_inferred(row: Row) -> bool:
    is_parallel = row["relation"] == "sibling_language" and "in common" not in row["evidence"]
    return is_parallel or bool(_BY_NAME.match(row["evidence"]))


def settle_topics(collections: list[Row], gathered: Iterable[Row]) -> None:
    """Give collections the numbers of topics that their judgements have, and aggregates the least that they come to.

    Where a printed mean shows that it covers fewer topics than are judged, its number stays.
    """
    by_slug = {row["slug"]: row for row in collections}
    known = {row["slug"]: row for row in gathered}
    for slug, row in known.items():
        if row["n_source"] == "unit":
            _set(by_slug[slug])
        elif _is_settled(row):
            _set(by_slug[slug], row["n_qrels_topics"], _OF_QUERIES if _is_pooled(row) else _source_of(row))
    for slug, row in known.items():
        if row["kind"] == "aggregate":
            _set_least(by_slug[slug], [by_slug[member] for member in row["members"].split(";")], int(row["n_members"]))
    for slug, (n_topics, source) in _COUNTED.items():
        _set(by_slug[slug], n_topics, source)
    for slug, n_judged in _ASKED_AGAIN.items():
        least = f"{_MTEB}: number of different queries; {n_judged} are judged, and means go over these"
        by_slug[slug]["n_topics_at_least_source"] = least
    for slug in TWO_JUDGINGS:
        by_slug[slug]["notes"] = join_notes(_TOLD_APART, by_slug[slug]["notes"])


def _is_settled(row: Row) -> bool:
    is_sampled = "sample" in row["notes"]
    return row["topics_check"] == "settles the lower bound" or (
        (row["topics_check"] == "differs" and row["kind"] == "mteb_stats")
        or (row["topics_check"] == "new" and not is_sampled)
    )


def _is_pooled(row: Row) -> bool:
    """Say whether the package's statistics hold the judgements of all languages, and were divided."""
    return row["n_source"] == "unique query texts"


def _source_of(row: Row) -> str:
    where = _MTEB if row["kind"] == "mteb_stats" else row["source"].partition(":")[0]
    return f"{where}, topics with judgements"


def _set(collection: Row, n_topics: str = "", source: str = "") -> None:
    collection |= {
        "n_topics": n_topics,
        "n_topics_source": source,
        "n_topics_at_least": "",
        "n_topics_at_least_source": "",
    }


def _set_least(collection: Row, members: list[Row], n_members: int) -> None:
    """Set the least number of topics of an aggregate.

    A mean over members that weigh the same is at least as sure as one over so many topics of the smallest.
    """
    _set(collection)
    least = min(int(member["n_topics"] or 0) for member in members)
    if least and len(members) == n_members:
        collection["n_topics_at_least"] = str(n_members * least)
        collection["n_topics_at_least_source"] = (
            f"its topics are its members’: {n_members} of {least} topics or more, which weigh the same"
        )
