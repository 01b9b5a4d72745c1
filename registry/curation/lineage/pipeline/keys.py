"""The keys of lineages: how they are written, and which a result has by its team and its paper."""

import re
from collections.abc import Mapping

from analysis.readers.paper_facts import paper_facts
from analysis.readers.rejections import Refused
from analysis.readers.text import clean_name, comparison_key, did_you_mean, shorten
from registry.curation.lineage.models import KEY_LENGTH

#: What lineages rest on, and how pages call it.
KINDS = {
    "team": "team",
    "paper": "paper",
    "model": "model, with its sizes, revisions and precisions",
    "toolkit": "configurations of a toolkit",
    "twin": "same scores under several names",
    "curator": "put together by an editor",
}

#: Names that say that a team is not named.
_NO_TEAM = frozenset({"", "anonymous", "baseline", "baselines", "none", "n/a", "unknown"})

#: An address, with or without its beginning: keys have none.
_ADDRESS = re.compile(r"(?P<scheme>https?://)?[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:[0-9]+)?(/.*)?", re.IGNORECASE)


def parse_key(text: str) -> str:
    """The key that somebody writes, in the form in which keys are compared; a paper is written as its address.

    Refused, with what to write, where it is no key.
    """
    kind, colon, name = clean_name(text, max_length=KEY_LENGTH).partition(":")
    kind, name = comparison_key(kind), name.strip()
    if not colon or not name:
        raise Refused("key", f"{shorten(text)!r} is no lineage; write a kind and a name, as team:baidu nlp")
    if kind not in KINDS:
        raise Refused("key", f"{shorten(kind)!r} is none of {', '.join(KINDS)}{did_you_mean(kind, KINDS)}")
    if kind == "paper" and (match := _ADDRESS.fullmatch(name)):
        # Capitals count in what follows the host.
        address = name if match["scheme"] else f"https://{name}"
        facts = paper_facts("", address)
        return paper_key(facts.identity, url=address) if facts else f"paper:{comparison_key(name)}"
    return f"{kind}:{comparison_key(name)}"


def team_key(team: str) -> str:
    """The key of the team of this name; blank where nobody is named."""
    name = comparison_key(team)
    return "" if name in _NO_TEAM else f"team:{name}"


def paper_key(identity: str, *, url: str = "", doi: str = "", arxiv_id: str = "", acl_id: str = "") -> str:
    """The key of a paper by its address, where that tells it from other papers, else by its identifier.

    The citation beside an address does not matter here: two spellings of it are one paper. A DOI that is found later
    leaves the key of an address as it is; what other records name so is merged into the paper.
    """
    kind, _, name = identity.partition(":")
    if kind == "url" and (shown := paper_facts("", url)):
        name = shown.identity.removeprefix("url:")
    elif kind in ("url", "cite"):
        identifiers = (("", doi), ("arxiv:", arxiv_id), ("acl:", acl_id))
        found = next((f"{prefix}{value.lower()}" for prefix, value in identifiers if value), "")
        facts = paper_facts("", url) if url and not found else None
        name = found or (facts.identity.removeprefix("url:") if facts else identity)
    elif kind != "doi":
        name = identity
    return f"paper:{name}"


def describe_key(key: str) -> tuple[str, str]:
    """The kind and the name of a key, for people."""
    kind, _, name = key.partition(":")
    return KINDS.get(kind, kind), name


def final_key(key: str, merged: Mapping[str, str]) -> str:
    """Return what the key is called after all mergers; files whose mergers lead in a circle are refused."""
    while key in merged:
        key = merged[key]
    return key
