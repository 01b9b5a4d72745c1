"""What stands around the name of a system in a table: citations, footnotes, medals."""

import re

_YEAR = r"(?:19|20)[0-9]{2}[a-z]?"
_CITED = rf"[^\W\d_][\w'’.\- ]*?(?:(?: et al\.?| (?:and|&) [^\W\d_][\w'’.\- ]*?),? |, ){_YEAR}"
#: (Xiong et al., 2021; Dai and Callan, 2019b), [12, 7], [^1]
_CITATION = re.compile(
    rf"\s*\({_CITED}(?:; ?{_CITED})*\)|\s*\[(?:\^[^\[\]\s]{{1,20}}|[0-9]{{1,3}}(?:\s?[,;–-]\s?[0-9]{{1,3}})*)\]"
)
_MEDAL = re.compile("\\s*[\U0001f300-\U0001faff⭐\ufe0f]+")


def name_of_system(text: str) -> str:
    """Return the name without what is printed around it; as it is where nothing else would be left.

    >>> name_of_system("ANCE (Xiong et al., 2021)"), name_of_system("BM25 [12, 7]"), name_of_system("BM25 (k1=0.9)")
    ('ANCE', 'BM25', 'BM25 (k1=0.9)')
    """
    if text.isalnum() or len(text) > 1000:
        return text
    bare = _MEDAL.sub("", _CITATION.sub("", text)).strip()
    return bare or text
