"""Pictures of links that are shared: of the site, a paper, a result or a comparison, in the words of its page."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from registry.core.charts.scenes import CARD
from registry.core.http import must_exist
from registry.core.kept import kept_response, public_version
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.drawings.plumb_line import plumb_line, plumb_scene
from registry.leaderboards.exports.citing import short_verdict
from registry.leaderboards.exports.pictures import as_picture, draw_card, for_everybody, png
from registry.leaderboards.forms import Selection
from registry.leaderboards.templatetags.verdicts import drawn_result, place
from registry.leaderboards.wording import Fact
from registry.results.access import get_visible_paper, get_visible_result
from registry.tools.compare.documents import compare_document
from registry.tools.compare.forms import CompareForm
from registry.tools.compare.views import training_in_words
from registry.tools.home import example_board
from registry.tools.templatetags.tools import numbers_of_paper


def _site(name: str, query: QueryDict) -> str:
    """Return its question, and the leaderboard of the first page."""
    example = example_board()
    document = leaderboard_document(example, Selection()) if example else None
    drawn = plumb_scene(document, CARD) if document else None
    title = short_verdict(document).claim if document and drawn else ""
    return draw_card(title, "How good is the best published result, really?", drawn)


def _paper(name: str, query: QueryDict) -> str:
    paper = get_visible_paper(name)
    numbers, title = numbers_of_paper(paper), paper.title or str(paper)
    claim = numbers["gains"].headline if numbers["gains"] else title
    return draw_card(str(paper) if claim == title else title, claim, None, numbers["facts"])


def _result(name: str, query: QueryDict) -> str:
    result = get_visible_result(int(name))
    title, at = f"{result.system.name}: {result.shown}", place(result)
    if not at.get("claim"):
        return draw_card(str(result.leaderboard), title)
    chart = plumb_line(*drawn_result(result), sizes=(CARD,))
    return draw_card(title, at["claim"], chart.scenes[0] if chart else None, at["facts"] if chart is None else ())


def _comparison(name: str, query: QueryDict) -> str:
    form = CompareForm(query)
    must_exist(form.is_valid() or None, "Nothing is compared.")
    document = compare_document(form.compared)
    names = document.short_names
    records = [
        Fact(training_in_words(duels, names), f"{duel.n_wins:,} · {duel.n_ties:,} · {duel.n_losses:,}",
             f"{names[duel.first]} · ties · {names[duel.second]}")
        for duels in document.by_training for duel in duels.pairs
    ]  # fmt: skip
    return draw_card(", ".join(names.values()), document.sentence, None, records)


#: What draws each kind, by what its address begins with.
_KINDS: dict[str, Callable[[str, QueryDict], str]] = {
    "": _site, "papers": _paper, "results": _result, "compare": _comparison,
}  # fmt: skip


@require_safe
def card(request: HttpRequest, page: str) -> HttpResponse:
    """Return the picture for shared links to a page."""
    kind, _, name = page.strip("/").partition("/")

    def build() -> HttpResponse:
        return as_picture(png(_KINDS[kind](name, request.GET)), "image/png")

    key = f"card {request.get_full_path()} {public_version()}"
    return for_everybody(kept_response(request, key=key, build=build))
