"""What stands for a system or a paper in addresses: made of what tells it from all others, and of nothing else.

So it is the same on every site and after every rebuild, whatever was loaded first. Where the letters of an address
can't say all of a name, it ends in a few letters of the name's digest.
"""

import base64
import hashlib
import re
import unicodedata

#: As long as it gets without its tail.
_LONGEST = 90
_TAIL = 5
#: A name that an address says in full.
_PLAIN = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
_NUMBER = re.compile(r"[0-9]+")
#: An identity that is an identifier, of which addresses keep all but the difference of its marks.
_IDENTIFIER = re.compile(r"(doi|arxiv|acl|dblp):([a-z0-9._/-]+)")


def slug_of_system(name_key: str, team_key: str) -> str:
    """Return what stands for the system of this name and team, both as names are compared.

    >>> slug_of_system("pircrb04t3", "queens"), slug_of_system("baai/bge-base-en-v1.5", "baai")
    ('pircrb04t3--queens', 'baai__bge-base-en-v1.5')
    >>> slug_of_system("bm25 + rm3", "")
    'bm25-plus-rm3-4zzr5'
    """
    owner, has_owner, own = name_key.partition("/")
    if has_owner and owner == team_key and _is_plain(owner, own):
        return f"{owner}__{own}"
    if _is_plain(name_key, *filter(None, [team_key])) and not (_NUMBER.fullmatch(name_key) and not team_key):
        return "--".join(filter(None, [name_key, team_key]))
    shown = name_key if has_owner and owner == team_key else f"{name_key} {team_key}"
    return _with_tail(shown, f"{name_key}\n{team_key}")


def slug_of_paper(identity: str) -> str:
    """Return what stands for a paper of this identity (``paper_facts``): its identifier, else how it is cited, or
    where it is.

    >>> slug_of_paper("doi:10.1145/1571941.1572114"), slug_of_paper("arxiv:2104.08663")
    ('10.1145-1571941.1572114', 'arxiv-2104.08663')
    >>> slug_of_paper("url:trec.nist.gov/pubs/trec10/papers/fub01.pdf amati et al. (trec 2001)")
    'amati-et-al-trec-2001-v5vwa'
    """
    kind, _, rest = identity.partition(":")
    if (match := _IDENTIFIER.fullmatch(identity)) and len(rest) <= _LONGEST:
        slug = match[2].replace("/", "-") if kind == "doi" else f"{kind}-{match[2].replace('/', '-')}"
        if _PLAIN.fullmatch(slug):
            return slug
    address, _, cite = rest.partition(" ")
    return _with_tail(rest if kind == "cite" else cite or address, identity)


def letters_of(text: str, longest: int = 100) -> str:
    """Return the text in the letters and digits of addresses, with hyphens between; blank where it has none.

    >>> letters_of("BM25 + RM3"), letters_of("Büttcher et al. (TREC 2006)")
    ('bm25-plus-rm3', 'buttcher-et-al-trec-2006')
    """
    words = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    plain = re.sub(r"[^a-z0-9]+", "-", words.replace("+", " plus "))
    return plain.strip("-")[:longest].strip("-")


def _is_plain(*texts: str) -> bool:
    return all(map(_PLAIN.fullmatch, texts)) and sum(map(len, texts)) <= _LONGEST


def _with_tail(shown: str, whole: str) -> str:
    digest = base64.b32encode(hashlib.sha256(whole.encode()).digest()).decode().lower()
    return "-".join(filter(None, [letters_of(shown, _LONGEST), digest[:_TAIL]]))
