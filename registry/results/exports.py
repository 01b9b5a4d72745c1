"""Papers in the formats that people cite them with, and what machines read on their pages: JSON-LD, Highwire, COinS."""

import re
from typing import Any
from urllib.parse import urlencode

from registry.core.latex import bibtex_entry, latex
from registry.core.metadata import CONTEXT
from registry.results.models import Paper, Result
from registry.results.models.papers import is_page
from registry.results.people import ET_AL, Name, read_name

_YEAR_OF_CITE = re.compile(r"\b((?:19|20)[0-9]{2})\)$")

_CARD = re.compile(r"https://huggingface\.co/([\w.-]+)/[\w.-]+/?$")
_KEY = re.compile(r"^(\s*@\w+\s*[{(]\s*)[^,\s]*\s*,", re.MULTILINE)

#: BibTeX's words -> those of CSL -> those of RIS.
_CSL_TYPES = {
    "article": "article-journal", "inproceedings": "paper-conference", "software": "software", "page": "webpage",
}  # fmt: skip
_RIS_TYPES = {
    "article-journal": "JOUR", "paper-conference": "CONF", "software": "COMP", "webpage": "ELEC", "dataset": "DATA",
}  # fmt: skip
_CSL_OF_IMPRINT = {"series": "collection-title", "publisher": "publisher"}


def paper_bibtex(paper: Paper) -> str:
    """The BibTeX entry of the paper as it was given; else one made of what is recorded, which says what is missing."""
    if paper.bibtex:
        return f"{paper.bibtex.strip()}\n"
    kind, where = _bibtex_kind(paper)
    entry = bibtex_entry(
        kind,
        paper_key(paper.slug),
        {
            "author": _authors(paper.people) or " and ".join(f"{{{latex(name)}}}" for name in _makers(paper)),
            "title": f"{{{latex(paper.title or str(paper))}}}",
            where: latex(paper.imprint.get("booktitle") or paper.venue),
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
    missing = " and ".join(name for name, found in known.items() if not found)
    return f"% Not recorded at Plumbline: {missing}.\n{entry}" if missing else entry


def _makers(paper: Paper) -> list[str]:
    """Return who made the model of a card or page that names nobody: by its address, else as its models all say."""
    if card := _CARD.match(paper.url):
        return [] if paper.people else [card[1]]
    if paper.people or paper.kind != Paper.Kind.PAGE:
        return []
    named = Result.objects.standing().filter(paper=paper).exclude(system__model__maker="")
    makers = list(named.values_list("system__model__maker", flat=True).distinct()[:2])
    return makers if len(makers) == 1 and makers[0] else []


def _printed(paper: Paper, kind: str) -> dict[str, str]:
    """Return where in what it was printed, as far as an entry of this kind takes it."""
    if kind == "misc":
        return {}
    whose = ("series",) if kind == "article" else ("series", "publisher")
    return {
        **{name: latex(paper.imprint.get(name, "")) for name in whose},
        "number" if _is_number_in_series(paper) else "volume": latex(paper.imprint.get("volume", "")),
        "pages": latex(_pages(paper)).replace("-", "--"),
    }


def paper_key(slug: str) -> str:
    """Return what the entry of a paper is called where several stand together: the same wherever it is taken from."""
    return f"plumbline-{slug}"


def keyed_bibtex(paper: Paper) -> str:
    """The same entry under the key of the registry, which no two papers share."""
    return _KEY.sub(rf"\g<1>{paper_key(paper.slug)},", paper_bibtex(paper), count=1)


def _bibtex_kind(paper: Paper) -> tuple[str, str]:
    """The kind of entry, and what it calls the place of publication; without one BibTeX takes ``misc`` alone."""
    if paper.kind == Paper.Kind.INPROCEEDINGS and (paper.imprint.get("booktitle") or paper.venue):
        return "inproceedings", "booktitle"
    if paper.kind == Paper.Kind.ARTICLE and paper.venue:
        return "article", "journal"
    return "misc", "howpublished"


def _year(paper: Paper) -> int | None:
    cited = _YEAR_OF_CITE.search(paper.cite)
    return paper.year or (int(cited[1]) if cited else None)


def _pages(paper: Paper) -> str:
    """A range with one hyphen, however it was given."""
    return re.sub(r"\s*[-–]+\s*", "-", paper.imprint.get("pages", ""))


def _is_number_in_series(paper: Paper) -> bool:
    """Return whether what stands as its volume is the number of a report in a series, as 500-250, and no volume."""
    return bool(paper.imprint.get("series")) and not paper.imprint.get("volume", "").isdecimal()


def _authors(names: list[str]) -> str:
    """Names as BibTeX divides them; what is no single name stays in one piece."""
    written = (f"{{{latex(name)}}}" if re.search(r",|\band\b", name) else latex(name) for name in names)
    return " and ".join("others" if name == ET_AL else text for name, text in zip(names, written, strict=True))


def paper_csl(paper: Paper) -> list[dict[str, Any]]:
    """The paper as CSL-JSON, the format of reference managers: a list of one item, without what is not known."""
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
        "container-title": paper.imprint.get("booktitle") or paper.venue,
        "collection-number" if _is_number_in_series(paper) else "volume": paper.imprint.get("volume"),
        "page": _pages(paper),
        "DOI": paper.doi,
        "URL": paper.url,
        "note": "; ".join(_csl_notes(paper)),
        **{name: paper.imprint.get(ours) for ours, name in _CSL_OF_IMPRINT.items()},
    }
    return [{name: value for name, value in item.items() if value}]


def ris_of(item: dict[str, Any]) -> str:
    """An item of CSL-JSON as RIS, which reference managers read: a line a field, those that are blank left out."""
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
    """A name of CSL-JSON as family, given, suffix; one in one piece as it is."""
    family = " ".join(filter(None, (name.get("non-dropping-particle"), name.get("family"))))
    return name.get("literal") or ", ".join(filter(None, (family, name.get("given"), name.get("suffix"))))


def _csl_name(name: Name) -> dict[str, str]:
    if name.is_literal:
        return {"literal": name.family}
    parts = {"family": name.family, "given": name.given, "non-dropping-particle": name.particle, "suffix": name.suffix}
    return {part: text for part, text in parts.items() if text}


def _csl_notes(paper: Paper) -> list[str]:
    """Return what the format has no field for."""
    notes = [f"arXiv:{paper.arxiv_id}"] if paper.arxiv_id else []
    notes += [f"DBLP:{paper.dblp_key}"] if paper.dblp_key else []
    if ET_AL in paper.people:
        notes.append("not all authors are recorded")
    return notes


def paper_linked_data(paper: Paper, site: str) -> dict[str, Any]:
    """The paper in the words of schema.org, without what is not known."""
    return {"@context": CONTEXT, **article(paper, site)}


def article(paper: Paper, site: str) -> dict[str, Any]:
    """The same as a part of what is said of something else."""
    said = {
        "@type": "ScholarlyArticle",
        "@id": site + paper.get_absolute_url(),
        "name": paper.title or str(paper),
        "author": [{"@type": "Person", "name": name} for name in _named_authors(paper)],
        "datePublished": str(paper.year or ""),
        "sameAs": f"https://doi.org/{paper.doi}" if paper.doi else paper.address,
    }
    return {name: value for name, value in said.items() if value}


def highwire(paper: Paper) -> list[tuple[str, str]]:
    """Names and texts of the tags by which search engines for papers know it; none where its title is not known."""
    if not paper.title:
        return []
    where = "citation_journal_title" if paper.kind == Paper.Kind.ARTICLE else "citation_conference_title"
    published = "" if _is_preprint(paper) else paper.imprint.get("booktitle") or paper.venue
    first, _, last = paper.imprint.get("pages", "").replace("–", "-").partition("-")
    said = [
        ("citation_title", paper.title),
        *(("citation_author", name) for name in _named_authors(paper)),
        ("citation_publication_date", str(paper.year or "")),
        (where, published),
        ("citation_firstpage", first.strip()),
        ("citation_lastpage", last.strip(" -")),
        ("citation_doi", paper.doi),
        ("citation_arxiv_id", paper.arxiv_id),
    ]
    return [(name, text) for name, text in said if text]


def coins(paper: Paper) -> str:
    """The paper as an OpenURL, which reference managers find in the page; blank where its title is not known."""
    if not paper.title:
        return ""
    is_article = paper.kind == Paper.Kind.ARTICLE
    said = [
        ("ctx_ver", "Z39.88-2004"),
        ("rft_val_fmt", "info:ofi/fmt:kev:mtx:journal"),
        ("rft.genre", "preprint" if _is_preprint(paper) else "article" if is_article else "proceeding"),
        ("rft.atitle", paper.title),
        ("rft.jtitle", "" if _is_preprint(paper) else paper.imprint.get("booktitle") or paper.venue),
        ("rft.date", str(paper.year or "")),
        *(("rft.au", name) for name in _named_authors(paper)),
        ("rft_id", f"info:doi/{paper.doi}" if paper.doi else paper.address),
    ]
    return urlencode([(name, text) for name, text in said if text])


def _is_preprint(paper: Paper) -> bool:
    """Tell whether it is known from arXiv alone: no journal and no conference is to be named."""
    return bool(paper.arxiv_id) and (paper.imprint.get("booktitle") or paper.venue).casefold() in {"", "arxiv", "corr"}


def _named_authors(paper: Paper) -> list[str]:
    return [name for name in paper.people if name != ET_AL]
