"""A leaderboard, suite, snapshot or model in two short lines, and the small picture of them that other sites show."""

import re
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from django.template.loader import render_to_string

from registry.core.templatetags.formatting import score, thousands
from registry.leaderboards.documents.shapes import BoardDocument, VerdictDocument
from registry.leaderboards.documents.suite_shapes import SuiteDocument
from registry.leaderboards.exports.citing import title_of, title_with_choices
from registry.leaderboards.wording import Analysed

#: About as wide is a character of the badge's lines, the second of which is bold, and what stands around them: pixels.
_CHARACTER, _BOLD_CHARACTER, _SIDES = 6.7, 7.6, 52.0

_BRACKET, _ESCAPED = re.compile(r"([\\\[\]])"), r"\\\1"


@dataclass(frozen=True, slots=True)
class ShortVerdict:
    """What a verdict says in two short lines: of the score, and of what can't be told from it."""

    score: Annotated[str, '"printed 0.3686, probably 0.366"; blank without a verdict.']
    reach: Annotated[str, '"26 of 335 can’t be told from the best", or why that isn\'t known.']


@dataclass(frozen=True, slots=True)
class Snippet:
    """What people paste to show a badge; ``path`` is that of its picture."""

    path: str
    description: str
    markdown: str
    html: str


def short_verdict(document: Analysed) -> ShortVerdict:
    """The verdict in two short lines; without one, that there is none and why."""
    verdict = document.verdict
    if verdict is None:
        why = "An earlier release made this analysis."
        if isinstance(document, BoardDocument | SuiteDocument):
            why = document.analysis.message
        return ShortVerdict("", f"no verdict: {why[0].lower()}{why[1:].rstrip('.')}" if why else "no verdict")
    return ShortVerdict(_score(verdict, document.measure["decimals"], document.words.score), _reach(verdict))


def _score(verdict: VerdictDocument, decimals: int, printed: str) -> str:
    said = f"{printed} {score(verdict.best.value, decimals)}"
    other, shown = verdict.best_unflagged, verdict.shown
    if other and other.result != verdict.best.result:
        said += f", held back; best that is not {score(other.value, decimals)}"
    if shown.corrected:
        said += f", probably {score(shown.corrected.value, shown.corrected.decimals)}"
    return said


def _reach(verdict: VerdictDocument) -> str:
    other, shown = verdict.best_unflagged, verdict.shown
    n_results = (shown.set.n_rows if shown.set else 0) or verdict.tries.n_results - shown.n_left_out
    if shown.set is None:
        return "one result, nothing to compare it with" if n_results == 1 else "not known which could be the best"
    if shown.set.n_members > 1:
        can = f"{thousands(shown.set.n_members)} of {thousands(n_results)}"
        return f"{can} not held back can’t be told apart" if other else f"{can} can’t be told from the best"
    if verdict.leader_verified:
        return "lead verified: every other is ruled out"
    return "every other not held back is ruled out" if other else "every other is ruled out"


def badge_svg(document: Analysed) -> str:
    """The badge, a picture that needs nothing else."""
    said = short_verdict(document)
    title = title_with_choices(document)
    first = f"{title}: {said.score}" if said.score else title
    return draw_badge(first, said.reach, _description(document, title), has_verdict=bool(said.score))


def draw_badge(first: str, second: str, description: str, *, has_verdict: bool) -> str:
    """The picture of two lines, the second in colour where there is a verdict."""
    context = {
        "first": first,
        "second": second,
        "description": description,
        "has_verdict": has_verdict,
        "width": round(_SIDES + max(_CHARACTER * len(first), _BOLD_CHARACTER * len(second))),
    }
    return render_to_string("leaderboards/badge.svg", context)


def _description(document: Analysed, title: str) -> str:
    if document.verdict is None:
        return f"{title}: {short_verdict(document).reach}."
    day = f", {document.snapshot.created[:10]}" if document.snapshot else ""
    return f"{title}. {document.verdict.sentence} Plumbline{day}."


def snippet(document: Analysed, site: str, page: str) -> Snippet:
    """What shows the badge of the page at this path, and leads there; ``site`` is the site's address."""
    title = title_of(document)
    return snippet_of(title, _description(document, title), site, page)


def snippet_of(title: str, description: str, site: str, page: str) -> Snippet:
    """The same for what has this title, with what the picture says."""
    path = f"{page}badge.svg"
    address, image = (quote(site + one, safe="/:%@+,;~") for one in (page, path))
    name = f"Plumbline: {title}"
    html = render_to_string("leaderboards/_badge_snippet.html", {"page": address, "image": image, "name": name})
    return Snippet(
        path=path,
        description=description,
        markdown=f"[![{_BRACKET.sub(_ESCAPED, name)}]({image})]({address})",
        html=html.strip(),
    )
