"""Names and typed texts in the form in which they are compared, with short names, typing errors and kinds."""

import csv
import re
import unicodedata
from functools import cache
from pathlib import Path

from analysis.readers.names import collection_key
from analysis.readers.text import comparison_key
from registry.core.loading import shipped_rows
from registry.search.models import Thing

#: The most characters of a name or text: those of a row of the index.
MAX_LENGTH = 200
#: The most words of a text: those of the longest name.
MAX_WORDS = 8
#: Shorter words resemble too many others.
_MIN_SLIP, _MAX_SLIP = 4, 24

_WORD = re.compile(r"[^\W_]+")
_ADDRESS = re.compile(
    r"^(?:https?://)?(?:www\.)?(?:(?:dx\.)?doi\.org/|arxiv\.org/(?:abs|pdf|html)/|aclanthology\.org/|dblp\.org/rec/"
    r"|huggingface\.co/)?(?:(?:doi|arxiv|dblp)\s*:\s*)?"
)
_DOI = re.compile(r"\b10\.[0-9]{4,9}/[^\s?#]+")
_IDENTIFIER = re.compile(
    r"10\.[0-9]{4,9}/\S+|[0-9]{4}\.[0-9]{4,5}|[0-9]{4}\.[a-z]+-[a-z]+\.[0-9]+|[a-z][0-9]{2}-[0-9]{4}"
)
_ASIDE = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_VERSIONS = (
    re.compile(r"(?:\.[a-z][\w-]*)+$"),
    re.compile(r"\.[0-9]+$"),
    re.compile(r"(?<=\w)[-_. ]?v[0-9]+(?:\.[0-9]+)*$"),
)
#: A system that is named after its paper is not found by parts of that name.
_AFTER_PAPER = re.compile(r"^(?:baseline of|proposed in) |\[(?:baseline|proposed)[^\]]*\]$", re.IGNORECASE)
#: The part of the topics, at the end of the name of a test set.
_PART = re.compile(r"(?: topics)? (?:[0-9]+-[0-9]+|dev[0-9]?|test|train)$")
_LINKING = re.compile(r"\b(?:et al\.?|and)(?=\s|$)|[()]")


def words_of(*texts: str) -> list[str]:
    """Return the words of the texts without case and accents, each once, in their order.

    >>> words_of("Touché-2020 (v2)", "touche BM25+RM3")
    ['touche', '2020', 'v2', 'bm25', 'rm3']
    """
    words: dict[str, None] = {}
    for text in texts:
        plain = "".join(c for c in unicodedata.normalize("NFKD", comparison_key(text)) if not unicodedata.combining(c))
        words |= dict.fromkeys(word[:MAX_LENGTH] for word in _WORD.findall(plain))
    return list(words)


def name_key(text: str) -> str:
    """Return the key that all spellings of a whole name share.

    >>> name_key("TREC-COVID") == name_key("trec covid")
    True
    """
    return collection_key(text)[:MAX_LENGTH]


def identifier_key(text: str) -> str:
    """Return the key that all spellings of a paper's identifier share: its DOI, arXiv or ACL id, DBLP key or address.

    >>> identifier_key("https://doi.org/10.1145/3404835.3462891"), identifier_key("arXiv:2104.08663v4")
    ('10.1145/3404835.3462891', '2104.08663')
    """
    key = comparison_key(text)
    key = doi[0] if (doi := _DOI.search(key)) else _ADDRESS.sub("", key)
    key = key.removesuffix(".pdf").rstrip("/.")
    return re.sub(r"^([0-9]{4}\.[0-9]{4,5})v[0-9]+$", r"\1", key)[:MAX_LENGTH]


def is_identifier(text: str) -> bool:
    """Return whether a text is a paper's identifier, which resembles no other."""
    return bool(_IDENTIFIER.fullmatch(identifier_key(text)))


def short_names(name: str) -> list[str]:
    """Return the short names of a system: without its maker, toolkit, settings and version.

    >>> short_names("colbert-ir/colbertv2.0")
    ['colbertv2.0', 'colbertv2', 'colbert']
    """
    if _AFTER_PAPER.search(name):
        return []
    plain = _ASIDE.sub("", name.rpartition("/")[2])
    parts = plain.split()
    names = [plain, *parts[:1], *parts[-1:]]
    for version in _VERSIONS:
        names += [version.sub("", text) for text in names]
    return [text for text in dict.fromkeys(names) if text != name]


def family_names(name: str) -> list[str]:
    """Return the beginnings of the name of a model, up to each of its hyphens: those of its family.

    >>> family_names("Qwen/Qwen3-Embedding-0.6B"), family_names("intfloat/e5-base"), family_names("BM25")
    (['Qwen3', 'Qwen3-Embedding'], ['e5'], [])
    """
    parts = name.rpartition("/")[2].split("-")
    beginnings = ("-".join(parts[:n]) for n in range(1, len(parts)))
    return [text for text in beginnings if len(text) > 1 and not text.isdigit()]


def without_part(name: str) -> str:
    """Return the name of a test set without the part of its topics, or of a suite without its version.

    >>> without_part("MS MARCO v2 passage dev2"), without_part("WT10g topics 451-550"), without_part("MTEB English v1")
    ('MS MARCO v2 passage', 'WT10g', 'MTEB English')
    """
    return _VERSIONS[-1].sub("", _PART.sub("", name))


def short_citations(people: str, cite: str, year: int | None) -> list[str]:
    """Return the ways in which people remember a paper: by authors, venue and year.

    >>> short_citations("Lv and Zhai", "Lv and Zhai (CIKM 2011)", 2011)
    ['Lv and Zhai', 'Lv Zhai', 'Lv and Zhai 2011', 'Lv Zhai 2011', 'Lv Zhai CIKM 2011']
    """
    dated = f"{people} {year or ''}"
    texts = [text for whole in (people, dated) for text in (whole, _LINKING.sub(" ", whole))]
    texts += [_LINKING.sub(" ", cite)]
    return list(dict.fromkeys(" ".join(text.split()) for text in texts if text.strip()))


def slips_of(word: str, letters: str = "abcdefghijklmnopqrstuvwxyz0123456789") -> set[str]:
    """Return every word one typing error away: a letter missing, added, wrong, or swapped with the next.

    >>> {"colbert", "colber"} <= slips_of("colbret") | slips_of("colbert")
    True
    """
    if not _MIN_SLIP <= len(word) <= _MAX_SLIP:
        return set()
    halves = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    slips = {head + tail[1:] for head, tail in halves}
    slips |= {head + tail[1] + tail[0] + tail[2:] for head, tail in halves if len(tail) > 1}
    slips |= {head + letter + rest for head, tail in halves for letter in letters for rest in (tail, tail[1:])}
    return slips - {word}


def other_names(name: str, *, is_whole: bool = False) -> list[str]:
    """Return the other names of a system, suite or method of this name; of a paper by its whole title alone."""
    phrase = _phrase(name)
    rules = ((words == phrase if is_whole else words in phrase, names) for words, names in _rules_of_names())
    return [also for fits, names in rules if fits for also in names]


@cache
def _rules_of_names() -> list[tuple[str, list[str]]]:
    """Return phrases in names, each with the names that it adds."""
    return [(_phrase(row["words"]), row["also"].split("|")) for row in shipped_rows("other_names.csv")]


def _phrase(text: str) -> str:
    """Return the words of a text, each between blanks."""
    return f" {' '.join(words_of(text))} "


_SUITE, _COLLECTION, _LEADERBOARD = Thing.Kind.SUITE, Thing.Kind.COLLECTION, Thing.Kind.LEADERBOARD
_WHERE = (_SUITE, _COLLECTION)
#: Words that name what is looked for, with its kinds.
_ASKED: tuple[tuple[str, tuple[Thing.Kind, ...]], ...] = (
    (r"papers?", (Thing.Kind.PAPER,)),
    (r"leader ?boards?|rankings?", (_SUITE, _LEADERBOARD)),
    (r"benchmarks?", _WHERE),
    (r"data ?sets?|(?:test )?collections?|corpus|qrels|judge?ments", (_COLLECTION,)),
    (r"(?:best (?:models?|systems?|results?|scores?|zero.shot)|sota|state of the art)(?: (?:on|for|of))?", _WHERE),
)
#: The words of questions by what they mean.
VOCABULARY: dict[str, frozenset[str]] = {}
with Path(__file__).with_name("vocabulary.csv").open(encoding="utf-8", newline="") as _rows:
    for _row in csv.DictReader(_rows):
        VOCABULARY[_row["meaning"]] = VOCABULARY.get(_row["meaning"], frozenset()) | {*words_of(_row["words"])}


def read_asked(text: str) -> tuple[str, tuple[Thing.Kind, ...]]:
    """Return the text without the words that name a kind of thing, and the kinds that they name.

    >>> read_asked("qrels dl19")
    ('dl19', (Thing.Kind.COLLECTION,))
    >>> read_asked("leaderboards"), read_asked("dl19")
    (('leaderboards', ()), ('dl19', ()))
    """
    for words, kinds in _ASKED:
        rest = " ".join(re.sub(rf"(?<!\S)(?:{words})(?!\S)", " ", text, flags=re.IGNORECASE).split())
        if rest and rest != text:
            return rest, kinds
    return text, ()


def without(text: str, *meanings: str) -> str:
    """Return the text without the words of these meanings.

    >>> without("best model for legal retrieval", "filler"), without("best legal retrieval", "filler", "asking")
    ('best model legal retrieval', 'legal')
    """
    left_out = frozenset().union(*(VOCABULARY[meaning] for meaning in meanings))
    return " ".join(part for part in text.split() if not {*words_of(part)} <= left_out)
