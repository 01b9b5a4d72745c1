"""Papers as bibliographies know them, and papers that are about systems without being where a figure was printed.

Three things are told apart: the paper that a row of results names, in which a team describes its runs; a paper that
is about the system in another way, which ``relation`` names; and the record of a toolkit, which is software.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from builder.bibliography import SHORT_FORM, Gathered, add_gathered, plain
from builder.more import described_by_base
from builder.tables import Row

COLUMNS = [
    "paper",
    "paper_url",
    "title",
    "authors",
    "venue",
    "year",
    "kind",
    "booktitle",
    "series",
    "volume",
    "publisher",
    "pages",
    "doi",
    "arxiv",
    "acl",
    "dblp",
    "also",
    "source",
]
LINK_COLUMNS = ["system", "team", "year", "paper", "paper_url", "relation", "source"]

_DBLP = "dblp, as usnistgov/trec-browser@06c261d091 carries it"
_MTEB = "mteb 2.26.24, citation of {model}"

#: How the gathered table says that a paper is a run's -> the relation, and how it is known.
_RELATIONS = {
    "run listed in the proceedings of the same track": ("listed", "dblp's list of the track's papers names the run"),
    "participant, same track and year": ("team", "dblp lists the team with this paper on the same track"),
    "participant, same year, another track": ("probable", "dblp lists the team with this paper on another track"),
    "none": ("overview", "dblp lists it as the overview of the track"),
}

#: Short forms as Robust04's file gives them: ``Xue and Croft (SIGIR 2012)``.
_SHORT_FORM = re.compile(r"(?P<people>[^()]+) \((?P<venue>[^();]+) (?P<year>[0-9]{4})\)")
_ARXIV = re.compile(r"[0-9]{4}\.[0-9]{4,5}")
_DOI = re.compile(r"10\.[0-9]{4,9}/\S+")

_YANG = ("Yang et al. (SIGIR 2017; JDIQ 2018)", "https://github.com/castorini/anserini")
_LIN = ("Lin et al. (SIGIR 2021)", "https://github.com/castorini/pyserini")

#: Records and papers of toolkits and platforms, put together by hand from what they ask to be cited as.
_BY_HAND: list[Row] = [
    {"paper": _YANG[0], "paper_url": _YANG[1], "title": "Anserini", "kind": "software", "also": _YANG[1]},
    {"paper": _LIN[0], "paper_url": _LIN[1], "title": "Pyserini", "kind": "software", "also": _LIN[1]},
    {"paper": "", "paper_url": "https://github.com/castorini/rank_llm", "title": "RankLLM", "kind": "software"},
    {
        "paper_url": "https://doi.org/10.1145/3077136.3080721",
        "title": "Anserini: Enabling the Use of Lucene for Information Retrieval Research",
        "authors": "Peilin Yang; Hui Fang; Jimmy Lin",
        "venue": "SIGIR",
        "year": "2017",
        "kind": "inproceedings",
    },
    {
        "paper_url": "https://doi.org/10.1145/3239571",
        "title": "Anserini: Reproducible Ranking Baselines Using Lucene",
        "authors": "Peilin Yang; Hui Fang; Jimmy Lin",
        "venue": "JDIQ",
        "year": "2018",
        "kind": "article",
    },
    {
        "paper_url": "https://doi.org/10.1145/3404835.3463238",
        "title": "Pyserini: A Python Toolkit for Reproducible Information Retrieval Research with Sparse and Dense "
        "Representations",
        "authors": "Jimmy Lin; Xueguang Ma; Sheng-Chieh Lin; Jheng-Hong Yang; Ronak Pradeep; Rodrigo Nogueira",
        "venue": "SIGIR",
        "year": "2021",
        "kind": "inproceedings",
        "pages": "2356-2362",
    },
    {
        "paper": "Pradeep et al. (arXiv 2309.15088)",
        "paper_url": "https://arxiv.org/abs/2309.15088",
        "title": "RankVicuna: Zero-Shot Listwise Document Reranking with Open-Source Large Language Models",
        "authors": "Ronak Pradeep; Sahel Sharifymoghaddam; Jimmy Lin",
        "venue": "arXiv",
        "year": "2023",
        "kind": "misc",
        "arxiv": "2309.15088",
    },
    {
        "paper_url": "https://arxiv.org/abs/2109.10086",
        "title": "SPLADE v2: Sparse Lexical and Expansion Model for Information Retrieval",
        "authors": "Thibault Formal; Carlos Lassance; Benjamin Piwowarski; Stéphane Clinchant",
        "venue": "arXiv",
        "year": "2021",
        "kind": "misc",
        "arxiv": "2109.10086",
    },
    {
        "paper_url": "https://arxiv.org/abs/2412.03223",
        "title": "Linq-Embed-Mistral Technical Report",
        "authors": "Chanyeol Choi; Junseong Kim; Seolhwa Lee; Jihoon Kwon; Sangmo Gu; Yejin Kim; Minkyung Cho; "
        "Jy-yong Sohn",
        "venue": "arXiv",
        "year": "2024",
        "kind": "misc",
        "arxiv": "2412.03223",
    },
    {
        "paper": "Fröbe et al. (SIGIR 2023)",
        "paper_url": "https://doi.org/10.1145/3539618.3591888",
        "title": "The Information Retrieval Experiment Platform",
        "authors": "Maik Fröbe; Jan Heinrich Reimer; Sean MacAvaney; Niklas Deckers; Simon Reich; Janek Bevendorff; "
        "Benno Stein; Matthias Hagen; Martin Potthast",
        "venue": "SIGIR",
        "year": "2023",
        "kind": "inproceedings",
    },
]

#: Toolkits by the source of their rows -> the papers that describe them.
_OF_TOOLKITS = {
    "castorini/anserini": ("https://doi.org/10.1145/3077136.3080721", "https://doi.org/10.1145/3239571"),
    "castorini/pyserini": ("https://doi.org/10.1145/3404835.3463238",),
}


def build_papers(
    results: Iterable[Row], papers: list[Row], row_papers: list[Row], models: list[Row], gathered: Gathered
) -> tuple[list[Row], list[Row], list[Row]]:
    """Return the rows of ``papers.csv``, ``system_papers.csv`` and ``collection_papers.csv``, of papers, systems and
    collections that stand here."""
    results = list(results)
    links = [*_links_of_trec(results, row_papers, papers), *_links_of_models(results, models)]
    links += _links_of_toolkits(results)
    named = {(row.get("paper", ""), row.get("paper_url", "")) for row in [*results, *links]}
    on_collections = {*_on_collections(papers, gathered.of_collections, {url for _, url in named})}
    named |= on_collections
    known_papers: dict[tuple[str, str], Row] = {}
    for row in [
        *({"paper": "", "source": "put together by hand from what it asks to be cited as"} | row for row in _BY_HAND),
        *_of_dblp(papers, named, on_collections),
        *_of_models(models, named),
        *_of_citations(named),
    ]:
        known_papers.setdefault((row["paper"], row["paper_url"]), row)
    known, links, of_collections = add_gathered(list(known_papers.values()), links, gathered, results)
    return (
        sorted(known, key=lambda row: (row["paper_url"], row["paper"])),
        sorted(links, key=lambda row: tuple(row[column].casefold() for column in LINK_COLUMNS)),
        of_collections,
    )


def _on_collections(papers: list[Row], records: list[Row], known: set[str]) -> Iterator[tuple[str, str]]:
    """Yield those of dblp that are about collections, by their key or title there, and that no result names."""
    keys = {record["dblp_key"] for record in records}
    titles = {(plain(record["title"]), record["year"]) for record in records}
    for paper in papers:
        is_about = paper["dblp_key"] in keys or (plain(paper["title"]), paper["year"]) in titles
        if is_about and paper["url"] and paper["url"] not in known:
            yield _short_form(paper["authors"].split(" and "), paper["venue"]), paper["url"]


def _of_dblp(papers: list[Row], named: set[tuple[str, str]], on_collections: set[tuple[str, str]]) -> Iterator[Row]:
    """Yield the records of dblp that rows name by address; by citation as well where whole proceedings share one.

    dblp's own address leads to those that only collections name, too.
    """
    cites = defaultdict(set)
    for cite, url in named:
        cites[url].add(cite)
    shared = {url for url in cites if sum(paper["url"] == url for paper in papers) > 1}
    for paper in papers:
        own = _short_form(paper["authors"].split(" and "), paper["venue"])
        for cite in sorted(cites[paper["url"]]):
            if paper["url"] not in shared or cite == own:
                yield {
                    "paper": cite,
                    "paper_url": paper["url"],
                    "authors": "; ".join(paper["authors"].split(" and ")),
                    "kind": "inproceedings",
                    "dblp": paper["dblp_key"] if "/" in paper["dblp_key"] else "",
                    "also": paper["dblp_url"] if (cite, paper["url"]) in on_collections else "",
                    "source": _DBLP,
                    **{name: paper[name] for name in _AS_IN_DBLP},
                }


_AS_IN_DBLP = ("title", "venue", "year", "booktitle", "series", "volume", "publisher", "pages")


def _links_of_trec(results: list[Row], row_papers: list[Row], papers: list[Row]) -> Iterator[Row]:
    """Yield what dblp says of runs whose rows name no paper: candidates, else the overview of their track."""
    by_key = {paper["dblp_key"]: paper for paper in papers}
    rows = {(row["collection"], row["system"], row["team"]): row for row in results if row["role"] == "trec_run"}
    cites = {row["paper_url"]: row["paper"] for row in results if row.get("paper")}
    links: dict[tuple[str, ...], Row] = {}
    for joined in row_papers:
        result = rows[joined["collection"], joined["system"], joined["team"]]
        if result["paper_url"]:
            continue
        relation, how = _RELATIONS[joined["how"]]
        for key in filter(None, (joined["dblp_key"] or joined["overview_key"]).split(";")):
            paper = by_key[key]
            own = _short_form(paper["authors"].split(" and "), paper["venue"])
            link = {
                "system": joined["system"],
                "team": joined["team"],
                "year": result["year"],
                "paper": own if paper["url"] in _PROCEEDINGS else cites.get(paper["url"], own),
                "paper_url": paper["url"],
                "relation": relation,
                "source": f"{how}; {_DBLP}",
            }
            links.setdefault(tuple(link[column] for column in LINK_COLUMNS[:5]), link)
    yield from links.values()


#: Addresses of whole proceedings, which several papers share.
_PROCEEDINGS = frozenset(f"https://trec.nist.gov/pubs/trec{n}/t{n}_proceedings.html" for n in (3, 4, 5))


def _of_models(models: list[Row], named: set[tuple[str, str]]) -> Iterator[Row]:
    """Yield citations that the mteb package keeps: of models that are here, and of papers that rows name."""
    wanted = {_known(url) for _, url in named}
    spelling = {_known(url): url for cite, url in sorted(named) if not cite}
    for model in sorted(models, key=lambda model: (not model["bib_doi"], model["name"])):
        addresses = _addresses(model)
        address = next((candidate for candidate in addresses if _known(candidate) in wanted), "")
        if not model["bib_title"] or not address:
            continue
        people = _people(model["bib_authors"])
        arxiv = model["bib_arxiv"] if _ARXIV.fullmatch(model["bib_arxiv"]) else ""
        is_preprint = not model["bib_venue"] or re.search(r"arxiv|corr", model["bib_venue"], re.IGNORECASE)
        yield {
            "paper": "",
            "paper_url": spelling.get(_known(address), address),
            "title": model["bib_title"],
            "authors": "; ".join(people),
            "venue": ("arXiv" if arxiv else "") if is_preprint else model["bib_venue"],
            "year": model["bib_year"],
            "kind": model["bib_type"],
            "doi": _doi(model),
            "arxiv": arxiv,
            "also": "|".join(other for other in addresses if other != address and other.startswith(_IDENTIFYING)),
            "source": _MTEB.format(model=model["name"]),
        }


_IDENTIFYING = ("https://arxiv.org/abs/", "https://doi.org/")


def _links_of_models(results: list[Row], models: list[Row]) -> Iterator[Row]:
    """Yield what the makers of models ask to be cited, wherever the row of results names another page or none."""
    by_name = {name: model for model in models for name in [model["name"], *model["former_names"].split(";")] if name}
    titled = {model["bib_title"].casefold(): _addresses(model)[0] for model in models if _addresses(model)}
    systems = {(row["system"], row["team"]): row for row in results if row["source"] == "embeddings-benchmark/results"}
    for (system, team), row in systems.items():
        model = by_name.get(system) or by_name[described_by_base(system)]
        addresses = _addresses(model)
        address = addresses[0] if addresses else titled.get(model["bib_title"].casefold(), "")
        if model["bib_title"] and address and _known(address) != _known(row["paper_url"]):
            yield {
                "system": system,
                "team": team,
                "year": "",
                "paper": "",
                "paper_url": address,
                "relation": "cited",
                "source": _MTEB.format(model=model["name"]),
            }


def _links_of_toolkits(results: list[Row]) -> Iterator[Row]:
    systems = {(row["system"], row["team"], row["source"]) for row in results if row["source"] in _OF_TOOLKITS}
    for system, team, source in sorted(systems):
        for url in _OF_TOOLKITS[source]:
            yield {
                "system": system,
                "team": team,
                "year": "",
                "paper": "",
                "paper_url": url,
                "relation": "toolkit",
                "source": f"run by {source}, which asks for it to be cited",
            }


def _of_citations(named: set[tuple[str, str]]) -> Iterator[Row]:
    """Yield what short forms of papers say themselves: people, venue, year, and no title."""
    for cite, url in sorted(named):
        match = _SHORT_FORM.fullmatch(cite)
        if match and not url.startswith("https://github.com/"):
            people = match["people"].replace(" et al.", " and et al.")
            yield {
                "paper": cite,
                "paper_url": url,
                "authors": "; ".join(people.split(" and ")),
                "venue": match["venue"],
                "year": match["year"],
                "source": SHORT_FORM,
            }


def _addresses(model: Row) -> list[str]:
    """Return where the paper of a model's citation is, that of what was published before that of the preprint."""
    arxiv = model["bib_arxiv"]
    addresses = [f"https://arxiv.org/abs/{arxiv}"] if _ARXIV.fullmatch(arxiv) else []
    if doi := _doi(model):
        addresses.append(f"https://doi.org/{doi}")
    if not addresses and model["bib_url"]:
        addresses.append(model["bib_url"])
    return addresses


def _doi(model: Row) -> str:
    match = _DOI.search(model["bib_doi"])
    doi = match[0].lower() if match else ""
    return "" if doi.startswith("10.48550/") else doi


def _known(url: str) -> str:
    """Return an address without what makes two addresses of one arXiv paper."""
    match = re.search(r"arxiv\.org/(?:abs|pdf)/([0-9.]+[0-9])", url)
    return f"arxiv:{match[1]}" if match else url


def _people(bibtex: str) -> list[str]:
    """Return names as people write them, in order: ``Li, Xianming and Li, Jing`` are Xianming Li and Jing Li."""
    by_comma = bibtex.split(", ") if bibtex.count(",") > 1 else [bibtex]
    names = bibtex.split(" and ") if " and " in bibtex else by_comma
    turned = (" ".join(reversed(name.strip(" ,").split(", ", 1))) for name in names)
    return ["et al." if name == "others" else name for name in turned if name]


def _short_form(people: Sequence[str], venue: str) -> str:
    surnames = [_surname(name) for name in people]
    shown = f"{surnames[0]} et al." if len(surnames) > 2 else " and ".join(surnames)
    return f"{shown} ({venue})"


def _surname(name: str) -> str:
    words = [word for word in name.split() if not word.isdigit()]
    return words[-1]
