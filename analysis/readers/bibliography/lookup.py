"""Looking a paper up by its identifier: which address to ask for its BibTeX, and what to make of the answer.

Nothing here opens a connection: who asks hands in the function that fetches.
"""

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

from analysis.readers.bibliography.bibtex import read_bibtex
from analysis.readers.bibliography.papers import IDS, PaperDraft
from analysis.readers.identifiers import doi_address
from analysis.readers.rejections import Rejection

#: Takes an address and the media type that is wanted, returns the text of the answer; an OSError where there is none.
Fetch = Callable[[str, str], str]


def address_to_ask(draft: PaperDraft) -> str:
    """Return where the BibTeX of the paper is to be had; always one of four hosts, blank without an identifier."""
    if draft.acl_id:
        return f"https://aclanthology.org/{quote(draft.acl_id)}.bib"
    if draft.arxiv_id:
        return f"https://arxiv.org/bibtex/{quote(draft.arxiv_id)}"
    if draft.doi:
        return doi_address(draft.doi)
    return f"https://dblp.org/rec/{quote(draft.dblp_key)}.bib" if draft.dblp_key else ""


def look_up(draft: PaperDraft, fetch: Fetch) -> PaperDraft | list[Rejection]:
    """Return the paper with what the answer says of it, under the identity it has; or why nothing came of it."""
    address = address_to_ask(draft)
    if not address:
        return [Rejection("identifier", "has no identifier to look up", 1, "paper")]
    try:
        answer = fetch(address, "application/x-bibtex")
    except OSError as error:
        return [Rejection("not_found", f"{address} did not answer: {error}", 1, "paper")]
    found = read_bibtex(answer)
    if isinstance(found, list):
        return [
            Rejection(one.code, f"the answer of {address} cannot be read: {one.message}", 1, "paper") for one in found
        ]
    for name in IDS:
        asked, answered = getattr(draft, name), getattr(found, name)
        if asked and answered and asked.lower() != answered.lower():
            message = f"{address} answered with another paper, {answered}"
            return [Rejection("other_paper", message, 1, "paper")]
    ids = {name: getattr(draft, name) or getattr(found, name) for name in IDS}
    return replace(found, identity=draft.identity, url=draft.url, **ids)
