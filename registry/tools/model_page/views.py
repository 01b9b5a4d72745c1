"""The page of a model, its badge and its feed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page, require_safe

from analysis.figures import Axis, Panel, Series
from registry.core.charts import draw_scene
from registry.core.charts.scenes import STRIP
from registry.core.documents import DocumentPage, as_json, as_lists
from registry.core.forms import QueryForm, asked
from registry.core.http import must_exist, site_address
from registry.core.kept import kept_response
from registry.core.listing import grouped
from registry.core.metadata import CONTEXT, set_collection, set_signposts
from registry.core.templatetags.formatting import plural, thousands
from registry.curation.lineage.documents import training_of_system
from registry.leaderboards.exports.citing import snippet_of
from registry.leaderboards.exports.pictures import as_picture, draw_badge, for_everybody
from registry.results.feeds import events_feed
from registry.results.models import Model
from registry.tools.compare.views import small_open_beside
from registry.tools.model_page.documents import (
    BOARD_COLUMNS,
    IN_DOMAIN,
    ModelDocument,
    ModelOnBoard,
    board_rows,
    model_document,
)
from registry.tools.model_page.queries import ModelOnRecord, models_version

#: The page shows this many at once and folds the rest; the JSON has all.
MOST_NAMED = 8
MOST_MET_AGAIN = 12


def find_model(slug: str) -> ModelOnRecord:
    """Return the model at this address, in whatever case; or a 404."""
    model = must_exist(
        Model.objects.filter(slug=slug.casefold()).select_related("paper").first(), f"No model has the address {slug}."
    )
    return ModelOnRecord(model)


def _with_links(response: HttpResponse, document: ModelDocument) -> HttpResponse:
    stem = document.url.rstrip("/")
    if not response.get("Content-Type", "").startswith("text/html"):
        return set_collection(response, document.url, document.url)
    return set_signposts(
        response,
        cite_as=document.url,
        kind="CreativeWork",
        described_by={f"{stem}.json": "application/json"},
        items={f"{stem}.csv": "text/csv"},
    )


MODEL = DocumentPage(
    template="tools/model_page/model_detail.html",
    meaning="A model with all its names, its maker, base, papers and days, where it stands, and who ran it.",
    document=ModelDocument,
    names=("slug",),
    find=find_model,
    canonical=lambda record, form: (record.model.slug,),
    # Pages name the site in what they offer for others.
    version=lambda record: (site_address(), models_version()),
    describe=lambda record, form: model_document(record),
    lay_out=lambda record, document, form: {
        "model": record.model,
        "badge": snippet_of(document.name, _description(document), site_address(), document.url),
        "linked_data": model_linked_data(document),
        "strips": fold(draw_strips(document.boards)),
        "training": training_of_system(record.statements),
        "most_named": MOST_NAMED,
        "most_met": MOST_MET_AGAIN,
        "is_beside": small_open_beside(record.model).exists(),
    },
    finish=_with_links,
    formats={"json": as_json} | as_lists("model-leaderboards", BOARD_COLUMNS, board_rows, "csv"),
)


@require_safe
def model_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the badge of the model, for other sites to show."""
    asked(QueryForm(request.GET))
    record = find_model(slug)

    def build() -> HttpResponse:
        document = model_document(record)
        drawn = draw_badge(*_lines(document), _description(document), has_verdict=bool(document.judged))
        return as_picture(drawn, "image/svg+xml")

    key = f"badge of model {record.model.pk} {models_version()}"
    return for_everybody(kept_response(request, key=key, build=build))


@conditional_page
@require_safe
def model_feed(request: HttpRequest, slug: str) -> HttpResponse:
    return events_feed(request, find_model(slug).model)


def _lines(document: ModelDocument) -> tuple[str, str]:
    """Return its claim: on how many leaderboards it ties for first, apart from those it was trained on."""
    (n_judged, n_best), (n_trained, n_trained_best), (n_others, n_others_best) = document.ties.values()
    if not n_judged:
        n_boards = len(document.boards)
        none = f"on {plural(n_boards, 'leaderboard,leaderboards')}, none with a ranking" if n_boards else "no result"
        return document.name, none
    boards = f"{thousands(n_best)} of {plural(n_judged, 'leaderboard,leaderboards')}"
    claim = f"{document.name}: ties for first on {boards}"
    if not n_trained:
        return claim, "not known to be trained on any"
    if not n_others:
        return claim, "trained on all"
    in_domain = f"{thousands(n_trained_best)} of {thousands(n_trained)} trained on"
    return claim, f"{in_domain}, {thousands(n_others_best)} of {plural(n_others, 'other,others')}"


def _description(document: ModelDocument) -> str:
    return f"{'; '.join(_lines(document))}. Plumbline."


def model_linked_data(document: ModelDocument) -> dict[str, Any]:
    """Return the model as JSON-LD, without what is unknown."""
    fields = {
        "@context": CONTEXT,
        "@type": "CreativeWork",
        "@id": site_address(document.url),
        "url": site_address(document.url),
        "name": document.name,
        "alternateName": sorted({system.name for system in document.systems} - {document.name}),
        "creator": {"@type": "Organization", "name": document.maker} if document.maker else None,
        "datePublished": document.known_since,
        "isBasedOn": site_address(document.base_model.url) if document.base_model else document.base,
        "citation": {"@id": site_address(document.paper["url"])} if document.paper else None,
    }
    return {name: value for name, value in fields.items() if value}


#: Suites with fewer of its leaderboards share a strip.
_MIN_BOARDS = 3
#: Strips of a model shown at once.
_MOST_SHOWN = 8


#: A strip on the page: the places of the model on the leaderboards of a suite.
Strip = dict[str, Any]


def draw_strips(boards: Iterable[ModelOnBoard]) -> list[Strip]:
    """Return a strip for each suite, that with the most of its leaderboards first; then rare suites, and all others."""
    by_suite = grouped(boards, lambda board: board.suite_name)
    alone = by_suite.pop("", [])
    rare = [board for of_suite in by_suite.values() if len(of_suite) < _MIN_BOARDS for board in of_suite]
    often = [(name, of_suite) for name, of_suite in by_suite.items() if len(of_suite) >= _MIN_BOARDS]
    often.sort(key=lambda suite: (-len(suite[1]), suite[0]))
    rest = [("Suites of one or two leaderboards here", rare), ("Other leaderboards", alone)]
    return [_strip(name, of_suite) for name, of_suite in (*often, *rest) if of_suite]


def fold(strips: Sequence[Strip]) -> dict[str, Any]:
    """Return the first strips and the last, which has the most leaderboards, as shown, and the others as folded.

    A single strip is not folded.
    """
    if len(strips) <= _MOST_SHOWN + 1:
        return {"shown": strips}
    folded = strips[_MOST_SHOWN - 1 : -1]
    counts = {name: sum(strip[name] for strip in folded) for name in ("n_best", "n_judged")}
    return {"shown": [*strips[: _MOST_SHOWN - 1], strips[-1]], "folded": folded} | counts


def _strip(name: str, boards: Sequence[ModelOnBoard]) -> Strip:
    n_in_domain = sum(board.training == IN_DOMAIN for board in boards)
    trained = "trained on all" if n_in_domain == len(boards) else f"trained on {n_in_domain}"
    return {
        "name": name,
        "n_best": sum(board.may_be_best is True for board in boards),
        "n_judged": sum(board.may_be_best is not None for board in boards),
        "n_boards": len(boards),
        "in_domain": trained if n_in_domain else "",
        "scene": draw_scene(Panel(data=name, series=tuple(_dots(boards))), Axis(label="", low=0, high=1), None, STRIP),
    }


def _dots(boards: Sequence[ModelOnBoard]) -> Iterator[Series]:
    """Yield a dot for each leaderboard, a square where the model was trained on it; highlighted where it may lead."""
    kinds = grouped(boards, lambda board: (board.may_be_best is True, board.training == IN_DOMAIN))
    for (may_be_best, is_in_domain), alike in sorted(kinds.items(), reverse=True):
        yield Series(
            name="", mark="swarm", x=tuple(board.share for board in alike), y=(None,) * len(alike),
            labels=tuple(map(_label, alike)), is_highlighted=may_be_best, is_square=is_in_domain,
            is_hollow=is_in_domain and not may_be_best,
        )  # fmt: skip


def _label(board: ModelOnBoard) -> str:
    beats = f"beats {board.n_beaten} of {board.n_others} others" if board.n_others else "stands alone"
    best = {True: ", may be the best", False: "", None: ", no best set"}[board.may_be_best]
    return f"{board.name}, {board.measure}: {beats}{best}"
