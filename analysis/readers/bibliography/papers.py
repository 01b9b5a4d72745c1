"""A paper on its way into the registry, told by its identifiers; and its authors, as BibTeX writes their names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from analysis.readers.identifiers import PaperFacts, identifier_address, paper_facts
from analysis.readers.latex.text import printed
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.text import clean_url, shorten

#: What names a paper elsewhere, by fields of a draft.
IDS = ("doi", "acl_id", "arxiv_id", "dblp_key")
#: Which identifier names the paper where it has several: the one of what was published, before those of preprints.
_STRENGTH = ("doi", "acl", "arxiv", "dblp", "url", "cite")


@dataclass(frozen=True, slots=True)
class PaperDraft:
    """A paper as somebody submitted it; what is not known is blank or None.

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


@dataclass(frozen=True, slots=True)
class Author:
    """A person or a group: the whole name, and what is cited of it."""

    name: str
    surname: str


@dataclass(frozen=True, slots=True)
class Authors:
    """The authors in their order; ``has_more`` where the entry says that there are others."""

    listed: tuple[Author, ...] = ()
    has_more: bool = False

    def __str__(self) -> str:
        return "; ".join([*(author.name for author in self.listed), *(["et al."] if self.has_more else [])])

    @property
    def short(self) -> str:
        """Return as papers are cited: ``Doe``, ``Doe and Roe``, ``Doe et al.``"""
        surnames = [author.surname for author in self.listed]
        if len(surnames) > 2 or (self.has_more and surnames):
            return f"{surnames[0]} et al."
        return " and ".join(surnames)


def read_authors(source: str) -> Authors:
    """Return the authors of an author field.

    >>> str(read_authors(r"Doe, Jane and G{\\"o}del, Kurt and {The Team} and others"))
    'Jane Doe; Kurt Gödel; The Team; et al.'
    """
    listed = []
    has_more = False
    for words in _split_names(source):
        if words == ["others"]:
            has_more = True
        elif author := _read_name(words):
            listed.append(author)
    return Authors(tuple(listed), has_more)


def _split_names(source: str) -> Iterator[list[str]]:
    """Yield the words of each name, with commas as words of their own; what stands in braces is part of one word."""
    words: list[str] = []
    for word in _words(source):
        if word.lower() == "and":
            yield words
            words = []
        else:
            words.append(word)
    yield words


def _words(source: str) -> Iterator[str]:
    depth, word = 0, ""
    for character in source:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if not depth and (character.isspace() or character in ",~"):
            if word:
                yield word
            word = ""
            if character == ",":
                yield ","
        else:
            word += character
    if word:
        yield word


def _read_name(words: list[str]) -> Author | None:
    """Return the name of "First von Last", "von Last, First" or "von Last, Jr, First"."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == ",":
            parts.append([])
        else:
            parts[-1].append(word)
    texts = [printed(" ".join(part)).text for part in parts]
    texts = [text for text in texts if text]
    if not texts:
        return None
    if len(texts) > 1:
        last, *middle, first = texts
        return Author(" ".join([first, last, *middle]), last)
    words = [word for word in words if word != ","]
    lower = next((place for place, word in enumerate(words) if place and word[0].islower()), len(words) - 1)
    return Author(texts[0], printed(" ".join(words[lower:])).text or texts[0])
