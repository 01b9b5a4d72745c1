"""Models: what people mean by a name, above the systems that are its checkpoints, settings and runs by toolkits.

Which system is of which model is read from its name, by the function that reads names on the site, too. Here stands
what is known of each model, and its address, which stays as it is in the table that ships.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from analysis.readers.recipes import address_of, model_of
from builder.more import described_by_base
from builder.tables import Row

COLUMNS = ["slug", "name", "maker", "base", "paper_url", "published", "released", "source"]

_DOCTTTTTQUERY = "https://cs.uwaterloo.ca/~jimmylin/publications/Nogueira_Lin_2019_docTTTTTquery.pdf"
_E5 = "https://arxiv.org/abs/2212.03533"
_SENTENCE_T5 = "https://arxiv.org/abs/2108.08877"
_C_PACK = "https://arxiv.org/abs/2309.07597"
_KALM_V2 = "https://arxiv.org/abs/2506.20923"
_NOMIC = "https://arxiv.org/abs/2402.01613"
_SPLADE_V2 = "https://arxiv.org/abs/2109.10086"
_SPLADE_V3 = "https://arxiv.org/abs/2403.06789"
_SPLADE_PP = "https://arxiv.org/abs/2205.04733"
_UMASS = "University of Massachusetts Amherst"


class _Described(NamedTuple):
    """Facts on a model beyond what the package says, or against it: blank where the package's word holds."""

    maker: str = ""
    paper: str = ""
    base: str = ""


#: Methods and encoders that no package describes, or that it describes in part: their makers, the papers that introduce
#: them, and the models that they were made from, as papers and cards say. Google's encoders were converted by others.
_DESCRIBED = {
    name: _Described(*known)
    for name, known in {
        "Alibaba-NLP/gte-Qwen1.5-7B-instruct": ("", "", "Qwen/Qwen1.5-7B"),
        "Alibaba-NLP/gte-Qwen2-1.5B-instruct": ("", "", "Qwen/Qwen2-1.5B"),
        "Alibaba-NLP/gte-Qwen2-7B-instruct": ("", "", "Qwen/Qwen2-7B"),
        "ANCE": ("Microsoft", "https://arxiv.org/abs/2007.00808"),
        "avsolatorio/GIST-all-MiniLM-L6-v2": ("", "", "sentence-transformers/all-MiniLM-L6-v2"),
        "avsolatorio/GIST-Embedding-v0": ("", "", "BAAI/bge-base-en-v1.5"),
        "avsolatorio/GIST-large-Embedding-v0": ("", "", "BAAI/bge-large-en-v1.5"),
        "avsolatorio/GIST-small-Embedding-v0": ("", "", "BAAI/bge-small-en-v1.5"),
        "BAAI/bge-base-zh": ("", _C_PACK),
        "BAAI/bge-large-zh": ("", _C_PACK),
        "BAAI/bge-large-zh-noinstruct": ("", _C_PACK),
        "BAAI/bge-small-zh": ("", _C_PACK),
        "BM25": ("City University London", "http://trec.nist.gov/pubs/trec3/papers/city.ps.gz"),
        "BM25 + RM3": (_UMASS, "http://trec.nist.gov/pubs/trec13/papers/umass.novelty.hard.pdf"),
        "ColBERT": ("Stanford University", "https://arxiv.org/abs/2004.12832"),
        "ColBERTv2": ("Stanford University", "https://arxiv.org/abs/2112.01488"),
        "DistilBERT KD (Margin-MSE)": ("TU Wien", "https://arxiv.org/abs/2010.02666"),
        "doc2query": ("New York University", "https://arxiv.org/abs/1904.08375"),
        "docTTTTTquery": ("castorini", _DOCTTTTTQUERY),
        "DPR (multi)": ("facebook", "https://arxiv.org/abs/2004.04906"),
        "duoT5 3B": ("castorini", "https://arxiv.org/abs/2101.05667"),
        "duoT5 base (10k)": ("castorini", "https://arxiv.org/abs/2101.05667"),
        "facebook/contriever": ("facebook", "https://arxiv.org/abs/2112.09118"),
        "facebook/contriever-msmarco": ("facebook", "https://arxiv.org/abs/2112.09118", "facebook/contriever"),
        "GritLM/GritLM-7B": ("", "", "mistralai/Mistral-7B-v0.1"),
        "GritLM/GritLM-8x7B": ("", "", "mistralai/Mixtral-8x7B-v0.1"),
        "HIT-TMG/KaLM-embedding-multilingual-mini-instruct-v2": ("", _KALM_V2),
        "HyDE (text-embedding-ada-002)": ("", "https://arxiv.org/abs/2212.10496"),
        "intfloat/e5-base-v2": ("intfloat", _E5),
        "intfloat/e5-large-v2": ("intfloat", _E5),
        "intfloat/e5-small": ("intfloat", _E5),
        "intfloat/e5-small-v2": ("intfloat", _E5),
        "Linq-AI-Research/Linq-Embed-Mistral": ("", "https://arxiv.org/abs/2412.03223"),
        "KaLM-Embedding/KaLM-embedding-multilingual-mini-instruct-v2.5": ("", _KALM_V2),
        "LRL (GPT-3.5-turbo)": ("", "https://arxiv.org/abs/2305.02156"),
        "monoBERT large": ("castorini", "https://arxiv.org/abs/1901.04085"),
        "monoT5 3B": ("castorini", "https://arxiv.org/abs/2003.06713"),
        "monoT5 base": ("castorini", "https://arxiv.org/abs/2003.06713"),
        "monoT5 large": ("castorini", "https://arxiv.org/abs/2003.06713"),
        "naver/splade-v3-distilbert": ("naver", _SPLADE_V3),
        "naver/splade-v3-lexical": ("naver", _SPLADE_V3),
        "naver/splade_v2_distil": ("naver", _SPLADE_V2),
        "naver/splade_v2_max": ("naver", _SPLADE_V2, "distilbert/distilbert-base-uncased"),
        "nomic-ai/nomic-embed-text-v1": ("", "", "nomic-ai/nomic-bert-2048"),
        "nomic-ai/nomic-embed-text-v1-ablated": ("", _NOMIC, "nomic-ai/nomic-bert-2048"),
        "nomic-ai/nomic-embed-text-v1-unsupervised": ("", _NOMIC, "nomic-ai/nomic-bert-2048"),
        "NovaSearch/stella_en_1.5B_v5": ("", "", "Alibaba-NLP/gte-Qwen2-1.5B-instruct"),
        "NovaSearch/stella_en_400M_v5": ("", "", "Alibaba-NLP/gte-large-en-v1.5"),
        "RankGPT (GPT-3.5-turbo)": ("", "https://arxiv.org/abs/2304.09542"),
        "RankGPT (GPT-4)": ("", "https://arxiv.org/abs/2304.09542"),
        "RankVicuna": ("castorini", "https://arxiv.org/abs/2309.15088"),
        "RankZephyr": ("castorini", "https://arxiv.org/abs/2312.02724"),
        "LiT5-Distill": ("castorini", "https://arxiv.org/abs/2312.16098"),
        "Salesforce/SFR-Embedding-Mistral": ("", "", "intfloat/e5-mistral-7b-instruct"),
        "sebastian-hofstaetter/distilbert-cat-margin_mse-T2-msmarco": ("", "https://arxiv.org/abs/2010.02666"),
        "sentence-transformers/all-MiniLM-L12-v2": ("", "", "microsoft/MiniLM-L12-H384-uncased"),
        "sentence-transformers/all-MiniLM-L6-v2": ("", "", "nreimers/MiniLM-L6-H384-uncased"),
        "sentence-transformers/all-mpnet-base-v2": ("", "", "microsoft/mpnet-base"),
        "sentence-transformers/gtr-t5-base": ("google",),
        "sentence-transformers/gtr-t5-large": ("google",),
        "sentence-transformers/gtr-t5-xl": ("google",),
        "sentence-transformers/gtr-t5-xxl": ("google",),
        "sentence-transformers/LaBSE": ("google",),
        "sentence-transformers/sentence-t5-base": ("google",),
        "sentence-transformers/sentence-t5-large": ("google",),
        "sentence-transformers/sentence-t5-xl": ("google", _SENTENCE_T5),
        "sentence-transformers/sentence-t5-xxl": ("google", _SENTENCE_T5),
        "SPLADE-v3": ("naver", _SPLADE_V3),
        "SPLADE++ EnsembleDistil": ("naver", _SPLADE_PP),
        "SPLADE++ SelfDistil": ("naver", _SPLADE_PP),
        "TAS-B": ("TU Wien", "https://arxiv.org/abs/2104.06967"),
        "TCT-ColBERTv2 HN+": ("castorini", "https://aclanthology.org/2021.repl4nlp-1.17"),
        "thenlper/gte-base": ("", "", "google-bert/bert-base-uncased"),
        "thenlper/gte-large": ("", "", "google-bert/bert-large-uncased"),
        "thenlper/gte-small": ("", "", "microsoft/MiniLM-L12-H384-uncased"),
        "uniCOIL": ("castorini", "https://arxiv.org/abs/2106.14807"),
        "uniCOIL (no expansion)": ("castorini", "https://arxiv.org/abs/2106.14807"),
    }.items()
}
#: Names of methods that no paper introduces alone: what links of systems say of these is about something else.
_OF_NO_PAPER = re.compile(r"(?:BM25|Query likelihood|doc2query|docTTTTTquery|SPLADE NeuCLIR22|mDPR)\b.*|.* \+ .*")
_DAY = re.compile(r"\d{4}(-\d\d){1,2}")
_ARXIV = re.compile(r"arxiv\.org/abs/(\d\d)(\d\d)\.")


def build_models(
    results: Iterable[Row],
    described: list[Row],
    papers: list[Row],
    links: list[Row],
    earlier: list[Row],
    mended: Mapping[str, Mapping[str, Row]],
) -> list[Row]:
    """Return the rows of ``models.csv``, by address; ``earlier`` are those that ship, whose addresses stay.

    ``mended`` has what sources say against the package, or beyond it (``mended_facts``).
    """
    members: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in results:
        if recipe := model_of(row["system"], row.get("team", "")):
            members[recipe.model].add((row["system"], row.get("team", "")))
    cards = {name: card for card in described for name in [card["name"], *card["former_names"].split(";")] if name}
    introduced: dict[tuple[str, str], set[str]] = defaultdict(set)
    for link in links:
        if link["relation"] == "introduces":
            introduced[link["system"], link["team"]].add(link["paper_url"])
    by_url = {paper["paper_url"]: paper for paper in papers}
    slugs = {row["name"]: row["slug"] for row in earlier}
    rows = []
    for name in sorted(members, key=str.casefold):
        card = _card(name, members[name], cards)
        ours = _DESCRIBED.get(name, _Described())
        own_papers = [] if _OF_NO_PAPER.fullmatch(name) else [introduced[system] for system in members[name]]
        introducing = set[str]().union(*own_papers)
        url = ours.paper or (introducing.pop() if len(introducing) == 1 else "")
        slugs.setdefault(name, address_of(name, {*slugs.values()}))
        rows.append(
            {
                "slug": slugs[name],
                "name": name,
                "maker": ours.maker or card.get("organisation", "") or _owner(name),
                "base": ours.base or _base(card),
                "paper_url": url,
                "published": published(url, by_url),
                "released": card.get("release_date", ""),
                "source": _source(name, card),
            }
        )
        _mend(rows[-1], mended.get(name, {}), ours)
    return sorted(rows, key=lambda row: row["slug"])


def mended_facts(gathered: Iterable[Row]) -> dict[str, dict[str, Row]]:
    """Return by model and field what a source states, or bounds, of what the package leaves blank or has otherwise."""
    facts: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in gathered:
        is_stated = row["kind_of_source"].startswith("stated") or row["field"] == "released"
        if is_stated and row["status"] != "not kept on record" and not row["value"].startswith("/"):
            facts[row["model"]][row["field"]] = row
    return facts


def _mend(row: Row, facts: Mapping[str, Row], ours: _Described) -> None:
    """Put what sources say in the place of the package's word. A day that a bound contradicts is not known."""
    for field, fact in facts.items():
        if field in ("maker", "base") and not getattr(ours, field):
            row[field] = re.split(r" \(|, ", fact["value"])[0]
        elif field == "released":
            row[field] = released(fact)
        elif field == "paper":
            # A paper on the method says nothing of the day of this model.
            row["published"] = ""
        else:
            continue
        row["source"] = f"{row['source']}; {field}: {fact['source']}"[:300]


def released(fact: Row) -> str:
    """Return the day or month that a source has for a checkpoint; blank where it has no more than a bound."""
    return fact["value"] if _DAY.fullmatch(fact["value"]) else ""


def _card(name: str, members: Iterable[tuple[str, str]], cards: Mapping[str, Row]) -> Row:
    """Return what the package says of the model: of its own name, else of the first of its systems that it
    describes."""
    named = [name, *sorted(system for system, _ in members)]
    # A benchmark that runs BM25 itself says nothing of BM25.
    named = [candidate for candidate in named if not candidate.startswith("mteb/")]
    known = (
        cards.get(candidate) or (cards.get(described_by_base(candidate)) if "/" in candidate else None)
        for candidate in named
    )
    return next(filter(None, known), {})


def _source(name: str, card: Row) -> str:
    sources = [f"mteb 2.26.24, {card['name']}"] if card else []
    by_hand = [field for field, known in _DESCRIBED.get(name, _Described())._asdict().items() if known]
    return "; ".join(sources + [f"{' and '.join(by_hand)} by hand"] * bool(by_hand)) or "the names of its systems"


def _base(card: Row) -> str:
    """Return the model that a card names as its base; a folder on somebody's machine is none."""
    named = card.get("adapted_from", "").removeprefix("https://huggingface.co/")
    return "" if named.startswith("/") else named


def published(url: str, papers: Mapping[str, Row]) -> str:
    """Return the month of the paper's preprint, else its year, when it could first be read; blank where unknown."""
    paper = papers.get(url, {}) if url else {}
    preprint = _ARXIV.search(f"{url} arxiv.org/abs/{paper.get('arxiv', '')}")
    return f"20{preprint[1]}-{preprint[2]}" if preprint else paper.get("year", "")


def _owner(name: str) -> str:
    owner, has_owner, _ = name.partition("/")
    return owner if has_owner else ""
