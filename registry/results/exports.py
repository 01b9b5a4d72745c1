"""Papers in the format that people cite them with."""

import re

from registry.core.latex import bibtex_entry, latex
from registry.results.models import Paper

_YEAR_OF_CITE = re.compile(r"\b((?:19|20)[0-9]{2})\)$")


def paper_bibtex(paper: Paper) -> str:
    """The BibTeX entry of the paper as it was given; else one made of what is recorded, which says what is missing."""
    if paper.bibtex:
        return f"{paper.bibtex.strip()}\n"
    year = _YEAR_OF_CITE.search(paper.cite)
    entry = bibtex_entry(
        "misc",
        f"plumbline-paper-{paper.pk}",
        {
            "author": _authors(paper.authors),
            "title": f"{{{latex(paper.title or str(paper))}}}",
            "howpublished": latex(paper.venue),
            "year": str(paper.year or (year[1] if year else "")),
            "doi": paper.doi,
            "eprint": paper.arxiv_id,
            "archiveprefix": "arXiv" if paper.arxiv_id else "",
            "url": paper.url.replace("{", "%7B").replace("}", "%7D"),
        },
    )
    missing = " and ".join(name for name in ("title", "authors") if not getattr(paper, name))
    return f"% Not recorded at Plumbline: {missing}.\n{entry}" if missing else entry


def _authors(names: str) -> str:
    """Names that are divided by semicolons, as BibTeX divides them; what is no single name stays in one piece."""
    people = [name.strip() for name in names.split(";") if name.strip()]
    written = (f"{{{latex(name)}}}" if re.search(r",|\band\b", name) else latex(name) for name in people)
    return " and ".join("others" if name == "et al." else name for name in written)
