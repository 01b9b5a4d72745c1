"""Numbers and names as every page shows them."""

import json
from dataclasses import dataclass
from datetime import datetime
from math import floor, log10
from typing import Any, Literal
from urllib.parse import urlencode

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from jinja2 import Environment

from analysis.readers.numbers import PrintedScore
from registry.core.http import site_address
from registry.core.listing import first_listed, n_unlisted
from registry.core.messages import say_html

register = template.Library()
register.filter(first_listed)
register.filter(n_unlisted)
register.filter("whole_address", site_address)
register.simple_tag(say_html, name="say")

#: The content of a cell without a value: never 0, never NaN.
NOTHING = "–"

#: Blanks as wide as a digit, and as a point.
FIGURE_SPACE = "\u2007"
PUNCTUATION_SPACE = "\u2008"


@register.filter
def score(value: float | Literal[""] | None, decimals: int = 4) -> str:
    """Return a score with the decimals of its measure; what rounds to 0 has no sign."""
    return NOTHING if value is None or value == "" else f"{value:z.{decimals}f}".replace("-", "−")


@register.filter
def two_figures(value: float | Literal[""] | None) -> str:
    """Return a difference with two figures, as an error has; at most 6 decimals."""
    return NOTHING if value is None or value == "" else f"{value:.{telling_decimals(value)}f}"


def telling_decimals(needed: float, *others: float) -> int:
    """Return at how many decimals ``needed`` has two figures, and none of ``others`` looks like it that is not.

    At most 6: what then looks alike differs by less than any source reports.
    """
    size = abs(needed)
    decimals = max(0, 1 - floor(log10(size))) if size > 0 else 4
    while decimals < 6 and any(
        other != needed and f"{other:.{decimals}f}" == f"{needed:.{decimals}f}" for other in others
    ):
        decimals += 1
    return min(decimals, 6)


@register.filter
def printed(row: Any, decimals: int = 4) -> str:
    """Return a score as printed, with its real digits, or the measure’s where a program printed every one it had."""
    score: PrintedScore = row.score if not isinstance(row, dict) else PrintedScore(row["printed"], row.get("unit", ""))
    return score.shown(decimals)


@register.filter
def percent(value: float | None, decimals: int = 1) -> str:
    """Return a share of 1 as a percentage; 0 stands only for none, and 100 only for all."""
    if value is None:
        return NOTHING
    rounded, least = f"{100 * value:.{decimals}f}", 10.0**-decimals
    if value > 0 and float(rounded) == 0:
        return f"< {least:.{decimals}f}%"
    if value < 1 and float(rounded) == 100:
        return f"> {100 - least:.{decimals}f}%"
    return f"{rounded}%".replace("-", "−")


@register.filter
def percentile(value: float | None) -> str:
    """Return a percentile, rounded down: 100 stands only above all, and 50 above no less than half."""
    return NOTHING if value is None else str(floor(value + 1e-9))


@register.filter
def at_least(share: float) -> str:
    """Return what a share of 1 reaches, as a percentage that is rounded down: for "… or more"."""
    return f"{percentile(100 * share)}%"


@register.filter
def signed(value: float | None, decimals: int = 2) -> str:
    """Return a number with its sign; what rounds to 0 has that of 0."""
    return NOTHING if value is None else f"{value:+z.{decimals}f}".replace("-", "−")


@register.filter
def magnitude(value: float, decimals: int = 4) -> str:
    """Return a difference without its sign."""
    return score(abs(value), decimals)


@register.simple_tag
def difference(first: float | Literal[""] | None, second: float | Literal[""] | None, decimals: int = 4) -> str:
    """Return how far two numbers are from each other as they are printed, so that readers who subtract find the
    same."""
    if first is None or second is None or first == "" or second == "":
        return NOTHING
    return score(abs(round(first, decimals) - round(second, decimals)), decimals)


@register.filter
def pvalue(value: float | None) -> str:
    """Return a p-value: three decimals, never 0."""
    if value is None:
        return NOTHING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


@register.filter
def thousands(value: int | Literal[""] | None) -> str:
    """Return a count with thin spaces between thousands."""
    return NOTHING if value is None or value == "" else f"{value:,}".replace(",", "\u202f")


@register.filter
def in_short(value: int | None) -> str:
    """Return a large count as people say it: 335 M, 7.1 B, 528 k; below 1000 itself."""
    if value is None:
        return ""
    for size, letter in ((10**9, "B"), (10**6, "M"), (10**3, "k")):
        if value >= size:
            return f"{value / size:.{0 if value >= 100 * size else 1}f}".removesuffix(".0") + f" {letter}"
    return str(value)


@register.filter
def plural(value: int, words: str) -> str:
    """Return the count with the right word: ``{{ n|plural:"result,results" }}``."""
    singular, several = words.split(",")
    return f"{thousands(value)} {singular if value == 1 else several}"


def number_of(n: int, singular: str, several: str) -> str:
    """Return the count with its word as programs get it too, with a comma between thousands: 1 topic, 6,980 topics."""
    return f"{n:,} {singular if n == 1 else several}"


@register.filter
def or_nothing(value: Any) -> Any:
    """Return the value, or a dash where there is none."""
    return NOTHING if value is None or value == "" else value


@register.filter
def split(text: str) -> list[str]:
    """Return the words of a text."""
    return text.split()


@register.filter
def json_script_text(text: str, element_id: str) -> SafeString:
    """Return JSON text as a data block that the page’s scripts can read; the browser never runs it."""
    escaped = text.replace("<", "\\u003C").replace(">", "\\u003E").replace("&", "\\u0026")
    return format_html('<script id="{}" type="application/json">{}</script>', element_id, mark_safe(escaped))


@register.filter
def json_ld(document: dict[str, Any]) -> SafeString:
    """Return what the page says of itself to programs; the browser never runs it."""
    escaped = json.dumps(document, ensure_ascii=False).replace("<", "\\u003C").replace("&", "\\u0026")
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(escaped))


@register.filter
def canonical(path: str) -> SafeString:
    """Return the link to the address by which the page is to be known, whatever it was asked for by."""
    return format_html('<link rel="canonical" href="{}">', site_address(path))


@register.filter
def aligned(text: str, decimals: int = 4) -> str:
    """Return a printed decimal with blanks for the digits it lacks, so that points stand in one column."""
    return text + padding(text, decimals)


@register.filter
def padding(text: str, decimals: int = 4) -> str:
    """Return the blanks alone, to stand behind a link and not be underlined."""
    _, point, fraction = text.partition(".")
    point_blank = "" if point or not decimals else PUNCTUATION_SPACE
    return point_blank + FIGURE_SPACE * max(0, decimals - len(fraction))


@register.filter
def drawn(scene: Any) -> SafeString:
    """Return the shapes and words of a drawing, within an SVG."""
    return mark_safe(render_to_string("core/_drawn.jinja", {"scene": scene}, using="jinja2"))  # Jinja escapes


@register.filter
def without_scheme(text: str) -> str:
    """Return an address as people write it; other texts as they are."""
    return text.removeprefix("https://").removeprefix("http://")


@register.filter
def source_in_short(text: str) -> str:
    """Say in a narrow column where a score is from: the site of an address, else what kind of page it is."""
    if text.startswith("model card of "):
        return "model card"
    site = without_scheme(text).partition("/")[0]
    return site if "." in site else text


@register.filter
def day(text: str) -> str:
    """Return the day of a moment in ISO 8601: 21 November 2026."""
    moment = datetime.fromisoformat(text)
    return f"{moment.day} {moment:%B %Y}"


@register.filter
def known_day(text: str) -> str:
    """Return a day as far as it is known: 2 December 2021 of 2021-12-02, December 2021 of 2021-12, 2021 of itself."""
    if len(text) == len("2021-12"):
        return f"{datetime.fromisoformat(f'{text}-01'):%B %Y}"
    return day(text) if len(text) == len("2021-12-02") else text


@register.filter
def as_query(query: dict[str, str]) -> str:
    """Return the choices as the end of an address; nothing where there are none."""
    return f"?{urlencode(query)}" if query else ""


@register.simple_tag
def query_with(query: dict[str, str] | Literal[""], name: str, value: Any = None) -> str:
    """Return the choices of an address with one changed, or left out for None; a change starts at the first page.

    Pages without choices have no ``query``, which templates pass on as a blank text.
    """
    changed = {key: text for key, text in (query or {}).items() if key != "page"} | {name: value}
    return f"?{urlencode({key: text for key, text in changed.items() if text not in (None, '')})}"


@dataclass(frozen=True, slots=True)
class Section:
    """A link of the navigation; ``current`` is what ``aria-current`` says of it, blank where it is not."""

    name: str
    address: str
    begins: bool
    current: str


#: The groups of the navigation: name, view, and the prefixes of addresses in the section.
_SECTIONS = (
    (
        ("Leaderboards", "search:leaderboard-list", ("/leaderboards", "/collections", "/measures", "/results")),
        ("Benchmarks", "leaderboards:suite-list", ("/benchmarks",)),
        ("Models", "search:model-list", ("/models", "/systems")),
        ("Papers", "search:paper-list", ("/papers", "/reproduced")),
    ),
    (
        ("Check a score", "check:check", ("/check",)),
        ("Review a table", "review_table:review-table", ("/review-table",)),
        ("Compare", "compare:compare", ("/compare",)),
        ("Score a run", "runs:upload-list", ("/runs",)),
    ),
    (("Methods", "core:method-list", ("/methods",)), ("Help", "core:document-list", ("/docs",))),
)


@register.simple_tag(takes_context=True)
def navigation(context: Context) -> list[Section]:
    """Return the links of the navigation, that of the page that is shown marked."""
    request = context.get("request")
    path = request.path if request else ""
    sections = []
    for number, group in enumerate(_SECTIONS):
        for place, (name, view, prefixes) in enumerate(group):
            address = reverse(view)
            is_within = path.startswith(tuple(f"{prefix}{end}" for prefix in prefixes for end in "/."))
            current = "page" if path == address else "true" if is_within else ""
            sections.append(Section(name, address, begins=number > 0 and place == 0, current=current))
    return sections


def jinja_environment(**options: Any) -> Environment:
    """Return what sets the long tables, with the filters of all other templates (docs/decisions/0027-jinja.md)."""
    environment = Environment(**options)
    environment.filters |= register.filters
    environment.globals |= {"say": say_html}
    return environment
