"""Families of tasks that MTEB averages over, and tracks of TREC by year: what belongs to each, under which measure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from builder.tables import Row

#: Task, subset, split -> the slug of the collection.
Places = Mapping[tuple[str, str, str], str]


@dataclass(frozen=True)
class Family:
    """Tasks of the mteb package whose mean people quote, all their subsets on one split.

    ``shared`` matches what subsets, as "TASK SUBSET", have in common, its groups joined; nothing by default.
    """

    slug: str
    name: str
    tasks: list[str]
    split: str
    description: str
    source: str
    url: str
    is_zero_shot: bool = True
    is_average: bool = True
    shared: str = ""


@dataclass(frozen=True)
class Track:
    """A track of TREC: the collections whose ``suite`` is its name, each under the first of the measures it has."""

    name: str
    measures: list[str]
    more: str = ""

    @property
    def slug(self) -> str:
        """Its address."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower())

    @property
    def description(self) -> str:
        """Return what is listed."""
        return f"The collections of this track by year, each under a measure customary for it. {self.more}".strip()


#: The task, which its benchmark counts once or which asks the same in all subsets; the language of xPQA's questions,
#: put to answers in it and in English; the level of TempReason, whose questions come alone, with facts, with context.
_TASK, _ASKED_IN, _LEVEL = r"\S+", r"(\S+ )(?:eng-)?(\w+)", r"TempReasonL[23]|"
_BRIGHT = (
    "Biology", "EarthScience", "Economics", "Psychology", "Robotics", "Stackoverflow", "SustainableLiving", "Leetcode",
    "Pony", "Aops", "TheoremQAQuestions", "TheoremQATheorems",
)  # fmt: skip
_R2MED = (
    "Biology", "Bioinformatics", "MedicalSciences", "MedXpertQAExam", "MedQADiag", "PMCTreatment", "PMCClinical",
    "IIYiClinical",
)  # fmt: skip
_VN = (
    "ArguAna", "SciFact", "ClimateFEVER", "FEVER", "DBPedia", "NQ", "HotpotQA", "MSMARCO", "TRECCOVID", "FiQA2018",
    "NFCorpus", "SCIDOCS", "Touche2020", "Quora", "CQADupstackAndroid", "CQADupstackGis", "CQADupstackMathematica",
    "CQADupstackPhysics", "CQADupstackProgrammers", "CQADupstackStats", "CQADupstackTex", "CQADupstackUnix",
    "CQADupstackWebmasters", "CQADupstackWordpress",
)  # fmt: skip
_NANO = (
    "ArguAna", "ClimateFever", "DBPedia", "FEVER", "FiQA2018", "HotpotQA", "MSMARCO", "NFCorpus", "NQ", "Quora",
    "SCIDOCS", "SciFact", "Touche2020",
)  # fmt: skip
_RARB = [
    "ARCChallenge", "AlphaNLI", "HellaSwag", "WinoGrande", "PIQA", "SIQA", "Quail", "SpartQA", "TempReasonL1",
    "TempReasonL2Pure", "TempReasonL2Fact", "TempReasonL2Context", "TempReasonL3Pure", "TempReasonL3Fact",
    "TempReasonL3Context", "RARbCode", "RARbMath",
]  # fmt: skip
_VIDORE = (
    "ArxivQA", "DocVQA", "InfoVQA", "Tabfquad", "Tatdqa", "ShiftProject", "SyntheticDocQAAI", "SyntheticDocQAEnergy",
    "SyntheticDocQAGovernmentReports", "SyntheticDocQAHealthcareIndustry",
)  # fmt: skip
_VIDORE_2 = ("ESGReports", "EconomicsReports", "BioMedicalLectures", "ESGReportsHL")
_VIDORE_3 = (
    "Hr", "FinanceEn", "Industrial", "Pharmaceuticals", "ComputerScience", "Physics", "Energy", "FinanceFr", "Nuclear",
    "Telecom",
)  # fmt: skip
_COIR = [
    "AppsRetrieval", "CodeFeedbackMT", "CodeFeedbackST", "CodeSearchNetCCRetrieval", "CodeTransOceanContest",
    "CodeTransOceanDL", "CosQA", "COIRCodeSearchNetRetrieval", "StackOverflowQA", "SyntheticText2SQL",
]  # fmt: skip
_LONGEMBED = ("NarrativeQA", "Needle", "Passkey", "QMSum", "SummScreenFD", "WikimQA")
_BRIGHT_URL = "https://brightbenchmark.github.io/"

FAMILIES = [
    Family(
        "mr-tydi", "Mr. TyDi", ["MrTidyRetrieval"], "test",
        "The test queries of Mr. TyDi in eleven languages. It has training queries in each.",
        "task MrTidyRetrieval", "https://github.com/castorini/mr.tydi", is_zero_shot=False,
    ),
    Family(
        "mldr", "MLDR, long documents in 13 languages", ["MultiLongDocRetrieval"], "test",
        "Test queries over long documents of Wikipedia, Wudao and mC4 in 13 languages. It has training queries.",
        "task MultiLongDocRetrieval", "https://huggingface.co/datasets/Shitao/MLDR", is_zero_shot=False,
    ),
    Family(
        "lotte", "LoTTE, test", ["LoTTE"], "test",
        "Long-tail topics of StackExchange in five domains, with queries from a search engine and from the forums.",
        "task LoTTE", "https://github.com/stanford-futuredata/ColBERT",
    ),
    Family(
        "r2med", "R2MED", [f"R2MED{name}Retrieval" for name in _R2MED], "test",
        "Eight sets of medical queries that take reasoning.",
        "benchmark R2MED", "https://r2med.github.io/",
    ),
    Family(
        "mteb-neuclir-2022-hn", "NeuCLIR 2022 with hard negatives (MTEB)",
        ["NeuCLIR2022RetrievalHardNegatives"], "test",
        "English queries of the TREC track of 2022, over those documents in Persian, Russian and Chinese that are hard"
        " to tell apart.",
        "task NeuCLIR2022RetrievalHardNegatives", "https://neuclir.github.io/", shared=_TASK,
    ),
    Family(
        "mteb-neuclir-2023-hn", "NeuCLIR 2023 with hard negatives (MTEB)",
        ["NeuCLIR2023RetrievalHardNegatives"], "test",
        "English queries of the TREC track of 2023, over those documents in Persian, Russian and Chinese that are hard"
        " to tell apart.",
        "task NeuCLIR2023RetrievalHardNegatives", "https://neuclir.github.io/", shared=_TASK,
    ),
    Family(
        "bright-v1-1", "BRIGHT, version 1.1 of MTEB", [f"Bright{name}Retrieval" for name in _BRIGHT], "standard",
        "BRIGHT’s twelve sets of queries as tasks of their own, which give each its own instruction.",
        "the short tasks of benchmark BRIGHT(v1.1)", _BRIGHT_URL,
    ),
    Family(
        "bright-long", "BRIGHT, long documents", ["BrightLongRetrieval"], "long",
        "Eight of BRIGHT’s sets of queries, over whole documents in place of passages.",
        "benchmark BRIGHT (long)", _BRIGHT_URL,
    ),
    Family(
        "bright-pro", "BRIGHT-Pro", [f"BrightPro{name}Retrieval" for name in _BRIGHT[:7]], "standard",
        "Seven sets of BRIGHT’s queries with judgements made anew.",
        "benchmark BRIGHT-Pro", _BRIGHT_URL,
    ),
    Family(
        "rar-b", "RAR-b", _RARB, "test",
        "Seventeen tasks of reasoning, put as retrieval: the right answer is to be found among all answers.",
        "benchmark RAR-b", "https://github.com/gowitheflow-1998/RAR-b", shared=_LEVEL,
    ),
    Family(
        "nanobeir", "NanoBEIR", [f"Nano{name}Retrieval" for name in _NANO], "train",
        "Fifty queries of each of 13 data sets of BEIR, over a part of their documents.",
        "benchmark NanoBEIR", "https://huggingface.co/collections/zeta-alpha-ai/nanobeir-66e1a0af21dfd93e620cd9f6",
    ),
    Family(
        "beir-nl", "BEIR-NL", [
            f"{name}-NL" for name in (
                "ArguAna", "CQADupstack", "FEVER", "NQ", "Touche2020", "FiQA2018", "Quora", "HotpotQA", "SCIDOCS",
                "ClimateFEVER", "mMARCO", "SciFact", "DBPedia", "NFCorpus", "TRECCOVID",
            )
        ], "test",
        "BEIR’s public data sets, translated into Dutch.",
        "benchmark BEIR-NL", "https://arxiv.org/abs/2412.08329",
    ),
    Family(
        "beir-pl", "BEIR-PL without Touché", [
            f"{name}-PL" for name in (
                "MSMARCO", "TRECCOVID", "NFCorpus", "NQ", "HotpotQA", "FiQA", "ArguAna", "CQADupstackRetrieval",
                "Quora", "DBPedia", "SCIDOCS", "SciFact",
            )
        ], "test",
        "Twelve of BEIR’s public data sets, translated into Polish: the benchmark without Touché 2020, for which its"
        " repository has no result.",
        "benchmark BEIR-PL", "https://arxiv.org/abs/2305.19840",
    ),
    Family(
        "vn-mteb", "VN-MTEB, retrieval", [f"{name}-VN" for name in _VN], "test",
        "BEIR’s public data sets, translated into Vietnamese.",
        "retrieval tasks of benchmark VN-MTEB (vie, v1)", "https://arxiv.org/abs/2507.21500",
    ),
    Family(
        "webfaq", "WebFAQ", ["WebFAQRetrieval"], "test",
        "Questions and answers of web pages in 49 languages.",
        "task WebFAQRetrieval", "https://huggingface.co/PaDaS-Lab",
    ),
    Family(
        "xpqa", "xPQA", ["XPQARetrieval"], "test",
        "Questions on products in twelve languages, with answers in the same language or in English.",
        "task XPQARetrieval", "https://arxiv.org/abs/2305.09249", shared=_ASKED_IN,
    ),
    Family(
        "mkqa", "MKQA", ["MKQARetrieval"], "train",
        "The same open-domain questions in 26 languages.",
        "task MKQARetrieval", "https://github.com/apple/ml-mkqa", shared=_TASK,
    ),
    Family(
        "wikipedia-multilingual", "Wikipedia in 16 languages (MTEB)", ["WikipediaRetrievalMultilingual"], "test",
        "Questions on passages of Wikipedia that a language model wrote, in 16 languages.",
        "task WikipediaRetrievalMultilingual", "https://huggingface.co/datasets/ellamind/wikipedia-2023-11-retrieval-multilingual-queries",
    ),
    Family(
        "miracl-reranking", "MIRACL reranking (MTEB)", ["MIRACLReranking"], "dev",
        "MIRACL’s development queries with given candidates to rank, in 18 languages.",
        "task MIRACLReranking", "https://project-miracl.github.io/", is_zero_shot=False,
    ),
    Family(
        "vidore", "ViDoRe", [f"Vidore{name}Retrieval" for name in _VIDORE], "test",
        "Ten sets of queries over images of pages.",
        "benchmark ViDoRe(v1)", "https://huggingface.co/vidore",
    ),
    Family(
        "vidore-v2", "ViDoRe v2, by language of query", [f"Vidore2{name}Retrieval" for name in _VIDORE_2], "test",
        "Queries in several languages over images of pages. Each language is a member here; the published mean takes"
        " each of four tasks once.",
        "benchmark ViDoRe(v2)", "https://arxiv.org/abs/2505.17166", shared=_TASK,
    ),
    Family(
        "vidore-v3", "ViDoRe v3, by language of query", [f"Vidore3{name}Retrieval" for name in _VIDORE_3], "test",
        "Queries in several languages over images of pages. Each language is a member here; the published mean takes"
        " each of ten tasks once.",
        "benchmark ViDoRe(v3)", "https://arxiv.org/abs/2601.08620", shared=_TASK,
    ),
    Family(
        "coir", "CoIR, by language of code", _COIR, "test",
        "Questions on code and pieces of code, over code and answers. Each language is a member here; the published"
        " mean takes each of ten tasks once.",
        "benchmark CoIR", "https://arxiv.org/abs/2407.02883", shared=_TASK,
    ),
    Family(
        "longembed", "LongEmbed, by length", [f"LEMB{name}Retrieval" for name in _LONGEMBED], "test",
        "Queries over long documents, and needles and passkeys in texts of eight lengths. Each length is a member here;"
        " the published mean takes each of six tasks once.",
        "benchmark LongEmbed", "https://arxiv.org/abs/2404.12096", shared=_TASK,
    ),
]  # fmt: skip

TRACKS = [
    Track("TREC Ad Hoc", ["AP"]),
    Track("TREC Robust", ["AP"]),
    Track("TREC Common Core", ["AP"]),
    Track("TREC HARD", ["AP"]),
    Track("TREC Web", ["RR", "ERR@20", "AP", "nDCG@10"], "Those of 2013 print differences to a baseline only."),
    Track("TREC Terabyte", ["AP"]),
    Track("TREC Million Query", ["AP"]),
    Track("TREC Deep Learning", ["nDCG@10"]),
    Track("TREC-COVID", ["nDCG@10", "nDCG@20"]),
    Track("TREC RAG", ["nDCG@20", "nDCG@30", "nDCG@10"], "Of its first stage, retrieval."),
    Track("TREC NeuCLIR", ["nDCG@20"]),
    Track("TREC Cross-Language", ["AP"]),
    Track("TREC Spanish", ["AP"]),
    Track("TREC Chinese", ["AP"]),
    Track("TREC Spoken Document Retrieval", ["AP"]),
    Track("TREC Routing", ["AP"]),
    Track("TREC Blog", ["AP"]),
    Track("TREC Enterprise", ["AP", "infAP"]),
    Track("TREC Entity", ["AP", "P@10"]),
    Track("TREC Microblog", ["P@30", "AP"]),
    Track("TREC Session", ["nDCG@10"]),
    Track("TREC Tasks", ["ERR_IA@10"]),
    Track("TREC Contextual Suggestion", ["P@10"]),
    Track("TREC News", ["nDCG@5"]),
    Track("TREC CAR", ["AP"]),
    Track("TREC CAsT", ["nDCG@3"]),
    Track("TREC Genomics", ["AP", "nDCG@10"]),
    Track("TREC Precision Medicine", ["P@10"]),
    Track("TREC Novelty", ["F-score (relevant sentences)", "F-score (new sentences)"]),
]


def wanted_tasks() -> dict[str, str]:
    """Return the tasks of all families, and one that its benchmark has besides, each with its split."""
    return {task: family.split for family in FAMILIES for task in family.tasks} | {"Touche2020-PL": "test"}


def members_of(family: Family, places: Places, measures: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the collections of a family's tasks, with the task's main measure."""
    members: list[tuple[str, str]] = []
    for task in family.tasks:
        slugs = [slug for (name, _, split), slug in places.items() if name == task and split == family.split]
        slugs = slugs or [slug for (name, _, _), slug in places.items() if name == task]
        if not slugs:
            raise ValueError(f"no collection is of the task {task}, which belongs to {family.slug}")
        members += [(slug, measures[task]) for slug in sorted(slugs)]
    return members


def tasks_shared(family: Family, places: Places, members: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what each member of a family shares with others of them, where it shares anything."""
    named = {}
    for (task, subset, _), slug in places.items():
        match = re.match(family.shared, f"{task} {subset}")
        named[slug] = "".join(match.groups() or [match.group()]) if match else ""
    shared = Counter(named[slug] for slug, _ in members)
    return {slug: named[slug] for slug, _ in members if shared[named[slug]] > 1}


def members_of_track(track: Track, collections: Iterable[Row], results: Iterable[Row]) -> list[tuple[str, str]]:
    """Return the collections of a track by year, each under the first of its measures with results, else its first."""
    ours = sorted(
        (row for row in collections if row["suite"] == track.name), key=lambda row: (row["year"], row["slug"])
    )
    used = {(row["collection"], row["measure"]) for row in results}

    def measure_of(row: Row) -> str:
        wanted = [name for name in track.measures if name != "RR" or row["task"] == "known-item"]
        return next((name for name in wanted if (row["slug"], name) in used), wanted[0])

    return [(row["slug"], measure_of(row)) for row in ours]
