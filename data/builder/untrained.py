"""Systems with nothing to train, known by their names: toolkits' runs of formulas that learn from no judged topics.

A run whose parameters were tuned on judged topics, whose documents or queries a model wrote or translated, or which
re-ranks with a model, is none of them; neither is a run of somebody who says no more than "BM25" among other things.
"""

import re

#: Parts of Anserini's and Pyserini's recipes: a weighting, and feedback from the documents that it ranks first.
_WEIGHTINGS = {"bm25", "bm25-default", "bm25-b8", "bm25qs", "bm25prf", "ql"}
_FEEDBACK = {"rm3", "rocchio", "rocchio-neg", "ax", "prf", "df"}
#: What stands in an index whose documents or queries a model wrote, weighted, split or translated.
_MODELS = re.compile(r"d2q|doc2query|doctttttquery|splade|unicoil|onnx|-dt$|-qt$|^(hc4|ciral).*-en$")
_ANSERINI = re.compile(r"Anserini (?P<index>\S+) (?P<recipe>\S+)(?: \[(?P<topics>.*)\])?")
_IN_ONE_WORD = re.compile(
    r"(Anserini|Pyserini) bm25(qs)?(-rm3|-rocchio)?(-flat|-multifield)?(-doc|-segmented|-augmented)*"
    r"(-default)?(-rocchio|-slim)?(\.[a-z]{2})?"
)
#: The weightings of PyTerrier, and the like.
_EXACT = {
    *(
        f"{name} Re-Rank (tira-ir-starter-pyterrier)"
        for name in (
            "BM25", "DFIC", "DFIZ", "DFR_BM25", "DFRee", "DFReeKLIM", "DLH", "DPH", "DirichletLM", "Hiemstra_LM",
            "IFB2", "InB2", "InL2", "In_expB2", "In_expC2", "Js_KLs", "LGD", "PL2", "TF_IDF", "XSqrA_M",
        )
    ),
    "rank_llm BM25", "rank_llm BM25_RM3", "mteb/baseline-bm25s", "mteb/baseline-random-encoder",
}  # fmt: skip


#: What is more than a formula: parameters that were tuned on judged topics, texts that a model translated.
_NOT_PLAIN = re.compile(r"tuned|machine-translated|[ -](?:dt|qt)(?=[ .]|$)|^Anserini (?:hc4|ciral)\S*-en ")


def is_not_plain(system: str) -> bool:
    """Return whether the name says that more than the formula of its model is in the system."""
    return bool(_NOT_PLAIN.search(system))


def has_nothing_to_train(system: str) -> bool:
    """Return whether a system of this name is a formula, by the rules above."""
    if system in _EXACT or _IN_ONE_WORD.fullmatch(system):
        return True
    match = _ANSERINI.fullmatch(system)
    if not match or _MODELS.search(match["index"].casefold()) or "machine-translated" in (match["topics"] or ""):
        return False
    weighting, *feedback = match["recipe"].split("+")
    return weighting in _WEIGHTINGS and set(feedback) <= _FEEDBACK
