"""Models: what people mean by a name, above the systems that are its checkpoints, settings and runs by toolkits.

Which system is of which model is read from its name, by the function that reads names on the site, too. Here stands
what is known of each model, and its address, which stays as it is in the table that ships.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis.readers.recipes import address_of, model_of
from builder.more import described_by_base
from builder.tables import Row

COLUMNS = ["slug", "name", "maker", "base", "paper_url", "published", "released", "source"]

_TREC = "https://trec.nist.gov/pubs"
_DOCTTTTTQUERY = "https://cs.uwaterloo.ca/~jimmylin/publications/Nogueira_Lin_2019_docTTTTTquery.pdf"
_E5 = "https://arxiv.org/abs/2212.03533"
_SENTENCE_T5 = "https://arxiv.org/abs/2108.08877"
_SPLADE_V3 = "https://arxiv.org/abs/2403.06789"
_SPLADE_PP = "https://arxiv.org/abs/2205.04733"

#: Methods and encoders that no package describes: their makers, and the papers that introduce them.
_DESCRIBED = {
    "ANCE": ("Microsoft", "https://arxiv.org/abs/2007.00808"),
    "BM25": ("City University London", "http://trec.nist.gov/pubs/trec3/papers/city.ps.gz"),
    "BM25 + RM3": ("", "http://trec.nist.gov/pubs/trec13/papers/umass.novelty.hard.pdf"),
    "ColBERT": ("Stanford University", "https://arxiv.org/abs/2004.12832"),
    "ColBERTv2": ("Stanford University", "https://arxiv.org/abs/2112.01488"),
    "doc2query": ("", "https://arxiv.org/abs/1904.08375"),
    "docTTTTTquery": ("", _DOCTTTTTQUERY),
    "DPR (multi)": ("facebook", "https://arxiv.org/abs/2004.04906"),
    "duoT5 3B": ("castorini", "https://arxiv.org/abs/2101.05667"),
    "duoT5 base (10k)": ("castorini", "https://arxiv.org/abs/2101.05667"),
    "facebook/contriever": ("facebook", "https://arxiv.org/abs/2112.09118"),
    "facebook/contriever-msmarco": ("facebook", "https://arxiv.org/abs/2112.09118"),
    "HyDE (text-embedding-ada-002)": ("", "https://arxiv.org/abs/2212.10496"),
    "intfloat/e5-base-v2": ("intfloat", _E5),
    "intfloat/e5-large-v2": ("intfloat", _E5),
    "intfloat/e5-small": ("intfloat", _E5),
    "intfloat/e5-small-v2": ("intfloat", _E5),
    "LRL (GPT-3.5-turbo)": ("", "https://arxiv.org/abs/2305.02156"),
    "monoBERT large": ("castorini", "https://arxiv.org/abs/1901.04085"),
    "monoT5 3B": ("castorini", "https://arxiv.org/abs/2003.06713"),
    "monoT5 base": ("castorini", "https://arxiv.org/abs/2003.06713"),
    "monoT5 large": ("castorini", "https://arxiv.org/abs/2003.06713"),
    "RankGPT (GPT-3.5-turbo)": ("", "https://arxiv.org/abs/2304.09542"),
    "RankGPT (GPT-4)": ("", "https://arxiv.org/abs/2304.09542"),
    "RankVicuna": ("castorini", "https://arxiv.org/abs/2309.15088"),
    "RankZephyr": ("castorini", "https://arxiv.org/abs/2312.02724"),
    "LiT5-Distill": ("castorini", "https://arxiv.org/abs/2312.16098"),
    "naver/splade-v3-distilbert": ("naver", _SPLADE_V3),
    "naver/splade-v3-lexical": ("naver", _SPLADE_V3),
    "sentence-transformers/sentence-t5-xl": ("sentence-transformers", _SENTENCE_T5),
    "sentence-transformers/sentence-t5-xxl": ("sentence-transformers", _SENTENCE_T5),
    "SPLADE-v3": ("naver", _SPLADE_V3),
    "SPLADE++ EnsembleDistil": ("naver", _SPLADE_PP),
    "SPLADE++ SelfDistil": ("naver", _SPLADE_PP),
    "TAS-B": ("TU Wien", "https://arxiv.org/abs/2104.06967"),
    "TCT-ColBERTv2 HN+": ("castorini", "https://aclanthology.org/2021.repl4nlp-1.17"),
    "uniCOIL": ("castorini", "https://arxiv.org/abs/2106.14807"),
    "uniCOIL (no expansion)": ("castorini", "https://arxiv.org/abs/2106.14807"),
}
#: Names of methods that no paper introduces alone: what links of systems say of these is about something else.
_OF_NO_PAPER = re.compile(r"(?:BM25|Query likelihood|doc2query|docTTTTTquery|SPLADE NeuCLIR22|mDPR)\b.*|.* \+ .*")
_ARXIV = re.compile(r"arxiv\.org/abs/(\d\d)(\d\d)\.")


def build_models(
    results: Iterable[Row], described: list[Row], papers: list[Row], links: list[Row], earlier: list[Row]
) -> list[Row]:
    """The rows of ``models.csv``, by address; ``earlier`` are those that ship, whose addresses stay."""
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
        maker, url = _DESCRIBED.get(name, ("", ""))
        found = set() if _OF_NO_PAPER.fullmatch(name) else set().union(*(introduced[one] for one in members[name]))
        url = url or (found.pop() if len(found) == 1 else "")
        slugs.setdefault(name, address_of(name, {*slugs.values()}))
        rows.append(
            {
                "slug": slugs[name],
                "name": name,
                "maker": maker or card.get("organisation", "") or _owner(name),
                "base": card.get("adapted_from", ""),
                "paper_url": url,
                "published": published(url, by_url),
                "released": card.get("release_date", ""),
                "source": _source(name, card),
            }
        )
    return sorted(rows, key=lambda row: row["slug"])


def _card(name: str, members: Iterable[tuple[str, str]], cards: Mapping[str, Row]) -> Row:
    """What the package says of the model: of its own name, else of the first of its systems that it describes."""
    named = [name, *sorted(system for system, _ in members)]
    # A benchmark that runs BM25 itself says nothing of BM25.
    named = [one for one in named if not one.startswith("mteb/")]
    known = (cards.get(one) or (cards.get(described_by_base(one)) if "/" in one else None) for one in named)
    return next(filter(None, known), {})


def _source(name: str, card: Row) -> str:
    told = [f"mteb 2.26.24, {card['name']}"] if card else []
    return "; ".join(told + ["paper and maker by hand"] * (name in _DESCRIBED)) or "the names of its systems"


def published(url: str, papers: Mapping[str, Row]) -> str:
    """When the paper could first be read: the month of its preprint, else its year; blank where neither is known."""
    paper = papers.get(url, {}) if url else {}
    preprint = _ARXIV.search(f"{url} arxiv.org/abs/{paper.get('arxiv', '')}")
    return f"20{preprint[1]}-{preprint[2]}" if preprint else paper.get("year", "")


def _owner(name: str) -> str:
    owner, has_owner, _ = name.partition("/")
    return owner if has_owner else ""
