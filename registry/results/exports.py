"""Papers in the formats of citations, and as machines read them on their pages: JSON-LD, Highwire, COinS."""

import re
from typing import Any
from urllib.parse import urlencode

from registry.core.latex import bibtex_entry, latex
from registry.core.metadata import CONTEXT
from registry.results.models import Paper, Result
from registry.results.models.papers import ET_AL, Name, is_page, read_name

_YEAR_OF_CITE = re.compile(r"\b((?:19|20)[0-9]{2})\)$")

_CARD = re.compile(r"https://huggingface\.co/([\w.-]+)/[\w.-]+/?$")
_KEY = re.compile(r"^(\s*@\w+\s*[{(]\s*)[^,\s]*\s*,", re.MULTILINE)

#: Types of entries: BibTeX's as those of CSL, and those of CSL as those of RIS.
_CSL_TYPES = {
    "article": "article-journal", "inproceedings": "paper-conference", "software": "software", "page": "webpage",
}  # fmt: skip
_RIS_TYPES = {
    "article-journal": "JOUR", "paper-conference": "CONF", "software": "COMP", "webpage": "ELEC", "dataset": "DATA",
}  # fmt: skip
_CSL_OF_IMPRINT = {"series": "collection-title", "publisher": "publisher"}


def paper_bibtex(paper: Paper) -> str:
    """Return the BibTeX entry of the paper as given; else one made from the record, which says what is missing."""
    if paper.bibtex:
        return f"{paper.bibtex.strip()}\n"
    kind, where = _bibtex_kind(paper)
    entry = bibtex_entry(
        kind,
        paper_key(paper.slug),
        {
            "author": _authors(paper.people) or " and ".join(f"{{{latex(name)}}}" for name in _makers(paper)),
            "title": f"{{{latex(paper.title or str(paper))}}}",
            where: latex(paper.published_in),
            **_printed(paper, kind),
            "year": str(_year(paper) or ""),
            "month": str(paper.month or ""),
            "doi": paper.doi,
            "eprint": paper.arxiv_id,
            "archiveprefix": "arXiv" if paper.arxiv_id else "",
            "url": paper.url.replace("{", "%7B").replace("}", "%7D"),
        },
    )
    known = {"title": paper.title, "authors": paper.authors or _makers(paper)}
    missing = " and ".join(name for name, value in known.items() if not value)
    return f"% Not recorded at Plumbline: {missing}.\n{entry}" if missing else entry


def _makers(paper: Paper) -> list[str]:
    """Return the maker of the model on a card or page without authors: by its address, else by what its models say."""
    if card := _CARD.match(paper.url):
        return [] if paper.people else [card[1]]
    if paper.people or paper.kind != Paper.Kind.PAGE:
        return []
    named = Result.objects.standing().filter(paper=paper).exclude(system__model__maker="")
    makers = list(named.values_list("system__model__maker", flat=True).distinct()[:2])
    return makers if len(makers) == 1 and makers[0] else []


def _printed(paper: Paper, kind: str) -> dict[str, str]:
    """Return series, volume, pages and publisher, as far as an entry of this kind has fields for them."""
    if kind == "misc":
        return {}
    whose = ("series",) if kind == "article" else ("series", "publisher")
    return {
        **{name: latex(paper.imprint.get(name, "")) for name in whose},
        "number" if _is_number_in_series(paper) else "volume": latex(paper.imprint.get("volume", "")),
        "pages": latex(_pages(paper)).replace("-", "--"),
    }


def paper_key(slug: str) -> str:
    """Return the key of a paper in a bibliography: the same in every file."""
    return f"plumbline-{slug}"


def keyed_bibtex(paper: Paper) -> str:
    """Return the BibTeX entry under the key of the registry, which no two papers share."""
    return _KEY.sub(rf"\g<1>{paper_key(paper.slug)},", paper_bibtex(paper), count=1)


def _bibtex_kind(paper: Paper) -> tuple[str, str]:
    """Return the kind of entry and its field for the place of publication; without a place it can only be ``misc``."""
    if paper.kind == Paper.Kind.INPROCEEDINGS and paper.published_in:
        return "inproceedings", "booktitle"
    if paper.kind == Paper.Kind.ARTICLE and paper.venue:
        return "article", "journal"
    return "misc", "howpublished"


def _year(paper: Paper) -> int | None:
    cited = _YEAR_OF_CITE.search(paper.cite)
    return paper.year or (int(cited[1]) if cited else None)


def _pages(paper: Paper) -> str:
    """Return the range of pages with one hyphen, however it was given."""
    return re.sub(r"\s*[-–]+\s*", "-", paper.imprint.get("pages", ""))


def _is_number_in_series(paper: Paper) -> bool:
    """Return whether its volume is really the number of a report in a series, such as 500-250."""
    return bool(paper.imprint.get("series")) and not paper.imprint.get("volume", "").isdecimal()


def _authors(names: list[str]) -> str:
    """Return names as BibTeX divides them; what is no single name stays in one piece."""
    written = (f"{{{latex(name)}}}" if re.search(r",|\band\b", name) else latex(name) for name in names)
    return " and ".join("others" if name == ET_AL else text for name, text in zip(names, written, strict=True))


def paper_csl(paper: Paper) -> list[dict[str, Any]]:
    """Return the paper as CSL-JSON, the format of reference managers: a list of one item, without what is not known."""
    year = _year(paper)
    date_parts = [part for part in (year, paper.month) if part]
    unknown = "webpage" if not paper.title and not paper.people and is_page(paper.url) else "article"
    item: dict[str, Any] = {
        "id": paper_key(paper.slug),
        "type": _CSL_TYPES.get(paper.kind, unknown),
        "title": paper.title or str(paper),
        "author": [_csl_name(read_name(name)) for name in paper.people if name != ET_AL]
        or [{"literal": name} for name in _makers(paper)],
        "issued": {"date-parts": [date_parts]} if year else None,
        "container-title": paper.published_in,
        "collection-number" if _is_number_in_series(paper) else "volume": paper.imprint.get("volume"),
        "page": _pages(paper),
        "DOI": paper.doi,
        "URL": paper.url,
        "note": "; ".join(_csl_notes(paper)),
        **{name: paper.imprint.get(ours) for ours, name in _CSL_OF_IMPRINT.items()},
    }
    return [{name: value for name, value in item.items() if value}]


def ris_of(item: dict[str, Any]) -> str:
    """Return an item of CSL-JSON as RIS, which reference managers read: one field a line, without blank ones."""
    first, _, last = item.get("page", "").partition("-")
    (days,) = (item.get("issued") or {"date-parts": [[""]]})["date-parts"]
    fields = [
        ("TY", _RIS_TYPES.get(item["type"], "GEN")),
        ("ID", item["id"]),
        *(("AU", _in_order(name)) for name in item.get("author", ())),
        ("TI", item["title"]),
        ("T2", item.get("container-title")),
        ("T3", item.get("collection-title")),
        ("VL", item.get("volume")),
        ("IS", item.get("collection-number")),
        ("SP", first),
        ("EP", last),
        ("PB", item.get("publisher")),
        ("PY", str(days[0])),
        ("DA", "/".join(f"{part:02}" for part in days) if len(days) > 2 else ""),
        ("ET", item.get("version")),
        ("DO", item.get("DOI")),
        ("UR", item.get("URL")),
        ("N1", item.get("note")),
    ]
    lines = [f"{tag}  - {' '.join(value.split())}" for tag, value in fields if value]
    return "\r\n".join([*lines, "ER  - ", ""])


def _in_order(name: dict[str, str]) -> str:
    """Return a name of CSL-JSON as family, given, suffix; an undivided name as it is."""
    family = " ".join(filter(None, (name.get("non-dropping-particle"), name.get("family"))))
    return name.get("literal") or ", ".join(filter(None, (family, name.get("given"), name.get("suffix"))))


def _csl_name(name: Name) -> dict[str, str]:
    if name.is_literal:
        return {"literal": name.family}
    parts = {"family": name.family, "given": name.given, "non-dropping-particle": name.particle, "suffix": name.suffix}
    return {part: text for part, text in parts.items() if text}


def _csl_notes(paper: Paper) -> list[str]:
    """Return notes on what the format has no field for."""
    notes = [f"arXiv:{paper.arxiv_id}"] if paper.arxiv_id else []
    notes += [f"DBLP:{paper.dblp_key}"] if paper.dblp_key else []
    if ET_AL in paper.people:
        notes.append("not all authors are recorded")
    return notes


def paper_linked_data(paper: Paper, site: str) -> dict[str, Any]:
    """Return the paper in the words of schema.org, without what is not known."""
    return {"@context": CONTEXT, **article(paper, site)}


def article(paper: Paper, site: str) -> dict[str, Any]:
    """Return the same as a part of the description of something else."""
    facts = {
        "@type": "ScholarlyArticle",
        "@id": site + paper.get_absolute_url(),
        "name": paper.title or str(paper),
        "author": [{"@type": "Person", "name": name} for name in _named_authors(paper)],
        "datePublished": str(paper.year or ""),
        "sameAs": f"https://doi.org/{paper.doi}" if paper.doi else paper.address,
    }
    return {name: value for name, value in facts.items() if value}


def highwire(paper: Paper) -> list[tuple[str, str]]:
    """Return names and texts of the tags that search engines for papers read; none if its title is not known."""
    if not paper.title:
        return []
    where = "citation_journal_title" if paper.kind == Paper.Kind.ARTICLE else "citation_conference_title"
    published = "" if _is_preprint(paper) else paper.published_in
    first, _, last = paper.imprint.get("pages", "").replace("–", "-").partition("-")
    tags = [
        ("citation_title", paper.title),
        *(("citation_author", name) for name in _named_authors(paper)),
        ("citation_publication_date", str(paper.year or "")),
        (where, published),
        ("citation_firstpage", first.strip()),
        ("citation_lastpage", last.strip(" -")),
        ("citation_doi", paper.doi),
        ("citation_arxiv_id", paper.arxiv_id),
    ]
    return [(name, text) for name, text in tags if text]


def coins(paper: Paper) -> str:
    """Return the paper as an OpenURL, which reference managers find in the page; blank if its title is not known."""
    if not paper.title:
        return ""
    is_article = paper.kind == Paper.Kind.ARTICLE
    fields = [
        ("ctx_ver", "Z39.88-2004"),
        ("rft_val_fmt", "info:ofi/fmt:kev:mtx:journal"),
        ("rft.genre", "preprint" if _is_preprint(paper) else "article" if is_article else "proceeding"),
        ("rft.atitle", paper.title),
        ("rft.jtitle", "" if _is_preprint(paper) else paper.published_in),
        ("rft.date", str(paper.year or "")),
        *(("rft.au", name) for name in _named_authors(paper)),
        ("rft_id", f"info:doi/{paper.doi}" if paper.doi else paper.address),
    ]
    return urlencode([(name, text) for name, text in fields if text])


def _is_preprint(paper: Paper) -> bool:
    """Return whether it is known from arXiv alone, so that no journal or conference is named."""
    return bool(paper.arxiv_id) and paper.published_in.casefold() in {"", "arxiv", "corr"}


def _named_authors(paper: Paper) -> list[str]:
    return [name for name in paper.people if name != ET_AL]
