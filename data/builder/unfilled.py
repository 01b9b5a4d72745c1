"""Collections that papers use and of which no number is at hand: they are there for whoever has one.

Their counts are those of ir_datasets 0.6.3; of those that it lacks we say no more than where they are found.
"""

from dataclasses import dataclass

from builder.tables import Row

_COUNTED = "ir_datasets 0.6.3, number of queries"


@dataclass(frozen=True)
class _Collection:
    """One collection; ``n_topics`` are all its queries, where each of them has judgements."""

    slug: str
    name: str
    suite: str
    year: int
    url: str
    ir_datasets_id: str = ""
    documents: str = ""
    n_documents: int | None = None
    n_topics: int | None = None
    language: str = "English"
    aliases: str = ""


_IR_DATASETS = "https://ir-datasets.com/"
_NTCIR, _LONGEVAL = "http://research.nii.ac.jp/ntcir/", "https://clef-longeval.github.io/"
_B13, _N_B13 = "ClueWeb12 B13", 52343021

_COLLECTIONS = [
    _Collection(
        "ntcir-13-www-english", "NTCIR-13 We Want Web (English)", "NTCIR", 2017, f"{_IR_DATASETS}clueweb12.html",
        "clueweb12/b13/ntcir-www-1", _B13, _N_B13, 100, aliases="NTCIR WWW-1|NTCIR-13 WWW",
    ),
    _Collection(
        "ntcir-14-www-english", "NTCIR-14 We Want Web 2 (English)", "NTCIR", 2019, f"{_IR_DATASETS}clueweb12.html",
        "clueweb12/b13/ntcir-www-2", _B13, _N_B13, 80, aliases="NTCIR WWW-2|NTCIR-14 WWW-2",
    ),
    _Collection(
        "ntcir-15-www-english", "NTCIR-15 We Want Web 3 (English)", "NTCIR", 2020, _NTCIR, documents=_B13,
        n_documents=_N_B13, aliases="NTCIR WWW-3|NTCIR-15 WWW-3",
    ),
    _Collection("ntcir-16-www-english", "NTCIR-16 We Want Web 4 (English)", "NTCIR", 2022, _NTCIR),
    _Collection("longeval-2023", "LongEval-Retrieval 2023", "LongEval (CLEF)", 2023, _LONGEVAL, language="French"),
    _Collection("longeval-2024", "LongEval-Retrieval 2024", "LongEval (CLEF)", 2024, _LONGEVAL, language="French"),
    _Collection("longeval-2025-web", "LongEval 2025, web", "LongEval (CLEF)", 2025, _LONGEVAL, language="French"),
    _Collection(
        "codec", "CODEC documents", "CODEC", 2022, f"{_IR_DATASETS}codec.html", "codec", "web pages", 729824, 42,
    ),
    _Collection(
        "dl-hard-passage", "DL-HARD passages", "DL-HARD", 2021, f"{_IR_DATASETS}msmarco-passage.html",
        "msmarco-passage/trec-dl-hard", "MS MARCO passages", 8841823, 50,
    ),
    _Collection(
        "dl-hard-document", "DL-HARD documents", "DL-HARD", 2021, f"{_IR_DATASETS}msmarco-document.html",
        "msmarco-document/trec-dl-hard", "MS MARCO documents", 3213835, 50,
    ),
    _Collection(
        "trec-2023-neuclir-fas", "TREC 2023 NeuCLIR Persian", "TREC NeuCLIR", 2023, f"{_IR_DATASETS}neuclir.html",
        "neuclir/1/fa/trec-2023", "news of Common Crawl", 2232016, language="English queries, Persian documents",
    ),
    _Collection(
        "trec-2023-neuclir-rus", "TREC 2023 NeuCLIR Russian", "TREC NeuCLIR", 2023, f"{_IR_DATASETS}neuclir.html",
        "neuclir/1/ru/trec-2023", "news of Common Crawl", 4627543, language="English queries, Russian documents",
    ),
    _Collection(
        "trec-2023-neuclir-zho", "TREC 2023 NeuCLIR Chinese", "TREC NeuCLIR", 2023, f"{_IR_DATASETS}neuclir.html",
        "neuclir/1/zh/trec-2023", "news of Common Crawl", 3179209, language="English queries, Chinese documents",
    ),
    _Collection(
        "trec-2023-tot-dev", "TREC 2023 Tip of the Tongue, development set", "TREC Tip of the Tongue", 2023,
        f"{_IR_DATASETS}trec-tot.html", "trec-tot/2023/dev", "Wikipedia", 231852, 150,
    ),
    _Collection(
        "trec-2021-fair", "TREC 2021 Fair Ranking", "TREC Fair Ranking", 2021, f"{_IR_DATASETS}trec-fair.html",
        "trec-fair/2021/eval", "Wikipedia", 6280328, 49,
    ),
    _Collection(
        "trec-2008-million-query", "TREC 2008 Million Query", "TREC Million Query", 2008, f"{_IR_DATASETS}gov2.html",
        "gov2/trec-mq-2008", "GOV2", 25205179,
    ),
    _Collection(
        "trec-2009-million-query", "TREC 2009 Million Query", "TREC Million Query", 2009,
        f"{_IR_DATASETS}clueweb09.html", "clueweb09/trec-mq-2009", "ClueWeb09", 1040859705,
    ),
    _Collection(
        "touche-2022-task-1", "Touché 2022 task 1 (arguments)", "Touché (CLEF)", 2022, f"{_IR_DATASETS}argsme.html",
        "argsme/2020-04-01/processed/touche-2022-task-1", "args.me 2020-04-01, sentences", 365408, 50,
    ),
    _Collection(
        "touche-2022-task-2", "Touché 2022 task 2 (comparative questions)", "Touché (CLEF)", 2022,
        f"{_IR_DATASETS}clueweb12.html", "clueweb12/touche-2022-task-2", "passages of ClueWeb12", 868655, 50,
    ),
    _Collection(
        "clef-ehealth-2016-2017", "CLEF eHealth web search", "CLEF eHealth", 2016, f"{_IR_DATASETS}clueweb12.html",
        "clueweb12/b13/clef-ehealth", _B13, _N_B13, 300,
    ),
    _Collection(
        "istella22-test", "Istella22 test", "Istella22", 2022, f"{_IR_DATASETS}istella22.html", "istella22/test",
        "web pages", 8421456, 2198, language="Italian",
    ),
    _Collection(
        "tripclick-val-head-dctr", "TripClick head queries (DCTR), validation", "TripClick", 2021,
        f"{_IR_DATASETS}tripclick.html", "tripclick/val/head/dctr", "MEDLINE", 1523878, 1175,
    ),
    _Collection(
        "sara", "SARA, sensitive documents", "SARA", 2023, f"{_IR_DATASETS}sara.html", "sara", "Enron mails", 1702, 150,
    ),
]  # fmt: skip


def build_unfilled(taken: set[str]) -> list[Row]:
    """Return rows of ``collections.csv``; a slug that is taken is an error, for then there are results."""
    clash = taken & {collection.slug for collection in _COLLECTIONS}
    if clash:
        raise ValueError(f"collections without results are there already: {sorted(clash)}")
    return [_row(collection) for collection in _COLLECTIONS]


def _row(collection: _Collection) -> Row:
    aliases = (collection.aliases, collection.ir_datasets_id)
    return {
        "slug": collection.slug,
        "name": collection.name,
        "aliases": "|".join(name for name in aliases if name not in ("", collection.slug)),
        "ir_datasets_id": collection.ir_datasets_id,
        "documents": collection.documents,
        "n_documents": "" if collection.n_documents is None else str(collection.n_documents),
        "n_topics": "" if collection.n_topics is None else str(collection.n_topics),
        "n_topics_source": "" if collection.n_topics is None else _COUNTED,
        "year": str(collection.year),
        "suite": collection.suite,
        "language": collection.language,
        "url": collection.url,
    }
