"""The retrieval tasks of MTEB that nobody else's tables have: a collection for each task, subset and split.

The gathered tables name them by rule; slugs here are the tasks' names with hyphens between words. What the package
counts as unique queries is a lower bound, for a query may be asked twice.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from builder.catalog import MTEB_CAVEAT
from builder.languages import in_words
from builder.tables import Row, hyphened, join_notes

FILE = "mteb_more.csv"
TARGET = "mteb_more.csv"
#: Less cited tasks, of images, sound, films and many languages, whose folder is loaded where somebody asks for it.
REST = "mteb_more_rest.csv.gz"

_MTEB = "mteb 2.26.24"
_MTEB_URL = "https://github.com/embeddings-benchmark/mteb"
_CANDIDATES = "every system ranks the same given candidates; AP and RR are over these"
_PAGES = "documents are images of pages"

#: Words that a capital inside does not divide.
_ONE_WORD = (
    "CQADupstack", "DBPedia", "FaithDial", "FreshStack", "GovReport", "HellaSwag", "LegalBench", "LitSearch", "MMarco",
    "MultiLongDoc", "NFCorpus", "SciDocs", "SciFact", "SlovakSum", "TopiOCQA", "TwitterHjerne", "WinoGrande", "XGlue",
)  # fmt: skip
#: What families of tasks begin with.
_PREFIX = re.compile(r"(CQADupstack|MultilingualNano|Nano|Vidore[23]?|R2MED|JinaVDR|LMEB|LEMB|BrightPro|Coreb|IFIR)")
_WORD_BEGINS = re.compile(r"(?<=[A-Za-z0-9])(?=[A-Z][a-z]{3})")
_RETRIEVAL = re.compile(r"[-_]?retrieval(?=$|[.-]|Lite$|HardNegatives)", re.IGNORECASE)

#: Tasks that would get the address of another one: of BRIGHT's first version, or written nearly like it.
_ADDRESSES = {
    "BrightTheoremQAQuestionsRetrieval": "bright-v1-1-theoremqa-questions",
    "BrightTheoremQATheoremsRetrieval": "bright-v1-1-theoremqa-theorems",
    "DanFeverRetrieval": "danfever-retrieval",
}

#: Families that tasks belong to, by what their names are like; the others belong to MTEB alone.
_FAMILIES = [
    (r"MIRACL", "MIRACL (MTEB)"),
    (r"MrTy", "Mr. TyDi (MTEB)"),
    (r"MultiLongDoc", "MLDR (MTEB)"),
    (r"LoTTE", "LoTTE (MTEB)"),
    (r"R2MED", "R2MED (MTEB)"),
    (r"NeuCLIR", "NeuCLIR (MTEB)"),
    (r"BrightPro", "BRIGHT-Pro (MTEB)"),
    (r"Bright", "BRIGHT (MTEB)"),
    (r"WebFAQ", "WebFAQ (MTEB)"),
    (r"LEMB", "LongEmbed (MTEB)"),
    (r"CURE", "CUREv1 (MTEB)"),
    (r"(Multilingual)?Nano", "NanoBEIR (MTEB)"),
    (r"Vidore", "ViDoRe (MTEB)"),
    (r"JinaVDR", "JinaVDR (MTEB)"),
    (r".*-NL(\.v2)?$", "BEIR-NL (MTEB)"),
    (r".*-PL(HardNegatives)?$", "BEIR-PL (MTEB)"),
    (r".*-VN$", "VN-MTEB"),
    (r".*-Fa(HardNegatives)?(\.v2)?$", "FaMTEB"),
    (r"XPQA", "xPQA (MTEB)"),
]


#: Parts of NanoBEIR as ir_datasets writes them, where they differ.
_NANO = {
    "dbpedia": "dbpedia-entity", "fiqa2018": "fiqa", "nf-corpus": "nfcorpus", "sci-fact": "scifact",
    "touche2020": "webis-touche2020", "argu-ana": "arguana",
}  # fmt: skip


def task_slug(task: str) -> str:
    """Return a task's name as part of an address: ``CQADupstackAndroid-NL`` is ``cqadupstack-android-nl``."""
    if task in _ADDRESSES:
        return _ADDRESSES[task]
    name = _RETRIEVAL.sub("", task)
    name = _PREFIX.sub(r"\1-", name, count=1) if _PREFIX.match(name) else name
    for word in _ONE_WORD:
        name = name.replace(word, word.capitalize())
    return hyphened(_WORD_BEGINS.sub("-", name))


def build_slugs(source: Iterable[Row]) -> dict[str, str]:
    """Return the slug of every gathered collection; those that ship under a name of their own keep it."""
    source = list(source)
    splits = _splits(source)
    return {
        row["collection"]: row["collection"]
        if row["in_shipped_collections"] == "yes"
        else collection_slug(row["task"], row["subset"], row["split"] if len(splits[row["task"]]) > 1 else "")
        for row in source
    }


def collection_slug(task: str, subset: str, split: str) -> str:
    """Return a slug for a task, its subset and, where it is scored on several splits, the split."""
    named = "" if subset == "default" or hyphened(subset) == hyphened(task) else hyphened(subset)
    return "-".join(filter(None, ["mteb", task_slug(task), named, hyphened(split)]))


def build_collections(source: Iterable[Row], tasks: Iterable[Row]) -> list[Row]:
    """Return rows of ``collections.csv`` for those that do not ship yet."""
    source = list(source)
    of_task = {task["name"]: task for task in tasks}
    slugs, splits = build_slugs(source), _splits(source)
    n_places = Counter(row["task"] for row in source)
    return [
        _collection(
            row | {"split": row["split"] if len(splits[row["task"]]) > 1 else ""},
            of_task[row["task"]],
            slugs[row["collection"]],
            is_only=n_places[row["task"]] == 1,
        )
        for row in source
        if row["in_shipped_collections"] != "yes"
    ]


def without_results(
    subsets: Iterable[Row], tasks: Iterable[Row], source: Iterable[Row], wanted: Mapping[str, str]
) -> list[Row]:
    """Return rows like the gathered ones for those subsets of tasks that have no result here.

    ``wanted`` has the tasks, with the split that matters; blank where it is the only split.
    """
    here = {row["collection"] for row in source}
    of_task = {task["name"]: task for task in tasks}
    return [
        {
            "collection": row["collection"],
            "task": row["task"],
            "subset": row["subset"],
            "split": row["split"],
            "languages": row["languages"],
            "type": of_task[row["task"]]["type"],
            "n_topics": row["n_queries"],
            "n_topics_source": row["n_queries_source"],
            "n_documents": row["n_documents"],
            "year": of_task[row["task"]]["bib_year"],
            "reference": of_task[row["task"]]["reference"],
            "in_shipped_collections": row["in_shipped_collections"],
        }
        for row in subsets
        if row["collection"]
        and row["collection"] not in here
        and row["in_shipped_collections"] != "yes"
        and wanted.get(row["task"], row["split"] + "?") in ("", row["split"])
    ]


def _collection(row: Row, task: Row, slug: str, *, is_only: bool) -> Row:
    words = _subset_in_words(row)
    split = row["split"].replace("_", " ")
    called = " ".join(
        filter(None, [row["task"], "" if is_only else row["subset"].replace("default", ""), row["split"]])
    )
    is_counted = row["n_topics_source"] == "num_queries"
    n_topics, at_least = (row["n_topics"], "") if is_counted else ("", row["n_topics"])
    pages = _PAGES if "image" in task["modalities"] else ""
    if "Any2Any" in row["type"] or "Audio" in row["type"]:
        pages = f"searched: {task['modalities'].replace(';', ', ')}"
    return {
        "slug": slug,
        "name": " ".join(filter(None, ["MTEB", row["task"], words, f"({split})" if split else ""])),
        "aliases": called,
        "ir_datasets_id": _ir_datasets_id(row),
        "documents": task["dataset_path"],
        "n_documents": row["n_documents"],
        "n_topics": n_topics,
        "n_topics_source": f"{_MTEB}, number of queries" if n_topics else "",
        "n_topics_at_least": at_least,
        "n_topics_at_least_source": f"{_MTEB}: number of different queries" if at_least else "",
        "mteb_task": f"{row['task']} ({row['subset']})" if row["subset"] != "default" else row["task"],
        "year": row["year"],
        "suite": family_of(row["task"]),
        "language": ", ".join(in_words(row["languages"])),
        "url": row["reference"] or _MTEB_URL,
        "notes": join_notes(_CANDIDATES if row["type"] == "Reranking" else "", pages, MTEB_CAVEAT),
    }


def _ir_datasets_id(row: Row) -> str:
    """Return what ir_datasets calls the same queries over as many documents; blank elsewhere."""
    if row["task"] == "LoTTE":
        forum, kind = row["subset"].split("_")
        return f"lotte/{forum}/{row['split']}/{kind}"
    nano = re.fullmatch(r"Nano(\w+)Retrieval", row["task"])
    if nano:
        name = hyphened(_WORD_BEGINS.sub("-", nano[1].replace("DBPedia", "Dbpedia")))
        return f"nano-beir/{_NANO.get(name, name)}"
    return ""


def family_of(task: str) -> str:
    """Return what a task is listed under."""
    return next((family for pattern, family in _FAMILIES if re.match(pattern, task)), "MTEB")


def _subset_in_words(row: Row) -> str:
    """Return a subset that is a language, in words; others as they are called."""
    subset = row["subset"]
    if subset == "default" or hyphened(subset) == hyphened(row["task"]):
        return ""
    languages = in_words(row["languages"])
    if len(languages) == 1 and (len(subset) <= 3 or subset.casefold() == languages[0].casefold()):
        return languages[0]
    if re.fullmatch(r"[a-z]{3}-[a-z]{3}", subset):
        return "-".join(in_words(";".join(subset.split("-"))))
    if re.fullmatch(r"[a-z]{3}_[A-Z][a-z]{3}-[a-z]{3}_[A-Z][a-z]{3}", subset):
        return "-".join(word for code in subset.split("-") for word in in_words(code.replace("_", "-")))
    return subset.replace("_", " ")


def _splits(source: Iterable[Row]) -> dict[str, set[str]]:
    splits: dict[str, set[str]] = {}
    for row in source:
        splits.setdefault(row["task"], set()).add(row["split"])
    return splits


def as_published(rows: Iterable[Row]) -> list[Row]:
    """Return the gathered results with their place in ``source``, as the other gathered files have it."""
    return [row | {"source": f"{row['source']} {row['locator'].partition('@')[0]}"} for row in rows]


def described_by_base(name: str) -> str:
    """Return the model of which a system is a setting: ``openai/text-embedding-3-large_(embed_dim=512)``."""
    return re.sub(r"_\([^()]*\)$", "", name)


def build_overlap(
    overlap: Iterable[Row], results: Iterable[Row], source: Iterable[Row], models: Iterable[Row], similar: Iterable[Row]
) -> list[Row]:
    """Return what makers declare of tasks, as rows of the gathered ``training_overlap.csv``: one for each result's
    place."""
    source = list(source)
    task_of, slugs = {row["collection"]: row["task"] for row in source}, build_slugs(source)
    declared = {(row["system"], row["task"]): row for row in overlap}
    by_name = {name: model for model in models for name in [model["name"], *model["former_names"].split(";")] if name}
    alike = alike_tasks(similar)
    rows = []
    for system, collection in dict.fromkeys((row["system"], row["collection"]) for row in results):
        task = task_of[collection]
        declaration = declared[system, task]
        declarer = by_name.get(declaration["how"].removeprefix("base model ")) or by_name.get(described_by_base(system))
        listed = set(declarer["training_datasets"].split(";")) if declarer else set()
        through = [task] if task in listed else sorted(listed & alike.get(task, set()))
        rows.append(
            {
                "system": system,
                "collection": slugs[collection],
                "task": task,
                "model": declarer["name"] if declarer and system not in by_name else system,
                "overlap": declaration["overlap"],
                "how": declaration["how"],
                "through": ";".join(through),
                "base_models_undeclared": ";".join(undeclared_bases(by_name.get(described_by_base(system)), by_name)),
            }
        )
    return rows


def alike_tasks(similar: Iterable[Row]) -> Mapping[str, set[str]]:
    """Return the tasks that each is treated as trained on with: those that it names, and those that name it."""
    alike: dict[str, set[str]] = defaultdict(set)
    for row in similar:
        for other in row["similar"].split(";"):
            alike[row["task"]].add(other)
            alike[other].add(row["task"])
    return alike


def undeclared_bases(model: Row | None, by_name: Mapping[str, Row]) -> Iterator[str]:
    """Yield the models below a model, directly or over others, that declare nothing or are not in the package."""
    seen = set()
    while model and (base := model["adapted_from"]) and base not in seen:
        seen.add(base)
        model = by_name.get(base)
        if model is None or model["training_datasets_status"] == "unknown":
            yield base
