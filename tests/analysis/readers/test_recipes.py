"""Which model a system is of: names as they stand in the tables that ship, and what their words mean.

What a recipe means is from the documentation of the toolkits (castorini/anserini ``docs/regressions-*``,
castorini/rank_llm, castorini/pyserini ``docs/experiments-*``, tira-io/ir-experiment-platform), papers and model cards.
"""

from functools import cache

import pytest

from analysis.readers.recipes import model_of
from tests.data.shipped import results

_BEIR = "Anserini beir-v1.0.0-"
_NEUCLIR = "Anserini neuclir22-"
_LLM = "BM25 top-100 > "

#: Model -> names of systems that are checkpoints, settings or runs of it.
NAMES = {
    "BM25": [
        "Anserini bm25", "Anserini bm25-doc-default-slim", "Anserini bm25-segmented-doc-slim", "Anserini bm25-slim",
        "Anserini flat", "Anserini core18 bm25", "Anserini wt10g bm25", "Anserini robust05 bm25",
        "Anserini nanoknow-v1.0-nq bm25", "Anserini mrtydi-v1.1-te-aca bm25", f"{_BEIR}fever.flat-wp bm25",
        "Anserini msmarco-v1-passage bm25-default", "Anserini msmarco-v1-passage bm25-tuned",
        "Anserini dl19-passage.bm25-b8 bm25-b8", "Anserini dl19-passage bm25-default",
        "Anserini rag25-doc-segmented-test-umbrela2 bm25-default", "Anserini msmarco-v2-passage-augmented bm25-default",
        "Anserini hc4-neuclir22-fa-en bm25-default [HC4 (Persian): test-topic title]",
        f"{_NEUCLIR}ru-qt bm25-default [NeuCLIR 2022 (Russian): desc+title (machine-translated queries)]",
        "Pyserini bm25", "Pyserini bm25.de", "Pyserini bm25.yo", "Pyserini bm25-flat", "Pyserini bm25-tuned",
        "Pyserini bm25-augmented-default", "Pyserini bm25-doc-segmented-tuned", "Pyserini bm25-dt.so",
        "Pyserini bm25-qt.sw", "rank_llm BM25", "BM25 Re-Rank (tira-ir-starter-pyterrier)", "mteb/baseline-bm25s",
        "bm25base_p", "bm25tuned_p", "bm25base", "bm25tuned", "d_bm25", "p_bm25", "terrier-BM25", "BM25 (Anserini)",
        "BM25 (Lucene8, tuned)", "BM25", "BM25 (BEIR paper)", "BM25 (DeAR)", "bm25 (DL-HARD)", "BM25 (DL-HARD README)",
        "Pyserini MIRACL page: BM25", "Pyserini HC4 page: BM25 (default), description+title", "PyTerrier BM25",
        "Pyserini MIRACL page: BM25 [experiments-miracl-v1.0.md#L207]", "Anserini fusion page: BM25 (flat)",
        "Elasticsearch (k1=1.5, b=0.75)", "BM25S, ATIRE variant (k1=1.2, b=0.75)", "BM25 (k1=1, b=1.0) (TREC ToT 2024)",
    ],
    "BM25 + RM3": [
        "Anserini gov2 bm25+rm3", "Anserini backgroundlinking20 bm25+rm3+df",
        "Anserini dl19-doc-segmented bm25-default+rm3",
        "Pyserini bm25-rm3-default", "Pyserini bm25-rm3-doc-segmented-tuned", "rank_llm BM25_RM3", "bm25tuned_rm3_p",
        "p_bm25rm3",
    ],
    "DPR (multi)": ["DPR (BEIR paper)", "DPR (DPR paper, multi)", "Pyserini DPR page: DPR (multi)"],
    "TCT-ColBERT": ["TCT-ColBERT V1, Original (vector PRF)"],
    "monoT5 3B": ["monoT5 (3B) (NovelEval)", f"{_LLM}MonoT5-3B"],
    "cross-encoder/ms-marco-MiniLM-L12-v2": [f"{_LLM}cross-encoder/ms-marco-MiniLM-L-12-v2"],
    "cross-encoder/ms-marco-electra-base": [f"{_LLM}cross-encoder/ms-marco-electra-base"],
    "sentence-transformers/multi-qa-mpnet-base-cos-v1": ["multi-qa-mpnet-base-cos-v1"],
    "intfloat/multilingual-e5-base": ["multilingual-e5-base [README.md#L223]"],
    "BM25 + Rocchio": [
        "Anserini bm25-rocchio", "Anserini bm25-doc-default-rocchio", "Anserini disk45 bm25+rocchio",
        "Anserini dl20-passage bm25-tuned+rocchio-neg", "Pyserini bm25-rocchio-doc-tuned",
    ],
    "BM25 + axiomatic expansion": ["Anserini core17 bm25+ax", "bm25base_ax_p"],
    "BM25 + BM25PRF": ["Anserini disk45 bm25prf", "Anserini dl19-doc bm25-default+prf", "bm25base_prf"],
    "BM25 (multifield)": [
        f"{_BEIR}scifact.multifield bm25", "Anserini multifield", "Pyserini bm25-multifield",
    ],
    "BM25 (query-side weights)": ["Anserini bm25qs", "Anserini bright-pony.bm25qs bm25qs", "Pyserini bm25qs"],
    "BM25 (DFR)": ["DFR_BM25 Re-Rank (tira-ir-starter-pyterrier)"],
    "Query likelihood (Dirichlet)": ["Anserini cw09b ql", "DirichletLM Re-Rank (tira-ir-starter-pyterrier)"],
    "Query likelihood (Dirichlet) + RM3": ["Anserini disk12 ql+rm3"],
    "Query likelihood (Hiemstra)": ["Hiemstra_LM Re-Rank (tira-ir-starter-pyterrier)"],
    "doc2query": [
        "Anserini car17v2.0-doc2query bm25", "Anserini msmarco-v1-passage.doc2query bm25-tuned",
        "BM25 (Anserini) + doc2query",
    ],
    "doc2query (query likelihood)": ["Anserini car17v2.0-doc2query ql"],
    "docTTTTTquery": [
        "Anserini bm25-d2q-t5", "Anserini dl19-passage.docTTTTTquery bm25-default", "p_d2q_bm25", "docTTTTTquery",
        "Anserini msmarco-v2-doc-segmented.d2q-t5 bm25-default", "Pyserini bm25-d2q-t5-doc-segmented-tuned",
    ],
    "docTTTTTquery + RM3": [
        "Anserini dl20-passage.docTTTTTquery bm25-tuned2+rm3", "Pyserini bm25-rm3-d2q-t5-doc-default", "d_d2q_bm25rm3",
    ],
    "docTTTTTquery + Rocchio": [
        "Anserini dl19-passage.docTTTTTquery bm25-default+rocchio-neg", "Pyserini bm25-rocchio-d2q-t5-tuned",
    ],
    "SPLADE-v3": [
        "Anserini splade-v3.onnx", f"{_BEIR}trec-news.splade-v3.onnx splade-v3-onnx", "Pyserini splade-v3",
        f"{_BEIR}cqadupstack-webmasters.splade-v3.onnx splade-v3-onnx", "Pyserini splade-v3-pytorch",
        "Anserini msmarco-v2.1-doc-segmented.splade-v3.onnx splade-v3-onnx",
    ],
    "SPLADE-v3 + RM3": ["Anserini dl20-passage.splade-v3.onnx splade-v3-onnx+rm3"],
    "SPLADE-v3 + Rocchio": [
        "Pyserini splade-v3-rocchio-pytorch", "Anserini dl19-passage.splade-v3.onnx splade-v3-onnx+rocchio",
    ],
    "SPLADE++ EnsembleDistil": [
        f"{_BEIR}scifact.splade-pp-ed.onnx splade-pp-ed-onnx", "Pyserini splade-pp-ed", "Pyserini splade-pp-ed-pytorch",
        "rank_llm SPLADE_P_P_ENSEMBLE_DISTIL",
    ],
    "SPLADE++ EnsembleDistil + Rocchio": ["Pyserini splade-pp-ed-rocchio-onnx"],
    "SPLADE++ SelfDistil": [
        "Pyserini splade-pp-sd-onnx", "Anserini msmarco-v1-passage.splade-pp-sd.onnx splade-pp-sd-onnx",
        f"{_NEUCLIR}fa-dt-splade splade [NeuCLIR 2022 (Persian): desc (original English queries)]",
    ],
    "SPLADE NeuCLIR22 (zh)": [
        f"{_NEUCLIR}zh-qt-splade splade [NeuCLIR 2022 (Chinese): title (machine-translated queries)]",
    ],
    "SPLADE NeuCLIR22 (ru) + RM3": [
        f"{_NEUCLIR}ru-qt-splade splade+rm3 [NeuCLIR 2022 (Russian): desc (human-translated queries)]"
    ],
    "uniCOIL": ["Anserini unicoil.onnx", "Anserini dl21-passage.unicoil.onnx unicoil", "Pyserini unicoil-pytorch"],
    "uniCOIL (no expansion)": ["Pyserini unicoil-noexp-onnx", "Pyserini unicoil-noexp-pytorch"],
    "uniCOIL + Rocchio": ["Anserini dl21-passage.unicoil.onnx unicoil+rocchio"],
    "BAAI/bge-base-en-v1.5": [
        "BAAI/bge-base-en-v1.5", "Anserini bge-base-en-v1.5.hnsw-int8.onnx",
        "Pyserini bge-base-en-v1.5.faiss-flat.pytorch",
        f"{_BEIR}bioasq.bge-base-en-v1.5.parquet.hnsw.onnx bge-hnsw-onnx",
        "Pyserini bge-base-en-v1.5.lucene-hnsw-int8.onnx",
        "Anserini dl19-passage.bge-base-en-v1.5.parquet.flat-sqv.onnx bge-flat-sqv-onnx",
        "Pyserini bge-base-en-v1.5.faiss",
    ],
    "BAAI/bge-large-en-v1.5": [
        "BAAI/bge-large-en-v1.5", "Anserini bright-aops.bge-large-en-v1.5.flat.onnx bge-flat-onnx",
        "Pyserini bge-large-en-v1.5.flat",
    ],
    "BAAI/bge-m3": ["M3 Dense", "M3 All", "BGE-M3 (Dense)", "BAAI/bge-m3"],
    "cosDPR-distil": [
        "Anserini dl19-passage.cos-dpr-distil.parquet.lexlsh cos-dpr-distil-lexlsh-600-cached_q",
        "Anserini msmarco-v1-passage.cos-dpr-distil.parquet.fw cos-dpr-distil-fw-40-cached_q",
        "Pyserini cosdpr-distil.lucene-hnsw.onnx",
    ],
    "ANCE": [
        "ANCE (BEIR paper)", "ANCE, Original (vector PRF)", "msmarco-roberta-base-ance-firstp",
        "Pyserini ance-pytorch", "ANCE Base Cosine (tira-ir-starter-beir)", "ANCE Base Dot (tira-ir-starter-beir)",
    ],
    "ANCE + average PRF": ["Pyserini ance-avg-prf-pytorch"],
    "ANCE + Rocchio": ["ANCE, Rocchio PRF 5 A0.4 B0.6 (vector PRF)", "Pyserini ance-rocchio-prf-pytorch"],
    "TAS-B": [
        "Pyserini distilbert-kd-tasb-pytorch", "rank_llm D_BERT_KD_TASB",
        "TASB msmarco-distilbert-base-dot (tira-ir-starter-beir)",
    ],
    "DistilBERT KD (Margin-MSE)": ["Pyserini distilbert-kd-pytorch"],
    "sentence-transformers/msmarco-distilbert-base-v3": [
        "Pyserini sbert-pytorch", "SBERT msmarco-distilbert-base-v3-cos (tira-ir-starter-beir)",
        "SBERT msmarco-distilbert-base-v3-dot (tira-ir-starter-beir)",
    ],
    "sentence-transformers/msmarco-distilbert-cos-v5": ["SBERT msmarco-distilbert-cos-v5 (tira-ir-starter-beir)"],
    "sentence-transformers/msmarco-distilbert-dot-v5": ["SBERT msmarco-distilbert-dot-v5 (tira-ir-starter-beir)"],
    "sentence-transformers/multi-qa-MiniLM-L6-cos-v1": [
        "sentence-transformers/multi-qa-MiniLM-L6-cos-v1", "SBERT multi-qa-MiniLM-L6-cos-v1 (tira-ir-starter-beir)",
    ],
    "sentence-transformers/multi-qa-MiniLM-L6-dot-v1": ["SBERT multi-qa-MiniLM-L6-dot-v1 (tira-ir-starter-beir)"],
    "TCT-ColBERTv2 HN+": ["Pyserini tct_colbert-v2-hnp-pytorch"],
    "Aggretriever (coCondenser)": ["Pyserini aggretriever-cocondenser-pytorch"],
    "Aggretriever (DistilBERT)": ["Pyserini aggretriever-distilbert-pytorch"],
    "mDPR (MS MARCO)": ["Pyserini mdpr-tied-pft-msmarco.ar", "Pyserini mdpr-tied-pft-msmarco.ha"],
    "mDPR (MS MARCO, all languages)": ["Pyserini mdpr-tied-pft-msmarco-ft-all.zh"],
    "mDPR (MS MARCO, MIRACL)": ["Pyserini mdpr-tied-pft-msmarco-ft-miracl.en"],
    "mDPR (NQ)": ["Pyserini mdpr-tied-pft-nq.th"],
    "mDPR (split encoders, NQ)": ["Pyserini mdpr-split-pft-nq.ja"],
    "mContriever (MS MARCO)": ["Pyserini mcontriever-tied-pft-msmarco.sw"],
    "facebook/contriever": ["Pyserini contriever"],
    "facebook/contriever-msmarco": ["Pyserini contriever-msmarco"],
    "SLIM": ["Pyserini slimr"],
    "SLIM++": ["Pyserini slimr-pp"],
    "ColBERTv2": ["lightonai/colbertv2.0 (PyLate)", "colbert-ir/colbertv2.0"],
    "ColBERT": ["ColBERT (BEIR paper)", "ColBERT Re-Rank (tira-ir-starter-pyterrier)"],
    "monoT5 base": ["monoT5 (220M) (NovelEval)", "MonoT5 Base (tira-ir-starter-gygaggle)"],
    "monoT5 large": ["MonoT5 Large (tira-ir-starter-gygaggle)"],
    "monoBERT large": ["MonoBERT Large (tira-ir-starter-gygaggle)"],
    "duoT5 3B": ["DuoT5 3b-ms-marco Top-25 (tira-ir-starter-pyterrier)"],
    "openai/text-embedding-ada-002": [
        "openai/text-embedding-ada-002", "Pyserini openai-ada2", "rank_llm OPEN_AI_ADA2",
    ],
    "HyDE (text-embedding-ada-002)": ["Pyserini openai-ada2-hyde"],
    "openai/text-embedding-3-large": [
        "openai/text-embedding-3-large_(embed_dim=512)", "Pyserini openai-text-embedding-3-large",
    ],
    "voyageai/voyage-3.5": [
        "voyageai/voyage-3.5", "voyageai/voyage-3.5 (output_dtype=int8)", "voyageai/voyage-3.5_(output_dtype=binary)",
    ],
    "voyageai/voyage-4-large": ["voyageai/voyage-4-large_(embed_dim=2048,_evolved_prompts=True)"],
    "Cohere/Cohere-embed-v4.0": ["Cohere/Cohere-embed-v4.0_(output_dtype=int8)"],
    "Cohere/Cohere-embed-english-v3.0": ["bedrock/cohere-embed-english-v3", "Pyserini cohere-embed-english-v3.0"],
    "amazon/Titan-text-embeddings-v2": ["bedrock/amazon-titan-embed-text-v2", "amazon/Titan-text-embeddings-v2"],
    "Octen/Octen-Embedding-4B": ["Octen/Octen-Embedding-4B", "Octen/Octen-Embedding-4B-INT8"],
    "DataScience-UIBK/Argus-Colqwen3.5-4b-v0": ["DataScience-UIBK/Argus-Colqwen3.5-4b-v0-bf16"],
    "AQ-MedAI/Diver-Retriever-4B": ["AQ-MedAI/Diver-Retriever-4B", "Pyserini diver-retriever-4b"],
    "Snowflake/snowflake-arctic-embed-l": [
        "Anserini shard09.arctic-l.hnsw-int8.onnx", "Snowflake/snowflake-arctic-embed-l",
    ],
    "RankGPT (GPT-3.5-turbo)": [
        f"{_LLM}GPT-3.5-turbo (RankGPT) @2023-09-19T11:40:14.939350",
        f"{_LLM}GPT-3.5-turbo (RankGPT), August 2023, execution 5",
    ],
    "RankGPT (GPT-4)": [f"{_LLM}GPT-4 (RankGPT) @2023-09-21T00:23:01.883571"],
    "LRL (GPT-3.5-turbo)": [f"{_LLM}GPT-3.5-turbo (LRL) @2023-09-21T10:16:44.956414"],
    "RankVicuna": [
        f"{_LLM}RankVicuna-7B (RankGPT) @2023-09-13T16:36:10.051205", "rank_llm BM25+RankVicuna7B",
        "rank_llm rankvicuna",
        "SPLADE_P_P_ENSEMBLE_DISTIL top-20 > RankVicuna-7B (RankGPT) @2023-09-14T02:26:52.227642",
        "rank_llm SPLADE_P_P_ENSEMBLE_DISTIL+RankVicuna7B", "rank_llm rank_vicuna_7b_v1_splade_pp",
    ],
    "RankZephyr": [
        "rank_llm rankzephyr", "rank_llm rank_zephyr_7b_v1_full_bm25",
        "rank_llm rank_zephyr_7b_v1_full_splade_pp_mult_pass",
    ],
    "RepLLaMA": ["rank_llm REP_LLAMA"],
    "Gemini 2.0 Flash (listwise)": ["rank_llm gemini_2.0_flash", "rank_llm gemini_flash_2.0"],
}  # fmt: skip
#: Addresses that are models of their own, however near to others.
THEMSELVES = [
    "BAAI/bge-base-zh-v1.5", "BAAI/bge-base-en", "BAAI/bge-m3-unsupervised", "dragonkue/BGE-m3-ko",
    "openai/text-embedding-3-small", "voyageai/voyage-3", "Cohere/Cohere-embed-english-light-v3.0",
    "bedrock/amazon-titan-embed-text-v1", "Octen/Octen-Embedding-0.6B", "nvidia/Nemotron-3-Embed-8B-BF16",
    "AQ-MedAI/Diver-Retriever-4B-1020", "Snowflake/snowflake-arctic-embed-l-v2.0", "google/siglip-base-patch16-256",
    "yibinlei/LENS-d4000", "intfloat/e5-base", "intfloat/e5-base-v2", "intfloat/multilingual-e5-large-instruct",
    "MCINext/Hakim-unsup",
]  # fmt: skip
#: Names that say too little: of which model these are nobody can tell from them.
UNKNOWN = [
    "Anserini fusion-rrf", "Pyserini bm25-mdpr-tied-pft-msmarco-hybrid.de", "Pyserini bm25-dt-afriberta-dpr-fusion.ha",
    "Pyserini tct_colbert-v2-hnp-bm25-pytorch", "rank_llm monot5", "rank_llm duot5", "rank_llm rankgpt", "rank_llm lrl",
    "DuoT5 Top-25 (tira-ir-starter-pyterrier)", "ChatNoir", "claret-fortress", "mteb/baseline-random-encoder",
    "baseline/Human", "Anonymous (submitted 2021-03-04)", "BM25 + monoBERT", "p_bm25rm3_duo", "uogTrBaseDD",
    "BM25 (BRIGHT) [GPT-4 reason query]", "BM25S, BM25L variant (k1=1.2, b=0.75)", "mDPR (NQ) (Mr. TyDi)",
    "bm25+rm3+t5(zs) (DL-HARD)", "Contriever (BRIGHT) [GPT-4 reason query]", "BM25+CE (BEIR paper)", "ANCE MaxP",
    "BERT base + attention ranking (submitted 2019-03-01)", "webis-bm25f", "d_fusion00",
]  # fmt: skip


@cache
def teams() -> dict[str, set[str]]:
    """Return the teams of each name in the tables that ship."""
    teams_by_system: dict[str, set[str]] = {}
    for row in results():
        teams_by_system.setdefault(row["system"], set()).add(row.get("team", ""))
    return teams_by_system


def read(name: str) -> set[str | None]:
    """Return the models that a name is read as, under each of its teams."""
    return {recipe.model if (recipe := model_of(name, team)) else None for team in teams()[name]}


def test_names_that_ship_are_read_as_what_they_mean():
    meant = NAMES | {name: [name] for name in THEMSELVES}
    wrong = {name: read(name) for model, names in meant.items() for name in names if model not in read(name)}
    assert wrong == {}
    assert sum(map(len, NAMES.values())) >= 150


def test_a_name_is_of_one_model_whoever_ran_it():
    several = {name: read(name) - {None} for names in NAMES.values() for name in names if len(read(name) - {None}) > 1}
    assert several == {}


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_names_don_t_say_is_not_guessed(name):
    assert read(name) == {None}


def test_a_name_that_looks_like_a_baseline_counts_only_where_organizers_gave_it():
    assert model_of("p_bm25", "anserini") is not None
    assert model_of("p_bm25", "somebody") is None


def test_a_model_under_an_address_that_is_not_its_team_s_is_not_read():
    assert model_of("BAAI/bge-m3", "somebody else") is None


def test_what_people_hand_in_is_read_by_the_same_rules():
    names = ("SPLADE-v3", "naver/splade-v3", "Naver/SPLADE-v3", "BAAI/bge-m3_1024", "Qwen/Qwen3-8B-AWQ")
    read_as = [recipe.model for name in names if (recipe := model_of(name))]
    assert read_as == ["SPLADE-v3", "SPLADE-v3", "SPLADE-v3", "BAAI/bge-m3", "Qwen/Qwen3-8B"]
