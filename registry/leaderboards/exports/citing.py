"""Citations for reference managers and papers: BibTeX, biblatex, RIS, CSL-JSON, macros of the numbers."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from django.http import Http404
from django.template.loader import render_to_string
from django.utils import timezone

from analysis.boards import Corrected
from registry.core.http import MEDIA_TYPES
from registry.core.latex import bibtex_entry, latex
from registry.core.messages import say
from registry.core.templatetags.formatting import day, score
from registry.journal.chain import prove
from registry.leaderboards.documents.shapes import BoardDocument, OfLeaderboard
from registry.leaderboards.documents.suite_shapes import Analysed, SuiteDocument
from registry.leaderboards.headlines import without_owner
from registry.leaderboards.stored import StoredBoard, Strip, read_stored, strips_of
from registry.leaderboards.traits import Traits
from registry.leaderboards.wording import evidence_in_short
from registry.results.exports import keyed_bibtex, paper_csl, ris_of
from registry.results.models import Paper, Result

_BRACKET, _ESCAPED = re.compile(r"([\\\[\]])"), r"\\\1"
#: Names of commands hold letters alone.
_DIGITS = dict(enumerate(("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")))


def citable_address(document: Analysed) -> str:
    """Return where a document will be found again: the snapshot, or the reader's choices as of a day."""
    if document.snapshot:
        return document.snapshot.url
    query = {"as_of": timezone.localdate().isoformat()} | document.selection
    return f"{document.url}?{urlencode(sorted(query.items()))}"


def made_on(document: Analysed) -> tuple[str, str]:
    """Return the day of a document, and what it is: a snapshot, or the record as of that day."""
    if document.snapshot:
        return document.snapshot.created[:10], f"Snapshot {document.snapshot.id} of {document.snapshot.created[:10]}"
    today = timezone.localdate().isoformat()
    return today, f"As of {today}"


def bibtex(document: Analysed, site: str) -> str:
    """Return a BibTeX entry: the snapshot, or the address of a view with the day."""
    title = say("citation-title", title=title_of(document), day=day(made_on(document)[0]))
    note = f"{made_on(document)[1]}. {quoted(document)}"
    return replace(_entry(document, site), title=title, note=note).bibtex()


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that stands here since a day, 2026-01-31, as reference managers take it; versions are of snapshots."""

    key: str
    title: str
    day: str
    address: str
    note: str
    version: str

    def bibtex(self) -> str:
        """Return a BibTeX entry: the snapshot, or the address of a view with the day."""
        year, month = self.day[:4], str(int(self.day[5:7]))
        return self._entry("misc", {"year": year, "month": month, "howpublished": f"\\url{{{self.address}}}"})

    def biblatex(self) -> str:
        """Return it as biblatex has it: a data set with its day, its version and the sentence of its verdict."""
        url = self.address.replace("{", "%7B").replace("}", "%7D")
        return self._entry("dataset", {"date": self.day, "version": self.version, "url": url})

    def _entry(self, kind: str, fields: dict[str, str]) -> str:
        """Return an entry with these fields between its title and its note."""
        title = {"author": "{Plumbline}", "title": f"{{{latex(self.title)}}}"}
        return bibtex_entry(kind, self.key, title | fields | {"note": latex(self.note)})

    def csl(self) -> dict[str, Any]:
        """Return it as an item of CSL-JSON."""
        return {
            "id": self.key,
            "type": "dataset",
            "title": self.title,
            "author": [{"literal": "Plumbline"}],
            "publisher": "Plumbline",
            "issued": {"date-parts": [[int(part) for part in self.day.split("-")]]},
            "version": self.version,
            "URL": self.address,
            "note": self.note,
            "custom": self.version and prove("snapshots", self.version),
        }


def _entry(document: Analysed, site: str) -> Entry:
    version, address = document.snapshot.id if document.snapshot else "", site + citable_address(document)
    return Entry(citation_key(document), title_of(document), made_on(document)[0], address, quoted(document), version)


def csl_text(items: list[dict[str, Any]]) -> str:
    """Return items of CSL-JSON without what is blank, as a file."""
    filled = [{name: value for name, value in item.items() if value} for item in items]
    return json.dumps(filled, ensure_ascii=False, indent=2) + "\n"


def macros(document: Analysed, site: str) -> str:
    """Return a LaTeX command for each number of the verdict, so that a paper's text follows the file."""
    verdict, decimals = document.verdict, document.measure["decimals"]
    lines = [f"% {latex(title_of(document))}. {site}{citable_address(document)}"]
    if verdict is None:
        return "\n".join([*lines, "% There is no verdict whose numbers could be quoted.", ""])
    shown = verdict.shown
    best, corrected = shown.set, shown.corrected
    numbers = {
        "Best": f"{shown.value:.{decimals}f}",
        "Adjusted": _digits(corrected, "value"),
        "Error": _digits(corrected, "half_width"),
        "Low": _digits(corrected, "low"),
        "High": _digits(corrected, "high"),
        "Margin": f"{best.margin:.{decimals}f}" if best and best.margin is not None else "",
        "Members": f"{best.n_members}" if best else "",
        "MembersOf": f"{best.n_rows or ''}" if best else "",
        "Results": f"{verdict.tries.n_results}",
        "LeftOut": f"{shown.n_left_out or ''}",
        "Families": f"{verdict.tries.n_families}",
        "Sentence": latex(quoted(document)),
        "Snapshot": latex(document.snapshot.id) if document.snapshot else "",
        "Cite": rf"\cite{{{citation_key(document)}}}",
    }
    prefix = command_name(title_of(document))
    lines += [rf"\newcommand{{\{prefix}{name}}}{{{value}}}" for name, value in numbers.items() if value]
    return "\n".join([*lines, ""])


def _digits(corrected: Corrected | None, name: str) -> str:
    """Return a number of the corrected value with its digits; blank without it."""
    number = getattr(corrected, name, None)
    return "" if corrected is None or number is None else f"{number:.{corrected.decimals}f}"


def command_name(title: str) -> str:
    r"""Return the start of the names of its commands, as ``\PlumblineTRECTwoZeroZeroFourRobustAP``."""
    words = re.findall(r"[A-Za-z]+|[0-9]", title)
    return "Plumbline" + "".join(_DIGITS[int(word)] if word.isdigit() else word[0].upper() + word[1:] for word in words)


def quoted(document: Analysed) -> str:
    """Return the verdict in the words of a paper: what was found, and who leads with which score; blank without one."""
    verdict = document.verdict
    if not verdict:
        return ""
    judged = document.collection.get("judged_by_model", "") if isinstance(document, OfLeaderboard) else ""
    selection = document.selection if isinstance(document, BoardDocument) else {}
    texts = {name: selection.get(name, "") for name in ("weights", "size", "maker")}
    traits = Traits(**texts, since=int(selection["since"]) if "since" in selection else None)
    other = [selection[name].replace("_", " ") for name in ("role", "run_type", "provenance") if name in selection]
    chosen = [*other, *traits.in_words]
    # A role alone is named by the sentence.
    is_said = not chosen or (chosen == other and len(other) == 1 and "role" in selection)
    claim = f"{verdict.sentence} {verdict.of_leader}"
    return " ".join(filter(None, [judged, claim, "" if is_said else say("chosen-are", chosen=", ".join(chosen))]))


def snapshot_sentences(document: Analysed) -> str:
    """Return the verdict and what it rests on as sentences for a paper in LaTeX, citing the snapshot."""
    if document.verdict is None:
        return ""
    text = latex(quoted(document).removesuffix("."))
    rests_on = evidence_in_short(document.verdict, document.question)
    return f"{text}~\\cite{{{citation_key(document)}}}.\n{latex(rests_on)}\n"


def citation_key(document: Analysed) -> str:
    """Return what its entries are called."""
    if document.snapshot:
        return f"plumbline-{document.snapshot.id}"
    digest = hashlib.sha256(citable_address(document).encode()).hexdigest()
    return f"plumbline-view-{digest[:12]}"


def title_of(document: Analysed) -> str:
    """Return what it is called."""
    return f"{document.name}, {document.measure['name']}"


def title_with_choices(document: Analysed) -> str:
    """Return what it is called, with what the reader chose."""
    return ", ".join([title_of(document), *(f"{name} {value}" for name, value in document.selection.items())])


@dataclass(frozen=True, slots=True)
class ShortVerdict:
    """A verdict in two short lines: its score, and its claim."""

    score: Annotated[str, '"Best reported 0.3874, adjusted for luck 0.382 ± 0.018"; blank without a verdict.']
    claim: Annotated[str, "Its sentence, or why there is none."]


@dataclass(frozen=True, slots=True)
class Snippet:
    """Text that people paste to show a badge; ``path`` is that of its picture."""

    path: str
    description: str
    markdown: str
    html: str


def short_verdict(document: Analysed) -> ShortVerdict:
    """Return the verdict in two short lines; without one, that there is none and why."""
    verdict = document.verdict
    if verdict is None:
        why = "An earlier release made this analysis."
        if isinstance(document, BoardDocument | SuiteDocument):
            why = document.analysis.message
        return ShortVerdict("", f"No verdict: {why[0].lower()}{why[1:].rstrip('.')}" if why else "No verdict")
    shown = verdict.shown
    printed = say(
        "short-score",
        best=verdict.best_kind,
        value=score(shown.value, document.measure["decimals"]),
        adjusted=shown.corrected.in_words if shown.corrected else "none",
    )
    return ShortVerdict(printed, verdict.sentence)


def described_badge(document: Analysed, title: str) -> str:
    """Return what a badge says, for those who do not see it."""
    if document.verdict is None:
        return f"{title}: {short_verdict(document).claim}."
    day = f", {document.snapshot.created[:10]}" if document.snapshot else ""
    return f"{title}. {document.verdict.sentence} Plumbline{day}."


def snippet(document: Analysed, site: str, page: str) -> Snippet:
    """Return what shows the badge of the page at this path, and leads there; ``site`` is the site's address."""
    title = title_of(document)
    return snippet_of(title, described_badge(document, title), site, page)


def snippet_of(title: str, description: str, site: str, page: str) -> Snippet:
    """Return the snippet of what has this title, with what its picture says."""
    path = f"{page}badge.svg"
    address, image = (quote(site + target, safe="/:%@+,;~") for target in (page, path))
    name = f"Plumbline: {title}"
    html = render_to_string("leaderboards/_badge_snippet.html", {"page": address, "image": image, "name": name})
    return Snippet(
        path=path,
        description=description,
        markdown=f"[![{_BRACKET.sub(_ESCAPED, name)}]({image})]({address})",
        html=html.strip(),
    )


class FileFormat(NamedTuple):
    """A format of files: what people call it, its media type, and what writes it, with the address of the site."""

    name: str
    media_type: str
    write: Callable[[Any, str], str | bytes]


#: How a leaderboard, suite or snapshot can be cited, by the suffix of the address.
CITATIONS = {
    "bib": FileFormat("BibTeX", MEDIA_TYPES["bib"], bibtex),
    "biblatex.bib": FileFormat("biblatex", MEDIA_TYPES["bib"], lambda *about: _entry(*about).biblatex()),
    "ris": FileFormat("RIS", MEDIA_TYPES["ris"], lambda *about: ris_of(_entry(*about).csl())),
    "csl.json": FileFormat("CSL-JSON", MEDIA_TYPES["csl.json"], lambda *about: csl_text([_entry(*about).csl()])),
    "macros.tex": FileFormat("numbers as LaTeX commands", MEDIA_TYPES["tex"], macros),
}


def cited_result(result: Result, site: str, suffix: str) -> str:
    """Return the result as ``bib``, ``ris`` or ``csl.json``, followed by its paper; ``site`` is the site's address.

    Raises
    ------
    Http404
        If it ended, does not compete, or its leaderboard was not analysed.
    """
    boards = read_stored([result.leaderboard_id])
    strip = strips_of([result], boards).get(result.pk)
    sentence = result_sentence(strip, boards[result.leaderboard_id], result) if strip else ""
    if not sentence:
        raise Http404("Nothing was found about this result that could be cited.")
    board, about = boards[result.leaderboard_id], result.leaderboard
    entry = Entry(
        key=f"plumbline-result-{result.pk}",
        title=f"{without_owner(result.system.name)} on {about.collection.name}, {about.measure.name}",
        day=board.created.date().isoformat(),
        address=f"{site}{result.get_absolute_url()}",
        note=sentence,
        version=board.snapshot_id,
    )
    return _WRITERS[suffix](entry, result.paper)


def result_sentence(strip: Strip, board: StoredBoard, result: Result) -> str:
    """Return the result with its uncertainty; blank for one that does not compete."""
    if strip.rank is None:
        return ""
    return say(
        "cited-result", system=without_owner(result.system.name), paper=f" ({result.paper})" if result.paper else "",
        measure=result.leaderboard.measure.name, score=str(result.score), collection=result.leaderboard.collection.name,
        rank=f"{strip.rank:,}", n=strip.n_results, rows="result", view=strip.view if strip.is_ranked else "all",
        doubt=_doubt(strip, board), snapshot=board.snapshot_id, day=day(board.created.isoformat()),
    )  # fmt: skip


def _doubt(strip: Strip, board: StoredBoard) -> str:
    parts, ranks, best_set = [], board.ranges.get(strip.result), board.findings.verdict.shown.set
    if ranks and best_set and ranks.low < ranks.high:
        parts.append(say("cited-ranks", low=f"{ranks.low:,}", high=f"{ranks.high:,}"))
    if strip.worth:
        parts.append(say("cited-value", value=strip.worth))
    if strip.is_held_back:
        parts.append(say("cited-held-back"))
    elif strip.is_best and strip.may_be_best and best_set:
        parts.append(say("cited-best", n=best_set.n_members - 1, view=strip.view))
    elif strip.may_be_best is not None:
        parts.append(say("cited-member" if strip.may_be_best else "cited-below", view=strip.view))
    return "".join(parts)


_WRITERS: dict[str, Callable[[Entry, Paper | None], str]] = {
    "bib": lambda entry, paper: "\n".join([entry.bibtex(), *([keyed_bibtex(paper)] if paper else [])]),
    "ris": lambda entry, paper: "".join(map(ris_of, [entry.csl(), *(paper_csl(paper) if paper else [])])),
    "csl.json": lambda entry, paper: csl_text([entry.csl(), *(paper_csl(paper) if paper else [])]),
}

#: The formats with their media types.
RESULT_CITATIONS = {suffix: CITATIONS[suffix].media_type for suffix in _WRITERS}
