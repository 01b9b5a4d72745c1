"""The names of authors as BibTeX writes them: split, turned the usual way round, and in short."""

from collections.abc import Iterator
from dataclasses import dataclass

from analysis.readers.latex.text import printed


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
    >>> read_authors("Ludwig van Beethoven and Roe, Richard").short
    'van Beethoven and Roe'
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
