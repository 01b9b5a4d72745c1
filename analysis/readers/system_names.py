"""Names of systems as papers, model hubs and tables write them: how they are compared, and which are none."""

import re
import unicodedata

from analysis.readers.text import comparison_key

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
    >>> name_by_paper("Oracle@100", "Diaz (CIKM 2005)")
    ''
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
