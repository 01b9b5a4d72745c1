"""Names of authors: divided, in short, and the parts that citation formats ask for."""

import re
from dataclasses import dataclass

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
        """Return what is cited of it."""
        return " ".join(filter(None, (self.particle, self.family)))


def divide_authors(authors: str) -> list[str]:
    """The names of an author field, which semicolons divide."""
    return [name.strip() for name in authors.split(";") if name.strip()]


def read_name(name: str) -> Name:
    """The parts of a name as BibTeX tells them: the last word is the family name, with the particles before it.

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
    """As papers are cited: ``Doe``, ``Doe and Roe``, ``Doe et al.``; blank where nobody is named."""
    names = divide_authors(authors)
    surnames = [read_name(name).surname for name in names if name != ET_AL]
    if len(surnames) > 2 or (surnames and ET_AL in names):
        return f"{surnames[0]} {ET_AL}"
    return " and ".join(surnames)
