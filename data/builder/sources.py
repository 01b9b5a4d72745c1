"""The places that figures and facts were taken from: which state was read, and under what terms it stands."""

from builder.tables import Row

COLUMNS = ["source", "what", "state", "address", "file_address", "licence", "terms"]

_NO_LICENCE = "No licence file. The rows here are the figures alone."
_NIST = (
    "The figures are NIST's, a work of the United States government. The repository has no licence file; its README "
    "calls its database meant for research and non-commercial purposes. Ask NIST before redistributing "
    "them commercially."
)

#: Repository, commit, what it is, licence, terms.
_SOURCES = [
    ("usnistgov/trec-browser", "06c261d091", "Summary scores that NIST computed for runs of TREC", "", _NIST),
    ("embeddings-benchmark/results", "f4cc6c8b36", "Scores of embedding models on the tasks of MTEB", "CC0-1.0", ""),
    ("castorini/anserini", "81e3414573", "Scores that Anserini checks its own runs against", "Apache-2.0", ""),
    ("castorini/pyserini", "0a0be2960d", "Scores that Pyserini checks its own runs against", "Apache-2.0", ""),
    (
        "castorini/rank_llm",
        "1b3cabbc35",
        "Scores of rerankers that are language models, and their run files",
        "Apache-2.0",
        "Run files were evaluated with judgements of castorini/anserini-tools, which has no licence file.",
    ),
    ("tira-io/ir-experiment-platform", "9fded863a5", "Scores of software submitted to TIREx", "", _NO_LICENCE),
    (
        "lintool/robust04-analysis",
        "fc3fd65e2f",
        "Scores that papers of 2005 to 2019 print for Robust04",
        "",
        "No licence file. What is here is the list of figures that the papers themselves print, each with its paper.",
    ),
    (
        "microsoft/MSMARCO-Passage-Ranking-Submissions",
        "abb44144f5",
        "The leaderboard of MS MARCO passage ranking",
        "MIT",
        "",
    ),
    ("CLEF-TAR/tar", "dbc13d02bb", "Runs of participants in CLEF TAR 2019, scored topic by topic", "MIT", ""),
    ("daltonj/treccastweb", "33846610b7", "Runs of the organisers of TREC CAsT 2021", "MIT", ""),
    (
        "YinanWusoymilk/hf-readme",
        "eb4de03fcb",
        "Copies of model cards of December 2024, with the scores that makers print",
        "",
        "No licence file. Each card has the terms of its model; what is here are its figures.",
    ),
    (
        "abhaybd/NV-Embed-v2_fixed",
        "8b8cb489e9",
        "A copy of the model card of NV-Embed-v2, with the means that its maker prints",
        "CC-BY-NC-4.0",
        "By the metadata of the card.",
    ),
    ("sbintuitions/JMTEB", "52876d5848", "Scores of embedding models on Japanese tasks", "CC-BY-SA-4.0", ""),
    ("nlpai-lab/KURE", "59ce7eca3c", "Scores of embedding models on Korean tasks", "MIT", ""),
    ("cohere-ai/notebooks", "b6819abdc0", "Scores that Cohere prints of its models and of others", "MIT", ""),
    (
        "touche-webis-de/touche-webis-de.github.io",
        "9ddd2ec30f",
        "Scores that the Touché lab computed for runs",
        "",
        _NO_LICENCE,
    ),
    (
        "castorini/touche-error-analysis",
        "7e6f3943fe",
        "Runs on Touché 2020 in BEIR",
        "Apache-2.0",
        "Scored with judgements of castorini/anserini-tools, which has no licence file; of Touché nothing of it is "
        "here but the scores.",
    ),
]

_WITHHELD = "Runs stay without names: nobody is to match them with any."
_SHARED_ALIKE = f"Julián Urbano is to be named, and what is made of the matrices shared alike. {_WITHHELD}"
_PARTICIPANTS = "Topic scores of participants' runs in TREC tracks, anonymised by their publisher"
_GITHUB = "https://github.com/"

#: Repositories without a licence file whose judgements are here nevertheless.
_TERMS_OF_JUDGEMENTS = {
    "castorini/anserini-tools": "No licence file. Judgements are here where who made them let them be passed on; "
    "judgements/manifest.csv has the words. Of the others here are counts alone."
}
_JUDGED = "Judgements, whose terms it states; the files are from castorini/anserini-tools"

#: Those that no result on the record is from: name, state, what it is, address, licence, terms.
_FURTHER = [
    *(
        (name, "", _PARTICIPANTS, f"{_GITHUB}{name}", "CC-BY-SA-4.0", _SHARED_ALIKE)
        for name in (
            "julian-urbano/sigir2019-statistical",
            "julian-urbano/sigir2019-standardization",
            "julian-urbano/irj2015-reliability",
        )
    ),
    ("julian-urbano/simIReff", "", _PARTICIPANTS, f"{_GITHUB}julian-urbano/simIReff", "MIT", _WITHHELD),
    (
        "gridofpoints/trec-sigir2016",
        "",
        "Topic scores of combinations of stop list, stemmer and model",
        f"{_GITHUB}gridofpoints/trec-sigir2016",
        "Apache-2.0",
        "",
    ),
    (
        "mteb",
        "2.26.24",
        "Tasks and their statistics, benchmarks and makers' descriptions of embedding models, in the Python package",
        f"{_GITHUB}embeddings-benchmark/mteb",
        "Apache-2.0",
        "",
    ),
    (
        "dblp",
        "",
        "Titles, people and identifiers of papers",
        "https://dblp.org/",
        "CC0-1.0",
        "As usnistgov/trec-browser carries it, state 06c261d091.",
    ),
    (
        "ir_datasets",
        "0.6.3",
        "Ids, documents, numbers of topics and judgements of collections",
        "https://ir-datasets.com/",
        "Apache-2.0",
        "",
    ),
    *(
        (
            name,
            state,
            "Judgements, of which the relevant documents of each topic were counted",
            f"{_GITHUB}{name}/tree/{state}",
            licence,
            _TERMS_OF_JUDGEMENTS.get(name, "" if licence else "No licence file. What is here is counts alone."),
        )
        for name, state, licence in (
            ("castorini/anserini-tools", "5b819c1a45", ""),
            ("Georgetown-IR-Lab/cedr", "a263f1e00b", "MIT"),
            ("JULIELab/trec-pm", "1993f3e0", "MIT"),
            ("joaopalotti/trectools", "8a896def00", "BSD-3-Clause"),
            ("capreolus-ir/capreolus", "789288c9b6", "Apache-2.0"),
            ("texttron/tevatron", "dd063104c8", "Apache-2.0"),
            ("terrier-org/pyterrier", "9230fe5dc8", "MPL-2.0"),
            ("grill-lab/DL-Hard", "2be6435c2b", ""),
            ("grill-lab/CODEC", "43f6e128c2", ""),
            ("T-Almeida/TREC-PM-2020", "ddf0945", ""),
            ("oussbenk/cranfield-trec-dataset", "1208e6edfb", ""),
        )
    ),
    *(
        (name, state, _JUDGED, f"{_GITHUB}{name}/tree/{state}", "Apache-2.0", "")
        for name, state in (("project-miracl/miracl", "fa3a57c89a"), ("ciralproject/ciral", "337e5d9d9a"))
    ),
    ("ir-measures", "", "Names of measures", "https://ir-measur.es/", "Apache-2.0", ""),
]


#: Papers and pages whose tables were transcribed from copies: name, address.
_COPIED = [
    ("Thakur et al. (arXiv 2104.08663)", "https://arxiv.org/abs/2104.08663"),
    ("M3-Embedding (arXiv 2402.03216)", "https://arxiv.org/abs/2402.03216"),
    ("bge-en-icl (arXiv 2409.15700)", "https://arxiv.org/abs/2409.15700"),
    ("Reason-ModernColBERT (model card)", "https://huggingface.co/lightonai/Reason-ModernColBERT"),
    ("llama-nv-embed-reasoning-3b (README)", "https://huggingface.co/nvidia/llama-nv-embed-reasoning-3b"),
    ("Lassance et al. (arXiv 2403.06789)", "https://arxiv.org/abs/2403.06789"),
    ("Weller et al. (arXiv 2403.15246)", "https://arxiv.org/abs/2403.15246v1"),
    ("Lan et al. (arXiv 2509.24869)", "https://arxiv.org/abs/2509.24869"),
    ("DeAR (README)", "https://github.com/DataScienceUIBK/DeAR-Reranking"),
]

_TABLES = "Tables of results as their authors print them"
_LICENCES = {"CC BY-NC 4.0": "CC-BY-NC-4.0", "see LICENSE": "MPL-2.0"}


def build_sources(of_tables: list[Row]) -> list[Row]:
    """Return the rows of ``sources.csv``; ``of_tables`` are the repositories whose printed tables stand here."""
    rows = {row["source"]: row for row in [*_of_repositories(), *_further()]}
    for table in of_tables:
        if row := rows.get(table["source"]):
            row["what"] = f"{row['what']}; {_TABLES[0].lower()}{_TABLES[1:]}"
            row["file_address"] = table["file_address"]
        else:
            rows[table["source"]] = {key: table[key] for key in COLUMNS} | {
                "what": _TABLES,
                "licence": _LICENCES.get(table["licence"], table["licence"]),
                "terms": _NO_LICENCE if "no licence" in table["terms"] else "",
            }
    terms = "Figures alone, transcribed from a copy of the table. The copy doesn't say where it was taken from."
    copied = [dict.fromkeys(COLUMNS, "") | {"source": name, "address": at} for name, at in _COPIED]
    return [*rows.values(), *(row | {"what": _TABLES, "terms": terms} for row in copied)]


def _of_repositories() -> list[Row]:
    return [
        {
            "source": name,
            "what": what,
            "state": commit,
            "address": f"https://github.com/{name}/tree/{commit}",
            "file_address": f"https://github.com/{name}/blob/{{state}}/{{path}}",
            "licence": licence,
            "terms": terms,
        }
        for name, commit, what, licence, terms in _SOURCES
    ]


def _further() -> list[Row]:
    names = ("source", "state", "what", "address", "licence", "terms")
    return [dict(zip(names, row, strict=True)) | {"file_address": ""} for row in _FURTHER]
