"""A leaderboard, suite or snapshot as pictures that other sites show: badge, figure, card."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from textwrap import shorten, wrap

import resvg_py
from django.conf import settings
from django.http import Http404, HttpResponse
from django.template.loader import render_to_string

from registry.core.charts.scenes import CARD, WIDE, Scene
from registry.leaderboards.documents.suite_shapes import Analysed
from registry.leaderboards.drawings.pages import DESCRIBED, described
from registry.leaderboards.drawings.plumb_line import Drawn, describe, plumb_scene
from registry.leaderboards.exports.citing import described_badge, made_on, short_verdict, title_with_choices
from registry.leaderboards.wording import Fact, facts

#: About as wide is a character of the badge's lines, the second of which is bold, and what stands around them: pixels.
_CHARACTER, _BOLD_CHARACTER, _AROUND = 6.7, 7.6, 52.0


def badge_svg(document: Analysed) -> str:
    """Return the badge, a picture that needs nothing else."""
    short = short_verdict(document)
    title = title_with_choices(document)
    first = f"{title}: {short.score}" if short.score else title
    return draw_badge(first, short.claim, described_badge(document, title), has_verdict=bool(short.score))


def draw_badge(first: str, second: str, description: str, *, has_verdict: bool) -> str:
    """Return the picture of two lines, the second in colour where there is a verdict."""
    context = {
        "first": first,
        "second": second,
        "description": description,
        "has_verdict": has_verdict,
        "width": round(_AROUND + max(_CHARACTER * len(first), _BOLD_CHARACTER * len(second))),
    }
    return render_to_string("leaderboards/badge.svg", context)


#: How long others may keep a picture before they ask for it again.
FRESH_SECONDS = 3600

#: Characters on a line of the figure's sentence; on one of the card's claim by its size, the largest first.
_SENTENCE, _CLAIM = 135, {48: 42, 36: 58, 30: 70, 25: 84}

#: Characters of the title of a card, beside the name of the site; on a line above a number, and below it.
_TITLE, _NAME, _MEANING = 72, 28, 36

#: Pixels of the figure above its drawing, of a line of its sentence, below the drawing, and at both sides together.
_HEAD, _LINE, _FOOT, _SIDES = 58, 22, 34, 40

_FONTS = Path(__file__).parent / "fonts"


def figure_svg(document: Analysed, of: Drawn) -> str:
    """Return the plumb line of these rows as a file."""
    drawn = plumb_scene(of, WIDE, document.row)
    if drawn is None or document.verdict is None:
        raise Http404("There is no verdict with several results that could be drawn.")
    title, source = title_with_choices(document), f"{made_on(document)[1]}."
    return draw_figure(title, document.verdict.sentence, drawn, describe(of), source)


def draw_figure(title: str, sentence: str, drawn: Scene, description: str, source: str) -> str:
    """Return a drawing as a file: title, sentence, drawing, and where it is from."""
    lines = wrap(sentence, _SENTENCE, break_on_hyphens=False)
    top = _HEAD + _LINE * len(lines)
    context = {
        "title": title,
        "lines": lines,
        "scene": drawn,
        "description": description,
        "top": top,
        "width": round(drawn.size.width + _SIDES),
        "height": round(top + drawn.height + _FOOT),
        "source": f"Plumbline. {source}",
        "style": drawing_style(),
    }
    return render_to_string("leaderboards/figure.svg", context)


def card_svg(document: Analysed, of: Drawn) -> str:
    """Return what is shown where a link to it is shared: the claim and the drawing, or else the numbers."""
    drawn, verdict = plumb_scene(of, CARD, document.row), document.verdict
    numbers = facts(document, verdict, of.results) if verdict and drawn is None else ()
    return draw_card(title_with_choices(document), short_verdict(document).claim, drawn, numbers)


def draw_card(title: str, claim: str, drawn: Scene | None = None, numbers: Iterable[Fact] = ()) -> str:
    """Return what is shown where a link to a page is shared, 1200 × 630: its claim with its drawing, or its numbers."""
    # A long claim is set smaller, so that all of it is there, above the drawing.
    room = 600 - 1.4 * (drawn.height if drawn else 150)
    for size, longest in _CLAIM.items():
        lines, leading = wrap(claim, longest, break_on_hyphens=False), round(1.2 * size)
        if 130 + leading * (len(lines) - 1) <= room:
            break
    shown = {"title": shorten(title, _TITLE, placeholder=" …"), "claim": lines, "size": size, "leading": leading}
    columns = [
        (40 + 380 * place, fact, wrap(fact.name, _NAME), wrap(fact.meaning, _MEANING))
        for place, fact in enumerate(islice(numbers, 3))
    ]
    shown |= {"columns": columns, "scene": drawn, "style": drawing_style()}
    return render_to_string("leaderboards/card.svg", shown)


def png(svg: str, *, zoom: float = 1.0) -> bytes:
    """Return the drawing as a PNG, with the fonts that ship and no others."""
    return resvg_py.svg_to_bytes(
        svg_string=svg.translate({ord("◂"): "←", ord("▸"): "→"}),  # The fonts that ship have no triangles.
        zoom=zoom,
        skip_system_fonts=True,
        font_dirs=[str(_FONTS)],
        font_family="TeX Gyre Heros",
        sans_serif_family="TeX Gyre Heros",
        serif_family="TeX Gyre Pagella",
    )


@cache
def drawing_style() -> str:
    """Return the site's rules for drawings with its light colours: a file of its own knows no custom properties."""
    sheets = settings.BASE_DIR / "static" / "css"
    light = (sheets / "tokens.css").read_text(encoding="utf-8").partition("@media")[0]
    values = dict(re.findall(r"--([\w-]+): ([^;]+);", light))
    rules = re.findall(r"^  \.chart .*\}$", (sheets / "figure.css").read_text(encoding="utf-8"), re.MULTILINE)
    return re.sub(r"var\(--([\w-]+)\)", lambda match: values[match[1]], "\n".join(rules))


#: Each picture by the name of its file: what draws it, and its media type.
_PICTURES: dict[str, tuple[Callable[[Analysed, Drawn], str | bytes], str]] = {
    "badge.svg": (lambda document, _: badge_svg(document), "image/svg+xml"),
    "figure.svg": (figure_svg, "image/svg+xml"),
    "figure.png": (lambda document, of: png(figure_svg(document, of), zoom=2.0), "image/png"),
    "card.png": (lambda document, of: png(card_svg(document, of)), "image/png"),
    DESCRIBED: (lambda document, of: described(of, document.row), "application/json"),
}

#: The names of their files, which stand below the address of what they show.
PICTURES = frozenset(_PICTURES)


def picture_response(document: Analysed, of: Drawn, name: str) -> HttpResponse:
    """Return the picture of this name, of an analysis with these rows."""
    draw, media_type = _PICTURES[name]
    return as_picture(draw(document, of), media_type)


def as_picture(content: str | bytes, media_type: str) -> HttpResponse:
    """Return an answer that asks for nothing besides itself, wherever it is opened."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return HttpResponse(content, content_type=media_type, headers={"Content-Security-Policy": policy})


def for_everybody(response: HttpResponse) -> HttpResponse:
    """Return the answer as one that holds for all readers, and that caches keep for a while."""
    if response.status_code in {200, 304}:
        response["Cache-Control"] = f"public, max-age={FRESH_SECONDS}"
        response["Vary"] = "Accept-Encoding"
    return response
