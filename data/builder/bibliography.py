"""Gathered facts on papers: their records, the papers of models' methods, and those that describe collections.

A record is laid on the paper that it is of, which its DOI, arXiv or ACL id tells, else title, first author and year.
The address of a model's page is no paper: what its maker asks to be cited is a paper about the system.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase

from builder.tables import Row, read_table

COLLECTION_COLUMNS = ["collection", "place", "role", "paper", "paper_url", "source"]

#: What the gathered table calls a paper's part in a collection -> what ours does.
_ROLES = {
    "describes": "describes",
    "overview of the track": "overview",
    "judgements": "judgements",
    "suite": "suite",
    "corpus or parent set": "parent",
}
#: What it calls the part of a paper in a system -> the relation.
_KINDS = {"introduces": "introduces", "uses": "uses", "": "cited"}

#: Models whose name has a word of the title of a paper that was there long before them: they use what it says.
_LATER = re.compile(
    r"Alibaba-NLP/gte-modernbert-base|BAAI/bge-multilingual-gemma2|cl-nagoya/ruri-v3-\d+m|"
    r"HIT-TMG/KaLM-embedding-multilingual-mini-instruct-v2|ibm-granite/granite-vision-3\.3-2b-embedding|"
    r"vidore/col(?:qwen2\.5-v0\.2|Smol-\d+M)"
)

#: A source that says no more than the short form of a paper does.
SHORT_FORM = "its citation, as the source of its results has it"
PAGE = "page"
_IS = "is"
_MODELS_FROM = "embeddings-benchmark/results"
_LONGEST_SOURCE = 300
#: A venue that is longer says too much in short.
_LONGEST_SHORT_VENUE = 15

#: Other titles of one paper, as bibliographies have them -> its own.
_RETITLED = dict.fromkeys(
    ("Overview of the TREC 2004 Robust Retrieval Track", "TREC 2004 Robust Retrieval Track Overview"),
    "Overview of the TREC 2004 Robust Track",
)

_ARXIV = re.compile(r"arxiv\.org/(?:abs|pdf)/([0-9]{4}\.[0-9]{4,5})")
_ACL = re.compile(r"https?://aclanthology\.org/([A-Za-z0-9.-]*[A-Za-z0-9])")
_ACL_DOI = "10.18653/v1/"
_DOI = re.compile(r"(10\.[0-9]{4,9}/[-._;()/:<>a-z0-9]+)", re.IGNORECASE)
_PROCEEDINGS = ("AAAI", "ACL", "CIKM", "COLING", "EACL", "ECIR", "EMNLP", "ESWC", "ICLR", "ICML", "ICTIR", "IJCAI")
_PROCEEDINGS += ("KDD", "LREC", "NAACL", "NeurIPS", "NTCIR", "SIGIR", "TREC", "WSDM", "WWW")
_JOURNALS = ("TACL", "TOIS", "JASIST", "IPM", "IRJ", "JDIQ", "BMC bioinformatics", "Applied Sciences", "Semantic Web")


@dataclass(frozen=True)
class Gathered:
    """The three tables: records of papers by address, papers of systems, papers of collections."""

    papers: list[Row]
    of_systems: list[Row]
    of_collections: list[Row]

    @classmethod
    def read(cls, folder: Path) -> "Gathered":
        """Return the tables of a folder."""
        files = ("papers.csv", "model_papers.csv", "collection_papers.csv")
        return cls(*(read_table(folder / file) for file in files))


class Bibliography:
    """Papers that are known, and what gathered records add to them."""

    def __init__(self, known: Iterable[Row]) -> None:
        self.rows: dict[tuple[str, str], Row] = {}
        self._by_name: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in known:
            self._keep((row["paper"], row["paper_url"]), row)

    def place(self, record: Row) -> Row:
        """Return the paper that a record is of, with what the record adds to it; a new one where none is."""
        row = self._find(record)
        if row is None:
            cite, url = _address(record)
            letters = ("", *ascii_lowercase)
            free = next(key for letter in letters if (key := (_lettered(cite, letter), url)) not in self.rows)
            return self._keep(free, _as_row(record))
        return self.lay(record, row)

    def lay(self, record: Row, row: Row) -> Row:
        """Return the row with what the record says of it."""
        _add(row, _as_row(record))
        return self._keep((row["paper"], row["paper_url"]), row)

    def name(self, key: tuple[str, str], record: Row) -> None:
        """Return the record of the paper that results name so: what a bibliography says in place of a short form."""
        row = self.rows.get(key)
        if row is None and (paper := self._find(record)) and not key[0]:
            paper["also"] = _joined(paper.get("also", ""), key[1])
            self.lay(record, paper)
            return
        self.lay(record, row or {"paper": key[0], "paper_url": key[1], "source": ""})

    def call_pages(self, named: Iterable[tuple[str, str]]) -> None:
        """Say of addresses without a title that they are pages on a model."""
        elsewhere = {address for row in self.rows.values() for address in row.get("also", "").split("|")}
        for key in {url.partition("://")[2].partition("#")[0].rstrip("/"): (cite, url) for cite, url in named}.values():
            if not self.rows.get(key, {}).get("title") and key[1] not in elsewhere:
                row = {"paper": key[0], "paper_url": key[1], "kind": PAGE}
                self.rows[key] = row | {"source": "a page on a model, to which its results lead; no paper"}

    def _keep(self, key: tuple[str, str], row: Row) -> Row:
        row |= {"paper": key[0], "paper_url": key[1]}
        self.rows[key] = row
        for name in (*_identifiers(row), plain(row.get("title", ""))):
            if name and key not in self._by_name[name]:
                self._by_name[name].append(key)
        return row

    def _find(self, record: Row) -> Row | None:
        for name in _identifiers(_as_row(record)):
            if keys := self._by_name.get(name):
                return self.rows[keys[0]]
        title = _RETITLED.get(record["title"], record["title"])
        of_title = (self.rows[key] for key in self._by_name.get(plain(title), ()))
        return next((row for row in of_title if _is_same(row, record)), None)


def add_gathered(
    known: list[Row], links: list[Row], gathered: Gathered, results: Iterable[Row]
) -> tuple[list[Row], list[Row], list[Row]]:
    """Return papers, papers about systems and papers on collections: those known so far, with all that was gathered."""
    results = list(results)
    papers = Bibliography(known)
    for record in gathered.papers:
        if record["relation"] == _IS:
            papers.name((record["paper"], record["paper_url"]), record)
    of_systems = _links(papers, links, gathered.of_systems, results)
    of_collections = _on_collections(papers, gathered.of_collections)
    pages = {
        (row.get("paper", ""), row["paper_url"])
        for row in results
        if row["source"] == _MODELS_FROM and row["paper_url"] and not any(_identifiers({"paper_url": row["paper_url"]}))
    }
    papers.call_pages(sorted(pages))
    for row in papers.rows.values():
        row["also"] = _further_addresses(row)
    return list(papers.rows.values()), of_systems, of_collections


def _links(papers: Bibliography, links: list[Row], records: list[Row], results: list[Row]) -> list[Row]:
    """Return the papers about systems: what is gathered on one comes before what its maker asks to be cited."""
    teams = {row["system"]: row.get("team", "") for row in results}
    own = {(row["system"], row.get("paper", ""), row.get("paper_url", "")) for row in results}
    about_systems = {
        (link["system"], link["team"], link["paper"], link["paper_url"], link["year"]): link for link in links
    }
    for record in records:
        key = _key_of(papers.place(record))
        if (record["system"], *key.values()) in own:
            continue
        about = {"system": record["system"], "team": teams[record["system"]], "year": "", **key}
        about_systems[about["system"], about["team"], about["paper"], about["paper_url"], ""] = about | {
            "relation": "uses" if _LATER.fullmatch(record["system"]) else _KINDS[record["kind"]],
            "source": _shortened(record["source"], record["kind_how"]),
        }
    return list(about_systems.values())


def _on_collections(papers: Bibliography, records: list[Row]) -> list[Row]:
    """Return the papers on collections; a paper that two records turn out to be of stands at its first place."""
    links: dict[tuple[str, ...], Row] = {}
    for record in records:
        key = _key_of(papers.place(record))
        row = {"collection": record["collection"], "place": record["nth"], "role": _ROLES[record["role"]], **key}
        links.setdefault((record["collection"], *key.values()), row | {"source": _shortened(record["source"])})
    return list(links.values())


def _key_of(row: Row) -> Row:
    return {"paper": row["paper"], "paper_url": row["paper_url"]}


def _as_row(record: Row) -> Row:
    """Return a gathered record in the columns of ``papers.csv``."""
    authors = record["authors"].split(" and ") if record["authors"] else []
    if record["authors_complete"] == "no":
        authors.append("et al.")
    return {
        **{name: record.get(name, "") for name in ("title", "venue", "year", "volume", "pages", "arxiv")},
        "authors": "; ".join(authors),
        "kind": _kind(record),
        "doi": record["doi"].lower(),
        "acl": record["acl_id"],
        "dblp": record["dblp_key"],
        "also": "",
        "source": _shortened(record.get("record_source") or record["source"]),
    }


def _kind(record: Row) -> str:
    """Return the kind of publication, as far as its identifiers and its venue tell."""
    venue, dblp = record["venue"], record["dblp_key"]
    if venue == "arXiv":
        return "misc"
    if dblp.startswith("journals/") or venue.startswith(_JOURNALS) or venue.startswith("Transactions of"):
        return "article"
    is_of_proceedings = dblp.startswith("conf/") or record["acl_id"] or re.match(r"Proceedings|Findings", venue)
    return "inproceedings" if is_of_proceedings or venue.startswith(_PROCEEDINGS) else ""


def _add(row: Row, news: Row) -> None:
    """Fill in what is not known of a paper. Full names take the place of a short form, publication that of a preprint;
    where else two sources differ, the row keeps the first and its source says the other."""
    is_short = row["source"] == SHORT_FORM
    differing = []
    is_published = row.get("venue") == "arXiv" and news["venue"] not in ("", "arXiv")
    for name, value in news.items():
        ours = row.get(name, "")
        if not value or name in ("also", "source") or ours == value:
            continue
        replaces = (is_short and name == "authors") or (is_published and name in ("venue", "year", "kind"))
        replaces |= name == "authors" and ours.endswith("et al.") and not value.endswith("et al.")
        if not ours or replaces:
            row[name] = value
        if ours and name in ("title", "year", "authors") and not is_short and _differ(name, ours, value):
            theirs = ours if replaces else value
            differing.append("other people" if name == "authors" else f"{name} {theirs}")
    whose = "as a preprint" if is_published else news["source"]
    remark = f"{whose}: {', '.join(differing)}" if differing else ""
    if is_short or not row["source"]:
        row["source"] = news["source"]
    elif remark and remark not in row["source"]:
        row["source"] = _shortened(row["source"], remark)


def _differ(name: str, ours: str, theirs: str) -> bool:
    if name == "authors":
        return len(ours.split("; ")) != len(theirs.split("; ")) or _surname(ours) != _surname(theirs)
    return plain(ours) != plain(theirs)


def _is_same(row: Row, record: Row) -> bool:
    """Say whether papers of one title are one: of one year or the next, and a name of the first author in common, or
    all surnames in another order."""
    if abs(int(row.get("year") or record["year"] or 0) - int(record["year"] or row.get("year") or 0)) > 1:
        return False
    ours, theirs = row.get("authors", "").split("; "), record["authors"].split(" and ")
    first, second = (
        {plain(name) for name in re.split(r"[\s.]+", people[0]) if len(name) > 1} for people in (ours, theirs)
    )
    return bool(first & second) or {*map(_surname, ours)} == {*map(_surname, theirs)}


def _identifiers(row: Row) -> Iterator[str]:
    """Yield what tells a paper wherever it is found: ``doi:10.1145/1``, ``arxiv:2004.08476``,
    ``acl:2020.acl-main.1``."""
    addresses = f"{row.get('paper_url', '')} {row.get('also', '').replace('|', ' ')}"
    dois = {row.get("doi", ""), *(match[1] for match in _DOI.finditer(addresses))}
    for doi in sorted(filter(None, dois)):
        kind, name = ("acl", doi.removeprefix(_ACL_DOI)) if doi.startswith(_ACL_DOI) else ("doi", doi)
        yield f"{kind}:{name.lower()}"
    yield from (f"arxiv:{name}" for name in sorted({row.get("arxiv", ""), *_ARXIV.findall(addresses)} - {""}))
    yield from (f"acl:{name.lower()}" for name in sorted({row.get("acl", ""), *_ACL.findall(addresses)} - {""}))


def _address(record: Row) -> tuple[str, str]:
    """Return how a paper that nothing here names is named: by an identifier, else in short."""
    for start, name in (
        ("https://arxiv.org/abs/", record["arxiv"]),
        ("https://doi.org/", record["doi"].lower()),
        ("https://aclanthology.org/", record["acl_id"]),
        ("https://dblp.org/rec/", record["dblp_key"]),
    ):
        if name:
            return "", f"{start}{name}"
    people = record["authors"].split(" and ")
    names = [person.split()[-1] for person in people[:2]]
    shown = f"{names[0]} et al." if len(people) > 2 else " and ".join(names)
    venue = re.sub(r" [0-9]{4}$", "", record["venue"])
    short = venue if len(venue) <= _LONGEST_SHORT_VENUE else ""
    return f"{shown} ({' '.join(filter(None, (short, record['year'])))})", ""


def _lettered(cite: str, letter: str) -> str:
    """Return a short form with a letter, as another paper has it without: ``Voorhees (TREC 2005b)``."""
    return f"{cite.removesuffix(')')}{letter})" if letter else cite


def _further_addresses(row: Row) -> str:
    """Return the addresses that lead to a paper beside its own: those that it had, and those of its identifiers."""
    starts = {"doi": "https://doi.org/", "arxiv": "https://arxiv.org/abs/", "acl": "https://aclanthology.org/"}
    own = set(_identifiers({"paper_url": row["paper_url"]}))
    addresses = row.get("also", "")
    for kind, start in starts.items():
        name = row.get(kind, "")
        if name and row.get("kind") != "software" and not own & set(_identifiers({kind: name})):
            addresses = _joined(addresses, f"{start}{name}")
    return addresses


def _joined(addresses: str, address: str) -> str:
    return "|".join(dict.fromkeys(filter(None, [*addresses.split("|"), address])))


def _shortened(*statements: str) -> str:
    """Return what sources say, one after the other, as far as a cell holds it."""
    parts = list(dict.fromkeys(part for statement in statements for part in statement.split("; ") if part))
    while len("; ".join(parts)) > _LONGEST_SOURCE and len(parts) > 1:
        parts.pop(1)
    return "; ".join(parts)[:_LONGEST_SOURCE]


def _surname(authors: str) -> str:
    return plain(authors.split("; ")[0].rpartition(" ")[2])


def plain(text: str) -> str:
    """Return the letters and digits of a title or name, by which spellings of it are compared."""
    return "".join(character for character in text.casefold() if character.isalnum())
