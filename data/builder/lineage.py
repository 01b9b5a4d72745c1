"""Lineage: which systems come from one maker, model or toolkit, beyond what their team and paper say.

Systems that share a key are of one family, directly or over others. A system's team and its proposing paper are keys
by themselves and not listed here. Listed are models of one name in several sizes, revisions or precisions, the
systems that toolkits run, and which of the recorded teams and papers are no maker of what stands beside them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from builder.tables import Row

COLUMNS = ["system", "team", "key", "source"]

#: What stands before a key that a system does not have although its team or paper says so.
_NOT = "not "

_MTEB = "mteb 2.26.24"
_BY_HAND = "decided by hand"

#: Teams that make nothing: who hosts or collects the systems of others. Blank, Anonymous and BASELINE are none anyway.
_NO_MAKERS = {
    "tira-io": "a platform on which others' systems run",
    "mteb": "the benchmark itself: its two rows are BM25 and random vectors",
}

#: Addresses that rows give for their paper, and which propose none of them.
_NO_PROPOSALS = {
    "https://github.com/castorini/anserini": "a toolkit, not what it runs",
    "https://github.com/castorini/pyserini": "a toolkit, not what it runs",
    "https://github.com/castorini/rank_llm": "a toolkit, not what it runs",
    "https://doi.org/10.1145/3539618.3591888": "a platform and its study of systems by others",
    "https://github.com/CLEF-TAR/tar": "a repository of all participants' runs",
    "https://trec.nist.gov/pubs/trec4/t4_proceedings.html": "all papers of TREC-4",
    "https://trec.nist.gov/pubs/trec5/t5_proceedings.html": "all papers of TREC-5",
}

#: Systems of others that toolkits of castorini run, by the name that follows the toolkit's: pattern, whose they are.
_RUN_BY_CASTORINI = [
    (r"(?:.* )?(?:splade|SPLADEv2$|SPLADE_P_P_ENSEMBLE_DISTIL$)", "model:naver/splade"),
    (r"(?:.* )?bge-", "model:baai/bge"),
    (r"(?:.* )?shard\d+\.arctic-l\.", "model:snowflake/snowflake-arctic-embed"),
    (r"(?:openai-|OPEN_AI_ADA2$)", "team:openai"),
    (r"cohere-embed-english-v3", "model:cohere/cohere-embed"),
    (r"m?contriever", "model:facebook/contriever"),
    (r"ance-", "model:microsoft/ance"),
    (r"sbert-", "team:sentence-transformers"),
    (r"(?:distilbert-kd|D_BERT_KD_TASB$)", "team:tu wien"),
    (r"diver-retriever", "team:aq-medai"),
    (r"reason-embed", "model:reason-embed"),
    (r"RetroMAE", "model:retromae"),
    (r"citadel", "model:facebook/citadel"),
    (r"rankgpt$", "model:rankgpt"),
    (r"rankgptapeer$", "model:apeer"),
]

#: Toolkits of castorini by the first word of a system's name. Pyserini's lexical runs are those of Anserini.
_CASTORINI_TOOLKITS = {"Anserini": "anserini", "Pyserini": "anserini", "rank_llm": "rank_llm"}

#: First stages that rank_llm took from Pyserini.
_FROM_PYSERINI = ("BM25", "BM25_RM3")

#: What stands behind the systems that TIREx runs: pattern, key.
_RUN_BY_TIREX = [
    (r"SBERT ", "team:sentence-transformers"),
    (r"TASB ", "team:tu wien"),
    (r"ANCE ", "model:microsoft/ance"),
    (r"ColBERT ", "team:colbert-ir"),
    (r"(?:Mono|Duo)(?:T5|BERT) ", "team:castorini"),
    (r"ChatNoir$", "team:webis"),
    (r".* \(tira-ir-starter-pyterrier\)$", "toolkit:pyterrier"),
]

#: Runs of CLEF TAR 2019, which name no team: pattern, key. Those of one line differ in a threshold or two.
_CLEF_TAR = [
    (r".*@uva$", "team:uva"),
    (r"(2018_stem_original|baseline_bm25|distributed_effort)_", r"model:clef-tar-2019/\1"),
]

#: One model line under several organisations, by how its models are called there; and fine-tunes by others
#: that count with their base, size by size.
_ONE_LINE = [
    ("model:gte", r"(?:Alibaba-NLP|thenlper)/gte-", f"{_MTEB}: both organisations cite arXiv 2308.03281 for it"),
    ("model:kalm-embedding", r"(?:HIT-TMG|KaLM-Embedding|tencent)/KaLM-", f"{_MTEB}: adapted_from and citation"),
    (
        "model:qwen/qwen3-embedding",
        r"Octen/Octen-Embedding-",
        f"{_MTEB}: adapted from Qwen/Qwen3-Embedding in its sizes",
    ),
    (
        "model:qwen/qwen3-embedding",
        r"IEITYuan/Yuan-embedding-2\.0-en",
        f"{_MTEB}: adapted from Qwen/Qwen3-Embedding-0.6B",
    ),
    ("model:stella", r"(?:dunzhang|infgrad|NovaSearch)/(?:stella|jasper)", f"{_BY_HAND}: one author's line of models"),
    ("model:seed-embedding", r"(?:ByteDance-Seed|Bytedance)/Seed1\.", f"{_BY_HAND}: versions 1.5 and 1.6 of one model"),
]

_SIZE = (
    r"nano|micro|tiny|xxs|xs|small|mini|base|medium|large|xl|xxl|huge|lite|light|s|m|l|b|[0-9.]+[bmk]|a?[0-9.]+[mb]|"
    r"[0-9]+x[0-9]+b|long|[0-9]+d|d[0-9]+"
)
_VERSION = r"v?[0-9]+(?:\.[0-9]+)*|r[0-9]+|preview|exp|[0-9]{4,}"
_PRECISION = r"int8|bf16|fp16|binary"
_LANGUAGE = r"en|zh|de|fr|english|multilingual|unsupervised|unsup|supervised|instruct"
_QUALIFIER = re.compile(rf"(?:{_SIZE}|{_VERSION}|{_PRECISION}|{_LANGUAGE})")


def build_lineage(
    results: Iterable[Row],
    models: list[Row],
    papers: list[Row],
    strangers: Iterable[tuple[str, str, str]],
    contested: Iterable[str],
) -> list[Row]:
    """Return the rows of ``lineage.csv``: what makes no family first, then systems by name.

    ``strangers`` are baselines, by system and team, with the paper that compares with them and did not make them;
    ``contested`` systems without a team that stand with several scores on a leaderboard, which are one family there.
    """
    rows = [_nobody(f"team:{team}", reason) for team, reason in _NO_MAKERS.items()]
    rows += [_nobody(f"paper:{url}", reason) for url, reason in _NO_PROPOSALS.items()]
    overviews = {paper["url"] for paper in papers if paper["is_overview"] == "yes" and paper["url"]}
    rows += [_nobody(f"paper:{url}", "overview of a track, as dblp lists it") for url in sorted(overviews)]
    systems = {(row["system"], row.get("team", ""), row["role"], row["source"]): row for row in results}
    keyed = [*_of_toolkits(systems.values()), *_of_models(systems.values(), models)]
    keyed += _of_clef_tar(systems.values())
    keyed += [
        {"system": system, "team": team, "key": f"{_NOT}paper:{url}", "source": "a baseline there, made by others"}
        for system, team, url in strangers
    ]
    unique = {(row["system"], row["team"], row["key"]): row for row in reversed(keyed)}
    n_systems = Counter(row["key"] for row in unique.values())
    telling = [row for row in unique.values() if not row["key"].startswith("model:") or n_systems[row["key"]] > 1]
    telling += [
        {"system": name, "team": "", "key": f"model:{name.casefold()}", "source": "one system with several scores"}
        for name in contested
    ]
    return rows + sorted(telling, key=lambda row: (row["system"].casefold(), row["team"], row["key"]))


def _nobody(key: str, reason: str) -> Row:
    return {"system": "", "team": "", "key": f"{_NOT}{key}", "source": reason}


def _is_of(row: Row, key: str, source: str) -> Row:
    return {"system": row["system"], "team": row["team"], "key": key, "source": source}


def _of_toolkits(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        if row["source"].startswith("castorini/") and row["role"] == "reference_implementation":
            yield from _of_castorini(row)
        elif row["source"] == "tira-io/ir-experiment-platform":
            key = _first_match(_RUN_BY_TIREX, row["system"])
            if key:
                yield _is_of(row, key, "named in the system's name")


def _of_castorini(row: Row) -> Iterator[Row]:
    """Yield the keys of configurations: the toolkit's, unless they are somebody else's published system."""
    toolkit, _, name = row["system"].partition(" ")
    key = _first_match(_RUN_BY_CASTORINI, name or row["system"])
    if key:
        yield _is_of(row, key, "named in the system's name")
        yield _is_of(row, f"{_NOT}team:{row['team']}", "runs it, and did not make it")
        if row["source"] == "castorini/rank_llm" and row["paper_url"].startswith("https://arxiv.org"):
            yield _is_of(row, f"{_NOT}paper:{row['paper_url']}", "a first stage, which the paper does not propose")
    elif toolkit in _CASTORINI_TOOLKITS or toolkit.startswith("bm25-"):
        taken = toolkit == "rank_llm" and name in _FROM_PYSERINI
        yield _is_of(
            row,
            f"toolkit:{'anserini' if taken else _CASTORINI_TOOLKITS.get(toolkit, 'anserini')}",
            "configuration of it",
        )
    elif row["locator"].startswith("docs/"):
        yield _is_of(row, "toolkit:anserini", "run by it, as a page of its documentation says")


def _of_clef_tar(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        for pattern, key in _CLEF_TAR if row["source"] == "CLEF-TAR/tar" else []:
            if match := re.match(pattern, row["system"]):
                yield _is_of(row, match.expand(key), "named in the run's name")


def _first_match(patterns: list[tuple[str, str]], text: str) -> str:
    return next((key for pattern, key in patterns if re.match(pattern, text)), "")


def _of_models(rows: Iterable[Row], models: list[Row]) -> Iterator[Row]:
    """Yield the keys of sizes, revisions and precisions of one model by one maker; fine-tunes by others stand alone."""
    rows = [row for row in rows if row["source"] == "embeddings-benchmark/results"]
    bases = {name: model["adapted_from"] for model in models for name in _names(model)}
    known = {row["system"] for row in rows}
    lines: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        lines[_line_of(row["system"])].append(row)
        base = bases.get(row["system"], "")
        if base and base.partition("/")[0].casefold() == row["team"].casefold():
            line = _line_of(base) if base in known else base.casefold()
            yield _is_of(row, f"model:{line}", f"{_MTEB}: adapted from {base}")
    for line, members in lines.items():
        for row in members:
            yield _is_of(row, f"model:{line}", "the model's name, but for size, revision, precision and language")
    for key, pattern, reason in _ONE_LINE:
        yield from (_is_of(row, key, reason) for row in rows if re.match(pattern, row["system"]))


def _names(model: Row) -> list[str]:
    return [model["name"], *filter(None, model["former_names"].split(";"))]


def _line_of(model: str) -> str:
    """Return the maker and the name of a model without the parts for size, revision, precision and language.

    ``intfloat/multilingual-e5-small`` is of the line ``intfloat/e5``.
    """
    maker, _, name = re.sub(r" \(.*\)$", "", model).casefold().rpartition("/")
    parts = re.split(r"[-_]", name)
    telling = [part for part in parts if not _QUALIFIER.fullmatch(part)]
    stem = "-".join(telling or parts[:1])
    return f"{maker}/{re.sub(r'(?<=[a-z]{3})[0-9.]+$', '', stem)}"


def makers_of(systems: Sequence[str], results: Iterable[Row], lineages: Iterable[Row]) -> list[str]:
    """Return which of these systems have one maker, by team and lineage: a label for each, the same for those of one
    maker."""
    teams = {row["system"]: row.get("team", "") for row in results}
    keys: dict[str, set[str]] = defaultdict(set)
    for system in systems:
        if teams.get(system):
            keys[system].add(f"team:{teams[system]}")
    for row in sorted(lineages, key=lambda row: row["key"].startswith(_NOT)):
        change = keys[row["system"]].discard if row["key"].startswith(_NOT) else keys[row["system"]].add
        change(row["key"].removeprefix(_NOT))
    labels: dict[str, str] = {}
    for system in systems:
        joined = {labels[other] for other in labels if keys[other] & keys[system]}
        labels = {other: system if label in joined else label for other, label in labels.items()} | {system: system}
    return [labels[system] for system in systems]
