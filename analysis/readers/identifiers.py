"""Identifiers of papers as people write them, and the addresses that they have on the web."""

import re
from urllib.parse import quote

from analysis.readers.rejections import Refused
from analysis.readers.text import shorten

_DOI = re.compile(r"10\.[0-9]{4,9}/[-._;()/:<>A-Za-z0-9]+")
_DOI_PREFIX = re.compile(r"(?:doi\s*:\s*|(?:https?://)?(?:dx\.)?doi\.org/)", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:arxiv\s*:\s*)?(?P<id>[a-z-]+(?:\.[A-Za-z]{2})?/[0-9]{7}|[0-9]{4}\.[0-9]{4,5})(?:v[0-9]+)?(?:\s*\[[\w.-]+\])?",
    re.IGNORECASE,
)
_ACL = re.compile(r"[A-Z][0-9]{2}-[0-9]{4}|[0-9]{4}\.[A-Za-z0-9_]+-[A-Za-z0-9_]+\.[0-9]+", re.IGNORECASE)
_DBLP = re.compile(r"(?:dblp\s*:\s*)?(?P<key>[a-z]+/[A-Za-z0-9_+.-]+/[A-Za-z0-9_+.:-]+)", re.IGNORECASE)
_DBLP_KINDS = frozenset({"conf", "journals", "books", "series", "phd", "reference", "tr", "homepages", "persons"})


def identifier_address(text: str) -> str:
    """Return the address that the identifier has on the web; addresses stay what they are."""
    text = text.rstrip(".,;")
    if not text:
        raise Refused("blank", "is blank; give a DOI, an arXiv, ACL Anthology or DBLP id, or an address with one")
    doi = _DOI_PREFIX.sub("", text, count=1)
    if doi.startswith("10."):
        return doi_address(doi)
    if "://" in text:
        return text
    if match := _ARXIV.fullmatch(text):
        return f"https://arxiv.org/abs/{match['id'].lower()}"
    if _ACL.fullmatch(text):
        return f"https://aclanthology.org/{text}"
    if address := dblp_address(text):
        return address
    message = f"{shorten(text)!r} is no DOI, arXiv, ACL Anthology or DBLP id; write it as 10.1145/2766462.2767812"
    raise Refused("identifier", message)


def doi_address(doi: str) -> str:
    """Return the address of a DOI; refused where the text is no DOI."""
    doi = _DOI_PREFIX.sub("", doi.strip(), count=1)
    if not _DOI.fullmatch(doi):
        raise Refused("doi", f"{shorten(doi)!r} is not a DOI; write it as 10.1145/2766462.2767812")
    return f"https://doi.org/{quote(doi, safe='/;():')}"


def arxiv_address(text: str) -> str:
    """Return the address of an arXiv id; refused where the text is no such id."""
    match = _ARXIV.fullmatch(text.strip())
    if match is None:
        raise Refused("arxiv", f"{shorten(text)!r} is not an arXiv id; write it as 1904.09171")
    return f"https://arxiv.org/abs/{match['id'].lower()}"


def dblp_address(text: str) -> str:
    """Return the address of a DBLP key; blank where the text is no such key."""
    match = _DBLP.fullmatch(text.strip())
    is_known = match is not None and match["key"].partition("/")[0].lower() in _DBLP_KINDS
    return f"https://dblp.org/rec/{match['key']}" if match and is_known else ""
