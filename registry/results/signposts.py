"""What machines read on the page of a paper: JSON-LD, Highwire tags, COinS."""

from typing import Any
from urllib.parse import urlencode

from registry.core.metadata import CONTEXT
from registry.results.models import Paper
from registry.results.people import ET_AL


def paper_linked_data(paper: Paper, site: str) -> dict[str, Any]:
    """The paper in the words of schema.org, without what is not known."""
    return {"@context": CONTEXT, **article(paper, site)}


def article(paper: Paper, site: str) -> dict[str, Any]:
    """The same as a part of what is said of something else."""
    said = {
        "@type": "ScholarlyArticle",
        "@id": site + paper.get_absolute_url(),
        "name": paper.title or str(paper),
        "author": [{"@type": "Person", "name": name} for name in _authors(paper)],
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
        *(("citation_author", name) for name in _authors(paper)),
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
        *(("rft.au", name) for name in _authors(paper)),
        ("rft_id", f"info:doi/{paper.doi}" if paper.doi else paper.address),
    ]
    return urlencode([(name, text) for name, text in said if text])


def _is_preprint(paper: Paper) -> bool:
    """Tell whether it is known from arXiv alone: no journal and no conference is to be named."""
    return bool(paper.arxiv_id) and (paper.imprint.get("booktitle") or paper.venue).casefold() in {"", "arxiv", "corr"}


def _authors(paper: Paper) -> list[str]:
    return [name for name in paper.people if name != ET_AL]
