"""Names of systems, collections and measures as papers, hubs, tables and tools spell them, and how these are compared.

What tells two spellings apart and means nothing (case, accents, blanks, hyphens, apostrophes) is left out of a name's
key. Which row a key belongs to, ``queries.CatalogNames`` knows.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from analysis.readers.text import comparison_key

_NAMES = {
    **dict.fromkeys(["ap", "map", "averageprecision", "meanaverageprecision", "avgp", "avep", "mapcut"], "AP"),
    **dict.fromkeys(["ndcg", "n", "ndcgcut", "normalizeddiscountedcumulativegain"], "nDCG"),
    **dict.fromkeys(["normaliseddiscountedcumulativegain"], "nDCG"),
    **dict.fromkeys(["rr", "mrr", "reciprank", "reciprocalrank", "meanreciprocalrank"], "RR"),
    **dict.fromkeys(["p", "prec", "precision"], "P"),
    **dict.fromkeys(["r", "rec", "recall"], "R"),
    **dict.fromkeys(["success", "s", "hit", "hits", "hitrate", "hr", "acc", "accuracy"], "Success"),
    **dict.fromkeys(["rcap", "recallcap", "cappedrecall", "rcapped", "recallcapped"], "R_cap"),
    **dict.fromkeys(["rprec", "rprecision"], "Rprec"),
    **dict.fromkeys(["gmap", "gmmap", "geometricmap"], "GMAP"),
    **dict.fromkeys(["alphandcg", "andcg"], "alpha_nDCG"),
    **dict.fromkeys(["strecall", "srecall", "subtopicrecall"], "StRecall"),
    **dict.fromkeys(["infp", "ip"], "infP"),
    **dict.fromkeys(["judged", "j"], "Judged"),
    **{"bpref": "Bpref", "err": "ERR", "erria": "ERR_IA", "infap": "infAP", "infndcg": "infNDCG"},
}
#: Without a cut-off these mean too many things: a column named P may hold anything.
_NEED_CUTOFF = frozenset({"P", "R", "Success", "R_cap", "Judged", "alpha_nDCG", "ERR_IA", "StRecall", "infP"})
#: Letters that name a measure only where a cut-off follows them as one: N@10, and not N 10.
_NEED_AT = frozenset({"n", "s", "j", "ip"})
_MAX_CUTOFF = 999_999
#: More than the catalog has names: all of them are gone through, one after the other, for every file.
_MAX_KEYS = 2**16
_REL = r"\(rel ?(?:=|>=|≥) ?(?P<rel{n}>[0-9])\)"
_PARTS = re.compile(
    r"(?P<name>[a-z][a-z _.\-]*?) ?(?:" + _REL.format(n=1) + r")?"
    r"(?:(?P<at>[ _.\-]{0,3}(?:@| at |_at_) ?)|[ _.\-]|)"
    r"(?:(?P<cutoff>[0-9]{1,3}(?:,[0-9]{3})|[0-9]{1,6})(?P<thousand>k)?)?"
    r"(?: ?" + _REL.format(n=2) + r"| ?(?P<capped>\(capped\)))?"
)
#: What measures by answer strings are called here, and were: Top-20 accuracy may be one of them, or Success@20.
_BY_ANSWER = re.compile(r"top-(?P<k>[1-9][0-9]*) accuracy \(answers\)|top_(?P<was>[1-9][0-9]*)_accuracy")
_TOP = re.compile(r"top[ _\-]?@?(?P<cutoff>[0-9]{1,6})(?P<thousand>k)?(?:[ _\-]?(?:retrieval[ _])?acc(?:uracy|\.)?)?")
_RBP = re.compile(r"rbp ?\(?(?:p ?= ?)?(?P<p>0?\.[0-9]{1,3})\)?")
_FROM_1, _GRADE = "(rel=1)", re.compile(r"\(rel=[0-9]\)")
_FILLING = re.compile(r"[ _.\-]")


def measure_name(text: str) -> str:
    """Return the ir-measures name of what a table calls a measure; blank where it looks like none.

    >>> [measure_name(head) for head in ("MAP", "NDCG@10", "ndcg_cut_10", "P10", "Recall@1k", "mrr_at_10", "Hit@5")]
    ['AP', 'nDCG@10', 'nDCG@10', 'P@10', 'R@1000', 'RR@10', 'Success@5']
    >>> [measure_name(head) for head in ("MAP@1000 (rel≥2)", "Top-20 accuracy", "R@100 (capped)", "RBP(0.8)")]
    ['AP(rel=2)@1000', 'Success@20', 'R_cap@100', 'RBP(p=0.8)']
    """
    if len(text) > 60:
        return ""
    key = comparison_key(text).replace("α", "alpha")
    if match := _BY_ANSWER.fullmatch(key):
        return f"Top-{match['k'] or match['was']} accuracy (answers)"
    if match := _TOP.fullmatch(key):
        return _with_cutoff("Success", "", match)
    if match := _RBP.fullmatch(key):
        return f"RBP(p={float(match['p'])})"
    match = _PARTS.fullmatch(key)
    squeezed = _FILLING.sub("", match["name"]) if match else ""
    name = _NAMES.get(squeezed)
    if match is None or name is None or (squeezed in _NEED_AT and not match["at"]):
        return ""
    if match["capped"]:
        name = "R_cap" if name == "R" else ""
    rel = f"(rel={match['rel1'] or match['rel2']})" if match["rel1"] or match["rel2"] else ""
    if not name or (match["rel1"] and match["rel2"]):
        return ""
    if not match["cutoff"]:
        return "" if name in _NEED_CUTOFF or match["at"] else name + rel
    return _with_cutoff(name, rel, match)


def _with_cutoff(name: str, rel: str, match: re.Match[str]) -> str:
    cutoff = int(match["cutoff"].replace(",", "")) * (1000 if match["thousand"] else 1)
    return f"{name}{rel}@{cutoff}" if 0 < cutoff <= _MAX_CUTOFF else ""


@lru_cache(maxsize=_MAX_KEYS)
def measure_key(text: str) -> str:
    """Return what all spellings of one measure share. From grade 1 on is how a measure counts that says no grade.

    >>> measure_key("ndcg_cut.10") == measure_key("nDCG@10"), measure_key("nDCG'@10") == measure_key("nDCG@10")
    (True, False)
    """
    name = measure_name(text)
    return (
        comparison_key(name).replace(_FROM_1, "")
        if name
        else re.sub(r"[\s_\-]+", "", comparison_key(text).replace("α", "alpha"))
    )


def says_grade(text: str) -> bool:
    """Say whether the name of a measure says from which grade on a document is relevant."""
    return "(rel=" in measure_name(text)


def with_grade(name: str) -> str:
    """Return the ir-measures name, saying that every grade counts; blank where measures of this kind know no grades.

    >>> with_grade("R@1000"), with_grade("AP"), with_grade("AP(rel=2)"), with_grade("Top-20 accuracy (answers)")
    ('R(rel=1)@1000', 'AP(rel=1)', '', '')
    """
    kind, at, cutoff = name.partition("@")
    graded = f"{kind}{_FROM_1}{at}{cutoff}"
    return graded if measure_name(graded) == graded else ""


def without_grade(name: str) -> str:
    """Return the name of the measure that counts every grade: AP of AP(rel=2)."""
    return _GRADE.sub("", name)


@lru_cache(maxsize=_MAX_KEYS)
def collection_key(text: str) -> str:
    """Return what all spellings of a collection's name share: letters and digits, and the signs that mean something.

    >>> len({collection_key(name) for name in ("TREC-COVID", "trec covid", "TREC_COVID", "TRECCOVID")})
    1
    >>> collection_key("Touché-2020 (v2)"), collection_key("TREC 6-8"), collection_key("TREC-68")
    ('touche2020v2', 'trec6 8', 'trec68')
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", comparison_key(text)) if not unicodedata.combining(c))
    # A blank stays between two digits: 2019-2020 is not 20192020.
    return re.sub(r"(?<=[0-9]) (?=[0-9])|( )", lambda gap: "" if gap[1] else " ", _SEPARATORS.sub(" ", plain)).strip()


_SEPARATORS = re.compile(r"(?:[^\w&+@%=]|_)+")


class Names(Protocol):
    """Whoever knows what collections and measures there are."""

    def has_collection(self, text: str) -> bool: ...

    def has_measure(self, text: str) -> bool: ...

    def asks_about_measure(self, text: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class SplitHead:
    """The collection and the measure that a head names, as it writes them; blank where it names none."""

    collection: str = ""
    measure: str = ""


_GAP = re.compile(r"\s*[\s/,:|–—\-()\[\]]\s*")
_MAX_HEAD = 200
_MAX_GAPS = 12


def split_head(text: str, names: Names) -> SplitHead:
    """Return the collection and the measure that one head names: either of them, or both, one after the other.

    Whatever stands for one collection or several is a collection here: which one it is, ``CatalogNames.collection``
    says, or asks. Where part of the text belongs to neither, both are blank.

    ``split_head("DL19 nDCG@10", names)`` is ``SplitHead("DL19", "nDCG@10")``; likewise ``nDCG@10 (DL19)``,
    ``TREC-COVID / P@5``, ``Robust04: MAP``, ``MS MARCO dev MRR@10``. ``names`` is a ``CatalogNames``.
    """
    text = " ".join(text.split())
    if not text or len(text) > _MAX_HEAD:
        return SplitHead()
    if names.has_collection(text):
        return SplitHead(collection=text)
    if is_measure(text, names):
        return SplitHead(measure=text)
    for first, last in _halves(text):
        for collection, measure in ((first, last), (last, first)):
            if names.has_collection(collection) and is_measure(measure, names):
                return SplitHead(collection, measure)
    return SplitHead()


def is_measure(text: str, names: Names) -> bool:
    """Say whether the text names a measure: the catalog knows it, or it is spelled like a measure."""
    return names.has_measure(text) or bool(measure_name(text))


def _halves(text: str) -> Iterator[tuple[str, str]]:
    """Yield the text in two, at each of its first gaps; brackets around a half are no part of it."""
    for gap in list(_GAP.finditer(text))[:_MAX_GAPS]:
        first, last = text[: gap.start()].strip(" ,:;"), text[gap.end() :].strip(" ,:;")
        if "(" in gap[0] or "[" in gap[0]:
            last = last[:-1].strip() if last.endswith((")", "]")) else last
        if first and last:
            yield first, last


#: The organisation before the name of a model, as model hubs write it: BAAI/bge-m3. It is looked for where words begin
#: alone: from each letter on, a long word would take the square of its length.
_ORGANISATION = re.compile(r"(?<![\w.\-])([\w.\-]+)/(?=[^\s/])")
#: Letters of Cyrillic and Greek that cannot be told from Latin ones in most fonts (Unicode's confusables); not those
#: that names use as what they are, as α and β.
_LOOK_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеорсухіјѕԁԛԝһ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABESIJKMHOPCTYXaeopcyxijsdqwh" + "ABEZHIKMNOPTYXo"
)
_NOUN = r"(?:method|model|approach|system|run|results?|framework|technique|algorithm|retriever|re-?ranker)s?"
_WHOSE = (
    rf"ours|we|this (?:work|paper|study)|(?:our|this)(?: full| best| final| proposed)? {_NOUN}"
    rf"|(?:the )?proposed(?: {_NOUN})?|(?:the |our |strong |best )?baselines?(?: {_NOUN})?"
    r"|(?:the )?oracle(?: (?:re-?rank(?:er|ing)|ranking|retriever))?"
    r"|(?:the )?(?:upper bound|lower bound|state[ -]of[ -]the[ -]art|sota|previous work|prior work)"
)
_NUMBERED = r" ?[@#\-]? ?[0-9]{1,6}"
#: A word that every paper has, and what may stand behind it: a number, and what tells variants of it apart.
_REST = rf"{_NUMBERED}| ?[-–(\[:+†‡*].*| (?:w/|with).*|(?<=ours)[ _].*|"
_GENERIC = re.compile(rf"(?P<whose>{_WHOSE})(?P<rest>{_REST})|(?:the )?{_NOUN}")
_OF_NO_PAPER = re.compile(r"oracle|bound|art|sota|previous|prior")
_DASHES = frozenset("-–—")
#: What rows of whoever made the table are called; a name of the record that says "proposed in" is somebody else's.
_OWN = re.compile(r"\b(?:ours?|(?<!\[)proposed(?! in\b)|this (?:work|paper))\b", re.IGNORECASE)
_ADDITION = re.compile(r"(?:\+|w/o?\s|with(?:out)?\s|[-–−—]\s+(?=[^\W\d]))\s*(?=\S)", re.IGNORECASE)


def system_key(name: str) -> str:
    """Return the form in which names of systems are compared whatever organisation they begin with.

    >>> system_key("BAAI/bge-m3"), system_key("BGE-M3"), system_key("ВМ25"), system_key("misc / hybrid")
    ('bge-m3', 'bge-m3', 'bm25', 'misc / hybrid')
    """
    return comparison_key(_ORGANISATION.sub("", in_latin(name), count=1))


def organisation_of(name: str) -> str:
    """Return the organisation that a name begins with, as it is compared; blank without."""
    match = _ORGANISATION.match(name)
    return comparison_key(match[1]) if match else ""


def in_latin(text: str) -> str:
    """Return the text with the letters that only look Latin as what they look like, word by word; α stays α.

    >>> in_latin("ВМ25"), in_latin("ＢＭ25"), in_latin("α-nDCG"), in_latin("Жизнь")
    ('BM25', 'BM25', 'α-nDCG', 'Жизнь')
    """
    if text.isascii():
        return text
    return re.sub(r"[^\W\d_]+", lambda word: _word_in_latin(word[0]), text)


def _word_in_latin(word: str) -> str:
    # Full-width and mathematical letters are other forms of one letter; a ligature is two.
    forms = ((letter, unicodedata.normalize("NFKC", letter)) for letter in word)
    plain = "".join(
        form if letter.isalpha() and form.isascii() and len(form) == 1 else letter for letter, form in forms
    )
    seen = plain.translate(_LOOK_ALIKE)
    return seen if seen.isascii() else word


def says_no_team(text: str) -> bool:
    """Say whether a dash says that the team is unknown: the system is none of those with the name and a team."""
    return text.strip() in _DASHES


def is_generic(name: str) -> bool:
    """Say whether a name says nothing that tells a system from those of other papers.

    >>> [is_generic(name) for name in ("Ours", "Our method", "Ours (large)", "Oracle@100", "Baseline 2")]
    [True, True, True, True, True]
    >>> [is_generic(name) for name in ("BM25", "proposed in Diaz (CIKM 2005)", "OurNet", "Model 7", "model-7b")]
    [False, False, False, False, False]
    """
    return bool(_GENERIC.fullmatch(comparison_key(name)))


def is_own(name: str) -> bool:
    """Say whether a row, or the heading above it, calls itself its author's own.

    >>> [is_own(name) for name in ("Ours", "DenseX (ours)", "Proposed", "proposed in Diaz (CIKM 2005)", "BM25")]
    [True, True, True, False, False]
    """
    return bool(_OWN.search(name))


def name_by_paper(name: str, paper: str) -> str:
    """Return what a system with a generic name is called on record, by its paper; blank where the paper does not tell
    it.

    >>> name_by_paper("Ours (large)", "Diaz (CIKM 2005)"), name_by_paper("Baseline", "Diaz (CIKM 2005)")
    ('proposed in Diaz (CIKM 2005) (large)', 'baseline of Diaz (CIKM 2005)')
    """
    match = _GENERIC.fullmatch(comparison_key(name))
    if match is None or _OF_NO_PAPER.search(match["whose"] or ""):
        return ""
    relation = "baseline of" if "baseline" in (match["whose"] or "") else "proposed in"
    return f"{relation} {paper} {name[len(match['whose'] or name) :].strip()}".strip()


def is_addition(name: str) -> bool:
    """Say whether a name says only what was added to another system, or left out of it.

    >>> [is_addition(name) for name in ("+ RM3", "+RM3", "w/o reranking", "- expansion", "BM25 + RM3", "Without")]
    [True, True, True, True, False, False]
    """
    return bool(_ADDITION.match(name))


def with_addition(name: str, addition: str) -> str:
    """Return the whole name of a system with something added.

    >>> with_addition("BM25", "+RM3"), with_addition("BM25", "w/ RM3"), with_addition("BM25", "− RM3")
    ('BM25 + RM3', 'BM25 w/ RM3', 'BM25 - RM3')
    """
    addition = re.sub("^[–−—]", "-", addition)
    return f"{name} + {addition[1:].strip()}" if addition.startswith("+") else f"{name} {addition}"
