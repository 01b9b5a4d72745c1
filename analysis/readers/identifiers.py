"""Identifiers of papers, as people write them and addresses show them; and the slugs of papers and systems in ours.

A slug is made of what tells a paper or system from all others, and of nothing else. So it is the same on every site
and after every rebuild, whatever was loaded first. Where the letters of an address can't say all of a name, it ends in
a few letters of the name's digest.
"""

import base64
import hashlib
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, unquote, urlsplit

from analysis.readers.rejections import Refused
from analysis.readers.text import comparison_key, shorten

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


MAX_IDENTITY_LENGTH = 900
_DOI_IN_PATH = re.compile(r"/(10\.[0-9]{4,9}/[-._;()/:<>a-z0-9]+)", re.IGNORECASE)
#: What publishers hang behind the DOI in the addresses of their pages.
_DOI_TAIL = re.compile(r"(?:/(?:full|abstract|pdf|epdf|html|meta|summary)|\.pdf|\.html|/)+$", re.IGNORECASE)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")
_ACL_DOI = re.compile(r"10\.18653/v1/(.+)")
_ARXIV_PATH = re.compile(
    r"^/(?:abs|pdf|html)/((?:[a-z-]+(?:\.[a-z]{2})?/[0-9]{7})|(?:[0-9]{4}\.[0-9]{4,5}))(?:v[0-9]+)?(?:\.pdf)?/?$"
)
_ACL_PATH = re.compile(
    r"/([a-z][0-9]{2}-[0-9]{4}|[0-9]{4}\.[a-z0-9_]+-[a-z0-9_]+\.[0-9]+)(?:v[0-9]+)?(?:\.pdf|\.bib)?/?$"
)
#: Year and month in an arXiv id (2010.08191, cs/0309001); the year in one of the ACL (P19-1001, 2020.acl-main.1).
_ARXIV_DATE = re.compile(r"(?:^|/)([0-9]{2})([0-9]{2})(?:\.|[0-9]{3}$)")
_ACL_DATE = re.compile(r"[A-Za-z]([0-9]{2})-|([0-9]{4})\.")
_DBLP_PATH = re.compile(r"^/rec/(?:bibtex/|html/|xml/)?([a-z]+/[^/]+/[^/]+?)(?:\.html|\.xml|\.bib)?/?$", re.IGNORECASE)


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
    if match := _DOI_IN_PATH.search(path):
        return _of_doi(_DOI_TAIL.sub("", match[1]).lower(), cite, url)
    if host.endswith("arxiv.org") and (match := _ARXIV_PATH.match(path.lower())):
        return PaperFacts(f"arxiv:{match[1]}", cite, url, arxiv_id=match[1])
    if host.startswith(("aclanthology.", "aclweb.")) and (match := _ACL_PATH.search(path.lower())):
        return _of_acl(match[1], cite, url)
    if host.startswith("dblp.") and (match := _DBLP_PATH.match(path)):
        return PaperFacts(_bounded(f"dblp:{match[1].lower()}"), cite, url, dblp_key=match[1][:120])
    query = f"?{parts.query}" if parts.query else ""
    return PaperFacts(_bounded(f"url:{host}{path.rstrip('/')}{query} {comparison_key(cite)}".rstrip()), cite, url)


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


#: As long as it gets without its tail.
_LONGEST = 90
_TAIL = 5
#: A name that an address says in full.
_PLAIN = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
_NUMBER = re.compile(r"[0-9]+")
#: An identity that is an identifier, of which addresses keep all but the difference of its marks.
_IDENTIFIER = re.compile(r"(doi|arxiv|acl|dblp):([a-z0-9._/-]+)")


def slug_of_system(name_key: str, team_key: str) -> str:
    """Return what stands for the system of this name and team, both as names are compared.

    >>> slug_of_system("pircrb04t3", "queens"), slug_of_system("baai/bge-base-en-v1.5", "baai")
    ('pircrb04t3--queens', 'baai__bge-base-en-v1.5')
    """
    owner, has_owner, own = name_key.partition("/")
    if has_owner and owner == team_key and _is_plain(owner, own):
        return f"{owner}__{own}"
    if _is_plain(name_key, *filter(None, [team_key])) and not (_NUMBER.fullmatch(name_key) and not team_key):
        return "--".join(filter(None, [name_key, team_key]))
    shown = name_key if has_owner and owner == team_key else f"{name_key} {team_key}"
    return _with_tail(shown, f"{name_key}\n{team_key}")


def slug_of_paper(identity: str) -> str:
    """Return what stands for a paper of this identity (``paper_facts``): its identifier, else how it is cited, or
    where it is.

    >>> slug_of_paper("doi:10.1145/1571941.1572114"), slug_of_paper("arxiv:2104.08663")
    ('10.1145-1571941.1572114', 'arxiv-2104.08663')
    """
    kind, _, rest = identity.partition(":")
    if (match := _IDENTIFIER.fullmatch(identity)) and len(rest) <= _LONGEST:
        slug = match[2].replace("/", "-") if kind == "doi" else f"{kind}-{match[2].replace('/', '-')}"
        if _PLAIN.fullmatch(slug):
            return slug
    address, _, cite = rest.partition(" ")
    return _with_tail(rest if kind == "cite" else cite or address, identity)


def letters_of(text: str, longest: int = 100) -> str:
    """Return the text in the letters and digits of addresses, with hyphens between; blank where it has none."""
    words = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    plain = re.sub(r"[^a-z0-9]+", "-", words.replace("+", " plus "))
    return plain.strip("-")[:longest].strip("-")


def _is_plain(*texts: str) -> bool:
    return all(map(_PLAIN.fullmatch, texts)) and sum(map(len, texts)) <= _LONGEST


def _with_tail(shown: str, whole: str) -> str:
    digest = base64.b32encode(hashlib.sha256(whole.encode()).digest()).decode().lower()
    return "-".join(filter(None, [letters_of(shown, _LONGEST), digest[:_TAIL]]))
