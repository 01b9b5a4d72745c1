"""What tells one paper from another: its identifier where its address shows one, else address and citation."""

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from analysis.readers.text import comparison_key

MAX_IDENTITY_LENGTH = 900
_DOI = re.compile(r"/(10\.[0-9]{4,9}/[-._;()/:<>a-z0-9]+)", re.IGNORECASE)
#: What publishers hang behind the DOI in the addresses of their pages.
_DOI_TAIL = re.compile(r"(?:/(?:full|abstract|pdf|epdf|html|meta|summary)|\.pdf|\.html|/)+$", re.IGNORECASE)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")
_ACL_DOI = re.compile(r"10\.18653/v1/(.+)")
_ARXIV = re.compile(
    r"^/(?:abs|pdf|html)/((?:[a-z-]+(?:\.[a-z]{2})?/[0-9]{7})|(?:[0-9]{4}\.[0-9]{4,5}))(?:v[0-9]+)?(?:\.pdf)?/?$"
)
_ACL = re.compile(r"/([a-z][0-9]{2}-[0-9]{4}|[0-9]{4}\.[a-z0-9_]+-[a-z0-9_]+\.[0-9]+)(?:v[0-9]+)?(?:\.pdf|\.bib)?/?$")
#: Year and month in an arXiv id (2010.08191, cs/0309001); the year in one of the ACL (P19-1001, 2020.acl-main.1).
_ARXIV_DATE = re.compile(r"(?:^|/)([0-9]{2})([0-9]{2})(?:\.|[0-9]{3}$)")
_ACL_DATE = re.compile(r"[A-Za-z]([0-9]{2})-|([0-9]{4})\.")
_DBLP = re.compile(r"^/rec/(?:bibtex/|html/|xml/)?([a-z]+/[^/]+/[^/]+?)(?:\.html|\.xml|\.bib)?/?$", re.IGNORECASE)


@dataclass(frozen=True)
class PaperFacts:
    """A paper as a row of a file names it, with the identifiers that its address shows."""

    identity: str
    cite: str = ""
    url: str = ""
    doi: str = ""
    arxiv_id: str = ""
    acl_id: str = ""
    dblp_key: str = ""

    @property
    def published(self) -> tuple[int | None, int | None]:
        """Return the year and the month that the identifiers say themselves; None for what they don't.

        >>> paper_facts("", "https://arxiv.org/abs/1904.09171").published
        (2019, 4)
        >>> paper_facts("", "https://aclanthology.org/P19-1001").published
        (2019, None)
        """
        if match := _ARXIV_DATE.search(self.arxiv_id):
            year, month = _in_full(match[1]), int(match[2])
            return (year, month) if month in range(1, 13) else (None, None)
        if match := _ACL_DATE.match(self.acl_id):
            return (_in_full(match[1]) if match[1] else int(match[2])), None
        return None, None


def _in_full(year: str) -> int:
    """Return a year of two digits: the Anthology begins in the sixties, arXiv in 1991."""
    return int(year) + (1900 if int(year) >= 60 else 2000)


@lru_cache(maxsize=4096)
def paper_facts(cite: str, url: str) -> PaperFacts | None:
    """Return the paper of a cleaned citation and a cleaned address; None where both are blank."""
    if not cite and not url:
        return None
    if not url:
        return PaperFacts(_bounded(f"cite:{comparison_key(cite)}"), cite)
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    path = unquote(parts.path)
    if doi := _doi_of(path):
        return _of_doi(doi, cite, url)
    if host.endswith("arxiv.org") and (match := _ARXIV.match(path.lower())):
        return PaperFacts(f"arxiv:{match[1]}", cite, url, arxiv_id=match[1])
    if host.startswith(("aclanthology.", "aclweb.")) and (match := _ACL.search(path.lower())):
        return _of_acl(match[1], cite, url)
    if host.startswith("dblp.") and (match := _DBLP.match(path)):
        return PaperFacts(_bounded(f"dblp:{match[1].lower()}"), cite, url, dblp_key=match[1][:120])
    query = f"?{parts.query}" if parts.query else ""
    return PaperFacts(_bounded(f"url:{host}{path.rstrip('/')}{query} {comparison_key(cite)}".rstrip()), cite, url)


def _doi_of(path: str) -> str:
    match = _DOI.search(path)
    return _DOI_TAIL.sub("", match[1]).lower() if match else ""


def _of_doi(doi: str, cite: str, url: str) -> PaperFacts:
    """Return the paper of a DOI, which has the identity of an arXiv or ACL id where the DOI stands for one."""
    if match := _ARXIV_DOI.fullmatch(doi):
        arxiv_id = re.sub(r"v[0-9]+$", "", match[1])
        return PaperFacts(_bounded(f"arxiv:{arxiv_id}"), cite, url, doi=doi[:200], arxiv_id=arxiv_id[:40])
    if match := _ACL_DOI.fullmatch(doi):
        return _of_acl(match[1], cite, url, doi)
    return PaperFacts(_bounded(f"doi:{doi}"), cite, url, doi=doi[:200])


def _of_acl(acl_id: str, cite: str, url: str, doi: str = "") -> PaperFacts:
    printed = acl_id.upper() if acl_id[0].isalpha() else acl_id
    return PaperFacts(_bounded(f"acl:{acl_id}"), cite, url, doi=doi[:200], acl_id=printed[:60])


def _bounded(identity: str) -> str:
    if len(identity) <= MAX_IDENTITY_LENGTH:
        return identity
    return f"{identity.partition(':')[0]}:sha256:{hashlib.sha256(identity.encode()).hexdigest()}"
