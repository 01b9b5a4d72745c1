"""Suites: which collections people average over, or expect nobody to have trained on, or know by one track's name.

Means over them as papers, cards and pages print them are shown beside the means of the scores on record.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from builder import families
from builder.tables import Row

COLUMNS = ["slug", "name", "is_zero_shot", "is_average", "is_screen", "description", "source", "url"]
MEMBER_COLUMNS = ["suite", "collection", "measure", "part_of", "has_training_part", "task"]

_MEASURE = "nDCG@10"
_MTEB = "mteb 2.26.24"
_RESULTS_OF_MTEB = "embeddings-benchmark/results"

_BEIR_13 = [
    f"beir-{name}"
    for name in (
        "arguana", "climate-fever", "dbpedia-entity", "fever", "fiqa", "hotpotqa", "nfcorpus", "nq", "quora", "scidocs",
        "scifact", "trec-covid", "webis-touche2020",
    )
]  # fmt: skip
_BRIGHT = tuple(
    f"bright-{name}"
    for name in (
        "biology", "earth-science", "economics", "psychology", "robotics", "stackoverflow", "sustainable-living",
        "leetcode", "pony", "aops",
    )
)  # fmt: skip
_MIRACL = ["ar", "bn", "de", "en", "es", "fa", "fi", "fr", "hi", "id", "ja", "ko", "ru", "sw", "te", "th", "yo", "zh"]
_CQADUPSTACK = "beir-cqadupstack"
_FORUMS = [
    f"{_CQADUPSTACK}-{forum}"
    for forum in (
        "android", "english", "gaming", "gis", "mathematica", "physics", "programmers", "stats", "tex", "unix",
        "webmasters", "wordpress",
    )
]  # fmt: skip

#: Queries to train on belong to the very tasks: a model that used them did what the tasks are for.
_WITH_TRAINING_PART = (
    "msmarco-", "mteb-msmarco-", "mteb-miracl-", "miracl-", "cmteb-mmarco", "mteb-mmarco-", "mrtydi-",
    "mteb-multilongdoc-",
)  # fmt: skip


@dataclass(frozen=True)
class Suite:
    """One suite, with its members in their order: collections, each under a measure that is customary for it."""

    slug: str
    name: str
    members: list[tuple[str, str]]
    description: str
    source: str
    url: str
    is_zero_shot: bool = True
    is_average: bool = True
    is_screen: bool = False
    tasks: Mapping[str, str] = field(default_factory=dict)  # By collection, of those that share one with others.


def _by_ndcg(slugs: Iterable[str]) -> list[tuple[str, str]]:
    """Return members under the measure of BEIR and MTEB."""
    return [(slug, _MEASURE) for slug in slugs]


_BEIR_URL = "https://github.com/beir-cellar/beir"
_MTEB_URL = "https://github.com/embeddings-benchmark/mteb"

_SUITES = [
    Suite(
        "beir",
        "BEIR (14 public data sets)",
        _by_ndcg(sorted([*_BEIR_13, _CQADUPSTACK])),
        "The data sets of BEIR that anybody can download, CQADupStack's twelve forums as one, without MS MARCO, on"
        " which its models are trained.",
        f"{_MTEB}, benchmark BEIR",
        _BEIR_URL,
        is_average=False,
        is_screen=True,
    ),
    Suite(
        "beir-13",
        "BEIR (13 data sets)",
        _by_ndcg(_BEIR_13),
        "The data sets that most papers average over: the public ones without CQADupStack.",
        f"{_MTEB}, benchmark BEIR",
        _BEIR_URL,
    ),
    Suite(
        "mteb-eng-v2",
        "MTEB English v2, retrieval",
        _by_ndcg([
            "beir-arguana", "beir-cqadupstack-gaming", "beir-cqadupstack-unix", "mteb-climate-fever-hn",
            "mteb-fever-hn", "beir-fiqa", "mteb-hotpotqa-hn", "beir-scidocs", "beir-trec-covid", "mteb-touche2020-v3",
        ]),
        "The ten retrieval tasks of MTEB(eng, v2), three of them with hard negatives in place of all documents.",
        f"{_MTEB}, benchmark MTEB(eng, v2)",
        _MTEB_URL,
        is_screen=True,
    ),
    Suite(
        "mteb-eng-v1",
        "MTEB English v1, retrieval",
        _by_ndcg([*sorted([*_BEIR_13, _CQADUPSTACK]), "msmarco-passage-dev"]),
        "The fifteen retrieval tasks of MTEB(eng, v1): BEIR's public data sets and MS MARCO.",
        f"{_MTEB}, benchmark MTEB(eng, v1)",
        _MTEB_URL,
    ),
    Suite(
        "bright",
        "BRIGHT",
        _by_ndcg([*_BRIGHT, "bright-theoremqa-questions", "bright-theoremqa-theorems"]),
        "Twelve sets of queries that take reasoning, as their authors publish them.",
        "Su et al. (arXiv 2407.12883); AQ-MedAI/Diver, README.md",
        "https://brightbenchmark.github.io/",
        is_screen=True,
    ),
    Suite(
        "bright-mteb",
        "BRIGHT, MTEB’s revision",
        _by_ndcg([*_BRIGHT, "mteb-bright-theoremqa-questions", "mteb-bright-theoremqa-theorems"]),
        "BRIGHT’s twelve sets of queries, those of TheoremQA in MTEB’s revision.",
        f"{_MTEB}, task BrightRetrieval",
        "https://brightbenchmark.github.io/",
        is_screen=True,
    ),
    Suite(
        "mteb-cmn-v1",
        "MTEB Chinese v1, retrieval",
        _by_ndcg(f"cmteb-{name}" for name in (
            "t2retrieval", "mmarco", "duretrieval", "covid", "cmedqa", "ecom", "medical", "video",
        )),
        "The eight retrieval tasks of MTEB(cmn, v1).",
        f"{_MTEB}, benchmark MTEB(cmn, v1)",
        _MTEB_URL,
    ),
    Suite(
        "miracl",
        "MIRACL",
        _by_ndcg(f"miracl-{language}-dev" for language in _MIRACL),
        "The development queries of MIRACL in 18 languages, which has training queries in 16 of them.",
        "the track's own languages",
        "https://project-miracl.github.io/",
        is_zero_shot=False,
    ),
    Suite(
        "mteb-miracl-hn",
        "MIRACL with hard negatives (MTEB)",
        _by_ndcg(f"mteb-miracl-hn-{language}" for language in _MIRACL),
        "MIRACL's development queries, at most 1,000 a language, over the documents that are hard to tell apart.",
        f"{_MTEB}, task MIRACLRetrievalHardNegatives",
        _MTEB_URL,
        is_zero_shot=False,
    ),
]  # fmt: skip


def build_suites(
    results: list[Row], collections: list[Row], places: Mapping[tuple[str, str, str], str], measures: Mapping[str, str]
) -> tuple[list[Row], list[Row]]:
    """Return the rows of ``suites.csv`` and ``suite_members.csv``.

    ``places`` has the collection of each task, subset and split of MTEB, ``measures`` the main measure of each task.
    """
    everything = Suite(
        "mteb",
        "MTEB, all retrieval tasks here",
        sorted({(row["collection"], row["measure"]) for row in results if row["source"] == _RESULTS_OF_MTEB}),
        "Every retrieval task of MTEB that has results here, under each measure that they are in. Nobody averages over"
        " them; they are meant for models that were not trained on them, but for those that come with queries to train"
        " on.",
        f"{_MTEB}, tasks",
        _MTEB_URL,
        is_average=False,
    )
    of_tasks = [
        Suite(
            family.slug,
            family.name,
            members,
            family.description,
            f"{_MTEB}, {family.source}",
            family.url,
            is_zero_shot=family.is_zero_shot,
            is_average=family.is_average,
            tasks=families.tasks_shared(family, places, members),
        )
        for family in families.FAMILIES
        for members in [families.members_of(family, places, measures)]
    ]
    tracks = [
        Suite(
            track.slug,
            track.name,
            families.members_of_track(track, collections, results),
            track.description,
            "TREC, as its proceedings divide it into tracks",
            "https://trec.nist.gov/tracks.html",
            is_zero_shot=False,
            is_average=False,
        )
        for track in families.TRACKS
    ]
    suites = [*_SUITES, *of_tasks, everything, *tracks]
    known = {row["slug"] for row in collections}
    strange = {slug for suite in suites for slug, _ in suite.members} - known
    if strange:
        raise ValueError(f"suites name collections that are not there: {sorted(strange)}")
    members = [row for suite in suites for row in _members(suite)]
    return [_row(suite) for suite in suites], members


def _row(suite: Suite) -> Row:
    flags = {name: "true" if getattr(suite, name) else "false" for name in ("is_zero_shot", "is_average", "is_screen")}
    texts = {name: getattr(suite, name) for name in ("slug", "name", "description", "source", "url")}
    return texts | flags


def _members(suite: Suite) -> list[Row]:
    slugs = {slug for slug, _ in suite.members}
    parts = [slug for slug in _FORUMS if _CQADUPSTACK in slugs and slug not in slugs]
    return [
        {
            "suite": suite.slug,
            "collection": slug,
            "measure": measure,
            "part_of": _CQADUPSTACK if slug in parts else "",
            "has_training_part": "true" if slug.startswith(_WITH_TRAINING_PART) else "false",
            "task": suite.tasks.get(slug, ""),
        }
        for slug, measure in [*suite.members, *_by_ndcg(parts)]
    ]


PRINTED_COLUMNS = [
    "suite", "measure", "system", "printed", "unit", "year", "paper", "paper_url", "source", "locator", "why",
]  # fmt: skip
#: A name that stands for one system of the record: others are of several, or of none.
_MATCHED = ("agrees", "close (within .005)", "differs", "members incomplete")
#: Pages without a repository, of which a copy of the text was read: its place there leads nobody anywhere.
_OF_COPIES = "text_snippets/"
_BY_THE_SUITE = "as defined by"
#: Printed as the mean of a row whose scores have another one, and where that row is -> what is known of it.
_WHY = {
    ("lightonai/pylate", "docs/models/models.md#L30"): "the 13 scores beside it on the page have the mean 55.73",
    ("lightonai/pylate", "docs/models/models.md#L32"): "the 13 scores beside it on the page have the mean 56.71",
}


def build_printed_means(gathered: Iterable[Row], members: Iterable[Row]) -> list[Row]:
    """Return the printed means of benchmarks that are here, whose system is on record under a name of its own."""
    measures: dict[str, set[str]] = defaultdict(set)
    for member in members:
        measures[member["suite"]].add(member["measure"])
    rows = []
    for row in gathered:
        ours = measures.get(row["suite"], set())
        candidates = ours if row["measure"].startswith(_BY_THE_SUITE) else ours & {row["measure"]}
        if row["verdict"] in _MATCHED and len(candidates) == 1:
            locator = row["locator"].partition(f"; {_OF_COPIES}")[0]
            rows.append(
                {name: row.get(name, "") for name in PRINTED_COLUMNS}
                | {
                    "measure": next(iter(candidates)),
                    "system": row["system_on_record"],
                    "source": row["source"] or row["paper"],
                    "locator": "" if locator.startswith(_OF_COPIES) else locator,
                    "why": _WHY.get((row["source"], row["locator"]), ""),
                }
            )
    return sorted(rows, key=lambda row: [row[name] for name in PRINTED_COLUMNS])
