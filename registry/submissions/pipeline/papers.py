"""A paper on its way into the registry, and the identifiers that tell which one it is."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from registry.core.rejections import Refused, Rejection
from registry.core.text import clean_url, shorten
from registry.results.pipeline.papers import PaperFacts, paper_facts

_DOI = re.compile(r"10\.[0-9]{4,9}/[-._;()/:<>A-Za-z0-9]+")
_DOI_PREFIX = re.compile(r"(?:doi\s*:\s*|(?:https?://)?(?:dx\.)?doi\.org/)", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:arxiv\s*:\s*)?(?P<id>[a-z-]+(?:\.[A-Za-z]{2})?/[0-9]{7}|[0-9]{4}\.[0-9]{4,5})(?:v[0-9]+)?(?:\s*\[[\w.-]+\])?",
    re.IGNORECASE,
)
_ACL = re.compile(r"[A-Z][0-9]{2}-[0-9]{4}|[0-9]{4}\.[A-Za-z0-9_]+-[A-Za-z0-9_]+\.[0-9]+", re.IGNORECASE)
_DBLP = re.compile(r"(?:dblp\s*:\s*)?(?P<key>[a-z]+/[A-Za-z0-9_+.-]+/[A-Za-z0-9_+.:-]+)", re.IGNORECASE)
_DBLP_KINDS = frozenset({"conf", "journals", "books", "series", "phd", "reference", "tr", "homepages", "persons"})
#: Which identifier names the paper where it has several: the one of what was published, before those of preprints.
_STRENGTH = ("doi", "acl", "arxiv", "dblp", "url", "cite")


@dataclass(frozen=True, slots=True)
class PaperDraft:
    """A paper as somebody handed it in; what is not known is blank or None.

    ``url`` is the address of the identifier that names the paper; ``identity`` tells it from other papers.
    """

    identity: str
    cite: str = ""
    title: str = ""
    authors: str = ""
    venue: str = ""
    year: int | None = None
    url: str = ""
    doi: str = ""
    arxiv_id: str = ""
    acl_id: str = ""
    dblp_key: str = ""
    bibtex: str = ""

    def cells(self) -> dict[str, str]:
        """What rows of results say of their paper."""
        return {"paper": self.cite, "paper_url": self.url, "year": "" if self.year is None else str(self.year)}

    def description(self) -> dict[str, str]:
        """What is known of the paper beyond that, by field of a paper; blank where nothing is."""
        names = ("title", "authors", "venue", "doi", "arxiv_id", "acl_id", "dblp_key", "bibtex")
        known = {name: getattr(self, name) for name in names if getattr(self, name)}
        # Identifiers alone are in the address already.
        return known if known.keys() & {"title", "authors", "venue", "bibtex"} else {}


def read_identifier(text: str) -> PaperDraft | list[Rejection]:
    """The paper of a DOI, an arXiv, ACL Anthology or DBLP id, or of an address that shows one of them.

    >>> read_identifier("doi:10.1145/2766462.2767812").doi, read_identifier("arXiv:1904.09171v2").arxiv_id
    ('10.1145/2766462.2767812', '1904.09171')
    """
    try:
        facts = _facts_of(_address_of(" ".join(text.split())))
    except Refused as refused:
        return [Rejection(refused.code, refused.message, 1, "paper")]
    return _as_draft([facts])


def draft_of_addresses(addresses: Iterable[str], cite: str) -> PaperDraft | None:
    """The paper that these addresses and this citation are of, with every identifier they show."""
    found = [facts for address in addresses if (facts := paper_facts("", address))]
    if cited := paper_facts(cite, ""):
        found.append(cited)
    return _as_draft(found) if found else None


def _as_draft(found: list[PaperFacts]) -> PaperDraft:
    best = min(found, key=lambda facts: _STRENGTH.index(facts.identity.partition(":")[0]))
    ids = {
        name: next((value for facts in found if (value := getattr(facts, name))), "")
        for name in ("doi", "arxiv_id", "acl_id", "dblp_key")
    }
    return PaperDraft(best.identity, url=best.url, **ids)


def _facts_of(address: str) -> PaperFacts:
    facts = paper_facts("", clean_url(address))
    if facts is None or facts.identity.startswith("url:"):
        message = f"{shorten(address)!r} shows no DOI, arXiv, ACL Anthology or DBLP id; give one, or paste the BibTeX"
        raise Refused("identifier", message)
    return facts


def _address_of(text: str) -> str:
    """The address that the identifier has on the web; addresses stay what they are."""
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
    if (match := _DBLP.fullmatch(text)) and match["key"].partition("/")[0].lower() in _DBLP_KINDS:
        return f"https://dblp.org/rec/{match['key']}"
    message = f"{shorten(text)!r} is no DOI, arXiv, ACL Anthology or DBLP id; write it as 10.1145/2766462.2767812"
    raise Refused("identifier", message)


def doi_address(doi: str) -> str:
    """The address of a DOI; refused where the text is not one."""
    doi = _DOI_PREFIX.sub("", doi.strip(), count=1)
    if not _DOI.fullmatch(doi):
        raise Refused("doi", f"{shorten(doi)!r} is not a DOI; write it as 10.1145/2766462.2767812")
    return f"https://doi.org/{quote(doi, safe='/;():')}"


def arxiv_address(text: str) -> str:
    """The address of an arXiv id; refused where the text is not one."""
    match = _ARXIV.fullmatch(text.strip())
    if match is None:
        raise Refused("arxiv", f"{shorten(text)!r} is not an arXiv id; write it as 1904.09171")
    return f"https://arxiv.org/abs/{match['id'].lower()}"


def dblp_address(text: str) -> str:
    """The address of a DBLP key; blank where the text is not one."""
    match = _DBLP.fullmatch(text.strip())
    is_known = match is not None and match["key"].partition("/")[0].lower() in _DBLP_KINDS
    return f"https://dblp.org/rec/{match['key']}" if match and is_known else ""
