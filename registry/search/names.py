"""How what is typed and what things are called are compared: words, names, identifiers of papers, slips of the pen."""

import re
import unicodedata
from collections.abc import Iterable

from analysis.readers.names import collection_key
from analysis.readers.text import comparison_key

#: Of a name and of what is typed, as many characters as an index row holds.
MAX_LENGTH = 200
#: Of what is typed, as many words as any name has.
MAX_WORDS = 8
#: Words of fewer letters are too near to too many others.
_MIN_SLIP, _MAX_SLIP = 4, 24

_WORD = re.compile(r"[^\W_]+")
_ADDRESS = re.compile(
    r"^(?:https?://)?(?:www\.)?(?:(?:dx\.)?doi\.org/|arxiv\.org/(?:abs|pdf)/|aclanthology\.org/|dblp\.org/rec/)?"
    r"(?:(?:doi|arxiv|dblp)\s*:\s*)?",
)


def words_of(*texts: str) -> list[str]:
    """The words of the texts without case and accents, each once, in their order.

    >>> words_of("Touché-2020 (v2)", "touche BM25+RM3")
    ['touche', '2020', 'v2', 'bm25', 'rm3']
    """
    found: dict[str, None] = {}
    for text in texts:
        plain = "".join(c for c in unicodedata.normalize("NFKD", comparison_key(text)) if not unicodedata.combining(c))
        found |= dict.fromkeys(word[:MAX_LENGTH] for word in _WORD.findall(plain))
    return list(found)


def name_key(text: str) -> str:
    """What all spellings of a whole name share.

    >>> name_key("TREC-COVID") == name_key("trec covid")
    True
    """
    return collection_key(text)[:MAX_LENGTH]


def identifier_key(text: str) -> str:
    """What all spellings of a paper's identifier share: its DOI, arXiv or ACL id, DBLP key or address.

    >>> identifier_key("https://doi.org/10.1145/3404835.3462891"), identifier_key("arXiv:2104.08663v4")
    ('10.1145/3404835.3462891', '2104.08663')
    >>> identifier_key("https://arxiv.org/pdf/2104.08663v2.pdf")
    '2104.08663'
    """
    key = _ADDRESS.sub("", comparison_key(text), count=1).removesuffix(".pdf").rstrip("/.")
    return re.sub(r"^([0-9]{4}\.[0-9]{4,5})v[0-9]+$", r"\1", key)[:MAX_LENGTH]


def slips_of(word: str, letters: Iterable[str] = "abcdefghijklmnopqrstuvwxyz0123456789") -> set[str]:
    """Every word that is one slip away: a letter too few, too many, a wrong one, or two in the wrong order.

    >>> {"colbert", "colber"} <= slips_of("colbret") | slips_of("colbert")
    True
    >>> slips_of("map")
    set()
    """
    if not _MIN_SLIP <= len(word) <= _MAX_SLIP:
        return set()
    letters = tuple(letters)
    halves = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    found = {head + tail[1:] for head, tail in halves if tail}
    found |= {head + tail[1] + tail[0] + tail[2:] for head, tail in halves if len(tail) > 1}
    found |= {head + letter + tail[1:] for head, tail in halves if tail for letter in letters}
    found |= {head + letter + tail for head, tail in halves for letter in letters}
    return found - {word}
