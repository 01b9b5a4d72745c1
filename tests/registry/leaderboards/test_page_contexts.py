"""What the pages of leaderboards and suites take from their documents, put together by hand."""

from types import SimpleNamespace
from typing import Any

import pytest

from registry.leaderboards import presentation
from registry.leaderboards.forms import Selection
from registry.leaderboards.presentation import page_context
from registry.leaderboards.traits import Traits


@pytest.fixture
def seen(monkeypatch):
    """What the parts that draw and say are asked for."""
    asked: dict[str, Any] = {}

    def note(name: str):
        return lambda *given, **named: asked.setdefault(name, []).append((given, named)) or name

    for name in ("answers_of", "quoted", "page_drawings", "draw_plumb_line", "small_drawings"):
        monkeypatch.setattr(presentation, name, note(name))
    monkeypatch.setattr(presentation.five_runs, "what_runs_would_add", note("five_runs"))
    for name in ("choices_in_words", "equal_means_finding", "scale_choice"):
        monkeypatch.setattr(presentation.wording, name, note(name))
    return asked


def row(pk: int, **fields: Any) -> SimpleNamespace:
    return SimpleNamespace(**{"id": pk, "system": f"s{pk}", "year": 2004, "paper_slug": "", "training": "",
                              "value": 0.5} | fields)  # fmt: skip


def board(**fields: Any) -> Any:
    known = {
        "url": "/leaderboards/c/AP/", "selection": {}, "verdict": None, "n_listed": 11, "as_of": None,
        "published_by": None, "scales": {"published": "p", "residual": "r"}, "results": [row(1), row(2, year=2005)],
        "facets": {"role": {"baseline": 1, "proposed": 1}, "run_type": {}, "provenance": {"transcribed": 2}},
    } | fields  # fmt: skip
    return SimpleNamespace(**known)


def test_the_page_of_a_leaderboard(seen):
    document = board()
    selection = Selection(query={"role": "baseline"}, view={"q": "x"}, traits=Traits(since=2020))
    context = page_context(document, selection)
    assert (context["bounds"], context["five_runs"], context["drawn"]) == ("p", "five_runs", "page_drawings")
    assert seen["page_drawings"] == [((document, "p"), {})]
    assert seen["equal_means_finding"] == [((document, "p"), {})]
    assert seen["scale_choice"] == [((document, "published"), {})]
    assert [one.name for one in context["filters"]] == ["role"]
    assert [one.name for one in context["counted"]] == ["counted_roles"]
    ((_, labels, traits), _) = seen["choices_in_words"][0]
    assert (labels, traits) == ({"role": "all", "counted_roles": "all original results"}, Traits(since=2020))
    assert [one.name for one in context["scales"]] == ["scale"]
    assert context["trait_names"] == ("weights", "size", "maker", "since")
    assert [one.name for one in context["trait_fields"]] == list(context["trait_names"])
    assert context["years"] == [(2004, "2004-12-31")]
    assert (context["sources"], context["other_days"]) == ("", {"role": "baseline", "q": "x"})
    assert (context["cautions"], context["quote"]) == ((), "quoted")
    assert context["top_table"] == "/leaderboards/c/AP.tex?top=10"
    assert [one.address for one in context["drawings"]] == [
        "/leaderboards/c/AP/figure.svg", "/leaderboards/c/AP/figure.png",
    ]  # fmt: skip


def test_the_page_of_a_leaderboard_under_choices(seen):
    cited = board(results=[row(1), row(2, paper_slug="doe")], n_listed=10, selection={"role": "baseline"})
    context = page_context(cited, Selection(scale="residual", query={"as_of": "2020-01-01", "published_by": "x"}))
    assert context["sources"] == "/leaderboards/c/AP.sources.bib?role=baseline"
    assert (context["top_table"], context["bounds"], context["other_days"]) == ("", "r", {})
    assert context["drawings"][0].address == "/leaderboards/c/AP/figure.svg?role=baseline"
    assert seen["scale_choice"] == [((cited, "residual"), {})]
    unknown = page_context(cited, Selection(scale="borrowed"))
    assert unknown["bounds"] == "p"
    assert page_context(board(scales={}), Selection())["bounds"] is None
