"""Names as papers and pages print them: the method, and where it was printed or what was set.

Where a table prints a method that other tables print too, the name says which table it stands in ("ANCE (BEIR paper)",
"Pyserini MIRACL page: BM25"). What is left without that is looked up. Another query, another training set or a reranker
behind it is no setting: such names have no model here.
"""

import csv
import re
from pathlib import Path

_BEFORE = re.compile(r"(?:(?:Pyserini|Anserini) (?:\w[\w ]*) page: |Anserini JDIQ 2018 |PyTerrier )")
_BEHIND = re.compile(
    r"(?: \[[\w.\-]+\.md#L\d+\]| \((?:BEIR paper|M3-Embedding paper|LLM-Embedder paper|BRIGHT|CODEC|DeAR|DL-HARD|"
    r"DL-HARD README|Mr\. TyDi|NovelEval|PyLate|TREC ToT 2024|table 2|this code|docTTTTTquery README|"
    r"Pyserini ANCE-PRF page|Sentence Transformers, Elasticsearch|Sentence Transformers, Baseline|Anserini, OpenMatch|"
    r"Anserini, PyGaggle page|C-MTEB, section 2\.5)\)|"
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
    >>> printed_model("BM25 (BRIGHT) [GPT-4 reason query]")
    ''
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
