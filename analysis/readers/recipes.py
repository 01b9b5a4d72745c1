"""The model of a system, read from its name: recipes of toolkits, run files, decorated names of hubs, printed names.

A model is what people mean ("SPLADE-v3", "BM25", "BAAI/bge-m3"). A system is one of its checkpoints in one setting:
toolkits write collection, index, prompt and precision into the name, hubs the settings of an encoder. What is put on
top makes another model: feedback, expanded documents, a reranker. A reranker is one model over whatever first stage.
Sizes and languages are models of their own, precisions are none.

A name that no rule knows has no model: better apart than wrongly together.
"""

import csv
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from analysis.readers.identifiers import letters_of

_BEFORE = re.compile(r"(?:(?:Pyserini|Anserini) (?:\w[\w ]*) page: |Anserini JDIQ 2018 |PyTerrier )")
_BEHIND = re.compile(
    r"(?: \[[\w.\-]+\.md#L\d+\]| \((?:BEIR paper|M3-Embedding paper|LLM-Embedder paper|BRIGHT|CODEC|DeAR|DL-HARD|"
    r"DL-HARD README|Mr\. TyDi|NovelEval|PyLate|TREC ToT 2024|table 2|this code|docTTTTTquery README|"
    r"Pyserini ANCE-PRF page|Sentence Transformers, Elasticsearch|Sentence Transformers, Baseline|Anserini, OpenMatch|"
    r"Anserini, PyGaggle page|PyGaggle|PyGaggle, TPU|C-MTEB, section 2\.5)\)|"
    r", (?:title|description|description\+title))+"
)
_SETTINGS = re.compile(r" \((?:default|tuned|flat|k1= ?[\d.]+, b=[\d.]+)\)")
#: Kamphuis et al. (ECIR 2020) call these variants of BM25; BM25L and BM25+ are other functions.
_IMPLEMENTED = re.compile(
    r"(?:BM25S, (?:Lucene|ATIRE|Robertson) variant|Elasticsearch|Pyserini|PISA|rank-bm25|BM25PT \(bm25_pt\))"
    r" \(k1=[^)]*\)"
)
_VECTOR_FEEDBACK = re.compile(r"(?P<encoder>.+), (?P<feedback>Original|Average|Rocchio)(?: PRF [^()]*)? \(vector PRF\)")
_FEEDBACK = {"Original": "", "Average": " + average PRF", "Rocchio": " + Rocchio"}
_SENTENCE_TRANSFORMERS = re.compile(r"(?:msmarco|multi-qa)-(?:distilbert|MiniLM|mpnet|bert)[\w-]*-v\d")
_CROSS_ENCODER = re.compile(r"BM25 top-100 > (cross-encoder/ms-marco-(?:MiniLM|TinyBERT|electra)[\w-]*)")
#: Models by what each calls them: toolkits the parts of a recipe, and feedback on a first ranking; hubs under another
#: address; rank_llm; TIREx; baselines of tracks; people, and nothing else; tables; a page of feedback on vectors.
NAMES: dict[str, dict[str, str]] = {}
with Path(__file__).with_name("model_names.csv").open(encoding="utf-8", newline="") as _file:
    for _row in csv.DictReader(_file):
        NAMES.setdefault(_row["of"], {})[_row["name"]] = _row["model"]
_BARE = NAMES["people"] | NAMES["printed"]


def printed_model(name: str) -> str:
    """Return what the model is called of which a paper or page prints this; blank where no table says.

    >>> printed_model("ANCE (BEIR paper)"), printed_model("Pyserini HC4 page: BM25+RM3, title")
    ('ANCE', 'BM25 + RM3')
    """
    if _IMPLEMENTED.fullmatch(name):
        return "BM25"
    if match := _VECTOR_FEEDBACK.fullmatch(name):
        encoder = NAMES["vector PRF"].get(match["encoder"], "")
        return encoder and encoder + _FEEDBACK[match["feedback"]]
    if match := _CROSS_ENCODER.fullmatch(name):
        return re.sub(r"-L-(\d)", r"-L\1", match[1])
    if _SENTENCE_TRANSFORMERS.fullmatch(name):
        return f"sentence-transformers/{name}"
    before = _BEFORE.match(name)
    rest = name[before.end() :] if before else name
    behind = re.search(rf"(?:{_BEHIND.pattern})$", rest)
    bare = rest[: behind.start()] if behind else rest
    return _BARE.get(_SETTINGS.sub("", bare).casefold(), "")


@dataclass(frozen=True, slots=True)
class Recipe:
    """The model that a name means, as people call it, and the rule that read it, in words for the log."""

    model: str
    rule: str


#: Rows of a hub's leaderboard that are no model.
_NO_MODELS = frozenset({"baseline/human", "mteb/baseline-random-encoder"})

_LONGEST_ADDRESS = 100
_TOOLKITS = {"anserini": "Anserini", "pyserini": "Pyserini"}
_LANGUAGE = re.compile(r"\.[a-z]{2}")
#: How vectors are kept and computed: nothing of it is the model.
_KEPT = (
    r"(?:[.-](?:parquet|onnx|pytorch|faiss|faiss-flat|lucene-flat|lucene-hnsw|lucene-hnsw-int8|flat|flat-sqv|hnsw|"
    r"hnsw-int8|hnsw-sqv|fw|fw-40|lexlsh|lexlsh-600|cached_q|cached|int8|sqv))*"
)
_LONGEST_FIRST = "|".join(sorted(map(re.escape, NAMES["toolkits"]), key=len, reverse=True))
_DENSE = re.compile(rf"(?:shard\d\d\.)?(?P<encoder>{_LONGEST_FIRST})"
                    rf"(?:-(?P<feedback>avg-prf|rocchio-prf|rocchio))?{_KEPT}(?P<more>\+rm3|\+rocchio)?")  # fmt: skip
#: The parts of a lexical recipe that choose parameters, fields of a document, or its division into passages.
_LEXICAL = re.compile(
    r"(?:bm25)(?P<first>-rm3|-rocchio)?(?P<expanded>-d2q-t5)?"
    r"(?:-(?:qt|dt|flat|b8|slim|doc|segmented|segmented-doc|doc-segmented|augmented|default|tuned2?))*"
    r"(?P<last>-rocchio)?(?P<feedback>(?:\+[a-z0-9-]+)*)"
)
#: Documents that were expanded before they were indexed: the model by what their index is called.
_EXPANDED = {"d2q-t5": "docTTTTTquery", "docTTTTTquery": "docTTTTTquery", "doc2query": "doc2query"}


def model_of(name: str, team: str = "") -> Recipe | None:
    """Return which model the system is of; None where no rule knows.

    >>> print(model_of("Anserini beir-v1.0.0-nfcorpus.splade-v3.onnx splade-v3-onnx", "castorini").model)
    SPLADE-v3
    """
    return next((recipe for rule in _RULES if (recipe := rule(name, team))), None)


def address_of(name: str, taken: Collection[str]) -> str:
    """Return what stands for the model in addresses: its name, with its maker's where that is taken, else with a
    number.

    >>> address_of("BAAI/bge-base-en-v1.5", ()), address_of("BM25 + RM3", ())
    ('bge-base-en-v1-5', 'bm25-plus-rm3')
    """
    short, full = (letters_of(text, _LONGEST_ADDRESS) or "model" for text in (name.rpartition("/")[2], name))
    numbered = (f"{full[: _LONGEST_ADDRESS - 5]}-{n}" for n in range(2, len(taken) + 3))
    return next(slug for slug in (short, full, *numbered) if slug not in taken)


def _of_toolkit(name: str, team: str) -> Recipe | None:
    """Return a recipe of Anserini or Pyserini: index and settings before, how it is ranked behind."""
    toolkit, _, rest = re.sub(r" \[.*\]$", "", name).partition(" ")
    called = _TOOLKITS.get(toolkit.casefold())
    index, _, recipe = rest.rpartition(" ")
    if not called or " " in index:
        return None
    model = _of_neuclir(index, recipe) or _lexical(index, recipe) or _dense(index, recipe)
    return Recipe(model, f"the recipe “{recipe}” of {called}") if model else None


def _lexical(index: str, recipe: str) -> str:
    recipe = _LANGUAGE.sub("", recipe) if recipe.startswith(("bm25.", "bm25-dt.", "bm25-qt.")) else recipe
    feedback = ""
    if recipe == "flat" and not index:
        model = "BM25"
    elif recipe.startswith("ql"):
        model, feedback = "Query likelihood (Dirichlet)", recipe.removeprefix("ql").removeprefix("+")
        model = f"{_expanded(index)} (query likelihood)" if _expanded(index) else model
    elif recipe in ("bm25qs", "bm25prf"):
        model = {"bm25qs": "BM25 (query-side weights)", "bm25prf": "BM25 + BM25PRF"}[recipe]
    elif recipe in ("multifield", "bm25-multifield"):
        model = "BM25 (multifield)"
    elif match := _LEXICAL.fullmatch(recipe):
        fields = "BM25 (multifield)" if index.endswith(".multifield") else "BM25"
        parts = [match["first"], match["last"], match["feedback"]]
        feedback = "".join(filter(None, parts)).lstrip("-+")
        model = _expanded(match["expanded"] or index) or fields
    else:
        return ""
    return _with_feedback(model, feedback)


def _expanded(text: str) -> str:
    """Return the model by which the documents were expanded; blank where they were not."""
    return next((model for part, model in _EXPANDED.items() if part in text), "")


def _dense(index: str, recipe: str) -> str:
    """Return the encoder that the recipe names; where it names it in short, as the index names it."""
    if recipe.startswith("bge-") and (match := re.search(r"\.(bge-[a-z]+-en-v1\.5)", index)):
        return NAMES["toolkits"].get(match[1], "")
    recipe = _LANGUAGE.sub("", recipe) if _LANGUAGE.fullmatch(recipe[-3:]) else recipe
    if not (match := _DENSE.fullmatch(recipe)):
        return ""
    encoder = match["encoder"]
    if encoder == "unicoil" and "unicoil-noexp" in index:
        encoder = "unicoil-noexp"
    return _with_feedback(NAMES["toolkits"][encoder], match["feedback"] or (match["more"] or "").lstrip("+"))


def _of_neuclir(index: str, recipe: str) -> str:
    """Return the encoder that the recipe calls SPLADE by its toolkit's pages: one for English, others for languages."""
    model, _, feedback = recipe.partition("+")
    if model != "splade" or not (match := re.fullmatch(r"neuclir22-(fa|ru|zh)-(dt|qt)-splade", index)):
        return ""
    named = "SPLADE++ SelfDistil" if match[2] == "dt" else f"SPLADE NeuCLIR22 ({match[1]})"
    return _with_feedback(named, feedback)


def _with_feedback(model: str, feedback: str) -> str:
    if feedback and feedback not in NAMES["feedback"]:
        return ""
    return f"{model} + {NAMES['feedback'][feedback]}" if feedback else model


_RUN_FILE = re.compile(r"(?P<first>\w+) top-\d+ > (?P<llm>[\w.\-]+) \((?P<prompt>RankGPT|LRL)\)(?:,? .*)?")


def _of_rank_llm(name: str, team: str) -> Recipe | None:
    """Return the reranker, whatever it reranks; the time stamp or number of an execution says nothing of it."""
    if match := _RUN_FILE.fullmatch(name):
        vicuna = match["llm"].startswith("RankVicuna")
        model = "RankVicuna" if vicuna else f"{match['prompt']} ({match['llm']})"
        return Recipe(model, f"a run of {match['llm']} with the prompt of {match['prompt']}, whatever it reranks")
    toolkit, _, called = name.partition(" ")
    if toolkit != "rank_llm":
        return None
    short = called.rpartition("+")[2].casefold()
    short = re.sub(r"_(?:bm25|splade_pp)(?:_mult_pass)?$", "", short) if short.startswith("rank_") else short
    return Recipe(NAMES["rank_llm"][short], f"“{called}” as rank_llm calls it") if short in NAMES["rank_llm"] else None


_WEIGHTING = re.compile(r"(?P<model>D(?:FIC|FIZ|FR_BM25|FRee|FReeKLIM|LH|PH)|I(?:FB2|nB2|nL2|n_expB2|n_expC2)|Js_KLs|"
                        r"LGD|PL2|XSqrA_M) Re-Rank")  # fmt: skip
_STARTER = re.compile(r"(?P<called>.+) \(tira-ir-starter-(?P<kit>[a-z]+)\)")


def _of_tirex(name: str, team: str) -> Recipe | None:
    """Return a starter of TIREx: the function of similarity and the depth that is reranked are settings."""
    if not (match := _STARTER.fullmatch(name)):
        return None
    called = match["called"]
    if weighting := _WEIGHTING.fullmatch(called):
        model = weighting["model"].replace("DFR_BM25", "BM25 (DFR)")
    elif called.startswith("SBERT ") and called not in NAMES["TIREx"]:
        model = f"sentence-transformers/{called.removeprefix('SBERT ')}"
    else:
        model = NAMES["TIREx"].get(called, "")
    return Recipe(model, f"“{called}” as TIREx calls it") if model else None


#: Those who submit runs of a toolkit to TREC so that others can compare theirs: the names say what they are.
_BASELINES = frozenset({"baseline", "baselines", "anserini", "bl_rmit"})
_OF_TRACK = re.compile(
    r"(?:(?:d|p|dseg|paug)_)?(?P<expanded>d2q_)?bm25(?:base|tuned)?_?(?P<feedback>rm3|ax|prf|rocchio)?(?:_p)?"
)


def _of_track(name: str, team: str) -> Recipe | None:
    """Return a baseline that organizers submitted, by the customary form of its name."""
    if team.casefold() not in _BASELINES:
        return None
    model = NAMES["tracks"].get(name.casefold(), "")
    if match := _OF_TRACK.fullmatch(name):
        model = _with_feedback("docTTTTTquery" if match["expanded"] else "BM25", match["feedback"] or "")
    return Recipe(model, f"“{name}”, a baseline for a track") if model else None


def _by_name(name: str, team: str) -> Recipe | None:
    """Return what people call a model and nothing else."""
    model = NAMES["people"].get(name.casefold(), "")
    return Recipe(model, f"“{name}” is what the model is called") if model else None


def _as_printed(name: str, team: str) -> Recipe | None:
    """Return a method that a table of a paper or page prints; such names say where they were printed."""
    model = printed_model(name)
    return Recipe(model, f"“{name}” as it is printed there") if model else None


#: What hubs and their leaderboards put behind a name: settings of the encoder, a width of its vectors, a precision.
_HUB = re.compile(r"(?P<maker>[\w.\-]+)/(?P<model>[^\s/()]+?)(?P<settings>[ _]\([a-z_]+=[^()]*\))?")
_PRECISION = re.compile(r"(?i:-(?:int8|bf16|fp16|gguf|awq|gptq))$|_(?:256|384|512|768|1024|2048|4096)$")


def _of_hub(name: str, team: str) -> Recipe | None:
    """Return a model under its maker’s address; another precision is of it, unless only that is published."""
    match = _HUB.fullmatch(name)
    if not match or name.casefold() in _NO_MODELS or team.casefold() not in ("", match["maker"].casefold()):
        return None
    address = f"{match['maker']}/{match['model']}"
    bare = address if address in _ONLY_PRECISION else _PRECISION.sub("", address)
    model = NAMES["hubs"].get(bare.casefold(), bare)
    settings = (match["settings"] or address.removeprefix(bare)).strip(" _-")
    return Recipe(model, f"its address{f', but for “{settings}”' if settings else ''}")


#: Models of which no other precision is published.
_ONLY_PRECISION = frozenset({"nvidia/Nemotron-3-Embed-1B-BF16", "nvidia/Nemotron-3-Embed-8B-BF16"})

_RULES: tuple[Callable[[str, str], Recipe | None], ...] = (
    _of_toolkit, _of_rank_llm, _of_tirex, _of_track, _by_name, _as_printed, _of_hub,
)  # fmt: skip
