"""Papers with every identifier known, and the names of their authors as citation formats need them."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from django.db import models

from analysis.readers.identifiers import slug_of_paper
from registry.core.http import path_to
from registry.results.models.systems import OwnSlugField

#: A venue that is longer says too much in short.
LONGEST_SHORT_VENUE = 15

#: Hosts whose addresses begin with an owner and a name: what such a page is.
_NAMED_PAGES = {"huggingface.co": "Model card of", "github.com": "Repository"}
#: Under these the first part is no owner.
_NO_OWNERS = frozenset({"blog", "collections", "datasets", "docs", "papers", "spaces"})


def page_name(address: str) -> str:
    """Return a name for a page, as ``Model card of deepvk/USER-base`` or ``arXiv 1904.09171``; else host and path.

    It says no more than the address does; blank where there is none.
    """
    parts = urlsplit(address)
    host = parts.netloc.removeprefix("www.")
    path = unquote(parts.path).strip("/")
    first, second, *_ = [*path.split("/"), "", ""]
    if host in _NAMED_PAGES and second and first not in _NO_OWNERS:
        return f"{_NAMED_PAGES[host]} {first}/{second}"
    if host == "arxiv.org" and first in {"abs", "pdf"} and second:
        return f"arXiv {path.partition('/')[2].removesuffix('.pdf')}"
    return f"{host}/{path}".rstrip("/") if host else address


def is_page(address: str) -> bool:
    """Return whether the address leads to a model card or a repository, and so to no paper."""
    return page_name(address).startswith(tuple(f"{kind} " for kind in _NAMED_PAGES.values()))


ET_AL = "et al."

#: Names of groups have no family name.
_GROUP = re.compile(r",|\b(?:and|team|group|research|labs?|consortium|project|university|institute)\b", re.IGNORECASE)
_SUFFIX = re.compile(r"(?:jr|sr)\.?|i{2,3}|iv", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Name:
    """A person by given name, particle, family name and suffix; a group, or a name in one piece, has a family alone."""

    given: str
    particle: str
    family: str
    suffix: str = ""
    is_literal: bool = False

    @property
    def surname(self) -> str:
        """The part that is cited."""
        return " ".join(filter(None, (self.particle, self.family)))


def divide_authors(authors: str) -> list[str]:
    """Return the names of an author field, which semicolons divide."""
    return [name.strip() for name in authors.split(";") if name.strip()]


def read_name(name: str) -> Name:
    """Return the parts of a name by BibTeX's rule: the last word is the family name, with the particles before it.

    >>> read_name("Ludwig van Beethoven").surname
    'van Beethoven'
    >>> read_name("山田太郎").is_literal
    True
    """
    words = name.split()
    if len(words) < 2 or _GROUP.search(name):
        return Name("", "", name, is_literal=True)
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    # dblp numbers people of one name.
    if len(words) > 2 and re.fullmatch("[0-9]{4}", words[-1]):
        words.pop()
    first = next((place for place, word in enumerate(words[1:-1], 1) if word[0].islower()), len(words) - 1)
    last = next((place for place in range(first, len(words)) if not words[place][0].islower()), len(words) - 1)
    return Name(" ".join(words[:first]), " ".join(words[first:last]), " ".join(words[last:]), suffix)


def short_people(authors: str) -> str:
    """Return authors as papers are cited: ``Doe``, ``Doe and Roe``, ``Doe et al.``; blank where nobody is named."""
    names = divide_authors(authors)
    surnames = [read_name(name).surname for name in names if name != ET_AL]
    if len(surnames) > 2 or (surnames and ET_AL in names):
        return f"{surnames[0]} {ET_AL}"
    return " and ".join(surnames)


class Paper(models.Model):
    """A publication with results or about systems; also a toolkit's record, or the page of a model without a paper."""

    class Kind(models.TextChoices):
        UNKNOWN = "", "not stated"
        ARTICLE = "article", "article"
        INPROCEEDINGS = "inproceedings", "paper in proceedings"
        MISC = "misc", "paper"
        SOFTWARE = "software", "software"
        PAGE = "page", "page on a model"

    cite = models.CharField(max_length=300, blank=True, help_text="Short form: Diaz (CIKM 2005).")
    title = models.CharField(max_length=500, blank=True)
    authors = models.TextField(blank=True, help_text="In their order, divided by semicolons; et al. stands last.")
    venue = models.CharField(max_length=200, blank=True)
    year = models.PositiveSmallIntegerField(null=True, blank=True)
    month = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Where its identifier says it.")
    kind = models.CharField(max_length=20, choices=Kind, blank=True, default=Kind.UNKNOWN)
    imprint = models.JSONField(default=dict, blank=True, help_text="Where it was published, in the words of BibTeX.")
    described_from = models.CharField(
        max_length=300, blank=True, help_text="What title and people were taken from, where a file says it."
    )
    url = models.URLField(max_length=500, blank=True)
    doi = models.CharField(max_length=200, blank=True)
    arxiv_id = models.CharField(max_length=40, blank=True)
    acl_id = models.CharField(max_length=60, blank=True)
    dblp_key = models.CharField(max_length=120, blank=True)
    bibtex = models.TextField(blank=True, help_text="As given, never rewritten.")
    identity = models.CharField(max_length=900, unique=True, help_text="What tells it from other papers; see services.")
    slug = OwnSlugField(slug_of_paper, "identity")
    author_orcids = models.JSONField(
        default=list, blank=True, help_text="ORCID iDs of its authors, as far as files say them."
    )
    retraction = models.CharField(
        max_length=500, blank=True, help_text="Who took it back, when and why, where somebody did; noted by editors."
    )
    reports_significance = models.BooleanField(
        null=True, blank=True, help_text="Whether it tests differences for significance; blank where nobody has looked."
    )
    significance_said = models.CharField(
        max_length=300, blank=True, help_text="Which test, and where the paper says so."
    )
    merged_into = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="merged_papers",
        help_text="The same paper under another identity; its results stand there.",
    )

    class Meta:
        ordering = ["-year", "cite"]

    def __str__(self) -> str:
        return self.cite or self.title or page_name(self.url)

    def get_absolute_url(self) -> str:
        return path_to("results:paper-detail", None, (self.slug,))

    @property
    def address(self) -> str:
        """The address where to read it, given or made of an identifier; blank without either."""
        identified = (
            ("https://doi.org/", self.doi),
            ("https://aclanthology.org/", self.acl_id),
            ("https://arxiv.org/abs/", self.arxiv_id),
            ("https://dblp.org/rec/", self.dblp_key),
        )
        return self.url or next((f"{start}{quote(name)}" for start, name in identified if name), "")

    @property
    def persistent(self) -> str:
        """Its address that lasts: by DOI, else by arXiv id; blank without."""
        known = (("https://doi.org/", self.doi), ("https://arxiv.org/abs/", self.arxiv_id))
        return next((f"{start}{quote(name)}" for start, name in known if name), "")

    @property
    def people(self) -> list[str]:
        """Its authors in their order."""
        return divide_authors(self.authors)

    @property
    def short_people(self) -> str:
        """Its authors as papers are cited: ``Doe et al.``"""
        return short_people(self.authors)

    @property
    def short_form(self) -> str:
        """Its people, a venue that is short, and the year: ``Diaz (CIKM 2005)``; blank where nobody is named."""
        people = self.short_people
        venue = self.venue if len(self.venue) <= LONGEST_SHORT_VENUE else ""
        has_year = bool(self.year) and str(self.year) not in venue
        place = " ".join(filter(None, (venue, str(self.year) if has_year else "")))
        return f"{people} ({place})" if people and place else people

    @property
    def published_in(self) -> str:
        """The proceedings or the journal; blank if unknown."""
        return str(self.imprint.get("booktitle") or self.venue)

    @property
    def place(self) -> str:
        """Place and year of publication, the year only once."""
        has_year = bool(self.year) and str(self.year) not in self.published_in
        return ", ".join(filter(None, (self.published_in, str(self.year) if has_year else "")))

    @property
    def full_citation(self) -> str:
        """One line of a bibliography: people, title, where and when; blank where no title is known."""
        if not self.title:
            return ""
        people = ", ".join(self.people).replace(", et al.", " et al.")
        parts = (f"{people}: {self.title}" if people else self.title, self.place)
        return ". ".join(part.rstrip(".") for part in parts if part) + "."
