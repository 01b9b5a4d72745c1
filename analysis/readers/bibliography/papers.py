"""A paper on its way into the registry, told by its identifiers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from analysis.readers.identifiers import identifier_address
from analysis.readers.paper_facts import PaperFacts, paper_facts
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.text import clean_url, shorten

#: What names a paper elsewhere, by fields of a draft.
IDS = ("doi", "acl_id", "arxiv_id", "dblp_key")
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
        """Return what rows of results say of their paper."""
        return {"paper": self.cite, "paper_url": self.url, "year": "" if self.year is None else str(self.year)}

    def description(self) -> dict[str, str]:
        """Return what is known of the paper beyond that, by field of a paper; blank where nothing is."""
        names = ("title", "authors", "venue", "doi", "arxiv_id", "acl_id", "dblp_key", "bibtex")
        known = {name: getattr(self, name) for name in names if getattr(self, name)}
        # Identifiers alone are in the address already.
        return known if known.keys() & {"title", "authors", "venue", "bibtex"} else {}


def read_identifier(text: str) -> PaperDraft | list[Rejection]:
    """Return the paper of a DOI, an arXiv, ACL Anthology or DBLP id, or of an address that shows one of them.

    >>> read_identifier("doi:10.1145/2766462.2767812").doi, read_identifier("arXiv:1904.09171v2").arxiv_id
    ('10.1145/2766462.2767812', '1904.09171')
    """
    try:
        facts = _facts_of(identifier_address(" ".join(text.split())))
    except Refused as refused:
        return [refused.at(1, "paper")]
    return _as_draft([facts])


def draft_of_addresses(addresses: Iterable[str], cite: str) -> PaperDraft | None:
    """Return the paper that these addresses and this citation are of, with every identifier they show."""
    candidates = [facts for address in addresses if (facts := paper_facts("", address))]
    if cited := paper_facts(cite, ""):
        candidates.append(cited)
    return _as_draft(candidates) if candidates else None


def _as_draft(candidates: list[PaperFacts]) -> PaperDraft:
    best = min(candidates, key=lambda facts: _STRENGTH.index(facts.identity.partition(":")[0]))
    ids: dict[str, Any] = {name: next(filter(None, (getattr(facts, name) for facts in candidates)), "") for name in IDS}
    return PaperDraft(best.identity, url=best.url, **ids)


def _facts_of(address: str) -> PaperFacts:
    facts = paper_facts("", clean_url(address))
    if facts is None or facts.identity.startswith("url:"):
        message = f"{shorten(address)!r} shows no DOI, arXiv, ACL Anthology or DBLP id; give one, or paste the BibTeX"
        raise Refused("identifier", message)
    return facts
